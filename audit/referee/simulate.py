"""Whole deals by players at a table: from a seed to records that the referee accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit.event import Choose, Event
from audit.lab._random import Words, uniform_orders
from audit.law import Law
from audit.plan import opening
from audit.record import Deal
from audit.referee import machine

MOST_EVENTS = 5_000


class Lots:
    """Uniform integers from the raw words of a seed, by rejection."""

    def __init__(self, seed: int) -> None:
        self._words, self._block, self._at = Words(seed), [0], 1

    def below(self, bound: int) -> int:
        """Return a uniform integer in [0, bound)."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            if self._at == len(self._block):
                self._block, self._at = self._words.words(256).tolist(), 0
            word = self._block[self._at]
            self._at += 1
            if word < limit:
                return int(word % bound)


def first_deal(
    law: Law, order: bytes, players: int, dealer: int, options: Mapping[str, str]
) -> Deal:
    """Return the record of a deal as it stands before anybody decides."""
    state = opening(law.plan, players, len(order), options.get("packets"))
    seats = [(place - dealer - 1) % players + 1 for place in range(1, players + 1)]
    hands = tuple(bytes(order[p] for p in state.zones[f"hand {s}"]) for s in seats)
    zones = {z: bytes(order[p] for p in places) for z, places in state.zones.items()}
    return Deal(
        game=law.id,
        players=players,
        dealer_seat=dealer,
        options=dict(options),
        order_after_cut=order,
        hands=hands,
        widow=zones.get("widow", b""),
        turnups=zones.get("turnup", b""),
        board=zones.get("board", b""),
    )


def play_deal(
    law: Law,
    dealt: Deal,
    choose: Mapping[int, Choose],
    lots: Lots,
    scores: tuple[int, ...] = (),
) -> Deal:
    """Return the whole record of *dealt*, played by *choose* (by seat) and scored rightly."""
    made = machine(law, dealt, scores)
    if made is None:
        return dealt
    events: list[Event] = []
    while (want := made.wants()) is not None:
        if len(events) > MOST_EVENTS:
            raise AssertionError(f"{law.id}: a deal does not end")
        event = (
            choose[want.seat](want, made.seen(want.seat), lots.below)
            if want.seat
            else made.nature(want)
        )
        made.take(event)
        events.append(event)
    events += [d.event for d in made.due()]
    return made.record(dealt, tuple(events))


def deals(
    law: Law,
    *,
    players: int,
    choose: Choose,
    count: int,
    seed: int,
    options: Mapping[str, str] | None = None,
) -> Iterator[Deal]:
    """Yield *count* deals of one table, all seats played by *choose*; the deal passes left."""
    said = dict(options or {})
    pack = sorted(law.pack_of(said))
    orders = uniform_orders(Words(seed), count, len(pack))
    lots = Lots(seed + 1)
    for i in range(count):
        order = bytes(pack[k] for k in orders[i])
        dealer = (players - 1 + i) % players + 1
        dealt = first_deal(law, order, players, dealer, said)
        yield play_deal(law, dealt, dict.fromkeys(range(1, players + 1), choose), lots)
