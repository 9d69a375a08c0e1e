"""Cassino read a second time from the household book's words alone (sections 110-112)."""

from __future__ import annotations

from itertools import combinations

Play = tuple[int, list[int]]
RANK = "23456789TJQKA"


def worth(card: int) -> int:
    """Ace one, spots their number, courts out of any reckoning."""
    return {"A": 1, "T": 10, "J": 0, "Q": 0, "K": 0}.get(RANK[card % 13]) or (
        int(RANK[card % 13]) if RANK[card % 13].isdigit() else 0
    )


def splits(card: int, taken: list[int]) -> bool:
    """Whether all that was taken is of the card's denomination or adds to it, lot by lot."""
    left = [c for c in taken if c % 13 != card % 13]
    if not left:
        return True
    if not worth(card) or any(not worth(c) for c in left):
        return False
    for size in range(1, len(left) + 1):
        for lot in combinations(left[1:], size - 1):
            if worth(left[0]) + sum(map(worth, lot)) == worth(card):
                rest = [c for c in left[1:] if c not in lot]
                if splits(card, rest):
                    return True
    return False


def can(card: int, board: list[int]) -> bool:
    """Whether the card takes anything."""
    lots = (lot for n in range(1, len(board) + 1) for lot in combinations(board, n))
    return any(splits(card, list(lot)) for lot in lots)


def tally(plays: list[tuple[int, list[int]]], board: list[int], sides: int) -> dict[int, int]:
    """The points of each side, *plays* being (seat, card and cards taken) in order."""
    table, pile, clears = set(board), {s: set[int]() for s in range(1, sides + 1)}, [0] * 5
    last = 0
    for at, (seat, cards) in enumerate(plays):
        side = (seat - 1) % sides + 1
        if len(cards) == 1:
            table.add(cards[0])
            continue
        table -= set(cards)
        pile[side] |= set(cards)
        last = side
        clears[side] += not table and at < len(plays) - 1
    if last:
        pile[last] |= table
    points = {s: clears[s] + 2 * (34 in p) + (0 in p) for s, p in pile.items()}
    for s, p in pile.items():
        rivals = [q for t, q in pile.items() if t != s]
        points[s] += sum(RANK[c % 13] == "A" for c in p)
        points[s] += 3 * all(len(p) > len(q) for q in rivals)
        spades = sum(c < 13 for c in p)
        points[s] += all(spades > sum(c < 13 for c in q) for q in rivals)
    return points
