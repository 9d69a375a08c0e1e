"""Whether first hands and widow are the cards at their places of the pack."""

from __future__ import annotations

from collections.abc import Iterator, Set

from audit.cards import UNKNOWN
from audit.law import Law
from audit.plan import PACKETS, Ask, Move, Question, course, start
from audit.record import Deal

_Places = tuple[tuple[int, ...], ...]
_kept: dict[tuple[str, int, int, str], _Places] = {}


def _places(law: Law, players: int, packets: str) -> _Places:
    """Return the places of the hands in dealing order, then of the widow."""
    key = law.id, law.version, players, packets
    if key not in _kept:
        _kept[key] = _follow(law, players, packets)
    return _kept[key]


def _follow(law: Law, players: int, packets: str) -> _Places:
    state = start(players, len(law.pack))
    running, answer = course(law.plan, state), None
    try:
        while True:
            event: Move | Question = running.send(answer)
            answer = None
            if isinstance(event, Question):
                if event.name != PACKETS:
                    break
                answer = packets
    except StopIteration:
        pass
    hands = tuple(tuple(state.zones[f"hand {s}"]) for s in range(1, players + 1))
    return (*hands, tuple(state.zones.get("widow", ())))


def _choices(law: Law) -> tuple[str, ...]:
    """Return the packets among which the dealer chooses, one name where there is no choice."""
    asked = [s for s in law.plan if isinstance(s, Ask) and s.name == PACKETS]
    return asked[0].choices if asked else ("",)


def astray(
    law: Law, deal: Deal, players: int, dealer: int, *, hands: int | None = None
) -> Iterator[int]:
    """Yield the seat of each hand that is not as dealt, 0 for the widow.

    Only where the order of a whole pack is known; packets that the record does
    not name are those that fit best.  *hands* is one fewer than *players* where the
    dealer took no cards; where a widow then falls the books do not say.
    """
    order = deal.order_after_cut
    dealt = players if hands is None else hands
    if order is None or len(order) != len(law.pack) or (law.widow and dealt < players):
        return
    choices = _choices(law)
    said = deal.options.get(PACKETS)
    best: list[int] | None = None
    for packets in (said,) if said in choices else choices:
        places = _places(law, dealt, packets or "")
        wrong = [
            seat
            for seat, hand in enumerate(deal.hands, start=1)
            if hand and other_than(hand, {order[p] for p in places[(seat - dealer - 1) % players]})
        ]
        at = {order[p] for p in places[-1]}
        wrong += [0] * (bool(deal.widow) and other_than(deal.widow, at))
        if not wrong:
            return
        if best is None or len(wrong) < len(best):
            best = wrong
    yield from best or ()


def other_than(cards: bytes, due: Set[int]) -> bool:
    """Return whether *cards* cannot be those *due*; one that is not known may be any of them."""
    known = {c for c in cards if c != UNKNOWN}
    return not known <= due or len(known) + cards.count(UNKNOWN) != len(due)


def doubled(deal: Deal) -> list[int]:
    """Return the known cards that stand more than once among hands, widow and turn-up."""
    known = [c for part in (*deal.hands, deal.widow, deal.turnups) for c in part if c < 52]
    return sorted({c for c in known if known.count(c) > 1})
