"""Logs that show the orders of the pack, from the laboratory to what the audit says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.finding import Hypothesis, Verdicts
from audit.lab._table import Table as Dealt
from audit.law import Law
from audit.readers.jsonl import READER
from audit.record import Batch
from audit.run.count import count_batches, judge_all
from audit.tally import Looks, Table
from tests._logs import LAW, batches, dealt

#: The detectors that read orders, and the suspicions beside them.
DETECTORS = (
    "card_places",
    "honour_packets",
    "machine_order",
    "riffles",
    "stock_order",
    "successions",
)
SUSPICIONS = ("end_packet", "kept_four")


def with_orders(t: Dealt) -> list[Batch]:
    """Return the deals of *t* as batches with all the orders that *t* holds."""
    out = []
    for batch in batches(t, np.arange(len(t))):
        mine = slice(batch.first, batch.first + len(batch))
        out.append(
            replace(
                batch,
                order=None if t.orders is None else t.orders[mine],
                gathered=None if t.gathered is None else t.gathered[mine],
                pack=None if t.given is None else t.given[mine],
                cut=None if t.cut is None else t.cut[mine],
            )
        )
    return out


def table_of(parts: Sequence[Batch], law: Law = LAW, *, machine: bool = False) -> Table:
    """Return the table of a log of *parts*."""
    return Table(
        law=law,
        pack=law.pack,
        players=law.players[1],
        holds=READER.holds,
        looks=Looks(deals=sum(map(len, parts))),
        dealers=parts[0].names,
        machine=machine,
    )


def verdicts(parts: Sequence[Batch], law: Law = LAW, *, machine: bool = False) -> Verdicts:
    """Return what every detector says of *parts*."""
    table = table_of(parts, law, machine=machine)
    return judge_all(count_batches(parts, table), table)


def crooked(crook: str, deals: int, dial: Fraction, seed: int) -> list[Hypothesis]:
    """Return what every detector says of a log of *crook* that shows its orders."""
    return verdicts(with_orders(dealt(crook, deals, dial, seed, "sensible"))).hypotheses


def labels_batch(
    labels: NDArray[np.int64], before: NDArray[np.uint8] | None, law: Law = LAW
) -> Batch:
    """Return deals of which only orders are known.

    Args:
        labels: shape (deals, n), where in the order before each card lay.
        before: that order as cards, shape (deals, n), or None for the sorted pack, which
            the log then does not show.
    """
    deals = len(labels)
    pack = np.array(sorted(law.pack), np.uint8)
    start = np.tile(pack, (deals, 1)) if before is None else before
    nothing = np.zeros(0, np.uint8)
    return Batch(
        first=0,
        players=np.full(deals, law.players[1], np.int16),
        dealer=np.zeros(deals, np.int32),
        names=("P1",),
        dealer_seat=np.zeros(deals, np.int16),
        hands=np.zeros((deals, 0, 0), np.uint8),
        widow=np.zeros((deals, 0), np.uint8),
        board=np.zeros((deals, 0), np.uint8),
        turnups=nothing,
        turn_at=np.zeros(deals + 1, np.int64),
        order=np.take_along_axis(start, labels, axis=1),
        gathered=before,
    )
