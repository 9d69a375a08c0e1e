"""What two records of one deal have in common, as hashes of a whole block at once.

A hash is a sum of random words, one for each card or letter at its place, drawn
from the operating system for each audit.  Contents that differ anywhere differ
by a uniform word, so that they agree in 128 bits with chance 2^-128 whatever
the log holds and whoever wrote it: among 10^9 deals below 10^-20, which is why
equal hashes are taken for equal contents.
"""

from __future__ import annotations

import hashlib
import os

import numpy as np
from numpy.typing import NDArray

from audit.columns import Columns, Ragged, ragged
from audit.law import Law

Words = NDArray[np.uint64]
#: A text of more bytes than this is hashed by its digest.
TEXT = 64


def _draw(*shape: int) -> Words:
    size = int(np.prod(shape))
    return np.frombuffer(os.urandom(8 * size), np.uint64).reshape(shape).copy()


def _cards(*shape: int) -> Words:
    """Return words for card numbers on the last axis but one; a card not known adds nothing."""
    words = _draw(*shape, 256, 2)
    words[..., 52:, :] = 0
    return words


class Keys:
    """The hashes of one audit under *law*; *places* is the most hands that a deal has."""

    def __init__(self, law: Law) -> None:
        self.law, self.places = law, law.players[1]
        self.order, self.hand = _cards(52), _cards(self.places)
        self.turn, self.board, self.kind = _cards(), _cards(), _draw(2, 2)
        self._set = _cards()[:, 0].copy()
        self._letters = {name: _draw(TEXT, 256, 2) for name in ("table", "number", "time")}
        self._inputs: dict[str, Words] = {}
        self.number_row = np.dtype(
            [
                ("index", np.int64),
                ("hash", np.uint64, 2),
                ("input", np.int64),
                ("source", np.uint64),
                ("table", np.uint64),
                ("named", np.bool_),
                ("time", np.uint64),
                ("turn", np.uint8),
                ("hands", np.uint64, self.places),
                ("told", np.uint8),
            ]
        )
        self.content_row = np.dtype(
            [
                ("index", np.int64),
                ("hash", np.uint64, 2),
                ("table", np.uint64),
                ("number", np.uint64),
                ("numbered", np.bool_),
                ("time", np.uint64),
            ]
        )

    def text(self, name: str, texts: Ragged) -> Words:
        """Return (deals, 2) hashes of the *texts* of column *name*; an empty one has 0."""
        if texts.sizes.max(initial=0) > TEXT:
            rows = [texts[i] for i in range(len(texts))]
            short = [r if len(r) < TEXT else hashlib.blake2b(r).digest() for r in rows]
            texts = ragged(short)
        out, letters, sizes = np.zeros((len(texts), 2), np.uint64), self._letters[name], texts.sizes
        for k in range(int(sizes.max(initial=0))):
            rows_k = np.flatnonzero(sizes > k)
            out[rows_k] += letters[k][texts.data[texts.at[rows_k] + k]]
        return out

    def numbers(self, columns: Columns, start: int, source: str, of_input: int) -> NDArray[np.void]:
        """Return a row for each deal with a number, the first being deal *start*.

        The hash is of table and number alone, `told` of how much is told beside hands and turn-up:
        order, dealer, his place and the declarer's; *source* tells inputs of other bytes apart.
        """
        given = columns.number.sizes > 0
        rows = columns.take(given)
        out = np.zeros(len(rows), self.number_row)
        if not len(rows):
            return out
        out["index"] = start + np.flatnonzero(given)
        of = self._inputs.setdefault(source, _draw(1))
        table = self.text("table", rows.table)
        out["hash"] = table + self.text("number", rows.number)
        out["input"], out["source"] = of_input, of[0]
        out["table"] = of[0] + table[:, 0]
        out["named"] = rows.table.sizes > 0
        out["time"] = self.text("time", rows.time)[:, 0]
        out["turn"] = first_turn(rows)
        hands = self._set[rows.hands[:, : self.places]].sum(axis=2, dtype=np.uint64)
        out["hands"][:, : hands.shape[1]] = hands
        ordered = (rows.order < 52).any(axis=1)
        told = (ordered, rows.dealer >= 0, rows.dealer_seat > 0, rows.declarer > 0)
        out["told"] = np.sum(told, axis=0, dtype=np.uint8)
        return out

    def contents(self, columns: Columns, start: int) -> NDArray[np.void]:
        """Return a row for each deal whose cards say which deal it is."""
        hashes, given = content_hash(self, columns)
        out = np.zeros(int(given.sum()), self.content_row)
        out["index"] = start + np.flatnonzero(given)
        out["hash"] = hashes[given]
        out["table"] = self.text("table", columns.table)[given, 0]
        out["number"] = self.text("number", columns.number)[given, 0]
        out["numbered"] = columns.number.sizes[given] > 0
        out["time"] = self.text("time", columns.time)[given, 0]
        return out


def first_turn(columns: Columns) -> NDArray[np.uint8]:
    """Return the first turn-up of each deal, 255 where there is none or it is not known."""
    out = np.full(len(columns), 255, np.uint8)
    some = columns.turnups.sizes > 0
    out[some] = columns.turnups.data[columns.turnups.at[:-1][some]]
    return out


def content_hash(keys: Keys, columns: Columns) -> tuple[Words, NDArray[np.bool_]]:
    """Return (deals, 2) hashes and where they say which deal it is, as `joining.identity` does."""
    deals, law, size = len(columns), keys.law, columns.order.shape[1]
    hashes = np.zeros((deals, 2), np.uint64)
    ordered = np.zeros(deals, np.bool_)
    if size >= 24:
        ordered = columns.order[:, 23] < 52
        hashes += keys.kind[0]
        by_place = np.ascontiguousarray(columns.order.T)
        for k in range(size):
            hashes += np.take(keys.order[k], by_place[k], axis=0)
    hands = columns.hands[:, : keys.places]
    known = (hands < 52).sum(axis=2)
    places = np.arange(hands.shape[1])
    seated, which = np.unique(columns.players, return_inverse=True)
    full = np.array([law.full_hand(int(n)) for n in seated], np.int64)[which]
    short = ((known != full[:, None]) & (places < columns.given[:, None])).any(axis=1)
    whole = ~short & (columns.given > 0) & (known.sum(axis=1) >= 20) & ~ordered
    if whole.any():
        mine = np.repeat(keys.kind[1][None], int(whole.sum()), axis=0)
        for p in range(hands.shape[1]):
            for k in range(hands.shape[2]):
                mine += keys.hand[p][hands[whole, p, k]]
        mine += keys.turn[first_turn(columns)[whole]]
        for k in range(columns.board.shape[1]):
            mine += keys.board[columns.board[whole, k]]
        hashes[whole] = mine
    return hashes, ordered | whole
