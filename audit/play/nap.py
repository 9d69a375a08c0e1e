"""Napoleon: bids what the hand is likely to make, buys for one suit, wins what it can.

Source: Foster, Napoleon, Suggestions for Good Play.  A trick is counted for each
of the highest trumps, for a fourth and fifth trump, and for an ace or a guarded
King beside them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.cards import RANKS
from audit.event import Below, Event, Seen, Want
from audit.play._player import Cards, Choice, Player, RawWords

QUEEN, KING, ACE = (RANKS.index(rank) for rank in "QKA")
#: A hand all below this rank, the eight, is a misere.
LOW = RANKS.index("8")
TRICKS = {"1": 1, "2": 2, "3": 3, "4": 4, "nap": 5}


def _never(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    return np.zeros(len(hand), dtype=np.bool_)


def _tricks(hand: Sequence[int], suit: int) -> int:
    """Return the tricks that *hand* may hope for with *suit* as trumps."""
    trumps = [c % 13 for c in hand if c // 13 == suit]
    hope = sum(rank >= QUEEN for rank in trumps)
    # Two rounds draw what is out, so that small trumps from the fourth on are good.
    small = len(trumps) - hope
    hope += max(0, min(small, len(trumps) - 3))
    for other in range(4):
        ranks = [c % 13 for c in hand if c // 13 == other]
        if other != suit and ranks:
            hope += ACE in ranks or (KING in ranks and len(ranks) > 1)
    return min(hope, 5)


def best_suit(hand: Sequence[int]) -> int:
    """Return the suit that promises most tricks, the longer one of equal promise."""
    length = [sum(c // 13 == suit for c in hand) for suit in range(4)]
    return max(range(4), key=lambda suit: (_tricks(hand, suit) * bool(length[suit]), length[suit]))


def _bid(want: Want, seen: Seen) -> str:
    """Bid as little as outbids the others and the hand can make."""
    hand = _best_five([*seen.hand, *seen.shown])
    if "misere" in want.words and all(c % 13 < LOW for c in hand):
        return "misere"
    hope = _tricks(hand, best_suit(hand))
    open_to = [w for w in want.words if w in TRICKS and TRICKS[w] <= hope]
    if open_to:
        return open_to[-1]
    return want.words[0]


def _play(want: Want, seen: Seen) -> int:
    """Lead the best trump first; then win as cheaply as possible, or throw the lowest card."""
    cards = sorted(want.cards, key=lambda c: c % 13)
    if seen.calls and seen.trump < 0 and not seen.played:
        suit = best_suit(seen.hand)
        if _bid_is_misere(seen):
            return cards[0]
        return max((c for c in cards if c // 13 == suit), key=lambda c: c % 13)
    if _bid_is_misere(seen):
        return cards[0] if _is_bidder(seen) else cards[-1]
    if not seen.trick:
        return cards[-1]
    winning = [c for c in cards if _beats(c, seen)]
    return winning[0] if winning else cards[0]


def _bid_is_misere(seen: Seen) -> bool:
    bids = [e.word for e in seen.calls if e.word != "pass"]
    return bool(bids) and bids[-1] == "misere"


def _is_bidder(seen: Seen) -> bool:
    return seen.played[0][0] == seen.seat if seen.played else True


def _beats(card: int, seen: Seen) -> bool:
    def strength(c: int) -> tuple[bool, bool, int]:
        return c // 13 == seen.trump, c // 13 == seen.trick[0] // 13, c % 13

    return strength(card) > max(map(strength, seen.trick))


def _worst(cards: Sequence[int]) -> list[int]:
    """Return the cards that go first: off the best suit, low ones before high ones."""
    suit = best_suit(cards)
    return sorted(cards, key=lambda c: (c // 13 == suit, c % 13))


def _best_five(cards: Sequence[int]) -> list[int]:
    """Return what is kept of a hand and the cards that may come to it."""
    return _worst(cards)[-5:]


def _give_up(want: Want) -> bytes:
    """Give up what does not help; where some must go, the worst."""
    worst = _worst(want.cards)
    if want.least is None:
        return bytes(worst[: want.count])
    suit = best_suit(want.cards)
    poor = [c for c in worst if c // 13 != suit and c % 13 < KING]
    return bytes(poor[: want.count])


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return one of the wanted events, from the own hand and what lies open alone."""
    word, cards = want.words[0] if want.words else "", b""
    if want.kind == "call":
        word = _bid(want, seen)
    elif want.kind == "look":
        # A card more is worth a counter where three tricks are hoped for already.
        word = "widow" if _tricks(seen.hand, best_suit(seen.hand)) >= 3 else "nothing"
    elif want.kind == "exchange":
        cards = _give_up(want)
    elif want.kind == "play":
        cards = bytes([_play(want, seen)])
    return Event(kind=want.kind, seat=want.seat, word=word, cards=cards)


PLAYER = Player(name="nap", beg=_never, run=_never, choose=choose)
