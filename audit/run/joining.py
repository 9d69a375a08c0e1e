"""Which records are one deal, decided before any test and never by how good a deal was.

First by number: records with the table and the number of an earlier record of
the same input are that deal again, unless the cards contradict the first
record of the number; without a table only where some cards agree.  Where more
records of a table contradict the first of their number than agree with it, the
numbers start again, each night for instance, and agreement is luck: there a
number joins only records that also bear one time and agree.  Then, among those
left, by cards: where all hands (or the whole order) agree, the first is kept, and
one that another number of the same table sets apart is a repeat: one deal for
every other tally, evidence of its own.

A night's log numbers its deals anew, so that a number alone joins nothing across inputs.
But one night may be told by two inputs: kept by two scribes, stored in two forms, or in files
that overlap.  Where, of the records of two inputs that bear one table, number and time (of those
that come again the k-th and the k-th), four more agree than not, the two tell the same deals, and
those that agree are one deal.  Four cards of 24 agree by luck once in 331,776.  The record that
shows most hands is kept, of equals the one that tells dealer and declarer, or else the first: a
sheet of turn-ups, or a few true deals and many without a card, would otherwise hide what another
scribe wrote, or not, as the inputs are named.  Where two records show nothing in common one goes
only if it shows nothing, and its table is named.

`join` is the rule written plainly over records; `audit/run/exchange.py` does
the same for logs of any size, and a test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from audit.law import Law
from audit.record import Deal

#: So many more records of two inputs agree than not where both tell the same deals.
RESTATES = 4


@dataclass(kw_only=True)
class Joined:
    """The distinct deals in file order, and what was set aside.

    A repeat is the number of distinct deals before it, the deal and its repeat.
    """

    deals: list[Deal] = field(default_factory=list)
    repeated_records: int = 0
    repeats: list[tuple[int, Deal, Deal]] = field(default_factory=list)


def identity(deal: Deal, law: Law) -> bytes | None:
    """Return bytes that two deals share by chance with probability far below 1e-9, or None.

    Every hand complete, or the whole pack in order: with four hands of six
    cards there are more than 10^30 deals, with two hands of five 10^10 of 32
    cards, which is why those want their turn-up and widow as well.  A hand with
    a card that is not known is not complete.
    """
    if deal.order_after_cut and len(deal.order_after_cut) >= 24:
        return b"o" + deal.order_after_cut
    hands = [_known(h) for h in deal.hands]
    full = law.full_hand(deal.players or len(hands))
    if not hands or any(len(h) != full for h in hands) or sum(map(len, hands)) < 20:
        return None
    return b"h" + b"|".join([*hands, _known(deal.turnups[:1]), _known(deal.board)])


def _known(cards: bytes) -> bytes:
    return bytes(sorted(c for c in cards if c < 52))


def _agree(a: Deal, b: Deal) -> bool | None:
    """Return whether the cards that both deals show are the same, None where there are none."""
    pairs = [(a.turnups[:1], b.turnups[:1]), *zip(a.hands, b.hands, strict=False)]
    known = [(_known(x), _known(y)) for x, y in pairs]
    both = [x == y for x, y in known if x and y]
    return all(both) if both else None


def _by_number(deals: Sequence[Deal], inputs: Sequence[int] | None) -> list[bool]:
    """Return which of *deals* their number says to be an earlier record's deal."""
    same: list[bool | None] = []
    timed: list[bool] = []
    votes: Counter[tuple[int, str]] = Counter()
    first: dict[tuple[int, str, str], Deal] = {}
    first_timed: dict[tuple[int, str, str, str], Deal] = {}
    tables = [(inputs[i] if inputs else 0, d.table or "") for i, d in enumerate(deals)]
    for table, deal in zip(tables, deals, strict=True):
        where = (*table, deal.number or "")
        when = (*where, deal.time or "")
        again = bool(deal.number) and where in first
        agree = _agree(first[where], deal) if again else None
        votes[table] += 0 if agree is None else 1 if agree else -1
        same.append(again and (agree is True or (agree is None and bool(deal.table))))
        timed.append(
            bool(deal.number and deal.time)
            and when in first_timed
            and _agree(first_timed[when], deal) is True
        )
        first.setdefault(where, deal)
        first_timed.setdefault(when, deal)
    return [timed[i] if votes[table] < 0 else bool(same[i]) for i, table in enumerate(tables)]


def _shows(deal: Deal) -> int:
    """Return of how many hands and of how many first turn-ups *deal* shows a card."""
    return sum(bool(_known(cards)) for cards in (deal.turnups[:1], *deal.hands))


def _tells(deal: Deal) -> int:
    """Return how much of order, dealer, his place and the declarer's *deal* tells."""
    told = deal.dealer, deal.dealer_seat, deal.declarer
    return bool(_known(deal.order_after_cut or b"")) + sum(map(bool, told))


def _restated(deals: Sequence[Deal], inputs: Sequence[int], gone: Sequence[bool]) -> list[bool]:
    """Return which of *deals* another input tells, too, with the same table, number and time.

    None is for one that is *gone* itself.
    """
    turns: Counter[tuple[int, str, str, str]] = Counter()
    groups: dict[tuple[str, str, str, int], list[int]] = {}
    for i, deal in enumerate(deals):
        name = deal.table or "", deal.number or "", deal.time or ""
        mine = inputs[i], *name
        if deal.number:
            groups.setdefault((*name, turns[mine]), []).append(i)
        turns[mine] += 1
    votes: Counter[tuple[int, int]] = Counter()
    same: list[tuple[tuple[int, int], int]] = []
    for group in groups.values():
        best = max(group, key=lambda i: (_shows(deals[i]), _tells(deals[i]), -i))
        for i in group:
            if i == best:
                continue
            low, high = sorted((inputs[best], inputs[i]))
            agree = _agree(deals[best], deals[i])
            votes[low, high] += 0 if agree is None else 1 if agree else -1
            nothing = agree is None and bool(deals[i].table) and not _shows(deals[i])
            if (agree or nothing) and not gone[best]:
                same.append(((low, high), i))
    told = {i for pair, i in same if votes[pair] >= RESTATES}
    return [i in told for i in range(len(deals))]


def join(deals: Iterable[Deal], law: Law, inputs: Sequence[int] | None = None) -> Joined:
    """Return the distinct ones of *deals*, in order.

    *inputs* says which input each deal is of; without it all are of one.
    """
    out = Joined()
    every = list(deals)
    again = _by_number(every, inputs)
    if inputs:
        again = [a or b for a, b in zip(again, _restated(every, inputs, again), strict=True)]
    out.repeated_records = sum(again)
    left = [deal for deal, gone in zip(every, again, strict=True) if not gone]
    by_cards: dict[bytes, Deal] = {}
    for deal in left:
        key = identity(deal, law)
        if key is None or key not in by_cards:
            if key is not None:
                by_cards[key] = deal
            out.deals.append(deal)
            continue
        first = by_cards[key]
        apart = (first.table or "") == (deal.table or "") and first.number != deal.number
        timed = bool(first.time) and first.time == deal.time
        if apart and first.number and deal.number and not timed:
            out.repeats.append((len(out.deals), first, deal))
        else:
            out.repeated_records += 1
    return out
