"""Which records are one deal, decided before any test and never by how good a deal was.

Two records are one deal when table and number are both given and agree and the
cards do not contradict; or when all hands (or the whole order) agree and no
number of one table sets them apart.  The same full deal under two numbers of
one table is a repeat: one deal for every other tally, evidence of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from audit.law import Law
from audit.record import Deal


@dataclass(kw_only=True)
class Joined:
    """The distinct deals in file order, and what was set aside."""

    deals: list[Deal] = field(default_factory=list)
    repeated_records: int = 0
    repeats: list[tuple[int, Deal, Deal]] = field(default_factory=list)


def identity(deal: Deal, law: Law) -> bytes | None:
    """Return bytes that two deals share by chance with probability far below 1e-9, or None.

    Every hand complete, or the whole pack in order: with four hands of six
    cards there are more than 10^30 deals, with two hands of five 10^10 of 32
    cards, which is why those want their turn-up and widow as well.
    """
    if deal.order_after_cut and len(deal.order_after_cut) >= 24:
        return b"o" + deal.order_after_cut
    whole = deal.hands and all(len(h) == law.hand for h in deal.hands)
    if not whole or sum(map(len, deal.hands)) < 20:
        return None
    hands = b"|".join(bytes(sorted(h)) for h in deal.hands)
    return b"h" + hands + b"|" + deal.turnups[:1] + bytes(sorted(deal.board))


def _contradict(a: Deal, b: Deal) -> bool:
    pairs = [(a.turnups[:1], b.turnups[:1]), *zip(a.hands, b.hands, strict=False)]
    return any(x and y and sorted(x) != sorted(y) for x, y in pairs)


def join(deals: Iterable[Deal], law: Law) -> Joined:
    """Return the distinct ones of *deals*, first record kept, in order."""
    out = Joined()
    by_cards: dict[bytes, Deal] = {}
    by_number: dict[tuple[str, str], Deal] = {}
    for deal in deals:
        where = (deal.table, deal.number) if deal.table and deal.number else None
        if where and where in by_number and not _contradict(by_number[where], deal):
            out.repeated_records += 1
            continue
        key = identity(deal, law)
        if key is not None and key in by_cards:
            first = by_cards[key]
            apart = first.table == deal.table and first.number != deal.number
            timed = first.time is not None and first.time == deal.time
            if apart and first.number and deal.number and not timed:
                out.repeats.append((len(out.deals), first, deal))
            else:
                out.repeated_records += 1
            continue
        if key is not None:
            by_cards[key] = deal
        if where:
            by_number.setdefault(where, deal)
        out.deals.append(deal)
    return out
