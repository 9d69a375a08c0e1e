"""`fairdeal demo`: the main job end to end, in under a minute."""

from __future__ import annotations

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
    from audit.shuffle.local import Room
    from audit.shuffle.transcript import verify_transcript

    law = GAMES["seven_up_4"]
    room = Room(law, 4)
    anchor = room.ledger.head()
    click.echo("   sealed; every seat commits to 64 random bytes, the pone to a depth of the cut")
    room.contribute(4 + secrets.randbelow(45))
    pack = room.pack
    assert pack.play is not None
    turned = [law.pack[pack.order[(pack.depth + p) % 52]] for p in law.turn_places(4, 52)]
    click.echo(f"   dealt; turned for trumps: {show(turned[:1])}")
    room.decide(0, "beg")
    room.decide(3, "run")
    shown = [p for p in law.turn_places(4, 52) if p in pack.play.public]
    click.echo(f"   eldest begs, dealer runs: {show(turned[1 : len(shown)])}")
    # What each hand holds above six cards is laid aside unseen, and opened at the end.
    room.play(lambda seat, question, hand: question.places[: question.count])
    room.finish()
    raw = room.transcript(1)
    write_whole(str(folder / "pack.json"), raw.decode("ascii"))
    verdict = verify_transcript(raw, anchor)
    click.echo(
        f"   transcript {'verified' if verdict.verified else 'not verified'} against its seal"
    )

    place = raw.index(b'"body":"') + 200
    changed = raw[:place] + (b"0" if raw[place : place + 1] != b"0" else b"1") + raw[place + 1 :]
    try:
        verify_transcript(changed, anchor)
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
