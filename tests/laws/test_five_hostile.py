"""Whatever a log says of a deal of Écarté or Euchre, the referee answers and never raises."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import structs

from audit.event import Event, Kind
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import deals

KINDS: tuple[Kind, ...] = (
    *("call", "exchange", "draw", "play", "claim", "trick", "look", "irregular"),
    *("redeal", "turn", "score", "pay", "pool"),
)
WORDS = (
    *("pass", "order", "play", "propose", "accept", "refuse", "king", "alone", "S"),
    *("discard", "advice", "faced card", ""),
)


def event(rng: random.Random) -> Event:
    cards = [rng.choice([rng.randrange(52), 255, 60]) for _ in range(rng.randint(0, 6))]
    return Event(
        kind=rng.choice(KINDS),
        seat=rng.choice([0, 1, 2, 3, 4, 7, 99]),
        cards=bytes(cards),
        word=rng.choice(WORDS),
        number=rng.choice([0, 1, 2, 9]),
        to=rng.choice([0, 1, 2]),
    )


def changed(deal: Deal, rng: random.Random) -> Deal:
    events = list(deal.events)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(events) + 1)
        events[at : at + rng.randint(0, 2)] = [event(rng)] * rng.randint(0, 1)
    order = deal.order_after_cut or b""
    other: dict[str, Any] = rng.choice(
        [
            *({},) * 6,
            {"hands": deal.hands[:1]},
            {"hands": ()},
            {"hands": (*deal.hands, b"\x01")},
            {"hands": (b"\xff" * 5,) * len(deal.hands)},
            {"turnups": b"\xff"},
            {"turnups": b"c"},
            {"turnups": b""},
            {"players": 1},
            {"players": 9},
            {"dealer_seat": None},
            {"dealer_seat": 99},
            {"order_after_cut": None},
            {"order_after_cut": order[:9]},
            {"options": {"pool_game": "x", "must_win": "z", "packets": "4", "pack": "?"}},
        ]
    )
    return structs.replace(deal, events=tuple(events), **other)


@pytest.mark.parametrize(
    "name", ["ecarte_foster", "ecarte_enquire", "pool_ecarte", "euchre_2", "euchre_4"]
)
def test_no_record_makes_the_referee_fail(name: str) -> None:
    law, rng, choose = GAMES[name], random.Random(name), PLAY["by_lot"].choose
    assert choose is not None
    said = {"pool_game": "1", "alone": "yes"}
    base = list(deals(law, players=law.players[0], choose=choose, count=40, seed=4, options=said))
    ruled = 0
    for _ in range(600):
        rulings, unjudged = referee(law, changed(rng.choice(base), rng))
        ruled += bool(rulings) or unjudged > 0
    assert ruled > 400
