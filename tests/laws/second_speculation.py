"""Speculation read a second time from the household book's words alone (section 105)."""

from __future__ import annotations

Card = int


def uppermost(hand: bytes, shown: int) -> Card:
    """Each card is laid on the one before, so the last dealt is shown first."""
    return hand[len(hand) - 1 - shown]


def turns(players: int) -> list[int]:
    """The eldest shows one, then the next eldest, and so on till all are discovered."""
    return [turn % players for turn in range(3 * players)]


def pool(players: int, before: int) -> int:
    """The dealer pools six fish, and every other player four."""
    return before + 6 + 4 * (players - 1)


def possessor(
    shown: list[tuple[Card, int]], sold: dict[Card, list[int]], turned: Card
) -> int | None:
    """The possessor of the highest trump, by purchase or otherwise; None where none was dealt."""
    best, who = -1, None
    for card, seat in shown:
        if card // 13 != turned // 13:
            continue
        if card % 13 > best:
            best = card % 13
            who = sold[card][-1] if card in sold else seat
    return who
