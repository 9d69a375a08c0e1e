"""Deals of Seven-Up from orders of the pack, all at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import Deal


class Decides(Protocol):
    """Whoever begs and runs from the own hand, the turn-up and a word of chance."""

    @property
    def beg(self) -> Decision: ...
    @property
    def run(self) -> Decision: ...


class Decision(Protocol):
    """One choice for many deals: hands (N, 6), turn-ups (N,), words (N,) -> (N,)."""

    def __call__(
        self, hand: NDArray[np.uint8], turnup: NDArray[np.uint8], words: NDArray[np.uint64], /
    ) -> NDArray[np.bool_]: ...


@dataclass(frozen=True, kw_only=True)
class Table:
    """Deals as columns.

    hands is (N, n, 6) by place; the turn-ups of deal i are
    `turnups[turn_at[i]:turn_at[i + 1]]`; runs is (N, most) in pack order,
    padded with 255, of which run_cards[i] are real; orders is None where the
    order after the cut is not to be logged, and so are gathered, given (N, pack) and cut
    (N,), as `_crook.Handled`.
    """

    game: str
    players: int
    dealer_seat: NDArray[np.int16]
    hands: NDArray[np.uint8]
    turnups: NDArray[np.uint8]
    turn_at: NDArray[np.int64]
    runs: NDArray[np.uint8]
    run_cards: NDArray[np.int64]
    orders: NDArray[np.uint8] | None
    gathered: NDArray[np.uint8] | None = None
    given: NDArray[np.uint8] | None = None
    cut: NDArray[np.int16] | None = None

    def __len__(self) -> int:
        return len(self.hands)

    def records(self) -> Iterator[Deal]:
        """Yield each deal as a log shows it."""
        return records(self)


def deal_out(
    law: Law,
    orders: NDArray[np.uint8],
    players: int,
    dealer_seat: NDArray[np.int16],
    player: Decides,
    words: NDArray[np.uint64],
    *,
    logs_order: bool = True,
) -> Table:
    """Return the deals of *orders*; *words* (N, 2) are the chance of beg and run."""
    if not (law.run and law.turnup):
        raise ValueError(f"{law.id}: the laboratory deals only games with a run")
    deals, size = orders.shape
    seats = orders[:, np.array(law.hand_places(players))]
    seat_of = (np.arange(players) - dealer_seat.astype(np.intp)[:, None]) % players
    hands = seats[np.arange(deals)[:, None], seat_of]

    places = law.turn_places(players, size)
    turned = orders[:, places]
    begs = player.beg(seats[:, 0], turned[:, 0], words[:, 0])
    ran = begs & player.run(seats[:, -1], turned[:, 0], words[:, 1])
    shown = np.zeros(turned.shape, np.bool_)
    shown[:, 0] = True
    going = ran.copy()
    for k in range(1, len(places)):
        shown[:, k] = going
        going = going & (turned[:, k] // 13 == turned[:, 0] // 13)
    count = shown.sum(axis=1)
    turn_at = np.zeros(deals + 1, np.int64)
    np.cumsum(count, out=turn_at[1:])

    each = players * law.run
    at = [p for k in range(1, len(places)) for s in law.run_places(players, k) for p in s]
    run_cards = (count - 1) * each
    most = int(run_cards.max(initial=0))
    runs = orders[:, at[:most]]
    runs[np.arange(most) >= run_cards[:, None]] = UNKNOWN
    return Table(
        game=law.id,
        players=players,
        dealer_seat=dealer_seat,
        hands=hands,
        turnups=turned[shown],
        turn_at=turn_at,
        runs=runs,
        run_cards=run_cards,
        orders=orders if logs_order else None,
    )


def records(table: Table) -> Iterator[Deal]:
    """Yield each deal of *table* as a log shows it."""
    for i in range(len(table)):
        seat = int(table.dealer_seat[i])
        yield Deal(
            game=table.game,
            table="1",
            number=str(i + 1),
            players=table.players,
            dealer=f"P{seat}",
            dealer_seat=seat,
            gathered_order=None if table.gathered is None else table.gathered[i].tobytes(),
            pack_order=None if table.given is None else table.given[i].tobytes(),
            cut=None if table.cut is None else int(table.cut[i]),
            order_after_cut=None if table.orders is None else table.orders[i].tobytes(),
            hands=tuple(hand.tobytes() for hand in table.hands[i]),
            turnups=table.turnups[table.turn_at[i] : table.turn_at[i + 1]].tobytes(),
            runs=table.runs[i, : table.run_cards[i]].tobytes(),
        )
