"""What the referee notes of a series: where tables stand, breaches, what is not judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from msgspec import structs

from audit.law import Law
from audit.record import Deal
from audit.referee import machine
from audit.referee._facts import AFTER, Facts
from audit.referee.machine import Ruling

#: So many breaches are held at once; those of tables that go on are held till they close.
MOST_FOUND = 10_000
#: A breach stands where the table kept the law so many times since the last one of its
#: kind, and again before the next: a custom, for a night or for ever, is no slip.
HABIT = 4

ALONE = "no deal before it at its table in the log"
NO_NUMBER = "no table or number in the record"
ANOTHER_DAY = "another day than the deal before"
PLAYERS = "players came, went or changed places"
ENDED = "the pack before was not played out"
NO_LINK = "nothing in the records says that the game went on"
NO_LAW = "the book does not say who deals next"
NO_DEALER = "the place of a dealer is not in the record"
AGREED = "the table agreed on another order of dealing"
UNKNOWN_END = "how the deal before ended is not in the record, or not in the book"
UNWRITTEN = "a misdeal that nobody wrote down would explain it"
LOST = "a deal that is not in the log would explain it, if the rows were numbered anew"
TORN = "dealer and pool or score are both off: a deal that was not written down"
NO_CUT = "the cut for the deal is tied or not known, or the book does not say how it decides"
NO_POOL = "what lay in the pool is not in both records"
DIVIDED = "the pool may have been divided by agreement"
NO_SCORE = "the points of the deal before are not all in the record"
RIGHTED = "an earlier score may have been put right"
BELOW = "points below nothing may not have been counted"
OTHER_DEALER = "the plan of dealing may be each dealer's own"
TOO_MANY = "more breaches than are held at once"
CUSTOM = "the table does it too often for a slip"
NOT_AS_DEALT = "rows do not stand in the order in which they were dealt"

#: Whether the records of two deals say that they are of one game.
Link = Literal["same", "new", "unknown"]
Kind = Literal["dealer", "cut", "pool", "score", "end", "plan"]
Scores = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Found:
    """One breach between two deals of a table: at *deal*, after the deal numbered *before*.

    *deal* is the record without its cards and events.  *unwritten*: a misdeal would
    explain it, unless the log writes misdeals down and lost none.  *lost*: only numbers
    that were given to the deals, and not to the rows that are left of them, show that
    none lies between.
    """

    kind: Kind
    deal: Deal
    before: str
    ruling: Ruling
    unwritten: bool = False
    lost: bool = False


@dataclass(frozen=True, kw_only=True)
class Replay:
    """A deal played again by its law.

    *whole*: the record shows all of it, and nothing in it is in doubt.  *must* are the
    points by scorer that have to be marked, *may* those with what a won game lets out;
    *pool* what lies in the pool after, None where it is not known.
    """

    whole: bool
    must: dict[int, int]
    may: dict[int, int]
    pool: int | None


@dataclass(kw_only=True)
class Table:
    """Where one table stands: its last deal, its game so far, and what was found at it.

    *scores* stood before the last deal; *also_scores* and *also_deals* are what the law
    would have had after a breach, which the table may come back to.  *kept* counts by kind
    how often the law was kept; *last_found* is the last breach of a kind, *at* how often the
    law had been kept by then, and *alone* holds the kind where that was often enough after
    the breach before.  *slips* are breaches that stand alone on both sides.  *counted*: a
    number is missing somewhere, so that the numbers are those of the deals.
    """

    last: Facts
    number: int
    doubtful: bool = False
    fresh: bool = False
    game: list[Facts] = field(default_factory=list)
    from_start: bool = False
    scores: Scores | None = None
    also_scores: Scores | None = None
    also_deals: set[int] = field(default_factory=set)
    plans: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    kept: Counter[Kind] = field(default_factory=Counter)
    last_found: dict[Kind, Found] = field(default_factory=dict)
    at: dict[Kind, int] = field(default_factory=dict)
    alone: set[Kind] = field(default_factory=set)
    slips: list[Found] = field(default_factory=list)
    writes_misdeals: bool = False
    counted: bool = False


class Docket:
    """The notes on one log; *unjudged* counts what could not be judged, by reason."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self.family = law.rules.family if law.rules is not None else ""
        self.cite = f"{law.source.book}, {law.source.section}"
        self.unjudged: Counter[str] = Counter()
        self.found: list[Found] = []
        self.held = 0

    def find(
        self,
        table: Table,
        here: Facts,
        kind: Kind,
        ruling: Ruling,
        *,
        unwritten: bool = False,
        lost: bool = False,
    ) -> None:
        """Note a breach at the deal *here*."""
        self._settle(table, kind)
        kept = table.kept[kind]
        if kept - table.at.get(kind, 0) >= HABIT:
            table.alone.add(kind)
        table.at[kind] = kept
        table.last_found[kind] = Found(
            kind=kind,
            deal=structs.replace(here.deal, events=(), hands=(), order_after_cut=None),
            before=table.last.deal.number or "",
            ruling=ruling,
            unwritten=unwritten,
            lost=lost,
        )

    def _settle(self, table: Table, kind: Kind) -> None:
        """Decide whether the last breach of *kind* was a slip, now that more is known."""
        found = table.last_found.pop(kind, None)
        if found is None:
            return
        slip = kind in table.alone and table.kept[kind] - table.at[kind] >= HABIT
        table.alone.discard(kind)
        if not slip:
            self.unjudged[CUSTOM] += 1
        elif self.held >= MOST_FOUND:
            self.unjudged[TOO_MANY] += 1
        else:
            self.held += 1
            table.slips.append(found)

    def close(self, table: Table) -> None:
        """Keep those slips of *table* that nothing left out of the log explains."""
        for kind in list(table.last_found):
            self._settle(table, kind)
        for found in table.slips:
            if found.unwritten and not table.writes_misdeals:
                self.unjudged[UNWRITTEN] += 1
            elif (found.lost or found.unwritten) and not table.counted:
                self.unjudged[LOST] += 1
            else:
                self.found.append(found)

    def distrust(self) -> None:
        """Drop what rests on a number that is missing being missing from the table's count."""
        kept = [one for one in self.found if not (one.lost or one.unwritten)]
        if len(kept) < len(self.found):
            self.unjudged[LOST] += len(self.found) - len(kept)
            self.found = kept

    def replay(self, deal: Facts, base: Scores | None = None) -> Replay:
        """Return *deal* played again, the scores before it being *base*."""
        scores = (0, *base, *[0] * (deal.players - len(base))) if base else ()
        record = deal.whole
        made = machine(self.law, record, scores)
        must, may, left = Counter[int](), Counter[int](), None
        if made is None or not record.events:
            return Replay(whole=False, must=must, may=may, pool=None)
        events, hands = record.events, record.hands
        made.take_all(events)
        for due in made.due():
            if due.kind == "score":
                number = -due.number if due.word == "penalty" else due.number
                may[due.seat] += number
                must[due.seat] += 0 if due.may else number
            elif due.kind == "pool" and due.word in (*AFTER, "pool"):
                left = due.number
        shown = len(hands) == deal.players and (all(hands) or bool(record.order_after_cut))
        # A misdeal that the record itself tells is no doubt about it.
        told = all(
            r.event >= 0 and events[r.event].kind in ("irregular", "redeal") for r in made.rulings
        )
        return Replay(
            whole=shown and told and made.wants() is None and not made.unjudged,
            must={s: n for s, n in must.items() if n},
            may={s: n for s, n in may.items() if n},
            pool=left,
        )
