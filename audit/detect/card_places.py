"""Certain cards lie at certain places of the pack too often.

Warning: T07, the row of the battery behind W06 and W07; cards that can be felt come to a place
where they are wanted, after every cut.
Null: each card is uniform over the places after the cut, and each place over the cards.
Statistic: how often each card lay at each place.
Evidence: for each place a Dirichlet mixture over its cards, for each card one over its
places, all with equal weights; for all deals together at 16 looks, and at the end for the
deals of each of the first 16 dealers.
Misses: cards at a fixed distance from each other wherever they lie; a pack of its own
where the log's packs change.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from audit.cards import NAMES
from audit.detect._orders import Floats, Ints, detail, left_out, others, silent, stored, subjects
from audit.detect._tails import missing, of_faces
from audit.finding import Hypothesis, Verdicts
from audit.stats.evalue import dirichlet_uniform
from audit.tally import Arrays, Detector, Table

NULL = "each card is uniform over the places after the cut"
EXPLAINS = (
    "orders that were changed when they were stored",
    "a pack that is always put in the same order and shuffled too little",
)


def evidence(counts: Ints, pack: tuple[int, ...]) -> Floats:
    """Return ln E of *counts* so far, shape (rows, places, 52), one for each row."""
    table = counts[:, :, list(pack)]
    parts = [dirichlet_uniform(table), dirichlet_uniform(table.transpose(0, 2, 1))]
    logs = np.concatenate(parts, axis=1)
    top = logs.max(axis=1)
    return np.asarray(top + np.log(np.exp(logs - top[:, None]).mean(axis=1)))


def _message(words: str, counts: Ints, deals: int) -> str:
    place, card = np.unravel_index(int(counts.argmax()), counts.shape)
    return (
        f"{words}: the card most often at one place of the pack is the {NAMES[card]} at place"
        f" {place + 1}, in {int(counts.max())} of {deals} deals; a fair pack has it there in"
        f" {deals / len(counts):.1f}"
    )


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, got = Verdicts(), tallies["order_places"]
    why = stored(got)
    if why:
        silent(out, "card_places", why, "T07", got["shown"], table)
        return out
    others(out, "card_places", got["shown"], table)
    looks, wide, size = table.looks.count, len(got["at"]), len(table.pack)
    for one in subjects("card_places", table):
        shown, deals = got["shown"][:, one.at], int(got["shown"][:, one.at, ::2].sum())
        late = one.at > len(got.get("dealer_at", ()))
        if late or not deals:
            # Who appears too late is never bet on.
            out.unspoken("card_places", one.weight, one.name, untouched=late or not shown.any())
            continue
        # Between the wide looks E counts as 0, which says less than it is.
        curve, kept = np.full(looks, -np.inf), left_out(shown)
        if one.at:
            counts = got["dealer_at"][one.at - 1]
            curve[-1] = evidence(counts[None], table.pack)[0] + kept[-1]
        else:
            counts = got["at"].sum(axis=0)
            ends = np.minimum((np.arange(wide) + 1) * table.looks.joined(wide), looks) - 1
            curve[ends] = evidence(got["at"].cumsum(axis=0), table.pack) + kept[ends]
        out.hypotheses.append(
            Hypothesis(
                code="T07",
                detector="card_places",
                subject=one.name,
                weight=one.weight,
                curve=curve,
                deals=deals,
                null=NULL,
                message=_message(one.words, counts, deals),
                explains=EXPLAINS,
                more=partial(detail, curve, shown, one.weight),
                p=partial(
                    of_faces, int(counts.max()), deals, missing(shown), size, kinds=size * size
                ),
            )
        )
    return out


DETECTOR = Detector(
    id="card_places",
    codes=("T07", "W06", "W07"),
    title="Certain cards at certain places of the pack",
    tallies=("order_places",),
    judge=_judge,
)
