"""Whole deals by players at a table: from a seed to records that the referee accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from audit.event import Below, Choose, Event, Seen, Want
from audit.lab._habit import Habit
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
    *,
    plays: int = MOST_EVENTS,
) -> Deal:
    """Return the whole record of *dealt*, played by *choose* (by seat) and scored rightly.

    The record is cut short after so many *plays*.
    """
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
        plays -= event.kind == "play"
        if not plays:
            return made.record(dealt, tuple(events))
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


def habitual(
    law: Law,
    habit: Habit,
    *,
    players: int,
    choose: Choose,
    count: int,
    dial: Fraction,
    seed: int,
    seat: int,
    plays: int = MOST_EVENTS,
) -> Iterator[Deal]:
    """Yield *count* deals of one table; in a share *dial* of them *seat* does as *habit* says.

    All else is played by *choose*.  Deals are named and numbered as a secretary would, and
    the deal passes left; records are cut short after so many *plays*.

    Raises: ValueError where *dial* is no share.
    """
    if not 0 <= dial <= 1:
        raise ValueError(f"dial: 0 to 1 wanted, got {dial}")
    pack = sorted(law.pack)
    orders = uniform_orders(Words(seed), count, len(pack))
    lots, honest = Lots(seed + 1), dict.fromkeys(range(1, players + 1), choose)
    for i in range(count):
        dealer = (players - 1 + i) % players + 1
        dealt = first_deal(law, bytes(pack[k] for k in orders[i]), players, dealer, {})
        dealt = replace(dealt, table="1", number=str(i + 1), dealer=f"P{dealer}")
        does = lots.below(dial.denominator) < dial.numerator
        if not does or (habit.as_dealer and dealer != seat):
            yield play_deal(law, dealt, honest, lots, plays=plays)
            continue
        ends = habit.ends(dealt, seat) if habit.ends is not None else ()
        if ends:
            yield replace(dealt, events=ends)
            continue
        played = play_deal(
            law, dealt, honest | {seat: _acts(habit, dealt, choose)}, lots, plays=plays
        )
        yield habit.writes(played, seat) if habit.writes is not None else played


def _acts(habit: Habit, dealt: Deal, choose: Choose) -> Choose:
    """Return how he plays who does as *habit* says."""

    def act(want: Want, seen: Seen, below: Below) -> Event:
        honest = choose(want, seen, below)
        return honest if habit.acts is None else habit.acts(dealt, want, seen, honest)

    return act
