"""Euchre read a second time, from the words of the household book, sections 120-121, alone.

Cards are names ("JH"); it shares nothing with the referee.
"""

from __future__ import annotations

COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}


def ladder(trump: str) -> list[str]:
    """Return the trumps, best first: both bowers, then as at whist."""
    left = "J" + COLOUR[trump]
    return ["J" + trump, left, *(rank + trump for rank in "AKQT987")]


def suit(card: str, trump: str) -> str:
    """Return the suit that *card* counts as."""
    return trump if card in ladder(trump) else card[1]


def legal(hand: list[str], trick: list[str], trump: str) -> set[str]:
    """Return what may be played: follow suit, else trump or throw away."""
    if trick:
        led = suit(trick[0], trump)
        same = {card for card in hand if suit(card, trump) == led}
        if same:
            return same
    return set(hand)


def taker(trick: list[str], trump: str) -> int:
    """Return which card of the trick wins it."""
    trumps = [card for card in ladder(trump) if card in trick]
    if trumps:
        return trick.index(trumps[0])
    for rank in "AKQJT987":
        if rank + trick[0][1] in trick:
            return trick.index(rank + trick[0][1])
    raise AssertionError(trick)


def score(makers: int) -> tuple[int, int]:
    """Return the points of the makers and of the others, the makers having *makers* tricks."""
    if makers == 5:
        return 2, 0
    return (1, 0) if makers >= 3 else (0, 2)
