"""Pope Joan read a second time from the household book's words alone (section 109)."""

from __future__ import annotations

ORDER = "A23456789TJQK"
RANK = "23456789TJQKA"
BOARD = {
    "ace": 1,
    "king": 1,
    "queen": 1,
    "knave": 1,
    "game": 1,
    "matrimony": 2,
    "intrigue": 2,
    "pope": 6,
}


def name(card: int) -> str:
    """Write a card."""
    return RANK[card % 13] + "SHDC"[card // 13]


def follows(card: str) -> str:
    """The next card of the sequence; "" above a king."""
    return "" if card[0] == "K" else ORDER[ORDER.index(card[0]) + 1] + card[1]


def may(hands: dict[int, list[str]], last: str, player: int) -> tuple[int, set[str]]:
    """Who plays next and what: the next of the suit, or at a stop the last player leads."""
    after = follows(last) if last else ""
    for seat, hand in hands.items():
        if after and after in hand:
            return seat, {after}
    return player, set(hands[player])


def takes(played: dict[str, int], turned: str, dealer: int, out: int) -> dict[str, int]:
    """Who takes which compartment when *out* has no card left."""
    won = {"game": out}
    title = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
    for rank, word in title.items():
        if turned[0] == rank:
            won[word] = dealer
        elif rank + turned[1] in played:
            won[word] = played[rank + turned[1]]
    king, queen, knave = (played.get(r + turned[1]) for r in "KQJ")
    if king and king == queen:
        won["matrimony"] = king
    if queen and queen == knave:
        won["intrigue"] = queen
    if "9D" in played:
        won["pope"] = played["9D"]
    return won


def pays(hand: list[str]) -> int:
    """A stake for every card not played; an unplayed Pope excuses."""
    return 0 if "9D" in hand else len(hand)
