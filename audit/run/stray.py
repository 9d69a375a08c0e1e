"""Deals with a card that is not in the pack which all others of the log fit.

A log that does not name its pack is taken to be of the smallest that holds its cards; one
slip of the pen must not make of it a log of a larger pack from which most cards are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from audit.cards import NAMES, RANKS
from audit.cards import pack as cards_of_ranks
from audit.columns import Columns
from audit.errors import printable
from audit.finding import Statement
from audit.law import Law
from audit.record import Deal
from audit.run.integrity import code_of

#: The lowest rank of packs from which the lower ones are stripped, largest pack first.
STRIPPED = ("5", "6", "7", "8", "9")


def stripped(shown: NDArray[np.int64]) -> tuple[int, ...]:
    """Return the stripped pack that holds every card *shown* (256,), () where none does.

    It is the least one, every rank of it was shown, and so were three of four of its cards:
    whoever turns a few cards again and again has no pack of them.
    """
    for lowest in reversed(STRIPPED):
        pack = cards_of_ranks(RANKS[RANKS.index(lowest) :])
        seen = [card for card in pack if shown[card]]
        ranks = {card % 13 for card in seen}
        if shown[:52].sum() == shown[list(pack)].sum():
            known = 4 * len(ranks) == len(pack) and 4 * len(seen) >= 3 * len(pack)
            return pack if known else ()
    return ()


def cards_of(columns: Columns) -> NDArray[np.int64]:
    """Return how often each byte stands for a card in *columns*, shape (256,)."""
    parts = (columns.hands, columns.widow, columns.board, columns.order)
    flat = [p.ravel() for p in parts] + [columns.turnups.data, columns.runs.data]
    return np.bincount(np.concatenate(flat), minlength=256)


def stray(columns: Columns, pack: Sequence[int]) -> NDArray[np.bool_]:
    """Return which deals of *columns* show a card that is not in *pack*, shape (deals,)."""
    other = np.ones(256, np.bool_)
    other[[*pack, *range(52, 256)]] = False
    deals = len(columns)
    out = np.zeros(deals, np.bool_)
    for part in (columns.hands, columns.widow, columns.board, columns.order):
        out |= other[part].reshape(deals, -1).any(axis=1)
    for texts in (columns.turnups, columns.runs):
        out[np.repeat(np.arange(deals), texts.sizes)[other[texts.data]]] = True
    return out


def stated(deals: Iterator[Deal], law: Law, name: str, *, hide: bool) -> Iterator[Statement]:
    """Yield the contradiction of each deal with a card that is not in the pack *name*."""
    pack = law.packs[name]
    for deal in deals:
        parts = (*deal.hands, deal.widow, deal.board, deal.turnups, deal.runs)
        found = {c for part in (*parts, deal.order_after_cut or b"") for c in part if c < 52}
        cards = " ".join(NAMES[c] for c in sorted(found - {*pack}))
        line = f"line {deal.line}"
        where = line if hide else printable(deal.number or line)
        yield Statement(
            code=code_of(deal, law),
            detector="pack_integrity",
            kind="contradiction",
            subject={"deal": where},
            message=f"deal {where}: {cards} not in the pack of {len(pack)} cards"
            " that the log is of but for a few",
            explains=("a slip in typing or copying", "a few deals of a larger pack"),
        )
