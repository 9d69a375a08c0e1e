"""Napoleon and its variations read a second time from Foster's words alone.

Cards are numbers 13 x suit + rank; a deal is (seat, card) in the order played, calls
are (seat, word) in order; what each seat wins or loses is a table by seat, 0 the pool.
"""

from __future__ import annotations

Plays = list[tuple[int, int]]
TRICKS = {"1": 1, "2": 2, "3": 3, "misere": 0, "4": 4}
ABOVE = ["1", "2", "3", "misere", "4", "nap", "wellington", "blucher"]


def bids(game: str, before: list[str], *, last_to_speak: bool) -> set[str]:
    """Increase it or pass; the dealer is bound to bid when all have passed."""
    known = {"nap_misere": ["misere"], "nap_wellington": ["wellington"]}
    more = known.get(game, ABOVE[6:] if game in ("nap_blucher", "nap_treble_english") else [])
    ladder = [w for w in ABOVE if w in ("1", "2", "3", "4", "nap") or w in more]
    made = [w for w in before if w != "pass"]
    if "widow" in made:
        return set()
    open_to = set(ladder[ladder.index(made[-1]) + 1 :] if made else ladder)
    if game == "nap_widow" and "nap" in open_to:
        open_to.add("widow")
    return open_to if last_to_speak and not made else open_to | {"pass"} if open_to else set()


def may_play(hand: list[int], led: int | None) -> set[int]:
    """The players must follow suit if able, but need not win."""
    return {c for c in hand if led is not None and c // 13 == led // 13} or set(hand)


def takers(plays: Plays, at_table: int, trump: int | None) -> list[int]:
    """The highest card of the suit led wins the trick, and trumps win all other suits."""
    out = []
    for start in range(0, len(plays) - at_table + 1, at_table):
        trick = plays[start : start + at_table]
        suits = [trump, trick[0][1] // 13]
        suit = next(s for s in suits if any(c // 13 == s for _, c in trick))
        out.append(max((c % 13, s) for s, c in trick if c // 13 == suit)[1])
    return out


def result(game: str, bid: str, bidder: int, plays: Plays, at_table: int) -> bool | None:
    """Return whether the bid is made, None while that is open."""
    took = takers(plays, at_table, None if bid == "misere" else plays[0][1] // 13)
    mine, theirs = took.count(bidder), len(took) - took.count(bidder)
    if bid == "misere":
        return False if mine else True if theirs == 5 else None
    need = TRICKS.get(bid, 5)
    return True if mine >= need else False if theirs > 5 - need else None


def each_pays(game: str, bid: str, *, made: bool) -> int:
    """What each adversary pays the bidder, or is paid where this is less than nothing."""
    won = {"misere": 3, "nap": 10, "widow": 10, "wellington": 10, "blucher": 10}
    lost = {"misere": 3, "nap": 5, "widow": 5, "wellington": 10, "blucher": 20}
    if game == "nap_treble_english":
        won |= {"wellington": 20, "blucher": 30}
    return won.get(bid, TRICKS.get(bid, 0)) if made else -lost.get(bid, TRICKS.get(bid, 0))
