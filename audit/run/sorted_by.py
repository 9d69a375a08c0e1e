"""Whether rows were sorted by their cards before they were numbered.

Whoever sorts a log by what was turned, or by who was strong, and fills the numbers down
afterwards leaves an honest log that stands high at some look.  Asked is after keys that are
natural to sort by, in all the log and inside the rows of each dealer, table or time, at rows
taken evenly from all of it: where all rows stand sorted, so do they.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from audit.cards import NAMES, RANKS, UNKNOWN
from audit.columns import Columns, Ragged
from audit.count.strength import strengths
from audit.law import Law
from audit.record import card_sets
from audit.run.standing import (
    Groups,
    Ints,
    least_of_hits,
    least_of_kinds,
    least_of_levels,
    least_of_steps,
)

Cards: TypeAlias = NDArray[np.uint8]
Sets: TypeAlias = NDArray[np.uint64]
Texts: TypeAlias = NDArray[Any]

#: Fewer than this share of honest logs whose rows stand as dealt are taken to be sorted, and
#: looked at once, which raises no evidence.
CHANCE = 1 / 1000
#: So many rows at most are asked, and of each so many cards turned, hands, and cards of a hand.
MOST_ROWS, TURNS, PLACES, DEEP = 1024, 4, 10, 26
#: Dealers by name come after the dealers' places.
NAMED = 100
JACK = RANKS.index("J")


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Some rows: first cards turned (rows, TURNS) and hands (rows, PLACES, DEEP), padded with 255.

    *seat* is the place of the dealer, 0 where it is not known, *dealer* a number for each; so are
    *table* and *time* for each table and time of an input.
    """

    turned: Cards
    hands: Cards
    seat: Ints
    dealer: Ints
    table: Ints
    time: Ints

    def __len__(self) -> int:
        return len(self.seat)

    def every(self, step: int) -> Rows:
        """Return each *step*-th row."""
        return Rows(**{name: value[::step] for name, value in vars(self).items()})


def _numbers(texts: Ragged, at: NDArray[np.intp], source: int) -> Ints:
    """Return a number for each text *at* of input *source*, the same for the same."""

    def number(text: bytes) -> int:
        found = hashlib.blake2b(text, digest_size=8, salt=source.to_bytes(8, "big")).digest()
        return int.from_bytes(found, "big", signed=True)

    if not len(texts.data):
        return np.full(len(at), number(b""), np.int64)
    every = [texts[i] for i in at.tolist()]
    known = {text: number(text) for text in dict.fromkeys(every)}
    return np.array([known[text] for text in every], np.int64)


def _rows(columns: Columns, at: NDArray[np.intp], source: int) -> Rows:
    """Return the rows *at* of *columns*, which are of input *source*."""
    seat = columns.dealer_seat[at].astype(np.int64)
    name = columns.dealer[at].astype(np.int64)
    hands = np.full((len(at), PLACES, DEEP), UNKNOWN, np.uint8)
    some = columns.hands[at][:, :PLACES, :DEEP]
    hands[:, : some.shape[1], : some.shape[2]] = some
    turned = np.full((len(at), TURNS), UNKNOWN, np.uint8)
    for k in range(TURNS):
        there = columns.turnups.at[at] + k < columns.turnups.at[at + 1]
        turned[there, k] = columns.turnups.data[columns.turnups.at[at[there]] + k]
    return Rows(
        turned=turned,
        hands=hands,
        seat=seat,
        dealer=np.where(name >= 0, NAMED + name, np.clip(seat, 0, NAMED - 1)),
        table=_numbers(columns.table, at, source),
        time=_numbers(columns.time, at, source),
    )


class SortedBy:
    """Keeps rows taken evenly from a log of *law*, and says whether they stand sorted."""

    def __init__(self, law: Law | None) -> None:
        self._law = law
        self._stride, self._seen = 1, 0
        self._parts: list[Rows] = []

    def take(self, columns: Columns, source: int) -> None:
        """Take the next rows, of input *source*."""
        at = np.arange(-self._seen % self._stride, len(columns), self._stride)
        self._seen += len(columns)
        if not len(at):
            return
        self._parts.append(_rows(columns, at, source))
        while (kept := sum(map(len, self._parts))) > MOST_ROWS:
            # Those stay whose number in the log, from 0, the new stride divides.
            self._parts = [self._all().every(2)]
            self._stride *= 2
            assert len(self._parts[0]) == (kept + 1) // 2

    def _all(self) -> Rows:
        names = vars(self._parts[0])
        return Rows(**{n: np.concatenate([vars(p)[n] for p in self._parts]) for n in names})

    @property
    def surely(self) -> bool:
        """Whether rows stand sorted by some key, and by luck so in fewer than `CHANCE` of logs."""
        if not self._parts:
            return False
        rows = self._all()
        scopes = (np.zeros_like(rows.dealer), rows.dealer, rows.table, rows.time)
        bar = log(CHANCE) - log(2 * len(scopes))
        for k, group in enumerate(scopes):
            # One group is all the log again, and groups of a few rows can show nothing.
            if k and not 1 < len(np.unique(group)) <= len(group) / 4:
                continue
            for asked in (_of_turned(rows, group, self._law), _of_hands(rows, group, self._law)):
                found = list(asked)
                if found and min(found) + log(len(found)) < bar:
                    return True
        return False


