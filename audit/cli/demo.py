"""`fairdeal demo`: the main job end to end, in under a minute."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import as_file, files
from pathlib import Path

import click

from audit.cli.audit import write_whole

FOLDER = "fairdeal-demo"


@click.command()
def demo() -> int:
    """Deal a sealed pack, catch a changed copy, audit a fair and a crooked log."""
    from audit.errors import UsageError
    from audit.render.html import page
    from audit.run.audit import audit

    folder = Path(FOLDER)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as err:
        raise UsageError(FOLDER, "cannot be made", err.strerror or "unknown") from err
    click.echo("1. A sealed pack of Seven-Up, four seats, nobody of whom decides the order alone")
    _sealed(folder)
    click.echo("\n2. Audits of simulated logs (Seven-Up for four, 1,600 deals)")
    for name, cheat, dial in (
        ("fair", "fair", Fraction(0)),
        ("jacks", "turned_jacks", Fraction(1, 4)),
    ):
        log = folder / f"{name}.jsonl"
        _log(log, cheat, dial)
        report = audit([str(log)], form=None, game=None)
        report["made"]["command"] = f"fairdeal audit {log.name}"
        write_whole(str(folder / f"{name}.html"), page(report))
        click.echo(f"   {log.name}: {report['verdict']}  ->  {folder / name}.html")
        for finding in report["findings"]:
            if finding["flagged"]:
                click.echo(f"     {finding['code']}: {finding['message']}")
    click.echo("\n3. The turn-ups of a real card room, as counts")
    with as_file(files("audit.cli") / "euchre_turn_ups.csv") as counts:
        report = audit([str(counts)], form=None, game=None)
    write_whole(str(folder / "card_room.html"), page(report))
    click.echo(f"   card room: {report['verdict']}  ->  {folder / 'card_room.html'}")
    for finding in report["findings"][:3]:
        click.echo(f"     {finding['code']}: {finding['message']}")
    click.echo("\nThe ledger of this demo is a plain file with no witness: the order in time is")
    click.echo("the word of the house, and what the seats compared.")
    return 0


def _sealed(folder: Path) -> None:
    import secrets

    from audit.cards import show
    from audit.errors import FairdealError
    from audit.games import GAMES
    from audit.shuffle.house import Table
    from audit.shuffle.rules import EVERYBODY
    from audit.shuffle.transcript import verify_transcript

    law = GAMES["seven_up_4"]

    def moves(decisions: Sequence[tuple[int, str]]) -> Sequence[tuple[int, int]]:
        turns = law.turn_places(4, 52)
        if not decisions:
            hands = law.hand_places(4)
            first = [(p, seat) for seat, hand in enumerate(hands) for p in hand]
            return [*sorted(first), (turns[0], EVERYBODY)]
        if decisions[-1] == (3, "run"):
            k = sum(d == (3, "run") for d in decisions)
            more = [(p, s) for s, hand in enumerate(law.run_places(4, k)) for p in hand]
            return [*more, (turns[k], EVERYBODY)]
        return []

    table = Table(
        game=law.id,
        law=str(law.version),
        pack=52,
        players=4,
        min_cut=law.cut_least or 0,
        next_moves=moves,
        dealer=3,
    )
    anchor = (3, table.seal())
    click.echo("   sealed; every seat commits to 64 random bytes, the pone to a depth of the cut")
    table.contribute(4 + secrets.randbelow(45))
    turn = law.turn_places(4, 52)[0]
    click.echo(f"   dealt; turned for trumps: {show([table.dealt[turn][1]])}")
    table.decide(0, "beg")
    table.decide(3, "run")
    turns, k = law.turn_places(4, 52), 1
    shown = [table.dealt[turns[0]][1], table.dealt[turns[1]][1]]
    # A turn-up of the refused suit is laid aside and the cards are run again.
    while shown[-1] // 13 == shown[0] // 13 and k + 1 < len(turns):
        k += 1
        table.decide(3, "run")
        shown.append(table.dealt[turns[k]][1])
    click.echo(f"   eldest begs, dealer runs: {show(shown[1:])}")
    raw = table.finish()
    write_whole(str(folder / "pack.json"), raw.decode("ascii"))
    verdict = verify_transcript(raw, moves, anchor)
    click.echo(
        f"   transcript {'verified' if verdict.verified else 'not verified'} against its seal"
    )

    place = raw.index(b'"body":"') + 200
    changed = raw[:place] + (b"0" if raw[place : place + 1] != b"0" else b"1") + raw[place + 1 :]
    try:
        verify_transcript(changed, moves, anchor)
    except FairdealError as err:
        click.echo(f"   a copy with one digit changed does not verify: {err}")
    else:
        raise AssertionError("a changed transcript verified")


def _log(path: Path, cheat: str, dial: Fraction) -> None:
    from audit.games import GAMES
    from audit.lab import LAB
    from audit.lab._simulate import simulate
    from audit.play import PLAY
    from audit.readers.jsonl import encode

    table = simulate(
        GAMES["seven_up_4"], LAB[cheat], 1600, dial, seed=2026, player=PLAY["sensible"]
    )
    write_whole(str(path), "".join(encode(d).decode("utf-8") + "\n" for d in table.records()))
