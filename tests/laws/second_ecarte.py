"""Écarté read a second time, from the words of the two books alone; cards are names ("KH").

Household book, sections 118-119; Foster for winning the trick and for the pool.
"""

from __future__ import annotations

DOWN = "KQJAT987"


def beats(card: str, led: str, trump: str) -> bool:
    """Whether *card* takes a trick to which *led* was led."""
    if card[1] == led[1]:
        return DOWN.index(card[0]) < DOWN.index(led[0])
    return card[1] == trump


def legal(hand: list[str], led: str, trump: str) -> set[str]:
    """Return what the second may play: follow and win, else follow, else win, else any."""
    same = {card for card in hand if card[1] == led[1]}
    for choice in (
        {card for card in same if beats(card, led, trump)},
        same,
        {card for card in hand if beats(card, led, trump)},
    ):
        if choice:
            return choice
    return set(hand)


def score(
    tricks: tuple[int, int], *, proposed: bool, refused: bool, kings: tuple[int, int]
) -> tuple[int, int]:
    """Return the points of non-dealer and dealer.

    *tricks* and *kings* (turned or announced) are the non-dealer's and the dealer's;
    *proposed* whether the non-dealer ever did, *refused* whether the first proposal was.
    """
    points = list(kings)
    winner = 0 if tricks[0] >= 3 else 1
    worth = 2 if tricks[winner] == 5 else 1
    if (winner == 1 and not proposed) or (winner == 0 and refused):
        worth = 2
    points[winner] += worth
    return points[0], points[1]


def pool(winners: list[str]) -> tuple[int, int]:
    """Return the game, from 1, at which a pool is taken, and its stakes with all paying."""
    stakes = 3
    for game, name in enumerate(winners, 1):
        stakes += 1
        if game > 1 and winners[game - 2] == name:
            return game, stakes
    raise AssertionError("nobody has won two games in succession")
