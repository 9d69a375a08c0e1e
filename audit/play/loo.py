"""Plays Loo on what the hand is worth; legal, and never from a card that it cannot see.

Declares on two trumps, a high trump, or a trump and an ace.  Takes the extra hand on
a poor hand unless it is the eldest, or two have declared to play (the household
book's advice on the miss).  Changes all but trumps and aces.  Leads and discards by
strength: leads the best card, and plays the lowest that the law allows.
"""

from __future__ import annotations

import numpy as np

from audit.event import Below, Event, Seen, Want
from audit.play._player import Cards, Choice, Player, RawWords

QUEEN, ACE = 10, 12
IN = frozenset({"stand", "play", "widow", "miss"})


def _never(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    return np.zeros(len(words), np.bool_)


def worth(hand: list[int], trump: int) -> int:
    """Return points of a hand: 2 a trump, 2 more from the Queen up, 1 an ace of a plain suit."""
    points = 0
    for card in hand:
        suit, rank = divmod(card, 13)
        if suit == trump:
            points += 2 + 2 * (rank >= QUEEN)
        else:
            points += rank == ACE
    return points


def _declare(want: Want, seen: Seen) -> str:
    good = worth(seen.hand, seen.trump) >= 3
    extra = next((w for w in want.words if w in ("widow", "miss")), "")
    playing = sum(call.word in IN for call in seen.calls)
    eldest = seen.seat == seen.dealer % seen.players + 1
    if good or "pass" not in want.words:
        keep = [w for w in want.words if w in ("stand", "play")]
        return "defend" if not good and "defend" in want.words else keep[0]
    return extra if extra and not eldest and playing < 2 else "pass"


def _play(want: Want, seen: Seen) -> int:
    strength = {c: c % 13 + 13 * (c // 13 == seen.trump) for c in want.cards}
    if not seen.trick:
        return max(want.cards, key=lambda c: (strength[c], c))
    return min(want.cards, key=lambda c: (strength[c], c))


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return the event that a careful player would choose; chance is not used."""
    word, cards = want.words[0] if want.words else "", b""
    if want.kind == "call":
        word = _declare(want, seen)
    elif want.kind == "exchange":
        poor = [c for c in want.cards if c // 13 != seen.trump and c % 13 != ACE]
        cards = bytes(sorted(poor, key=lambda c: c % 13)[: want.count])
    elif want.kind == "play":
        cards = bytes([_play(want, seen)])
    return Event(kind=want.kind, seat=want.seat, cards=cards, word=word)


PLAYER = Player(name="loo", beg=_never, run=_never, choose=choose)
