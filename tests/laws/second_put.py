"""Put read a second time from the household book's words alone (sections 101-103).

Cards are numbers 13 x suit + rank, ranks 2 to ace; *words* are what was said, in order.
"""

from __future__ import annotations

BEST = "32AKQJT987654"
RANKS = "23456789TJQKA"


def place(card: int) -> int:
    """Return how good a card is, 0 the trois: suits are of no account."""
    return BEST.index(RANKS[card % 13])


def better(led: int, other: int) -> int:
    """Return 1 where the led card wins, -1 where the other, 0 where it is covered by an equal."""
    return (place(other) > place(led)) - (place(other) < place(led))


def best(hand: list[int]) -> set[int]:
    """Return the cards that may go to the partner as the best."""
    return {c for c in hand if place(c) == min(map(place, hand))}


def worst(hand: list[int]) -> set[int]:
    """Return the cards that may be thrown for it as the worst."""
    return {c for c in hand if place(c) == max(map(place, hand))}


def score(
    words: list[tuple[int, str]], plays: list[tuple[int, int]], pair: tuple[int, int]
) -> tuple[int, int] | None:
    """Return (seat, points) of the deal; the whole game counts five, None is nothing.

    *pair* are the two who play, the first to lead first.
    """
    other = {pair[0]: pair[1], pair[1]: pair[0]}
    for at, (seat, word) in enumerate(words):
        if word == "throw":
            return other[seat], 1
        if word == "decline":
            assert words[at - 1] == (other[seat], "put")
            return other[seat], 1
    if "see" not in [word for _, word in words]:
        return None
    won = {pair[0]: 0, pair[1]: 0}
    for k in range(0, len(plays) - 1, 2):
        (first, led), (second, card) = plays[k : k + 2]
        won[first] += better(led, card) > 0
        won[second] += better(led, card) < 0
    for seat in pair:
        if won[seat] >= 2:
            return seat, 5
    return None
