"""Later turn-ups of deals that do not say who dealt, or what was turned, are lost bets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.cards import NAMES
from audit.count.later import TALLY
from audit.detect.later_turnups import DETECTOR
from audit.finding import Verdicts, log_threshold
from audit.record import Batch
from tests._logs import batches, dealt
from tests.test_shown import table

JACKS = [c for c, name in enumerate(NAMES) if name[0] == "J"]


def _deals(crook: str, dial: Fraction, deals: int) -> Batch:
    log = dealt(crook, deals, dial, 5, "sensible")
    (batch,) = batches(log, np.arange(len(log)), hands=True)
    return batch


def _without_pay(batch: Batch) -> NDArray[np.bool_]:
    """Return the deals in which cards were run and no later turn-up was a Jack."""
    pays = np.isin(batch.turnups, JACKS)
    pays[batch.turn_at[:-1]] = False
    paid = np.add.reduceat(pays, batch.turn_at[:-1]) > 0
    return np.asarray((np.diff(batch.turn_at) > 1) & ~paid)


def _judged(batch: Batch) -> Verdicts:
    of = table(len(batch))
    return DETECTOR.judge({"later": TALLY.count(batch, of)}, of)


def _nameless(batch: Batch, rows: NDArray[np.bool_]) -> Batch:
    return replace(batch, dealer=np.where(rows, -1, batch.dealer).astype(np.int32))


def _unreadable(batch: Batch, rows: NDArray[np.bool_]) -> Batch:
    last = batch.turn_at[1:][rows] - 1
    turned = batch.turnups.copy()
    turned[last] = 255
    return replace(batch, turnups=turned)


@pytest.mark.parametrize("hide", [_nameless, _unreadable])
def test_who_is_named_only_when_it_pays_is_not_suspected(hide: object) -> None:
    """A keeper of the log who writes down the dealer, or the card, only where he was paid."""
    batch = _deals("fair", Fraction(0), 3000)
    rows = _without_pay(batch)
    assert rows.sum() > 400
    found = _judged(hide(batch, rows))  # type: ignore[operator]
    assert len(found.hypotheses) == 4
    assert max(h.highest for h in found.hypotheses) < 5
    # What is kept alone would be a flag.
    kept = replace(_nameless(batch, rows), dealer=np.where(rows, -2, batch.dealer).astype(np.int32))
    alone = _judged(kept)
    assert max(h.highest - log_threshold(h.weight) for h in alone.hypotheses) > 0


def test_nothing_stands_whole_once_nobody_said_who_dealt() -> None:
    batch = _deals("fair", Fraction(0), 200)
    found = _judged(_nameless(batch, np.diff(batch.turn_at) > 1))
    assert [s.untouched for s in found.silent] == [False]
    assert not found.hypotheses
    assert not found.idle


def test_a_stacked_stock_is_found_beside_a_few_nameless_deals() -> None:
    batch = _deals("stacked_stock", Fraction(1), 400)
    rows = np.arange(len(batch)) % 50 == 0
    found = _judged(_nameless(batch, rows))
    assert max(h.highest - log_threshold(h.weight) for h in found.hypotheses) > 0
