"""Seven-Up, old All Fours, All Fives and Pitch read a second time from Foster's words alone.

Cards are numbers 13 x suit + rank, the deuce rank 0, the ace 12.  *plays* is the
whole deal as (seat, card) in the order played; seats go round from 1.
"""

from __future__ import annotations

TEN, JACK, QUEEN, KING, ACE = 8, 9, 10, 11, 12
GAME = {ACE: 4, KING: 3, QUEEN: 2, JACK: 1, TEN: 10}
Plays = list[tuple[int, int]]


def legal(hand: list[int], led: int | None, trump: int) -> set[int]:
    """If a trump is led follow suit if able; else follow suit or trump; having none, anything."""
    same = {c for c in hand if led is not None and c // 13 == led // 13}
    if led is None or not same:
        return set(hand)
    return same if led // 13 == trump else same | {c for c in hand if c // 13 == trump}


def takers(plays: Plays, players: int, trump: int) -> dict[int, int]:
    """Return for every card who took it: the highest trump, or highest of the suit led, wins."""
    out: dict[int, int] = {}
    for at in range(0, len(plays), players):
        trick = plays[at : at + players]
        suit = trump if any(c // 13 == trump for _, c in trick) else trick[0][1] // 13
        winner = max((c % 13, s) for s, c in trick if c // 13 == suit)[1]
        out |= {c: winner for _, c in trick}
    return out


def points(
    plays: Plays, players: int, dealer: int, trump: int, *, tie: bool = True, fives: bool = False
) -> dict[str, int]:
    """Return who scores High, Low, Jack and Game; of four players the lower seat of the side.

    *tie* is whether the non-dealer scores a tie for Game, *fives* whether the five of
    trumps counts five toward it.
    """
    side = {s: (s - 1) % 2 + 1 if players == 4 else s for s in range(1, players + 1)}
    took = takers(plays, players, trump)
    trumps = sorted((c, s) for s, c in plays if c // 13 == trump)
    out = {}
    if trumps:
        out["high"], out["low"] = side[trumps[-1][1]], side[trumps[0][1]]
    if 13 * trump + JACK in took:
        out["catch jack"] = side[took[13 * trump + JACK]]
    pips = dict.fromkeys(side.values(), 0)
    for card, seat in took.items():
        five = 5 if fives and card == 13 * trump + 3 else 0
        pips[side[seat]] += GAME.get(card % 13, five)
    best = [s for s in pips if pips[s] == max(pips.values())]
    if len(best) > 1:
        best = [s for s in best if s != side[dealer]] if tie else []
    if len(best) == 1:
        out["game"] = best[0]
    return out
