"""What a record does not write down of its payments and its pool, and what rests on that.

A scribe may count the pool and write no payment, or write what is won and no stake; he
may count the pool before the stakes are in it or after, and before a loo is paid or after.
So where payments to or from the pool are not written, no count of it can be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.referee._facts import BEFORE
from audit.referee.machine import Ruling
from audit.rules.matrimony import CHANCES, Matrimony
from audit.rules.pope_joan import PopeJoan
from audit.rules.rams import Rams
from audit.rules.speculation import Speculation
from audit.rules.spoil_five import SpoilFive

#: Numbers to try where a pool is not known: a new one, and others that share out differently.
TRIED = (0, 1, 1009)


def piles(law: Law) -> tuple[str, ...]:
    """Return the options that say what lies in the pool, () where the events alone say it."""
    match law.rules:
        case Rams() | SpoilFive() | Speculation():
            return ("pool",)
        case Matrimony():
            return tuple(f"pool {name}" for name in CHANCES)
        case PopeJoan(dressing=dressing):
            return tuple(f"pool {name}" for name in dressing)
    return ()


def with_pool(law: Law, deal: Deal) -> tuple[Deal, bool]:
    """Return *deal* with the pool before it as an option, and whether the record tells it."""
    names = piles(law)
    if not names or any(name in deal.options for name in names):
        return deal, True
    counts = (e.number for e in deal.events if e.kind == "pool" and e.word in BEFORE)
    before = next(counts, None)
    if before is None or len(names) > 1:
        # A board's machine knows what the whole of it tells, and what not, of its piles.
        return deal, before is not None
    return structs.replace(deal, options={**deal.options, names[0]: str(before)}), True


def other_pools(law: Law, deal: Deal) -> Iterator[Deal]:
    """Yield *deal* with other numbers in the pool before it."""
    names = piles(law)
    for number in TRIED if names else ():
        said = dict.fromkeys(names, str(number))
        yield structs.replace(deal, options={**deal.options, **said})


def _kind(event: Event) -> tuple[str, str, bool]:
    """Return what a scribe may leave out as a whole; payments between players are of one kind."""
    pooled = event.kind == "pool" or 0 in (event.seat, event.to)
    return event.kind, event.word if pooled else "", pooled


def unwritten(deal: Deal, rulings: Sequence[Ruling]) -> tuple[list[Ruling], bool]:
    """Return those of *rulings* that rest on payments and counts of which *deal* has none.

    With them, whether payments to or from the pool are among what is not written, which
    nobody can tell of a record that holds none.
    """
    written = {_kind(e) for e in deal.events if e.kind in ("pay", "pool")}
    out = [
        ruling
        for ruling in rulings
        if (due := ruling.lacks) is not None
        and due.kind in ("pay", "pool")
        and _kind(due) not in written
    ]
    pooled = not any(kind == "pay" and with_it for kind, _, with_it in written)
    pooled |= any(r.lacks is not None and r.lacks.kind == "pay" and _kind(r.lacks)[2] for r in out)
    if pooled:
        out += [r for r in rulings if r not in out and _counted(deal, r)]
    return out, pooled


def _counted(deal: Deal, ruling: Ruling) -> bool:
    """Whether *ruling* is on a count of the pool, or on a payment that depends on one."""
    if ruling.lacks is not None:
        return ruling.lacks.kind == "pool" or (ruling.lacks.kind == "pay" and not ruling.lacks.seat)
    event = deal.events[ruling.event] if ruling.event >= 0 else None
    return event is not None and event.kind in ("pay", "pool") and _kind(event)[2]
