"""The distinct deals of a log, and what is to be known of them before they are counted."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.columns import Columns
from audit.finding import Statement
from audit.law import Law
from audit.record import Deal
from audit.run import spill
from audit.run.exchange import kept_before, settle
from audit.run.gaps import Gaps
from audit.run.intake import TOLD, Intake
from audit.run.repeats import Repeats
from audit.run.sequence import Rising
from audit.run.spill import Block
from audit.run.stray import cards_of, stated, stray
from audit.tally import NOT_JUDGED

#: A log that does not name its pack has to show so many cards before a smaller one is taken.
SURELY_SMALLER = 60
#: And so many more for each card that is not in it.
MORE_FOR_EACH = 60
#: A tally holds each of so many dealers at each look; the share of the next is below 1/60,000.
MOST_PEOPLE = 256
#: In so many deals somebody runs the cards.
SURELY_RUN = 60


class Distinct:
    """The deals of a log after joining, and what is to be known of them before counting."""

    def __init__(self, taken: Intake) -> None:
        self.taken = taken
        self.dropped: NDArray[np.bool_] = np.zeros(taken.deals, np.bool_)
        self.repeated_records, self.pairs = 0, np.zeros((0, 2), np.int64)
        if taken.numbers is not None and taken.contents is not None:
            self.repeated_records, self.pairs = settle(taken.numbers, taken.contents, self.dropped)
        self._follow()

    def _follow(self) -> None:
        """Learn from the deals that are not dropped what is to be known of them."""
        taken = self.taken
        self.by_input: Counter[int] = Counter()
        self.blocks: list[tuple[int, Block]] = []
        self.deals = self.most = 0
        self.rising = Rising(taken.laws[0][0] if taken.laws else None)
        self.gaps = Gaps()
        self.shown, self.cards = np.zeros(256, np.int64), 0
        self.told_run = self.ordered = self.held = False
        order: dict[int, int] = {}
        parties: dict[int, int] = {}
        for block in taken.blocks:
            kept = ~self.dropped[block.start : block.start + block.deals]
            columns = spill.read(block)
            self.blocks.append((self.deals, block))
            self.deals += int(kept.sum())
            self.by_input[block.input] += int(kept.sum())
            self.rising.take(columns.take(kept), block.input)
            self.gaps.take(columns.take(kept), block.input)
            self._see(columns.take(kept))
            if kept.any():
                self.most = max(self.most, int(columns.players[kept].max()))
            who, at = np.unique(columns.dealer[kept], return_index=True)
            for k in who[np.argsort(at)]:
                if k >= 0:
                    order.setdefault(int(k), len(order))
            for k in dict.fromkeys(columns.party[kept].ravel().tolist()):
                if k >= 0:
                    parties.setdefault(k, len(parties))
        names = list(taken.names)
        self.people = len(order)
        self.dealers = tuple(names[k] for k in list(order)[:MOST_PEOPLE])
        #: The place of each name of the blocks among the dealers; the last is for none.
        self.places = np.full(len(names) + 1, -1, np.int32)
        for k, place in order.items():
            self.places[k] = place if place < MOST_PEOPLE else NOT_JUDGED
        self.parties = tuple(names[k] for k in list(parties)[:MOST_PEOPLE])
        self.party_places = np.full(len(names) + 1, -1, np.int32)
        for k, place in parties.items():
            self.party_places[k] = place if place < MOST_PEOPLE else NOT_JUDGED

    def _see(self, columns: Columns) -> None:
        """Note which cards the deals show, and how many first turn-ups and cards in hand."""
        # Only where the pack may be a smaller one is it asked which cards there are.
        if self.taken.unnamed or any(law.packs for law, _ in self.taken.laws):
            self.shown += cards_of(columns)
        self.held |= bool((columns.hands < 52).any())
        self.ordered |= bool((columns.order < 52).any())
        self.told_run |= bool((columns.runs.sizes > 0).any())
        self.cards += int((columns.hands < 52).sum()) + int((columns.turnups.sizes > 0).sum())

    def says_nothing_of_runs(self, law: Law) -> bool:
        """Whether hands may stand as they were kept after a run, for no run is ever told.

        Then the low cards are gone from them, whatever their format claims.
        """
        told = self.told_run or self.ordered
        return bool(law.run) and self.held and not told and self.deals >= SURELY_RUN

    def smaller_pack(self, law: Law) -> str:
        """Return the least pack of *law* that holds the cards of the log but for a few, or ''.

        Given that no other card was dealt, a deal is a uniform order of the least
        pack, so that the choice raises no evidence; deals with others are set aside (`keep`).
        So many cards of 32 lie in 24 of them, but for so few, by luck in fewer than 1 of
        10^7 logs.
        """
        least = sorted(law.packs, key=lambda name: len(law.packs[name]))
        for name in least:
            other = self.shown[:52].sum() - self.shown[list(law.packs[name])].sum()
            if len(law.packs[name]) >= len(law.pack):
                break
            if self.cards >= SURELY_SMALLER + MORE_FOR_EACH * other:
                return name
        return ""

    def keep(self, law: Law, pack: str) -> list[Statement]:
        """Drop the deals with a card that is not in *pack*, and return what is to be said."""
        names, told = tuple(self.taken.names), list[Statement]()
        cards = law.packs[pack]
        if self.shown[:52].sum() == self.shown[list(cards)].sum():
            return []
        for block in self.taken.blocks:
            mine = slice(block.start, block.start + block.deals)
            columns = spill.read(block, names)
            found = stray(columns, cards) & ~self.dropped[mine]
            self.dropped[mine] |= found
            self.taken.rows[block.input]["contradictions"] += int(found.sum())
            rows = (columns.deal(int(i)) for i in np.flatnonzero(found)[: TOLD - len(told)])
            told += stated(rows, law, pack, hide=self.taken.hide)
        self._follow()
        return told

    def some(self, most: int) -> list[Deal]:
        """Return the first *most* deals as records."""
        out: list[Deal] = []
        names = tuple(self.taken.names)
        for _, block in self.blocks:
            if len(out) >= most:
                break
            kept = ~self.dropped[block.start : block.start + block.deals]
            columns = spill.read(block, names).take(kept)
            out += [columns.deal(i) for i in range(min(len(columns), most - len(out)))]
        return out

    def numbers(self, at: int) -> str | None:
        """Return the number that record *at* bears."""
        for block in self.taken.blocks:
            if block.start <= at < block.start + block.deals:
                return spill.read(block, tuple(self.taken.names)).deal(at - block.start).number
        return None

    def repeats(self, law: Law) -> Repeats:
        """Return the repeats, as evidence wants them."""
        first = self.some(1)
        hands = first[0].hands if first else ()
        full = law.full_hand(first[0].players or len(hands)) if first else 0
        whole = all(len(h) == full and UNKNOWN not in h for h in hands)
        pair = self.pairs[0] if len(self.pairs) and not self.taken.hide else None
        return Repeats(
            deals=self.deals,
            whole=bool(hands) and whole,
            hands=self._hands(self.pairs[:, 1], law),
            before=kept_before(self.dropped, self.pairs[:, 1]).tolist(),
            numbers=None if pair is None else (self.numbers(pair[0]), self.numbers(pair[1])),
        )

    def _hands(self, records: NDArray[np.int64], law: Law) -> list[tuple[int, int]]:
        """Return how many hands each of *records* gives, and of how many cards they are."""
        out = np.zeros((len(records), 2), np.int64)
        for block in self.taken.blocks:
            mine = np.flatnonzero((records >= block.start) & (records < block.start + block.deals))
            if len(mine):
                columns, rows = spill.read(block), records[mine] - block.start
                out[mine] = np.stack([columns.given[rows], columns.players[rows]], axis=1)
        return [(given, law.full_hand(players or given)) for given, players in out.tolist()]
