"""Writes the vectors of live tables: `python -m tests.shuffle.make_table_vectors`.

Every byte comes from a named seed, so that the files can be made again; their keys are
public and good for nothing but tests.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path

from audit.cards import RANKS, pack
from audit.games import GAMES
from audit.games._plans import (
    BIERSPIEL,
    CASSINO,
    LOO_DOUBLE,
    SPOIL_FIVE,
    VINGT_UN,
    a_card_a_trick,
)
from audit.law import Law, Source
from audit.plan import Above, Deal, Draw, Each, Lay, Pick, Question, Step
from audit.shuffle.local import Room

FOLDER = Path(__file__).parent.parent / "vectors" / "tables"

#: Cards that all have seen are taken up, laid away or kept, shown and played to the last.
TAKEN_UP: tuple[Step, ...] = (
    Lay(to="turnup", cards=2),
    Deal(cards=3),
    Pick(who="eldest", source="turnup", to="hand"),
    Each(
        steps=(
            Pick(who="it", source="hand", to="discard", cards=Above(keep=1), hidden=True),
            Draw(who="it", cards=2),
        )
    ),
    Each(
        steps=(
            Pick(who="it", source="hand", to="discard", cards=1, hidden=True),
            Pick(who="it", source="hand", to="hand", cards=1),
        )
    ),
    Each(steps=(Pick(who="it", source="hand", to="trick", cards=1),)),
    Each(steps=(Pick(who="it", source="hand", to="trick", cards=1),)),
)


def seeded(seed: str) -> Callable[[int], bytes]:
    """Return a source of bytes that anybody can have again: SHAKE-256 of seed and count."""
    count = 0

    def draw(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{seed} {count}".encode()).digest(size)

    return draw


def chooser(seed: str) -> Callable[[int, Question, Mapping[int, int]], str | list[int]]:
    """Return players who decide by lot, from the same seed for ever."""
    rng = random.Random(seed)

    def decide(seat: int, question: Question, hand: Mapping[int, int]) -> str | list[int]:
        if question.places:
            return rng.sample(question.places, question.count)
        return str(rng.choice(question.choices))

    return decide


def law(name: str, plan: tuple[Step, ...], cards: tuple[int, ...], players: int) -> Law:
    """Return a law around a plan whose game is not built yet."""
    source = Source(book="test", section="test")
    return Law(
        id=name,
        name=name,
        source=source,
        pack=cards,
        players=(players, players),
        plan=plan,
        cut_least=4,
    )


def tables() -> dict[str, tuple[Law, int, bool, str]]:
    """Return law, players, relay and opening of each vector by name."""
    whole, short = pack(RANKS), pack("789TJQKA")
    return {
        "seven_up_4": (GAMES["seven_up_4"], 4, False, "pack"),
        "seven_up_2_relay": (GAMES["seven_up_2"], 2, True, "pack"),
        "seven_up_3_session": (GAMES["seven_up_3"], 3, True, "session"),
        "ecarte_relay": (GAMES["ecarte_foster"], 2, True, "pack"),
        "euchre_4": (GAMES["euchre_4"], 4, False, "pack"),
        "bridge": (GAMES["bridge"], 4, False, "pack"),
        "double_loo": (law("double_loo", LOO_DOUBLE, whole, 5), 5, True, "pack"),
        "spoil_five": (law("spoil_five", SPOIL_FIVE, whole, 5), 5, False, "pack"),
        "california_jack": (
            law("california_jack", a_card_a_trick(turned_over=True), whole, 2),
            2,
            False,
            "pack",
        ),
        "cassino": (law("cassino", CASSINO, whole, 3), 3, False, "pack"),
        "vingt_un": (law("vingt_un", VINGT_UN, whole, 4), 4, True, "pack"),
        "bierspiel": (law("bierspiel", BIERSPIEL, short, 4), 4, False, "pack"),
        "taken_up": (law("taken_up", TAKEN_UP, short, 3), 3, True, "pack"),
    }


def play(name: str, packs: int = 2) -> Room:
    """Play the packs of a vector and return the room."""
    made, players, relay, opening = tables()[name]
    room = Room(
        made,
        players,
        packs=packs,
        relay=relay,
        opening=opening,
        options={"trump": "H"} if name == "california_jack" else {},
        draw=seeded(f"fairdeal vector {name}"),
    )
    decide = chooser(name)
    for number in range(1, packs + 1):
        room.contribute(10 + number)
        room.play(decide)
        room.finish()
    return room


def random_table(seed: int) -> tuple[str, Room]:
    """Return the name of a game and a room for one pack of it, all by the seed.

    The games come in turn, so that any thirteen seeds in a row have each once.
    """
    name = list(tables())[seed % len(tables())]
    made, players, _, _ = tables()[name]
    rng = random.Random(f"fairdeal table {seed}")
    room = Room(
        made,
        players,
        relay=rng.random() < 0.5,
        opening="pack",
        dealer=rng.randrange(players),
        options={"trump": rng.choice("SHDC")} if name == "california_jack" else {},
        draw=seeded(f"fairdeal table {seed}"),
    )
    return name, room


def main() -> None:
    """Write every vector and the file of anchors."""
    FOLDER.mkdir(exist_ok=True)
    anchors = {}
    for name in tables():
        room = play(name)
        for number in (1, 2):
            raw = room.transcript(number)
            (FOLDER / f"{name}_{number}.json").write_bytes(raw)
            size, root = room.ledger.head()
            anchors[f"{name}_{number}"] = {
                "size": size,
                "root": root.hex(),
                "dealt": verdict_of(raw),
            }
    text = {
        "provenance": "python -m tests.shuffle.make_table_vectors; test keys, known to everybody",
        "tables": anchors,
    }
    (FOLDER / "anchors.json").write_text(json.dumps(text, indent=1) + "\n", encoding="ascii")


def verdict_of(raw: bytes) -> list[int]:
    """Return the dealt order, which a second verifier has to find too."""
    from audit.shuffle.transcript import verify_transcript

    return list(verify_transcript(raw).dealt)


if __name__ == "__main__":
    main()
