"""The shape of a tally, and the looks at which evidence is kept.

A tally counts integers of a batch into *looks*: deal i of the log belongs to
look `i >> shift`, with the least shift that keeps at most 256 looks.  A join
is therefore plain addition, in any order and on any engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.finding import Verdicts
from audit.law import Law
from audit.record import Batch, Holds

MOST_LOOKS = 256
#: Stands in a batch for a dealer who has a name and comes too late to be judged alone.
NOT_JUDGED = -2
Arrays = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True, kw_only=True)
class Looks:
    """Where the evidence of a log of *deals* deals is looked at.

    With *once* only after the last deal, for rows that may not stand as dealt.
    """

    deals: int
    once: bool = False

    @property
    def shift(self) -> int:
        """Look of deal i is i >> shift."""
        if self.once:
            return max(1, self.deals).bit_length()
        shift = 0
        while (self.deals - 1) >> shift >= MOST_LOOKS:
            shift += 1
        return shift

    @property
    def count(self) -> int:
        """How many looks there are, the last one after the last deal."""
        return ((self.deals - 1) >> self.shift) + 1 if self.deals else 0

    def of(self, batch: Batch) -> NDArray[np.int64]:
        """Return the look of each deal of *batch*."""
        return (batch.first + np.arange(len(batch), dtype=np.int64)) >> self.shift

    def joined(self, most: int) -> int:
        """Return how many looks are to be joined into one so that at most *most* are left."""
        return max(1, -(-self.count // most))

    def ends(self) -> list[int]:
        """Return the number of deals seen at each look."""
        step = 1 << self.shift
        return [min(self.deals, (k + 1) * step) for k in range(self.count)]


@dataclass(frozen=True, kw_only=True)
class Table:
    """What a tally needs to know beside the cards."""

    law: Law
    pack: tuple[int, ...]
    players: int
    holds: Holds
    looks: Looks
    dealers: tuple[str, ...]
    machine: bool
    who: str = "dealer"
    #: Rows that could not be read for their turn-up, whoever dealt.
    unread: int = 0
    #: Rows that could not be read for cards in hands or played.
    unheld: int = 0
    #: House and seats by key, in order of first appearance, where the log names them.
    parties: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tally:
    """One way of counting: `count` a batch into integers that add up."""

    id: str
    count: Callable[[Batch, Table], Arrays]


@dataclass(frozen=True, kw_only=True)
class Detector:
    """One fault: which tallies show it, and what they say of it."""

    id: str
    codes: tuple[str, ...]
    title: str
    tallies: tuple[str, ...]
    judge: Callable[[Mapping[str, Arrays], Table], Verdicts]


def add_at(shape: tuple[int, ...], where: tuple[NDArray[np.int64], ...]) -> NDArray[np.int64]:
    """Return counts of the index tuples *where* in an array of *shape*."""
    flat = np.ravel_multi_index(where, shape)
    return np.bincount(flat, minlength=int(np.prod(shape))).astype(np.int64).reshape(shape)


def people(table: Table) -> list[str]:
    """Return who deals, as subjects in order of first appearance."""
    return ["of this log"] if table.machine else list(table.dealers)


def not_shown(tallies: Arrays, table: Table, m: int) -> int:
    """Return how many deals may be those of dealer *m* (from 0) and do not show what was turned.

    Somebody may have left out the turn-up, or the dealer, because of the card.
    """
    return int(tallies["blank"][m] + tallies["blank"][-1]) + table.unread


def groups(table: Table) -> list[str]:
    """Return the names of the groups of cards of a deal: each hand by place, widow, board."""
    hands = [f"hand {p + 1}" for p in range(table.players)]
    if len(table.law.place_names) == table.players:
        hands = [f"hand of {name}" for name in table.law.place_names]
    return [*hands, "kitty" if table.law.id.startswith("euchre") else "widow", "board"]


def blocks(batch: Batch, table: Table) -> list[NDArray[np.uint8]]:
    """Return the cards of each of `groups`, shape (deals, cards) each, padded with 255."""
    none = np.zeros((len(batch), 0), np.uint8)
    held = batch.hands.shape[1]
    hands = [batch.hands[:, p] if p < held else none for p in range(table.players)]
    return [*hands, batch.widow, batch.board]
