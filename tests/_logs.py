"""The one way from deals of the laboratory to what the audit says of them.

Columns go straight into a batch, so that thousands of logs fit into a test; a
test of this module holds that the records of the same deals give the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS, parse
from audit.columns import batch_of
from audit.detect.turned_honours import mixture
from audit.finding import THRESHOLD, Hypothesis, weighted_sum
from audit.games import GAMES
from audit.games._plans import TURN
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.lab._table import Table as Dealt
from audit.lab._table import deal_out
from audit.law import Law, Source
from audit.plan import Again, Ask, Deal, PerSeat, When
from audit.play import PLAY
from audit.readers.jsonl import READER
from audit.record import Batch, Holds
from audit.record import Deal as Record
from audit.run.count import count_batches, judge_all
from audit.tally import Looks, Table

#: The ways of playing Seven-Up that logs are made with; seeds are given out in this order.
PLAYERS = ("jackless", "random_beggar", "sensible")

LAW = GAMES["seven_up_4"]
PLACES = 4
#: Points of each card number in a hand.
VALUES = np.array([LAW.strength.get(RANKS[c % 13], 0) for c in range(52)])
#: The rate of a Jack at a fair dealer's.
FAIR = Fraction(1, 13)
BLOCK = 8192


def toy(cards: str) -> Law:
    """Return a game with the pack *cards*, one card for each of two hands, and runs of one."""
    suit = Ask(who="cards", name="suit", choices=("new", "same"))
    run = Again(
        needs=PerSeat(each=1, plus=1),
        while_={"suit": ("same",)},
        steps=(Deal(cards=1), *TURN, suit),
    )
    return Law(
        id="toy",
        name="Toy",
        source=Source(book="-", section="-"),
        pack=tuple(sorted(parse(cards))),
        players=(2, 2),
        plan=(
            Deal(cards=1),
            *TURN,
            Ask(who="eldest", name="beg", choices=("stand", "beg")),
            When(name="beg", answers=("beg",), then=(run,)),
        ),
        honours={"J": "W13"},
        strength={"T": 10, "Q": 3, "J": 1},
    )


def toy_dealt(law: Law, orders: NDArray[np.uint8], player: str) -> Dealt:
    """Return the deals of *orders* (deals, pack) of a toy game, the first by the last place."""
    deals = len(orders)
    seats = ((np.arange(deals) - 1) % 2 + 1).astype(np.int16)
    if law.run:
        return deal_out(law, orders, 2, seats, PLAY[player], np.zeros((deals, 2), np.uint64))
    by_place = (np.arange(2) - seats.astype(np.intp)[:, None]) % 2
    return Dealt(
        game=law.id,
        players=2,
        dealer_seat=seats,
        hands=np.take_along_axis(orders, by_place, axis=1)[:, :, None],
        turnups=orders[:, 2].copy(),
        turn_at=np.arange(deals + 1, dtype=np.int64),
        runs=np.zeros((deals, 0), np.uint8),
        run_cards=np.zeros(deals, np.int64),
        orders=None,
    )


def dealt(
    crook: str, deals: int, dial: Fraction, seed: int, player: str, *, seat: int | None = None
) -> Dealt:
    """Return *deals* deals of four hands; the fixed *seed* makes them the same for ever."""
    return simulate(LAW, LAB[crook], deals, dial, seed, seat, player=PLAY[player])


def points(t: Dealt) -> NDArray[np.int64]:
    """Return the points of every hand, shape (deals, places)."""
    return np.asarray(VALUES[t.hands].sum(axis=2))


def batches(t: Dealt, rows: NDArray[np.intp], *, hands: bool = True) -> list[Batch]:
    """Return the deals *rows* of *t*, in that order, as a reader's batches."""
    seats = list(dict.fromkeys(t.dealer_seat[rows].tolist()))
    index = np.zeros(t.players + 1, np.int32)
    index[seats] = np.arange(len(seats))
    out = []
    for start in range(0, max(1, len(rows)), BLOCK):
        mine = rows[start : start + BLOCK]
        count = (t.turn_at[1:] - t.turn_at[:-1])[mine]
        turn_at = np.zeros(len(mine) + 1, np.int64)
        np.cumsum(count, out=turn_at[1:])
        at = np.repeat(t.turn_at[mine] - turn_at[:-1], count) + np.arange(turn_at[-1])
        out.append(
            Batch(
                first=start,
                players=np.full(len(mine), t.players, np.int16),
                dealer=index[t.dealer_seat[mine]],
                names=tuple(f"P{seat}" for seat in seats),
                dealer_seat=t.dealer_seat[mine],
                hands=t.hands[mine] if hands else np.zeros((len(mine), 0, 0), np.uint8),
                widow=np.zeros((len(mine), 0), np.uint8),
                board=np.zeros((len(mine), 0), np.uint8),
                turnups=t.turnups[at],
                turn_at=turn_at,
            )
        )
    return out


def judged(
    t: Dealt,
    rows: NDArray[np.intp] | None = None,
    *,
    hands: bool = True,
    holds: Holds = READER.holds,
    law: Law = LAW,
) -> list[Hypothesis]:
    """Return what every detector says of the deals *rows* of *t*, all by default.

    *hands* is false for a log that shows turn-ups only.
    """
    kept = np.arange(len(t)) if rows is None else rows
    parts = batches(t, kept, hands=hands)
    table = Table(
        law=law,
        pack=law.pack,
        players=t.players,
        holds=holds,
        looks=Looks(deals=len(kept)),
        dealers=parts[0].names,
        machine=False,
    )
    return judge_all(count_batches(parts, table), table).hypotheses


def total(
    hypotheses: Sequence[Hypothesis], deals: int, standing: Fraction | None = None
) -> NDArray[np.float64]:
    """Return ln of the weighted evidence after each look at a log of *deals* deals.

    All weight but that of *hypotheses* stands with E = 1, the most that an audit may count;
    whoever asks for power gives *standing*, the least.
    """
    if standing is None:
        standing = 1 - sum((h.weight for h in hypotheses), start=Fraction(0))
    return weighted_sum(hypotheses, Looks(deals=deals).count, standing)


def first_flag(curve: NDArray[np.float64], deals: int, weight: Fraction = Fraction(1)) -> int:
    """Return the deals seen when *weight* times exp(*curve*) first reaches the threshold.

    The result is *deals* + 1 where it never does.
    """
    over = np.flatnonzero(curve >= np.log(THRESHOLD) - np.log(float(weight)))
    return Looks(deals=deals).ends()[over[0]] if len(over) else deals + 1


def judged_records(deals: Sequence[Record]) -> list[Hypothesis]:
    """Return what every detector says of *deals* as they stand, without joining them."""
    names: dict[str, int] = {}
    batch = batch_of(deals, first=0, names=names)
    table = Table(
        law=LAW,
        pack=LAW.pack,
        players=PLACES,
        holds=READER.holds,
        looks=Looks(deals=len(deals)),
        dealers=tuple(names),
        machine=False,
    )
    return judge_all(count_batches([batch], table), table).hypotheses


def jacks_evidence(hits: NDArray[np.int64], deals: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln E of "too many Jacks" after *hits* Jacks in *deals* deals of one dealer."""
    return mixture(hits, deals - hits, FAIR)
