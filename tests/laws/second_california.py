"""California Jack and Shasta Sam read a second time from Foster's words alone."""

from __future__ import annotations

from tests.laws.second_seven_up import GAME, JACK, Plays, takers


def hands(
    first: list[list[int]], stock: list[int], plays: Plays, trump: int
) -> list[tuple[int, int, list[int]]]:
    """Return (seat, card, hand before it) of every play.

    *first* are the hands of seats 1 and 2; the winner of a trick takes the next card
    of *stock*, his adversary the one after, until it is exhausted.
    """
    held, left, out = [list(h) for h in first], list(stock), []
    took = takers(plays, 2, trump)
    for at, (seat, card) in enumerate(plays):
        out.append((seat, card, list(held[seat - 1])))
        held[seat - 1].remove(card)
        if at % 2 and left:
            winner = took[card]
            held[winner - 1].append(left.pop(0))
            held[2 - winner].append(left.pop(0))
    return out


def leads(plays: Plays, trump: int, eldest: int) -> bool:
    """Whether the eldest led first and the winner of each trick the next one."""
    took = takers(plays, 2, trump)
    wanted = [eldest] + [took[plays[at][1]] for at in range(1, len(plays) - 1, 2)]
    return wanted == [plays[at][0] for at in range(0, len(plays), 2)]


def points(plays: Plays, trump: int) -> dict[str, int]:
    """Return who scores: everything, Low too, counts to who wins it; all 52 cards are in play."""
    took = takers(plays, 2, trump)
    high, low, jack = 13 * trump + 12, 13 * trump, 13 * trump + JACK
    out = {"high": took[high], "low": took[low], "catch jack": took[jack]}
    pips = [sum(GAME.get(c % 13, 0) for c in took if took[c] == s) for s in (1, 2)]
    assert sum(pips) == 80
    if pips[0] != pips[1]:
        out["game"] = 1 if pips[0] > pips[1] else 2
    return out
