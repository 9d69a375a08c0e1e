"""`fairdeal witness`: cosign a ledger, and perhaps relay openings."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import click


@click.command()
@click.argument("url")
@click.option("--key", required=True, metavar="FILE", help="The witness's key, mode 0600.")
@click.option("--name", required=True, help="The name that its key goes by.")
@click.option("--ledger", metavar="VKEY", help="The ledger's key; kept after the first time.")
@click.option("--state", metavar="DIR", default="fairdeal-witness", show_default=True)
@click.option("--relay", metavar="HOST:PORT", help="Relay openings; seats reach it here.")
@click.option("--create", is_flag=True, help="Make the key, print its line, and stop.")
def witness(
    url: str,
    key: str,
    name: str,
    ledger: str | None,
    state: str,
    relay: str | None,
    create: bool,  # noqa: FBT001 - a flag of the command line
) -> int:
    """Cosign checkpoints that extend the last one, and no others."""
    from audit.client.api import Api
    from audit.client.journal import Journal
    from audit.client.refusal import Answered, Unreachable
    from audit.client.relay import RelayDesk, door
    from audit.client.witness import Witness, ledger_of
    from audit.errors import UsageError
    from audit.keyfile import make_key, read_private
    from audit.note import COSIGNATURE, Signer

    if create:
        make_key(Path(key))
    private = read_private(Path(key))
    signer = Signer(name, private, COSIGNATURE)
    if create:
        click.echo(signer.key.text)
        return 0
    folder = Path(state)
    journal = Journal(folder / "heads.jsonl")
    api = Api(url)
    one = Witness(api, signer, ledger_of(api, ledger, journal), journal)
    desk = None
    if relay is not None:
        host, _, port = relay.rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            raise UsageError("witness", "--relay", "is no address", "HOST:PORT")
        desk = RelayDesk(Api(url), private, Journal(folder / "relay.jsonl"))
        server = door(desk, host, int(port))
        threading.Thread(target=server.serve_forever, daemon=True).start()
    while True:
        try:
            one.step(20 if desk is None else 1)
            if desk is not None:
                desk.step()
        except (Unreachable, Answered) as err:
            # A busy service, and a message that came too late, are no reason to go away.
            if isinstance(err, Answered) and err.status not in (409, 429, 503):
                raise
            click.echo(f"waiting: {err}", err=True)
            time.sleep(1)
