"""`fairdeal serve`: the dealing service."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--db", required=True, metavar="FILE|DSN", help="The ledger: a file or PostgreSQL.")
@click.option("--key", required=True, metavar="FILE", help="The house's key, mode 0600.")
@click.option("--vault", required=True, metavar="FILE", help="The key of the secrets at rest.")
@click.option("--origin", required=True, metavar="NAME", help="The name of the ledger.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@click.option("--witness", "witnesses", multiple=True, metavar="VKEY", help="A witness's key.")
@click.option("--quorum", type=click.IntRange(0, 32), default=0, show_default=True)
@click.option("--rate", type=click.FloatRange(1), default=200, show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that share the tables; more than 1 need PostgreSQL.",
)
@click.option("--create", is_flag=True, help="Make keys and ledger first; they may not stand.")
@click.option("--quiet", is_flag=True, help="Log nothing but faults.")
def serve(
    db: str,
    key: str,
    vault: str,
    origin: str,
    host: str,
    port: int,
    witnesses: tuple[str, ...],
    quorum: int,
    rate: float,
    workers: int,
    create: bool,  # noqa: FBT001 - a flag of the command line
    quiet: bool,  # noqa: FBT001 - a flag of the command line
) -> int:
    """Deal sealed packs over HTTP.

    One service serves one ledger, and a second one is refused. `--rate` is the requests of
    one peer in a second, for each worker. Put a proxy with TLS before it: tokens and cards
    cross the wire in the clear otherwise.
    """
    from audit.errors import UsageError
    from audit.ledger.place import shown
    from audit.note import COSIGNATURE, read_key
    from audit.service import serve as service

    keys = tuple(read_key(text) for text in witnesses)
    if any(k.algorithm != COSIGNATURE for k in keys):
        raise UsageError("serve", "--witness", "is no key of a witness")
    if quorum > len(keys):
        raise UsageError("serve", "--quorum", "is more than there are witnesses")
    settings = service.Settings(
        db=db,
        key=Path(key),
        vault=Path(vault),
        origin=origin,
        host=host,
        port=port,
        witnesses=keys,
        quorum=quorum,
        rate=rate,
        burst=2 * rate,
    )
    if create:
        service.create(settings)
        click.echo(
            f"{shown(db)}: made; publish the key of the house with the name {origin}", err=True
        )
    return service.run(settings, quiet=quiet, workers=workers)
