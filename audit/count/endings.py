"""Who dropped packs: by public role before any card was fixed, and by what was turned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.record import ENDED, Batch
from audit.tally import Arrays, Table, Tally, add_at

VOID, UNPLAYED = ENDED.index("void"), ENDED.index("unfinished before play")
DEALER, PONE, OTHER = range(3)


def _count(batch: Batch, table: Table) -> Arrays:
    """`role[look, party, role, (packs, dropped)]`, `order[look, party, (dropped, paying)]`.

    `role` counts packs before which the party stood ready, dropped being a void before the
    closing; one that the house alone dropped is left out, for it ended before it was known
    who would have come.  `order` counts packs that the party dropped before play while
    another place dealt; one without its turn-up stands for a card that does not pay.
    `packs` counts the packs of which the ending is known, `drops[party, ending]` all drops.
    """
    people, looks = max(1, len(table.parties)), table.looks.count
    role = np.zeros((looks, people, 3, 2), np.int64)
    order = np.zeros((looks, people, 2), np.int64)
    drops = np.zeros((people, len(ENDED)), np.int64)
    out = {"role": role, "order": order, "drops": drops, "packs": np.zeros(1, np.int64)}
    ends = batch.endings
    if ends is None:
        return out
    out["packs"][0] = (ends.ended > 0).sum()
    at, players = table.looks.of(batch), batch.players.astype(np.int64)
    dealer = batch.dealer_seat.astype(np.int64)
    known = (ends.ended > 0) & (dealer >= 1) & (dealer <= players)
    pone = np.where(dealer > 1, dealer - 1, players)
    void, unplayed = ends.ended == VOID, ends.ended == UNPLAYED
    blind = void & (ends.dropped[:, 1:].sum(axis=1) == 0)
    pays = _paying(batch, table)
    for place in range(ends.party.shape[1]):
        party, dropped = ends.party[:, place].astype(np.int64), ends.dropped[:, place] > 0
        mine = party >= 0
        by = mine & dropped
        drops += add_at(drops.shape, (party[by], ends.ended[by].astype(np.int64)))
        rows = np.flatnonzero(mine & known & (ends.fresh[:, place] > 0) & ~blind)
        if place:
            part = np.where(dealer == place, DEALER, np.where(pone == place, PONE, OTHER))
            where = (at[rows], party[rows], part[rows])
            hit = (void & dropped)[rows]
            role[..., 0] += add_at(role.shape[:3], where)
            role[..., 1] += add_at(role.shape[:3], tuple(w[hit] for w in where))
        rows = np.flatnonzero(by & known & unplayed & (dealer != place))
        hit = pays[rows]
        order[..., 0] += add_at(order.shape[:2], (at[rows], party[rows]))
        order[..., 1] += add_at(order.shape[:2], (at[rows][hit], party[rows][hit]))
    return out


def _paying(batch: Batch, table: Table) -> NDArray[np.bool_]:
    """Return which deals show a first turn-up of a rank that pays the dealer."""
    out = np.zeros(len(batch), np.bool_)
    some = np.flatnonzero(np.diff(batch.turn_at) > 0)
    cards = batch.turnups[batch.turn_at[some]]
    ranks = ["23456789TJQKA".index(r) for r in table.law.honours]
    out[some] = (cards < 52) & np.isin(cards % 13, ranks)
    return out


TALLY = Tally(id="endings", count=_count)
