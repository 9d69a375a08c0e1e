"""`fairdeal games`: the laws that are built."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from audit.cli.explain import field

if TYPE_CHECKING:
    from audit.law import Law


def as_data(law: Law) -> dict[str, Any]:
    """Return *law* as plain data, turn-ups counted from 1 for each number of players."""
    from audit.cards import show

    low, high = law.players
    return {
        "id": law.id,
        "name": law.name,
        "version": law.version,
        "status": law.status,
        "source": {"book": law.source.book, "section": law.source.section},
        "pack": show(law.pack).split(),
        "packs": {name: show(cards).split() for name, cards in law.packs.items()},
        "players": [] if law.status == "named" else [low, high],
        "packets": list(law.packets),
        "hands": {str(n): law.hand_of(n) for n in range(low, high + 1)},
        "widow": law.widow,
        "run": law.run,
        "turn_ups": {
            str(n): [place + 1 for place in law.turn_places(n, len(law.pack))]
            for n in range(low, high + 1)
        },
        "honours": dict(law.honours),
        "cut_least": law.cut_least,
        "silent": list(law.silent),
    }


def line(name: str, text: str) -> str:
    """Return one line of a law, wrapped, its text from the tenth column on."""
    return field(name, text, column=10)


def as_text(law: Law) -> str:
    """Return *law* in lines of 79 signs."""
    data = as_data(law)
    low, high = law.players
    pack = data["pack"]
    lines = [f"{law.name} ({law.id}), status {law.status}"]
    lines.append(line("source", f"{law.source.book}, {law.source.section}"))
    if law.status == "named":
        lines.append(line("rules", "none: the book names the game and gives no rules"))
        return "\n".join(lines)
    lines.append(line("pack", f"{len(pack)} cards: {' '.join(pack)}"))
    for name, cards in data["packs"].items():
        if len(cards) != len(pack):
            lines.append(line("option", f"pack={name}: {' '.join(cards)}"))
    lines.append(line("players", str(low) if low == high else f"{low} to {high}"))
    if len(set(data["hands"].values())) == 1:
        lines.append(line("packets", f"{' + '.join(map(str, law.packets))} to each hand"))
    else:
        each = ", ".join(f"{cards} ({n})" for n, cards in data["hands"].items())
        lines.append(line("hands", f"cards to each, by the number of players: {each}"))
    for players, turns in data["turn_ups"].items():
        if turns:
            where = ", then ".join(map(str, turns))
            lines.append(line("turn-up", f"card {where} of the pack ({players} players)"))
    for rank, code in law.honours.items():
        lines.append(line("pays", f"a {rank} turned pays the dealer ({code})"))
    if law.silent:
        lines.append(line("silent", f"the book does not say: {'; '.join(law.silent)}"))
    return "\n".join(lines)


#: What the list of games adds to a name, by status.
MARKS = {"guest": "  (guest: not of the books)", "named": "  (named only: no rules)"}


@click.command()
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def games(game: str | None, *, as_json: bool) -> None:
    """List the games that can be dealt and audited, or show one law."""
    from audit.games import GAMES

    if as_json:
        made: Any = [as_data(GAMES[name]) for name in GAMES.names]
        if game is not None:
            made = as_data(GAMES[game])
        click.echo(json.dumps(made, ensure_ascii=False, indent=1))
        return
    if game is not None:
        click.echo(as_text(GAMES[game]))
        return
    for name in GAMES.names:
        law = GAMES[name]
        click.echo(f"{name:23} {law.name}{MARKS.get(law.status, '')}")
