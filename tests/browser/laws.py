"""Both readers of a law over laws changed by lot: `python -m tests.browser.laws --laws 3000`.

They have to refuse the same ones, and follow the others through the same deals and questions.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from audit.errors import NotVerified
from audit.shuffle.canonical import encode
from audit.shuffle.entries import EVERYBODY
from audit.shuffle.lawbook import check_shown, law_object, steps_in
from audit.shuffle.play import Play
from tests.browser.second import NODE
from tests.shuffle.make_table_vectors import tables

LINES = Path(__file__).parent / "law_lines.js"
NUMBERS = (0, 1, 2, 3, 5, 13, 60)
WORDS = [
    "eldest",
    "pone",
    "dealer",
    "it",
    "lead",
    "next",
    "cards",
    "hand",
    "stock",
    "under",
    "turnup",
    "board",
    "trick",
    "won",
    "widow",
    "aside",
    "suit",
    "ace",
    "winner",
    "beg",
    "packets",
    "yes",
    "no",
    "all",
    "any",
    "same",
    "new",
    "1",
    "2",
]
AT_ONCE = 500
TABLES = list(tables())


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        found.append((value, key))
        if isinstance(value[key], dict | list):
            _places(value[key], found)
    return found


def _asked(value: Any) -> set[str]:
    inner = value.values() if isinstance(value, dict) else value
    found: set[str] = set()
    for one in inner:
        if isinstance(one, dict | list):
            found |= _asked(one)
    if isinstance(value, dict) and value.get("who") == "cards":
        found.add(str(value.get("name")))
    return found


def _change(law: dict[str, Any], rng: random.Random) -> None:
    holder, key = rng.choice(_places(law["plan"], []))
    value = holder[key]
    if isinstance(holder, list) and rng.random() < 0.5:
        way = rng.randrange(3)
        if way == 0:
            del holder[key]
        elif way == 1:
            holder.insert(rng.randrange(len(holder)), json.loads(json.dumps(value)))
        else:
            rng.shuffle(holder)
    elif isinstance(value, int):
        holder[key] = rng.choice([*NUMBERS, {"above": 3}, {"size": rng.choice(WORDS)}])
    elif isinstance(value, str) and key != "step":
        holder[key] = rng.choice([*WORDS, 1])
    elif isinstance(value, dict) and isinstance(holder, dict):
        holder[key] = rng.choice(NUMBERS)
    elif isinstance(value, list) and rng.random() < 0.3:
        holder[key] = []


def given(seed: int) -> dict[str, Any]:
    """Return one law by lot, changed in up to four places, with what is needed to follow it."""
    rng = random.Random(f"law {seed}")
    made, seats, _, _ = tables()[rng.choice(TABLES)]
    law = json.loads(encode(law_object(made, seats, {})))
    for _ in range(rng.randint(0, 4)):
        if law["plan"]:
            _change(law, rng)
    if rng.random() < 0.9:
        law["shown"] = sorted(_asked(law["plan"]))
    order = list(range(len(law["pack"])))
    rng.shuffle(order)
    return {
        "law": encode(law).decode(),
        "seats": seats,
        "dealer": rng.randrange(seats),
        "trump": rng.choice(["", "S", "D", "X"]),
        "order": order,
        "seed": seed,
    }


def first(one: dict[str, Any]) -> dict[str, Any]:
    """Return what the first verifier makes of a law."""
    trace: list[Any] = []
    try:
        law = json.loads(one["law"])
        plan = steps_in(law["plan"])
        check_shown(law["shown"], plan)
        play = Play(
            plan=plan,
            pack=law["pack"],
            seats=one["seats"],
            dealer=one["dealer"],
            trump=one["trump"],
        )
        _follow(play, one, trace)
    except NotVerified as err:
        return {"refused": str(err), "trace": trace}
    return {"refused": "", "trace": trace}


def _follow(play: Play, one: dict[str, Any], trace: list[Any]) -> None:
    turn = 0
    while True:
        moves = play.moves()
        if moves:
            trace.append([list(move) for move in moves])
        for place, to in moves:
            if to == EVERYBODY:
                play.learn(place, one["order"][place])
        if play.settle():
            continue
        question = play.question
        if play.over or question is None or play.asked is None:
            return
        turn += 1
        if not question.places:
            words = [str(c) for c in question.choices]
            trace.append([play.asked, question.name, words])
            word = words[(one["seed"] + 7 * turn) % len(words)] if words else ""
            play.answer(question.name, word)
            continue
        trace.append([play.asked, question.name, question.count, int(question.hidden)])
        zone = question.name.removeprefix("pick ")
        if question.hidden:
            play.hide(zone, question.count)
            continue
        places = set(question.places)
        if places <= set(play.hand(play.asked)):
            places |= play._unsure.get(question.seat, set())
        public = sorted(places, key=lambda p: (p not in play.public, p))
        play.show(zone, {p: one["order"][p] for p in public[: question.count]})


def second(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the second verifier makes of laws, in Node."""
    assert NODE is not None
    lines = "".join(json.dumps(one) + "\n" for one in given)
    done = subprocess.run([NODE, LINES], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def disagreements(start: int, count: int) -> tuple[list[str], int]:
    """Return one line for each law that is told differently, and how many were followed."""
    some = [given(seed) for seed in range(start, start + count)]
    found, followed = [], 0
    for one, other in zip(some, second(some), strict=True):
        mine = first(one)
        followed += not mine["refused"]
        alike = bool(mine["refused"]) == bool(other["refused"])
        if not alike or (not mine["refused"] and mine["trace"] != other["trace"]):
            found.append(f"{one['seed']}: first {mine['refused']!r}, second {other['refused']!r}")
    return found, followed


def main() -> int:
    """Print the disagreements, and how many laws were followed to their end by both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--laws", type=int, default=3000)
    asked = parser.parse_args()
    found, followed = [], 0
    for start in range(0, asked.laws, AT_ONCE):
        lines, more = disagreements(start, min(AT_ONCE, asked.laws - start))
        found += lines
        followed += more
    print("\n".join(found))
    print(f"{asked.laws} laws, {followed} followed: {len(found)} disagreements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
