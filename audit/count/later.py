"""Later turn-ups of a deal: chance and outcome of a paying card, dealer by dealer.

Only Seven-Up and its kin run the cards.  The chance is that of the cards that
the log shows to be unseen where every first hand is logged, else the largest
that any begging and running can bring about: all that pay, three Jacks, in the 41-k
cards that nobody who decided has seen, at the k-th turn-up.  Where a log shows some of
a deal's hands, whoever kept back the others may have seen all of them, and the cards that
pay are among those that lie in no hand.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.record import BIT, Batch
from audit.stats.bets import LATER_ODDS
from audit.stats.tilt import hit_and_miss
from audit.tally import NOT_JUDGED, Arrays, Table, Tally


def _paying(table: Table) -> NDArray[np.uint64]:
    """Return for each suit refused the cards, as bits, whose turn-up would pay."""
    ranks = {"23456789TJQKA".index(r) for r in table.law.honours}
    return np.array(
        [sum(1 << c for c in range(52) if c % 13 in ranks and c // 13 != s) for s in range(4)],
        np.uint64,
    )


def _lose(
    log: NDArray[np.int64],
    batch: Batch,
    table: Table,
    rows: NDArray[np.intp],
    dealer: NDArray[np.int64],
) -> None:
    """Count every later turn-up of the deals *rows* as lost, for all where nobody dealt them.

    Who dealt, or what was turned, may have been left out because it did not pay.
    """
    looks, turns = table.looks.of(batch), np.diff(batch.turn_at)
    shown = batch.held_sizes.sum(axis=1, dtype=np.int64)
    full = batch.players.astype(np.int64) * table.law.hand
    hidden = len(table.pack) - np.where(shown > 0, full, 2 * table.law.hand)
    most = int(np.bitwise_count(_paying(table)).max())
    for k in range(1, int(turns[rows].max(initial=0))):
        go = rows[turns[rows] > k]
        left = np.maximum(hidden[go] - k, 2)
        for cards in np.unique(left):
            mine = go[left == cards]
            chance = Fraction(min(most, int(cards) - 1), int(cards))
            miss = np.array([hit_and_miss(chance, odds)[1] for odds in LATER_ODDS], np.int64)
            named = mine[dealer[mine] >= 0]
            np.add.at(log, (looks[named], dealer[named]), miss)
            whose = looks[mine[dealer[mine] < 0]]
            times = np.bincount(whose, minlength=len(log))
            log += times[:, None, None] * miss


def _count(batch: Batch, table: Table) -> Arrays:
    """Fixed-point ln of the bets, `log[look, dealer, odds]`, and `seen[dealer, (turns, hits)]`.

    `chances[dealer, known, left, pays, (turns, hits)]`: turn-ups by their chance, pays / left,
    *known* being 0 where it is a bound and 1 where it follows from the hands.  `lost[0]` counts
    the later turn-ups of deals that do not show who dealt or what was turned, each a lost bet.
    """
    people = max(1, len(table.dealers))
    log = np.zeros((table.looks.count, people, len(LATER_ODDS)), np.int64)
    seen = np.zeros((people, 2), np.int64)
    chances = np.zeros((people, 2, 53, 5, 2), np.int64)
    lost = np.zeros(1, np.int64)
    out = {"log": log, "seen": seen, "chances": chances, "lost": lost}
    turns = np.diff(batch.turn_at)
    rows = np.flatnonzero(turns > 1)
    if not (table.law.run and table.law.honours and len(rows)):
        return out
    unknown = np.zeros(len(batch) + 1, np.int64)
    np.cumsum(
        np.bincount(
            np.repeat(np.arange(len(batch)), turns)[batch.turnups > 51], minlength=len(batch)
        ),
        out=unknown[1:],
    )
    dealer = np.zeros(len(batch), np.int64) if table.machine else batch.dealer.astype(np.int64)
    untold = (np.diff(unknown)[rows] > 0) | (dealer[rows] == -1)
    hidden_rows = rows[untold & (dealer[rows] != NOT_JUDGED)]
    _lose(log, batch, table, hidden_rows, dealer)
    lost[0] = (turns[hidden_rows] - 1).sum()
    rows = rows[~untold & (dealer[rows] >= 0)]
    looks, paying = table.looks.of(batch), _paying(table)
    held = np.bitwise_or.reduce(batch.held[rows], axis=1)
    full = batch.players[rows].astype(np.int64) * table.law.hand
    shown = batch.held_sizes[rows].sum(axis=1, dtype=np.int64)
    complete = (shown == full) & (full > 0)
    whole = np.uint64(sum(1 << c for c in table.pack))
    # Eldest and dealer decide; who keeps back a hand may have looked at every hand.
    hidden = len(table.pack) - np.where(shown > 0, full, 2 * table.law.hand)
    unseen = whole & ~held
    first = batch.turnups[batch.turn_at[rows]]
    good = paying[first // 13]
    for k in range(1, int(turns.max())):
        before = batch.turnups[batch.turn_at[rows] + k - 1]
        go = (turns[rows] > k) & (before // 13 == first // 13)
        unseen = (unseen & ~BIT[before])[go]
        rows, complete, hidden = rows[go], complete[go], hidden[go]
        first, good = first[go], good[go]
        if not len(rows):
            break
        card = batch.turnups[batch.turn_at[rows] + k]
        hits = (BIT[card] & good) != 0
        left = np.where(complete, np.bitwise_count(unseen), hidden - k).astype(np.int64)
        pays = np.bitwise_count(np.where(complete, unseen, whole) & good).astype(np.int64)
        code = (complete * 64 + left) * 64 + pays
        for one in np.unique(code[left > 0]):
            rest, paying_cards = divmod(int(one), 64)
            known, cards = divmod(rest, 64)
            if not 0 < paying_cards < cards:
                continue
            chance = Fraction(paying_cards, cards)
            bets = np.array([hit_and_miss(chance, odds) for odds in LATER_ODDS], np.int64)
            mine = code == one
            where = (looks[rows[mine]], dealer[rows[mine]])
            np.add.at(log, where, bets[:, np.where(hits[mine], 0, 1)].T)
            both = np.stack([np.ones(mine.sum(), np.int64), hits[mine]], 1)
            np.add.at(seen, where[1], both)
            np.add.at(chances[:, known, cards, paying_cards], where[1], both)
    return out


TALLY = Tally(id="later", count=_count)
