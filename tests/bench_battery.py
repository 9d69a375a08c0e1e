"""How long the whole battery takes: `python -m tests.bench_battery [DEALS ...]`.

Fair logs of several kinds go through `fairdeal audit` as whole commands, one process each. The
same command on a log of one deal is the start; what is printed beside it is what a log takes
after that. A log of counts is timed whole. Best of some runs, seconds of the clock and of the CPU.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from audit.cards import NAMES, RANKS, SUITS
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._random import Words, uniform_orders
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import Deal
from audit.referee.simulate import deals as played

COMMAND = "import sys; from audit.cli.main import outcome; sys.exit(outcome(sys.argv[1:]))"
#: A log of counts is audited within so many seconds as a whole command (aim).
COUNTS = 0.4
#: What a log of so many deals may take after the start (aims).
AIMS = {1_000: 1.0, 100_000: 10.0}
#: A seed each time so many deals have been made.
STEP = 1 << 14
Maker = Callable[[int], Iterator[bytes]]


def _named(deal: Deal, at: int) -> Deal:
    """Return *deal* as the *at*-th of one table, whose dealers are known by name."""
    return replace(
        deal, number=str(at + 1), table="1", dealer=f"P{deal.dealer_seat}", dealt_by="person"
    )


def _simulated(count: int, *, order: bool) -> Iterator[bytes]:
    law = GAMES["seven_up_4"]
    for start in range(0, count, STEP):
        size = min(STEP, count - start)
        table = simulate(law, LAB["fair"], size, Fraction(0), start + 1, player=PLAY["sensible"])
        assert table.orders is not None
        for i in range(size):
            turned = table.turnups[table.turn_at[i] : table.turn_at[i + 1]]
            deal = Deal(
                game=law.id,
                players=4,
                dealer_seat=int(table.dealer_seat[i]),
                turnups=turned.tobytes(),
                order_after_cut=table.orders[i].tobytes() if order else None,
            )
            yield encode(_named(deal, start + i)) + b"\n"


def _events(game: str, options: dict[str, str]) -> Maker:
    law, choose = GAMES[game], PLAY["by_lot"].choose
    assert choose is not None

    def make(count: int) -> Iterator[bytes]:
        found = played(law, players=4, choose=choose, count=count, seed=1, options=options or None)
        for at, deal in enumerate(found):
            yield encode(_named(deal, at)) + b"\n"

    return make


def _bridge(count: int) -> Iterator[bytes]:
    yield b"% PBN 2.1\n"
    for at, order in enumerate(uniform_orders(Words(1), count).tolist()):
        hands = []
        for seat in range(4):
            cards = sorted(order[seat::4], reverse=True)
            suits = ("".join(RANKS[c % 13] for c in cards if c // 13 == s) for s in range(4))
            hands.append(".".join(suits))
        text = f'[Board "{at + 1}"]\n[Dealer "{"NESW"[at % 4]}"]\n[Deal "N:{" ".join(hands)}"]\n\n'
        yield f'[Event "x"]\n{text}'.encode()


LOGS: dict[str, tuple[str, Maker]] = {
    "seven_up_4, turn-ups": (".jsonl", lambda n: _simulated(n, order=False)),
    "seven_up_4, orders": (".jsonl", lambda n: _simulated(n, order=True)),
    "seven_up_4, events": (".jsonl", _events("seven_up_4", {})),
    "euchre_4, events": (".jsonl", _events("euchre_4", {"pack": "24"})),
    "bridge, PBN": (".pbn", _bridge),
}


def run(path: Path, jobs: int, times: int = 3) -> tuple[float, float]:
    """Return the least seconds of the clock and of the CPU of auditing *path* as a command."""
    wall, cpu = [], []
    # As installed: bytecode is kept, and the first run writes it.
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "fairdeal-pyc")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    for _ in range(times):
        begun = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "audit", str(path), "--jobs", str(jobs)],
            stdout=subprocess.DEVNULL,
            env=env,
        )
        _, status, used = os.wait4(child.pid, 0)
        wall.append(time.perf_counter() - begun)
        cpu.append(used.ru_utime + used.ru_stime)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            raise SystemExit(f"the audit of {path.name} left with {child.returncode}")
    return min(wall), min(cpu)


def write(path: Path, make: Maker, deals: int) -> Path:
    """Write a log of *deals* deals."""
    with path.open("wb") as out:
        for line in make(deals):
            out.write(line)
    return path


def counts(path: Path) -> Path:
    """Write the turn-ups of 12,000 fair euchre deals as counts."""
    cards = [s * 13 + r for s in range(len(SUITS)) for r in range(7, 13)]
    drawn = uniform_orders(Words(1), 12_000, len(cards))[:, 0]
    seen = np.bincount(drawn, minlength=len(cards)).tolist()
    rows = [f"fair,12000,{NAMES[c]},{n}" for c, n in zip(cards, seen, strict=True)]
    path.write_text("stock,deals,card,turned\n" + "\n".join(rows) + "\n", encoding="ascii")
    return path


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", nargs="*", type=int, default=[1_000, 100_000])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds of logs whose name holds this")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wall, cpu = run(counts(folder / "counts.csv"), 1, 7)
        print(f"{'counts, whole command':24} {wall:8.2f} s {cpu:8.2f} CPU s, aim {COUNTS} s")
        for kind, (suffix, make) in LOGS.items():
            if asked.only not in kind:
                continue
            start = run(write(folder / f"one{suffix}", make, 1), 1, 5)
            print(f"{kind:24} start {start[0]:.2f} s, {start[1]:.2f} CPU s")
            for deals in asked.deals:
                path = write(folder / f"log{suffix}", make, deals)
                wall, cpu = run(path, asked.jobs, 5 if deals <= 10_000 else 1)
                aim = f", aim {AIMS[deals]} s" if deals in AIMS else ""
                print(
                    f"{kind:24} {deals:>7} deals {wall - start[0]:8.2f} s"
                    f" {cpu - start[1]:8.2f} CPU s after the start{aim}"
                )


if __name__ == "__main__":
    main()
