"""Vingt-un read a second time from the household book's words alone (sections 113-116)."""

from __future__ import annotations

RANK = "23456789TJQKA"


def counts(cards: list[int]) -> set[int]:
    """Every number that the cards can be counted at, an ace eleven or one."""
    sums = {0}
    for card in cards:
        rank = RANK[card % 13]
        points = {"A": {1, 11}}.get(rank, {10 if rank in "TJQK" else RANK.index(rank) + 2})
        sums = {s + p for s in sums for p in points}
    return sums


def number(cards: list[int]) -> int:
    """The best number up to twenty-one, 99 when every one is over."""
    return max((s for s in counts(cards) if s <= 21), default=99)


def is_natural(cards: list[int]) -> bool:
    """Twenty-one, dealt in the first two cards."""
    return len(cards) == 2 and 21 in counts(cards)


def coup(hands: dict[int, list[int]], dealer: int, order: list[int]) -> dict[int, int]:
    """What each gains in stakes of one; *hands* as they were when all stood, in *order*."""
    gain = dict.fromkeys(hands, 0)

    def give(who: int, to: int, stakes: int) -> None:
        gain[who] -= stakes
        gain[to] += stakes

    having = [s for s in order if is_natural(hands[s])]
    if dealer in having:
        for seat in order:
            if seat not in having:
                give(seat, dealer, 2)
        return gain
    for at, seat in enumerate(having):
        give(dealer, seat, 1 if at else 2)
    if having:
        return gain
    mine = number(hands[dealer])
    for seat in order:
        his = number(hands[seat])
        if seat == dealer:
            continue
        if his == 99:
            give(seat, dealer, 1)
        elif his == 21 or mine == 21:
            if his != mine:
                give(*((dealer, seat) if his == 21 else (seat, dealer)), 2)
        elif mine == 99 or his > mine:
            give(dealer, seat, 1)
        elif his < mine:
            give(seat, dealer, 1)
    return gain
