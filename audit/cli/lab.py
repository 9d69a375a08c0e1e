"""`fairdeal lab`: logs of a fair dealer, or of a crooked one, for research."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path

import click

#: Families of games at whose tables somebody may have a habit.
FAMILIES = ("seven_up", "pitch", "california")


@click.group()
def lab() -> None:
    """Simulate tables, to see what an audit finds and what it misses."""


@lab.command(name="deal")
@click.argument("cheat")
@click.option("--game", required=True, metavar="G")
@click.option("--deals", type=click.IntRange(1, 10_000_000), required=True)
@click.option("--dial", default="1", show_default=True, help="Share of the crook's deals, as 1/12.")
@click.option("--seed", type=click.IntRange(0), required=True)
@click.option(
    "--crook", type=click.IntRange(1), help="The crook's place; default the first dealer."
)
@click.option("-o", "--output", default="-", show_default=True, metavar="LOG")
def deal(
    cheat: str, game: str, deals: int, dial: str, seed: int, crook: int | None, output: str
) -> int:
    """Write the log of a dealer who is `fair`, or of one with the habit CHEAT."""
    from audit.cli.audit import write_whole
    from audit.errors import UsageError
    from audit.games import GAMES
    from audit.lab import LAB
    from audit.lab._simulate import simulate
    from audit.play import PLAY
    from audit.readers.jsonl import encode
    from audit.referee.simulate import habitual

    if not re.fullmatch(r"\d{1,9}(/\d{1,9}|\.\d{1,9})?", dial) or dial.endswith("/0"):
        raise UsageError("lab", "--dial", "not a share", "0 to 1, as 1/12 or .25", dial)
    share = Fraction(dial)
    if not 0 <= share <= 1:
        raise UsageError("lab", "--dial", "not a share", "0 to 1", dial)
    law = GAMES[game]
    if not law.run and not (LAB[cheat].habit and law.rules and law.rules.family in FAMILIES):
        raise UsageError("lab", "--game", "the laboratory deals Seven-Up only so far", "", game)
    tables = LAB[cheat].players
    if tables and law.players[1] not in tables:
        wanted = " or ".join(map(str, tables))
        raise UsageError("lab", cheat, "no room at this table", wanted, str(law.players[1]))
    if crook is not None and crook > law.players[1]:
        raise UsageError("lab", "--crook", "no such place", f"1 to {law.players[1]}", str(crook))
    habit = LAB[cheat].habit
    if habit is not None:
        seat, choose = crook or law.players[1], PLAY["sensible_all_fours"].choose
        assert choose is not None
        made = habitual(
            law,
            habit,
            players=law.players[1],
            choose=choose,
            count=deals,
            dial=share,
            seed=seed,
            seat=seat,
        )
        write_whole(output, "".join(encode(d).decode() + "\n" for d in made))
        return 0
    table = simulate(law, LAB[cheat], deals, share, seed, crook_seat=crook, player=PLAY["sensible"])
    write_whole(output, "".join(encode(d).decode() + "\n" for d in table.records()))
    return 0


@lab.command(name="power")
@click.argument("cheat", nargs=-1)
@click.option("--game", default="seven_up_4", show_default=True, metavar="G")
@click.option("--logs", type=click.IntRange(2, 100_000), default=200, show_default=True)
@click.option("--seed", type=click.IntRange(0, 1 << 62), default=0, show_default=True)
@click.option("--dials", type=click.IntRange(1, 4), default=4, show_default=True)
@click.option("--quick", is_flag=True, help="Dial 1, few short logs: shows that all is well.")
@click.option("--jobs", type=click.IntRange(1), help="Processes; all cores by default.")
@click.option(
    "-o", "--output", default="reports", show_default=True, metavar="DIR", help="Where to write."
)
def power(
    cheat: tuple[str, ...],
    game: str,
    logs: int,
    seed: int,
    dials: int,
    jobs: int | None,
    output: str,
    *,
    quick: bool,
) -> int:
    """Write how soon the audit finds each CHEAT, all by default, and how often it errs.

    DIR gets `lab_power.json` and `lab_power.md`. A run that was stopped goes on where it was,
    and rows about others than CHEAT stay as they are.
    """
    import json
    import os

    from audit.cli.audit import progress, write_whole
    from audit.errors import UsageError
    from audit.games import GAMES
    from audit.lab import LAB
    from audit.run.power import LENGTHS, Plan, Store, refused, run
    from audit.run.power_rows import page, report

    if not GAMES[game].run:
        raise UsageError("lab", "--game", "the laboratory deals Seven-Up only so far", "", game)
    for name in cheat:
        LAB[name]
    asked = [name for name in LAB.names if not cheat or name in cheat]
    not_dealt = refused(GAMES[game], asked)
    plan = Plan(
        game=game,
        crooks=tuple(name for name in asked if name not in not_dealt),
        dials=1 if quick else dials,
        lengths=LENGTHS[:1] if quick else LENGTHS,
        logs=min(logs, 8) if quick else logs,
        fair_logs=8 if quick else 4 * logs,
        seed=seed,
    )
    folder = Path(output)
    # A look at a few logs must not take away what a long run has left.
    partial = folder / f".lab_power{'.quick' if quick else ''}.part"
    table = folder / "lab_power.json"
    kept: list[dict[str, object]] = []
    try:
        store = Store(partial, plan.version)
        if cheat and table.exists():
            old = json.loads(table.read_text(encoding="utf-8"))
            kept = old["rows"] if (old["game"], old["seed"]) == (game, seed) else []
    except OSError as err:
        raise UsageError(output, "cannot be written", err.strerror or "unknown") from err
    except (ValueError, KeyError, TypeError) as err:
        raise UsageError(str(table), "is no table of this command", "move it away") from err
    with progress() as told:
        results = run(plan, store, jobs=jobs or os.cpu_count() or 1, told=told)
    said = ["fairdeal", "lab", "power", *cheat, "--game", game, "--logs", str(logs)]
    said += ["--seed", str(seed), *(["--quick"] if quick else ["--dials", str(dials)])]
    made = report(results, plan, shlex.join(said), not_dealt, kept)
    write_whole(str(table), json.dumps(made, indent=1) + "\n")
    write_whole(str(folder / "lab_power.md"), page(made))
    partial.unlink(missing_ok=True)
    click.echo(page(made), nl=False)
    return 0
