"""Misdeals of Spoil Five and of the games that borrow its law: who deals again.

Source: Foster, Spoil Five, Misdealing.
"""

from __future__ import annotations

from collections.abc import Sequence

SOURCE = "Foster, Spoil Five, Misdealing"
#: What is found, and the warning that it answers.
DEALS_AGAIN = {"faced card": "LAW", "imperfect pack": "LAW"}
DEAL_PASSES = {
    "not cut": "LAW",
    "wrong number of cards": "LAW",
    "exposed in dealing": "LAW",
    "unequal round": "LAW",
    "counted the pack": "W46",
}

#: A packet of the cut with fewer cards than there are players; no misdeal by the book.
THIN = "cut too thin"
DEALING = "Foster, Spoil Five, Dealing"


def next_dealer(why: str, dealer: int, players: int, *, keeps: bool) -> int | None:
    """Return who deals after a misdeal for *why*, None where the book names no such thing.

    *keeps*: the misdealer deals again for two counters.
    """
    if why in DEALS_AGAIN or (why in DEAL_PASSES and keeps):
        return dealer
    return dealer % players + 1 if why in DEAL_PASSES else None


def remedy(why: str, *, keeps: bool) -> str:
    """Return what the law asks for after a misdeal."""
    if why in DEALS_AGAIN:
        return "the same person deals again"
    if keeps:
        return "the misdealer forfeits two counters to the pool and deals again"
    return "a misdeal: the deal passes to the left"


def doubled(cards: Sequence[int], pack: frozenset[int]) -> list[int]:
    """Return the known cards that stand twice in a deal, or are none of the pack."""
    known = [c for c in cards if c < 52]
    return sorted({c for c in known if known.count(c) > 1 or c not in pack})
