"""Auction Pitch read a second time from Foster's words alone.

*bids* are (seat, number) with 0 for a pass, in order; seats are numbered from the
seller, or at the board the first bidder, as 1; the dealer is the last.
"""

from __future__ import annotations

from tests.laws.second_seven_up import GAME, JACK, Plays, takers

GOAL = 7


def may_bid(form: str, seller_score: int, top: int) -> set[int]:
    """Pass, or bid higher up to four; at the sale not so many as would put the seller out."""
    most = 4
    if form == "sell":
        most = min(4, GOAL - seller_score - 1)
    return {0} | set(range(top + 1, most + 1))


def pitcher(form: str, bids: list[tuple[int, int]], answer: str) -> tuple[int, int, int]:
    """Return who pitches, how many he must make, and how many the seller is paid."""
    made = [(number, seat) for seat, number in bids if number]
    if answer == "pitch":
        return 1, 4, 0
    if not made:
        return 1, 0, 0
    number, seat = max(made)
    if form == "board":
        return seat, number, 0
    return (1, number, 0) if answer == "refuse" else (seat, number, number)


def made(plays: Plays, players: int) -> dict[int, list[str]]:
    """Return the points that each made; High and Low are the holder's, a tied Game nobody's."""
    trump = plays[0][1] // 13
    took = takers(plays, players, trump)
    out: dict[int, list[str]] = {s: [] for s, _ in plays}
    mine = [(c, s) for s, c in plays if c // 13 == trump]
    out[max(mine)[1]].append("high")
    out[min(mine)[1]].append("low")
    if 13 * trump + JACK in took:
        out[took[13 * trump + JACK]].append("catch jack")
    pips = {s: sum(GAME.get(c % 13, 0) for c in took if took[c] == s) for s in out}
    best = [s for s in pips if pips[s] == max(pips.values())]
    if len(best) == 1:
        out[best[0]].append("game")
    return out


def change(
    points: dict[int, list[str]], who: int, promised: int, paid: int, seller_score: int = 0
) -> dict[int, int]:
    """Return by how much each score changes: a pitcher who fails is set back and counts nothing."""
    out = {s: len(words) for s, words in points.items()}
    if out[who] < promised:
        out[who] = -promised
    out[1] += min(paid, GOAL - seller_score - 1)
    return out
