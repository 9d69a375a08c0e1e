"""Plays Seven-Up and Pitch as Foster advises, from what a seat can see and nothing else.

Begs without trumps worth playing, runs unless strong, discards the smallest plain cards,
bids what the best suit promises, wins a trick that holds pips as cheaply as may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.event import Below, Event, Seen, Want
from audit.play.by_lot import choose as by_lot
from audit.play.sensible import PLAYER as SENSIBLE
from audit.ranks import AS_USUAL, Order, winner

NINE, TEN, JACK, KING, ACE = 7, 8, 9, 11, 12
THREE = 1
PIPS = {TEN: 10, JACK: 1, JACK + 1: 2, KING: 3, ACE: 4}
BIDS = {"one": 1, "two": 2, "three": 3, "four": 4}


def begs(hand: Sequence[int], turnup: int) -> bool:
    """Whether to beg: no trump above the nine, and not three aces and Tens to hope for Game."""
    good = sum(card % 13 in (TEN, ACE) for card in hand)
    return not _high_trumps(hand, turnup) and good < 3


def runs(hand: Sequence[int], turnup: int) -> bool:
    """Whether to run the cards rather than give a point: fewer than two high trumps."""
    return _high_trumps(hand, turnup) < 2


def _high_trumps(hand: Sequence[int], turnup: int) -> int:
    return sum(card // 13 == turnup // 13 and card % 13 > NINE for card in hand)


def worth(hand: Sequence[int], suit: int) -> int:
    """Return how many of High, Low, Jack and Game *hand* may hope for with *suit* as trumps."""
    ranks = [card % 13 for card in hand if card // 13 == suit]
    if not ranks:
        return 0
    high = ACE in ranks or (KING in ranks and len(ranks) > 1)
    low = min(ranks) <= THREE
    jack = JACK in ranks and len(ranks) > 2
    game = high and len(ranks) > 2 and sum(PIPS.get(card % 13, 0) for card in hand) > 8
    return high + low + jack + game


def best_suit(hand: Sequence[int]) -> int:
    """Return the suit that promises most, the longest of equals, the first of those."""
    return max(range(4), key=lambda s: (worth(hand, s), sum(c // 13 == s for c in hand), -s))


def _word(want: Want, seen: Seen) -> str:
    """Return what to say, "" where this player has no view of it."""
    words, hand = want.words, seen.hand
    if seen.turnups and "beg" in words:
        return "beg" if begs(hand, seen.turnups[0]) else "stand"
    if seen.turnups and "run" in words:
        return "give" if "give" in words and not runs(hand, seen.turnups[0]) else "run"
    trumps = any(card // 13 == seen.trump for card in hand)
    if "bunch" in words:
        return "keep" if trumps else "bunch"
    if "agree" in words:
        return "refuse" if trumps else "agree"
    value = worth(hand, best_suit(hand)) if hand else 0
    if "sell" in words:
        return "pitch" if value == 4 else "sell"
    if "pass" in words:
        return next((w for w in words if BIDS.get(w, 0) == value), "pass")
    if "accept" in words:
        bid = max((BIDS.get(call.word, 0) for call in seen.calls), default=0)
        return "refuse" if value >= bid else "accept"
    return ""


def _smallest(cards: Sequence[int], trump: int) -> list[int]:
    """Return *cards* from the one least worth keeping."""
    return sorted(cards, key=lambda c: (c // 13 == trump, PIPS.get(c % 13, 0), c % 13, c))


def _card(want: Want, seen: Seen) -> int:
    """Return the card to play."""
    trump = seen.trump
    if not seen.trick:
        if trump < 0:
            suit = best_suit(seen.hand)
            return max((c for c in want.cards if c // 13 == suit), default=max(want.cards))
        return max(want.cards, key=lambda c: (c % 13, c // 13 == trump, c))
    order = AS_USUAL.order(trump)
    pips = sum(PIPS.get(c % 13, 0) for c in seen.trick)
    least = _smallest(want.cards, trump)
    winning = [c for c in least if _wins(order, seen.trick, c)]
    return winning[0] if winning and pips else least[0]


def _wins(order: Order, trick: Sequence[int], card: int) -> bool:
    return winner(order, [*trick, card]) == len(trick)


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return one of the wanted events; by lot where there is nothing to think about."""
    if want.kind == "call" and (word := _word(want, seen)) in want.words:
        return Event(kind="call", seat=want.seat, word=word)
    if want.kind == "exchange" and want.cards and want.least is None:
        cards = _smallest(want.cards, seen.trump)[: want.count]
        return Event(kind="exchange", seat=want.seat, cards=bytes(cards))
    if want.kind == "play" and want.cards and want.count == 1:
        return Event(kind="play", seat=want.seat, cards=bytes([_card(want, seen)]))
    return by_lot(want, seen, below)


PLAYER = replace(SENSIBLE, name="sensible at all fours", choose=choose)
