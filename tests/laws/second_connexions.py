"""Connexions read a second time from the household book's words alone (sections 106-107)."""

from __future__ import annotations

SUIT = "SHDC"
RANK = "23456789TJQKA"
CONNECTED = ("AS", "AC", "KH")


def name(card: int) -> str:
    """Write a card."""
    return RANK[card % 13] + SUIT[card // 13]


def may(hand: list[str], trick: list[str]) -> set[str]:
    """What may be played: the answer to a connexion before all, else suit, connexions, trumps."""
    if not trick:
        return set(hand)
    on_table = [c for c in trick if c in CONNECTED]
    if len(on_table) == 1:
        answers = {c for c in hand if c in CONNECTED}
        if answers:
            return answers
    same = {c for c in hand if c[1] == trick[0][1]}
    if not same:
        return set(hand)
    liberty = {c for c in hand if c in CONNECTED}
    trumping = {c for c in hand if c[1] == "D"} if len(on_table) >= 2 else set()
    return same | liberty | trumping


def wins(trick: list[str]) -> int:
    """Which card of the trick wins it."""
    trumps = [c for c in trick if c[1] == "D"]
    if trumps:
        return trick.index(max(trumps, key=lambda c: RANK.index(c[0])))
    on_table = [c for c in trick if c in CONNECTED]
    if len(on_table) >= 2:
        return trick.index(on_table[0])
    same = [c for c in trick if c[1] == trick[0][1]]
    return trick.index(max(same, key=lambda c: RANK.index(c[0])))


def drawn(tricks: list[tuple[int, list[str]]], seats: range) -> list[tuple[int, int]]:
    """Who draws how many sixpences, in order: 2s, 1s, 6d for connexions, 6d for most tricks."""
    out = []
    for one, other, coins in (("AS", "AC", 4), ("AS", "KH", 2), ("AC", "KH", 1)):
        out += [(who, coins) for who, trick in tricks if one in trick and other in trick]
    count = sorted(((sum(w == s for w, _ in tricks), s) for s in seats), reverse=True)
    if count[0][0] > count[1][0]:
        out.append((count[0][1], 1))
    return out
