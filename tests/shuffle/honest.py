"""Honest packs raise no alarm: `python -m tests.shuffle.honest [--packs 1000]`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import count

from audit.games import GAMES
from audit.law import Law
from audit.plan import Question
from audit.shuffle.local import Room
from audit.shuffle.transcript import verify_transcript
from tests.shuffle.make_table_vectors import chooser, seeded, tables


def games() -> list[tuple[Law, int, bool, str]]:
    """Return the tables of the vectors, and every game that is built, at each number of seats."""
    found = list(tables().values())
    # A game of which only the name is left cannot be dealt.
    for name in (n for n in GAMES.names if GAMES[n].status != "named"):
        law = GAMES[name]
        for players in range(max(2, law.players[0]), law.players[1] + 1):
            found.append((law, players, bool(players % 2), "pack"))
    return found


def run(packs: int) -> int:
    """Play and verify *packs* packs; return how many were verified.

    Raises: NotVerified where an honest table is refused by a seat or by the verifier.
    """
    done = 0
    for turn in count():
        law, players, relay, opening = games()[turn % len(games())]
        each = min(1 + turn % 3, packs - done)
        if not each:
            return done
        room = Room(
            law,
            players,
            packs=each,
            relay=relay != bool(turn // len(games()) % 2),
            opening=opening,
            options={"trump": "SHDC"[turn % 4]} if law.id == "california_jack" else {},
            draw=seeded(f"honest {turn}"),
        )
        done += _packs(room, turn, each)
    return done


def _packs(room: Room, turn: int, packs: int) -> int:
    made = room.house.book
    assert made is not None
    least, size = made.manifest.min_cut, made.manifest.pack
    choose = chooser(f"honest {turn}")

    def answer(seat: int, question: Question, hand: Mapping[int, int]) -> str | list[int]:
        return choose(seat, question, hand)

    for number in range(1, packs + 1):
        depth = least + (7 * turn + number) % (size - 2 * least + 1)
        room.contribute(depth, packets=turn % 2)
        room.play(answer)
        room.finish()
    for number in range(1, packs + 1):
        verdict = verify_transcript(room.transcript(number), room.ledger.head())
        assert verdict.verified
        assert verdict.pack == number
        assert sorted(verdict.dealt) == sorted(made.pack)
    return packs


def main() -> None:
    """Print how many honest packs were played and verified."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--packs", type=int, default=1000)
    print(f"{run(parser.parse_args().packs)} honest packs, no alarm")


if __name__ == "__main__":
    main()
