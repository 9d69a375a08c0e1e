"""Records of every kind of disorder: what the referee is given must never stop it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec import structs

from audit.event import Event, Kind
from audit.record import Deal

KINDS: tuple[Kind, ...] = get_args(Kind)


def _event(rng: random.Random, words: Sequence[str], base: Sequence[Event]) -> Event:
    if base and rng.random() < 0.6:
        event = rng.choice(base)
        return structs.replace(event, seat=rng.choice((event.seat, rng.randrange(-1, 9))))
    cards = bytes(rng.choice((*range(52), 255)) for _ in range(rng.choice((0, 1, 1, 1, 2, 5))))
    return Event(
        kind=rng.choice(KINDS),
        seat=rng.randrange(-1, 9),
        cards=cards,
        word=rng.choice(words),
        number=rng.randrange(-1, 6),
        to=rng.randrange(-1, 9),
    )


def disordered(deal: Deal, words: Sequence[str], seed: int) -> Iterator[Deal]:
    """Yield records made of *deal* with events lost, doubled, strange or in another order."""
    rng = random.Random(seed)
    for _ in range(12):
        events = list(deal.events)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(events) + 1)
            events[at : at + rng.randrange(3)] = [_event(rng, words, deal.events)]
        hands = [rng.choice((h, h, b"", h[:-1], h + b"\x05", b"\xff" * 5)) for h in deal.hands]
        yield structs.replace(
            deal,
            events=tuple(events),
            hands=tuple(hands[: rng.choice((len(hands), len(hands), 1, 0))]),
            widow=rng.choice((deal.widow, b"")),
            players=rng.choice((deal.players, deal.players, None)),
            dealer_seat=rng.choice((deal.dealer_seat, None, 9)),
            order_after_cut=rng.choice((deal.order_after_cut, None)),
        )
