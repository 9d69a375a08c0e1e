"""Spoil Five and Forty-Five read a second time, from Foster's words alone; cards are names."""

from __future__ import annotations

RED = "T98765432"
BLACK = "A23456789T"


def strength(card: str, trump: str, silent: str = "") -> tuple[int, int]:
    """Return (3 best trumps, 2 trumps, 1 plain, 0 a silent ace) and the place, more is better."""
    rank, suit = card[0], card[1]
    if card == silent:
        return (2, -100)
    if card == "AH" or suit == trump:
        best = ["AH", "J" + trump, "5" + trump]
        if card in best:
            return (3, best.index(card))
    if rank in "KQJ":
        return (2 if suit == trump else 1, 20 + "JQK".index(rank))
    if suit == trump and rank == "A":
        return (2, 30)
    order = RED + "A" if suit in "HD" else BLACK
    return (2 if suit == trump else 1, -order.index(rank))


def is_trump(card: str, trump: str) -> bool:
    return card == "AH" or card[1] == trump


def legal(hand: list[str], trick: list[str], trump: str, silent: str = "") -> set[str]:
    """The cards of *hand* that may be played to *trick* (the led card first)."""
    if not trick:
        return set(hand)
    led, trumps = trick[0], [c for c in hand if is_trump(c, trump)]
    if not is_trump(led, trump):
        suit = [c for c in hand if c[1] == led[1] and not is_trump(c, trump)]
        return {*suit, *trumps} if suit else set(hand)
    lead = strength(led, trump, silent)
    forced = False
    for card in trumps:
        mine = strength(card, trump, silent)
        forced |= mine[0] < 3 or mine < lead
    return set(trumps) if forced else set(hand)


def winner(trick: list[str], trump: str, silent: str = "") -> int:
    """Which card of *trick* wins, counted from 0."""
    able = [
        k
        for k, c in enumerate(trick)
        if is_trump(c, trump) or (not is_trump(trick[0], trump) and c[1] == trick[0][1])
    ]
    return max(able, key=lambda k: strength(trick[k], trump, silent))


def score(won: int, lost: int, *, per_trick: bool) -> int:
    """Points of the side that took *won* tricks of five."""
    if per_trick:
        return 5 * (won - lost)
    return 10 if won == 5 else 5
