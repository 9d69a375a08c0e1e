"""Suspicions made for packs of a few cards, for the proof of calibration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Literal

import numpy as np

from audit.law import Law
from audit.record import Batch, Deal
from audit.suspicion import Scan, Suspicion, Trial
from audit.tally import Table

TEN, JACK = 8, 9


def _suspicion(
    name: str,
    per: Literal["seat", "table"],
    odds: tuple[int | None, ...],
    part: Fraction,
    *,
    find: Callable[[Deal, Law], Iterable[Trial]] | None = None,
    scan: Callable[[Batch, Table], Scan | None] | None = None,
) -> Suspicion:
    return Suspicion(
        id=name,
        codes=("T00",),
        title=name,
        games=lambda law: law.id == "toy",
        fields=("turnup",),
        per=per,
        odds=odds,
        weight="events",
        part=part,
        null="-",
        says="{who} {hits} {trials} {expected}",
        explains=(),
        find=find,
        scan=scan,
    )


def _turned_ten(batch: Batch, table: Table) -> Scan:
    """The Ten is turned; a turn-up that is not told is no hit."""
    deals = len(batch)
    first = np.full(deals, 255, np.uint8)
    some = np.flatnonzero(np.diff(batch.turn_at) > 0)
    first[some] = batch.turnups[batch.turn_at[some]]
    return Scan(
        row=np.arange(deals),
        hit=(first < 52) & (first % 13 == TEN),
        num=np.ones(deals, np.int64),
        den=np.full(deals, len(table.pack), np.int64),
        subject=np.zeros(deals, np.int64),
    )


def _beg_knows(deal: Deal, law: Law) -> Iterable[Trial]:
    """The dealer holds a Ten when the eldest begs; a hand that is not told is no hit."""
    dealer, seat = deal.dealer_seat or 0, deal.events[0].seat
    tens = sum(card % 13 == TEN for card in law.pack)
    known = deal.hands[seat - 1] + deal.turnups[:1]
    if deal.events[0].word == "beg" and not any(c % 13 == TEN for c in known):
        hit = any(c % 13 == TEN for c in deal.hands[dealer - 1])
        yield Trial(chance=Fraction(tens, len(law.pack) - 2), hit=hit, subject=seat)


def _rare(deal: Deal, law: Law) -> Iterable[Trial]:
    """Both hands hold Jacks and a Ten is turned; a hand that is not told is no hit."""
    size = len(law.pack)
    jacks, tens = (sum(card % 13 == rank for card in law.pack) for rank in (JACK, TEN))
    if jacks > 1:
        held = [any(card % 13 == JACK for card in hand) for hand in deal.hands]
        chance = Fraction(jacks * (jacks - 1) * tens, size * (size - 1) * (size - 2))
        yield Trial(chance=chance, hit=all(held) and deal.turnups[0] % 13 == TEN)


TURNED_TEN = _suspicion("turned_ten", "table", (8, None), Fraction(1), scan=_turned_ten)
BEG_KNOWS = _suspicion("beg_knows", "seat", (2, None), Fraction(1, 4), find=_beg_knows)
RARE = _suspicion("rare", "table", (1_000_000,), Fraction(3, 4), find=_rare)
