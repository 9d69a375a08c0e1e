"""Replays a deal against the law of its game, event by event; one family of games, one file."""

from __future__ import annotations

import sys
from functools import lru_cache

from audit.family import Family
from audit.law import Law
from audit.record import Deal
from audit.referee.machine import Machine, Maker, Ruling

#: Modules of this folder that are no family of games.
SHARED = ("machine", "tricks", "simulate")
REFEREE = Family(sys.modules[__name__], "MACHINE", Maker, without=SHARED)


def machine(law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> Machine | None:
    """Return the machine of a deal, None for a game without rules of play."""
    return None if law.rules is None else _maker(law.rules.family).make(law, deal, scores)


@lru_cache(maxsize=64)
def _maker(family: str) -> Maker:
    return REFEREE[family]


def referee(law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> tuple[list[Ruling], int]:
    """Return the rulings on a deal, and how many events could not be judged."""
    made = machine(law, deal, scores)
    if made is None or not deal.events:
        return [], 0
    made.take_all(deal.events)
    return made.finish(), made.unjudged
