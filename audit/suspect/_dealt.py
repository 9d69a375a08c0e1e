"""Deals of a batch as they were placed, and trials of them as columns.

Where a game lets hands change, a hand that stands in the log may be what was made of it:
there only a deal that shows the whole order of its pack says what was placed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.record import Batch
from audit.suspicion import Scan, rounded_up
from audit.tally import Table

Mask: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.int64]
Cards: TypeAlias = NDArray[np.uint8]
#: Numerators and denominators, which stretch to the shape of the trials.
Chances: TypeAlias = tuple[Ints, Ints]
Scans: TypeAlias = Callable[[Batch, Table], Scan | None]
#: More and fewer than a fair deal's: for what the books only say how often it happens.
BOTH_WAYS = (Fraction(1, 4), Fraction(1, 2), 2, 4)


@dataclass(frozen=True, kw_only=True)
class Dealt:
    """Deals whose number of players the law knows.

    hands is (deals, places, cards), padded with 255; *whole* (deals, places) says which
    hands are shown as dealt, *seated* which places are taken; *dealer* is his place, 0
    where it is not known, *turn* the first card turned, 255 where it is not known.
    """

    row: Ints
    players: Ints
    dealer: Ints
    hands: Cards
    seated: Mask
    whole: Mask
    turn: Ints

    @property
    def all_whole(self) -> Mask:
        """Which deals show every hand as dealt, (deals,)."""
        return np.asarray((self.whole | ~self.seated).all(axis=1))


def dealt(batch: Batch, table: Table) -> Dealt | None:
    """Return the deals of *batch*, None where it has none of a number of players of the law."""
    law = table.law
    row = np.flatnonzero(np.isin(batch.players, law.tables))
    if not len(row):
        return None
    players = batch.players[row].astype(np.int64)
    most = int(players.max())
    sizes = np.zeros(most + 1, np.int64)
    for n in np.unique(players):
        sizes[n] = law.hand_of(int(n))
    deep = int(sizes.max())
    hands = np.full((len(row), most, deep), UNKNOWN, np.uint8)
    have = batch.hands[row][:, :most, :deep]
    hands[:, : have.shape[1], : have.shape[2]] = have
    number = np.zeros((len(row), most), np.int64)
    number[:, : have.shape[1]] = (batch.hands[row][:, :most] < 52).sum(axis=2)
    seated = np.arange(most) < players[:, None]
    whole = seated & (number == sizes[players][:, None]) & ((hands < 52).sum(axis=2) == number)
    if law.changes:
        known = np.zeros(len(row), np.bool_)
        if batch.order is not None and batch.order.shape[1]:
            known = np.asarray((batch.order[row] < 52).all(axis=1))
        # Of a deal with a hand left out, the others were not held against the order.
        whole &= (known & (whole | ~seated).all(axis=1))[:, None]
    turn = batch.first_turned[row].astype(np.int64)
    dealer = batch.dealer_seat[row].astype(np.int64)
    dealer[(dealer < 1) | (dealer > players)] = 0
    return Dealt(
        row=row,
        players=players,
        dealer=dealer,
        hands=hands,
        seated=seated,
        whole=whole,
        turn=turn,
    )


def lookup(chances: Sequence[Fraction]) -> Chances:
    """Return a table of *chances* as they are stored: index it to get those of trials."""
    pairs = [rounded_up(c) for c in chances]
    return np.array([p[0] for p in pairs], np.int64), np.array([p[1] for p in pairs], np.int64)


def one(chance: Fraction) -> Chances:
    """Return a chance that all trials share."""
    num, den = lookup([chance])
    return num[:1], den[:1]


def at(chances: Chances, which: NDArray[Any]) -> Chances:
    """Return the entries *which* of a table of chances."""
    return chances[0][which], chances[1][which]


def by_seat(d: Dealt, hit: Mask, chances: Chances, shown: Mask, trial: Mask | None = None) -> Scan:
    """Return a trial for each place taken (where *trial* says so); all are (deals, places)."""
    shape = d.seated.shape
    num, den = (np.broadcast_to(c, shape) for c in chances)
    kept = d.seated & (num > 0) & (num < den)
    kept &= True if trial is None else trial
    which, place = np.nonzero(kept)
    return Scan(
        row=d.row[which],
        hit=(np.broadcast_to(hit, shape) & shown)[which, place],
        num=num[which, place],
        den=den[which, place],
        subject=place + 1,
        shown=np.broadcast_to(shown, shape)[which, place],
    )


def by_deal(d: Dealt, hit: Mask, chances: Chances, shown: Mask, trial: Mask | None = None) -> Scan:
    """Return a trial for each deal (where *trial* says so), of the dealer or the table."""
    num, den = (np.broadcast_to(c, d.row.shape) for c in chances)
    kept = (num > 0) & (num < den)
    kept &= True if trial is None else trial
    return Scan(
        row=d.row[kept],
        hit=(hit & shown)[kept],
        num=num[kept],
        den=den[kept],
        subject=np.zeros(int(kept.sum()), np.int64),
        shown=shown[kept],
    )


def both(a: Scan, b: Scan) -> Scan:
    """Return the trials of both by deal; each must say which are shown."""
    assert a.shown is not None
    assert b.shown is not None
    order = np.argsort(np.append(a.row, b.row), kind="stable")
    return Scan(
        row=np.append(a.row, b.row)[order],
        hit=np.append(a.hit, b.hit)[order],
        num=np.append(a.num, b.num)[order],
        den=np.append(a.den, b.den)[order],
        subject=np.append(a.subject, b.subject)[order],
        shown=np.append(a.shown, b.shown)[order],
    )


def among(cards: Iterable[int]) -> NDArray[np.bool_]:
    """Return a table of 256: whether a card is one of *cards*."""
    out = np.zeros(256, np.bool_)
    out[list(cards)] = True
    return out


def turned(cards: Iterable[int]) -> Scans:
    """Return a scan for first turn-ups that are one of *cards*, at their share of the pack."""
    wanted = among(cards)

    def scan(batch: Batch, table: Table) -> Scan | None:
        d = dealt(batch, table)
        if d is None:
            return None
        chance = Fraction(int(wanted[list(table.pack)].sum()), len(table.pack))
        return by_deal(d, wanted[d.turn], one(chance), d.turn < 52)

    return scan


def suits(hands: Cards) -> Ints:
    """Return how many cards of each suit each hand holds, shape (deals, places, 4)."""
    return np.stack([(hands // 13 == s).sum(axis=2) for s in range(4)], axis=2)


def holds(hands: Cards, cards: Iterable[int]) -> Mask:
    """Return whether each hand holds one of *cards*, shape (deals, places)."""
    return np.asarray(among(cards)[hands].any(axis=2))


def of_dealer(d: Dealt, by_place: Mask) -> Mask:
    """Return what *by_place* (deals, places) says of the dealer's place, False for none."""
    own = by_place[np.arange(len(d.row)), np.maximum(d.dealer, 1) - 1]
    return np.asarray(own & (d.dealer > 0))
