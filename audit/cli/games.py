"""`fairdeal games`: the laws that are built."""

from __future__ import annotations

import click


@click.command()
@click.argument("game", required=False)
def games(game: str | None) -> None:
    """List the games that can be dealt and audited, or show one law."""
    from audit.cards import show
    from audit.games import GAMES

    if game is None:
        for name in GAMES.names:
            law = GAMES[name]
            mark = "  (guest: not of the books)" if law.status == "guest" else ""
            click.echo(f"{name:14} {law.name}{mark}")
        return
    law = GAMES[game]
    low, high = law.players
    click.echo(f"{law.name} ({law.id}), status {law.status}")
    click.echo(f"source:   {law.source.book}, {law.source.section}")
    click.echo(f"pack:     {len(law.pack)} cards: {show(law.pack[:13])} ...")
    click.echo(f"players:  {low}" if low == high else f"players:  {low} to {high}")
    click.echo(f"packets:  {' + '.join(map(str, law.packets))} to each hand")
    if law.turnup:
        turns = [p + 1 for p in law.turn_places(low, len(law.pack))]
        click.echo(f"turn-up:  card {', then '.join(map(str, turns))} of the pack ({low} players)")
    for rank, code in law.honours.items():
        click.echo(f"pays:     a {rank} turned pays the dealer ({code})")
    if law.silent:
        click.echo(f"silent:   the book does not say: {'; '.join(law.silent)}")
