"""Later turn-ups of deals that do not say who dealt, or what was turned, are lost bets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs
from numpy.typing import NDArray

from audit.cards import NAMES
from audit.count.later import TALLY
from audit.detect.later_turnups import DETECTOR
from audit.finding import Verdicts, log_threshold
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._random import Words
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import Batch
from audit.run.audit import audit
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


def _of_two(crook: str, dial: Fraction, tmp_path: Path, *, bunched: bool) -> dict[str, Any]:
    """Return the report on a night of two, who may bunch half of the runs that paid nothing."""
    law = GAMES["seven_up_2"]
    table = simulate(law, LAB[crook], 3000, dial, 5, player=PLAY["sensible"])
    path, kept = tmp_path / "two.jsonl", []
    for deal, word in zip(table.records(), Words(6).words(3000), strict=True):
        paid = any(card in JACKS for card in deal.turnups)
        if not bunched or len(deal.turnups) == 1 or paid or word % 2:
            kept.append(structs.replace(deal, order_after_cut=None))
    path.write_bytes(b"".join(encode(deal) + b"\n" for deal in kept))
    return audit([str(path)], form=None, game=None)


def test_bunched_deals_of_two_that_nobody_wrote_down_are_no_paying_stock(tmp_path: Path) -> None:
    """Of 12 fair logs of this kind 4 were flagged, the worst at 10^6."""
    assert _of_two("fair", Fraction(0), tmp_path, bunched=True)["flag"]["sum_log10"] < 2


def test_a_stock_set_up_for_the_beg_is_found_where_two_play(tmp_path: Path) -> None:
    found = _of_two("stacked_stock", Fraction(1, 2), tmp_path, bunched=False)
    named = {(f["detector"], f["subject"].get("dealer")) for f in found["findings"] if f["flagged"]}
    assert ("later_turnups", "P2") in named
    assert ("later_turnups", "P1") not in named
