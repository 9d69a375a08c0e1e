"""Who decides for a seat: a person at a terminal, or nobody in particular."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Protocol

from audit.plan import Question
from audit.shuffle.rules import Book

#: Places of the cut pack to card numbers.
Hand = Mapping[int, int]


class Player(Protocol):
    """Decides; sees what the seat sees."""

    def choose(self, book: Book, name: str) -> int:
        """Return a blind choice: the depth of the `cut`, or an index of `packets`."""

    def decide(self, book: Book, question: Question, hand: Hand) -> str | Sequence[int]:
        """Return an answer in a word, or places of the hand."""

    def told(self, text: str) -> None:
        """Take a line about what happened."""


class Auto:
    """Cuts and answers at random, from the operating system."""

    def choose(self, book: Book, name: str) -> int:
        """Return any lawful choice with equal chance."""
        if name == "cut":
            low, high = book.manifest.min_cut, book.manifest.pack - book.manifest.min_cut
            return low + secrets.randbelow(high - low + 1)
        return 0

    def decide(self, book: Book, question: Question, hand: Hand) -> str | Sequence[int]:
        """Return any lawful answer with equal chance."""
        if question.places:
            places = [p for p in question.places if p in hand]
            return [places.pop(secrets.randbelow(len(places))) for _ in range(question.count)]
        return str(secrets.choice(question.choices))

    def told(self, text: str) -> None:
        """Say nothing."""
