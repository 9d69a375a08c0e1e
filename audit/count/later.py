"""Later turn-ups of a deal: chance and outcome of a paying card, dealer by dealer.

Only Seven-Up and its kin run the cards.  The chance is that of the cards that
the log shows to be unseen where every first hand is logged, else the largest
that any begging and running can bring about: all that pay, three Jacks, in the 41-k
cards that nobody who decided has seen, at the k-th turn-up.  Where a log shows some of
a deal's hands, whoever kept back the others may have seen all of them, and the cards that
pay are among those that lie in no hand.  Where two play they may bunch a deal whose next
turn-up pleases neither, and such a deal may not have been written down: there the odds are taken
to be twice as large.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.record import BIT, Batch
from audit.stats.bets import LATER_ODDS
from audit.stats.tilt import hit_and_miss
from audit.tally import Arrays, Table, Tally

#: At most half of the deals of two players that turned no paying card are missing.
BUNCHED, PAIR = 2, 2
#: Stands in a batch for a dealer whom the log does not name.
UNNAMED = -1


def _paying(table: Table) -> NDArray[np.uint64]:
    """Return for each suit refused the cards, as bits, whose turn-up would pay."""
    ranks = {"23456789TJQKA".index(r) for r in table.law.honours}
    return np.array(
        [sum(1 << c for c in range(52) if c % 13 in ranks and c // 13 != s) for s in range(4)],
        np.uint64,
    )


def _count(batch: Batch, table: Table) -> Arrays:
    """Fixed-point ln of the bets, `log[look, dealer, odds]`, and `seen[dealer, (turns, hits)]`.

    `chances[dealer, known, of, ways, (turns, hits)]`: turn-ups by their chance, ways / of,
    *known* being 0 where it is a bound and 1 where it follows from the hands.  A card that is
    not known counts as one that does not pay, among the former; and so, for every dealer,
    does one of a deal that does not say who dealt, of which `unnamed` is how many there are.
    """
    people = max(1, len(table.dealers))
    log = np.zeros((table.looks.count, people, len(LATER_ODDS)), np.int64)
    seen = np.zeros((people, 2), np.int64)
    chances = np.zeros((people, 2, 64, 9, 2), np.int64)
    unnamed = np.zeros(1, np.int64)
    out = {"log": log, "seen": seen, "chances": chances, "unnamed": unnamed}
    turns = np.diff(batch.turn_at)
    rows = np.flatnonzero(turns > 1)
    if not (table.law.run and table.law.honours and len(rows)):
        return out
    dealer = np.zeros(len(batch), np.int64) if table.machine else batch.dealer.astype(np.int64)
    rows = rows[dealer[rows] >= UNNAMED]
    looks, paying = table.looks.of(batch), _paying(table)
    held = np.bitwise_or.reduce(batch.held[rows], axis=1)
    full = batch.players[rows].astype(np.int64) * table.law.hand
    shown = batch.held_sizes[rows].sum(axis=1, dtype=np.int64)
    first = batch.turnups[batch.turn_at[rows]]
    complete = (shown == full) & (full > 0) & (first < 52)
    whole = np.uint64(sum(1 << c for c in table.pack))
    # Eldest and dealer decide; who keeps back a hand may have looked at every hand.
    hidden = len(table.pack) - np.where(shown > 0, full, 2 * table.law.hand)
    unseen = whole & ~held
    good = paying[np.minimum(first // 13, 3)]
    for k in range(1, int(turns.max())):
        before = batch.turnups[batch.turn_at[rows] + k - 1]
        go = (turns[rows] > k) & (before // 13 == first // 13)
        unseen = (unseen & ~BIT[before])[go]
        rows, complete, hidden = rows[go], complete[go], hidden[go]
        first, good = first[go], good[go]
        if not len(rows):
            break
        card = batch.turnups[batch.turn_at[rows] + k]
        # Who left a card or the dealer out may have seen first what it was.
        told = (first < 52) & (card < 52)
        named = dealer[rows] >= 0
        hits = told & ((BIT[card] & good) != 0)
        left = np.where(complete, np.bitwise_count(unseen), hidden - k).astype(np.int64)
        pays = np.bitwise_count(np.where(complete, unseen, whole) & good).astype(np.int64)
        # Odds of k to m are k of k + m.
        two = batch.players[rows] == PAIR
        two |= (batch.players[rows] < 1) & (table.law.players[0] == PAIR)
        left, pays = left + (BUNCHED - 1) * pays * two, pays * np.where(two, BUNCHED, 1)
        code = ((complete & ~two) * 64 + left) * 64 + pays
        for one in np.unique(code[left > 0]):
            rest, paying_cards = divmod(int(one), 64)
            known, cards = divmod(rest, 64)
            if not 0 < paying_cards < cards:
                continue
            chance = Fraction(paying_cards, cards)
            bets = np.array([hit_and_miss(chance, odds) for odds in LATER_ODDS], np.int64)
            mine = (code == one) & named
            where = (looks[rows[mine]], dealer[rows[mine]])
            np.add.at(log, where, bets[:, np.where(hits[mine], 0, 1)].T)
            both = np.stack([np.ones(mine.sum(), np.int64), hits[mine]], 1)
            np.add.at(seen, where[1], both)
            np.add.at(chances[:, :, cards, paying_cards], (where[1], known * told[mine]), both)
            lost = looks[rows[(code == one) & ~named]]
            np.add.at(log, lost, bets[:, 1])
            unnamed += len(lost)
    return out


TALLY = Tally(id="later", count=_count)