def _of_turned(rows: Rows, group: Ints, law: Law | None) -> Iterator[float]:
    """Yield for each key of what was turned the least ln chance of the rows that show it.

    How many cards are turned follows the cards but where each place has one.
    """
    first = rows.turned[:, 0]
    known = np.flatnonzero(first < 52)
    if not len(known):
        return
    card, turned, mine = first[known].astype(np.int64), rows.turned[known], group[known]
    count = (turned < 52).sum(axis=1)
    groups = Groups(_apart(mine, count) if law and law.several_turned else mine)
    yield least_of_kinds(card // 13, groups)
    yield least_of_kinds(card % 13, groups)
    yield least_of_kinds(card, groups)
    yield least_of_levels(card % 13, groups)
    yield least_of_levels(count, groups)
    ranks = np.where(turned < 52, turned % 13, UNKNOWN)
    some = (ranks[:, :, None] == np.arange(13)).any(axis=1)
    yield least_of_hits(some.T[:, groups.order], groups)


def _of_hands(rows: Rows, group: Ints, law: Law | None) -> Iterator[float]:
    """Yield for each key of the hands the least ln chance of the rows that show it.

    Only rows are compared of which as many cards are shown: that follows who sat down to play,
    or what was written down that night, and more cards are stronger ones.
    """
    held = card_sets(rows.hands)
    places = np.flatnonzero(held.any(axis=0))
    if not len(places):
        return
    held = held[:, : places[-1] + 1]
    known, values = held > 0, _strengths(held, rows.turned[:, 0], law)
    best = values.max(axis=2)
    whose = np.where((values == best[:, :, None]).sum(axis=2) == 1, values.argmax(axis=2), PLACES)
    shown = np.column_stack([np.bitwise_count(held), rows.turned[:, 0] < 52]).astype(np.int64)
    several = np.flatnonzero(known.sum(axis=1) > 1)
    if len(several):
        groups = Groups(_apart(group[several], shown[several]))
        yield least_of_kinds(whose[0, several], groups)
        for feature in best:
            yield least_of_levels(feature[several], groups)
        sets = held[several][groups.order].T
        cards = np.uint64(1) << np.arange(52, dtype=np.uint64)[:, None]
        yield least_of_hits(np.concatenate([hand & cards > 0 for hand in sets]), groups)
    own = np.clip(rows.seat, 1, held.shape[1]) - 1
    at = np.arange(len(rows))
    told = shown[:, -1]
    of_dealer = known[at, own] & (rows.seat == own + 1)
    texts = _texts(rows.hands, held)
    for place in (*range(held.shape[1]), own):
        mine = np.flatnonzero(of_dealer if place is own else known[:, place])
        if not len(mine):
            continue
        groups = Groups(_apart(group[mine], np.stack([shown[at, place], told], axis=1)[mine]))
        for feature in values[:, at, place]:
            yield least_of_levels(feature[mine], groups)
        for text in texts:
            yield least_of_steps(text[at, place][mine][groups.order], groups)
    if held.shape[1] == 4:
        for side in (0, 1):
            both = np.flatnonzero(known[:, side] & known[:, side + 2])
            if len(both):
                pair = values[0, both, side] + values[0, both, side + 2]
                yield least_of_levels(pair, Groups(_apart(group[both], shown[both])))


def _apart(group: Ints, by: Ints) -> Ints:
    """Return a number for each *group* and row of *by*, (rows, any), the same for the same."""
    _, number = np.unique(np.column_stack([group, by]), axis=0, return_inverse=True)
    return number.reshape(-1).astype(np.int64)


def _strengths(held: Sets, turned: NDArray[np.uint8], law: Law | None) -> Ints:
    """Return in how many ways each hand may be called strong, (ways, rows, places), -1 for none.

    They are the law's points, or the ranks summed; the ranks summed, and as at vingt-un; the
    highest rank; the most cards of a suit and of a rank; the court cards, and Aces; the trumps.
    """
    ranks = np.array([_set(range(r, 52, 13)) for r in range(13)], np.uint64)
    suits = np.array([_set(range(13 * s, 13 * s + 13)) for s in range(4)], np.uint64)
    of_rank = np.bitwise_count(held[:, :, None] & ranks).astype(np.int64)
    of_suit = np.bitwise_count(held[:, :, None] & suits).astype(np.int64)
    number, pips = np.arange(13), np.array([*range(2, 11), 10, 10, 10, 11])
    total = of_rank @ number
    points = np.stack(strengths(held, law), axis=1) if law and law.strength else total
    trump = np.where(turned < 52, turned // 13, 0).astype(np.int64)
    trumps = np.take_along_axis(of_suit, trump[:, None, None], axis=2)[:, :, 0]
    found = (
        points,
        total,
        of_rank @ pips,
        np.where(of_rank > 0, number, 0).max(axis=2),
        of_suit.max(axis=2),
        of_rank.max(axis=2),
        of_rank[:, :, JACK:].sum(axis=2),
        of_rank[:, :, -1],
        np.where(turned[:, None] < 52, trumps, 0),
    )
    return np.where(held > 0, np.stack(found), -1)


def _set(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _texts(hands: Cards, held: Sets) -> tuple[Texts, Texts]:
    """Return two texts of each hand, (rows, places): its cards as they stand, and suit by suit.

    Only their order matters: of names as the native log writes them, and of ranks from the
    highest as bridge players do.
    """
    places = held.shape[1]
    letter = np.zeros(256, np.uint8)
    letter[sorted(range(52), key=lambda card: NAMES[card])] = np.arange(1, 53)
    stand = np.ascontiguousarray(letter[hands[:, :places]]).view(f"S{DEEP}")[:, :, 0]
    table = np.zeros((*held.shape, 4, 14), np.uint8)
    for suit in range(4):
        length = np.zeros(held.shape, np.int64)
        for rank in range(12, -1, -1):
            has = (held >> np.uint64(13 * suit + rank)) & np.uint64(1) == 1
            table[:, :, suit][(*np.nonzero(has), length[has])] = ord(RANKS[rank])
            length += has
    return stand, table.reshape(len(held), places, 56).view("S56")[:, :, 0]
