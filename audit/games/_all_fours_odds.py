"""Chances of Seven-Up under a fair shuffle, as exact fractions counted from pack and plan.

Source of what is scored: Foster, "Seven-Up".  *players* hands of six; the first turn-up is
the card after them.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from audit.games._all_fours import JACKS, PACK, PIPS_FOR_GAME
from audit.games._plans import SEVEN_UP
from audit.plan import longest, opening

SIZE = len(PACK)
SUIT = sum(card < 13 for card in PACK)
JACK = sum("23456789TJQKA"[card % 13] in JACKS for card in PACK)


def dealt(players: int) -> int:
    """Return the cards in all first hands."""
    zones = opening(SEVEN_UP, players, SIZE).zones
    return sum(len(places) for zone, places in zones.items() if zone.startswith("hand"))


def turns(players: int) -> int:
    """Return how many cards can be turned in one deal."""
    moves = longest(SEVEN_UP, players, SIZE)
    return sum(len(move.places) for move in moves if move.to == "turnup")


def jack_turned() -> Fraction:
    """Return the chance that the first turn-up is a Jack."""
    return Fraction(JACK, SIZE)


def later_jack(k: int) -> Fraction:
    """Return the chance that the *k*-th turn-up is a Jack of another suit.

    Given that all before it were of the first suit, and no other card is known.
    """
    return Fraction(JACK - 1, SIZE - (k - 1))


def same_suit(k: int) -> Fraction:
    """Return the chance that the *k*-th turn-up is of the first suit again, as did all before."""
    return Fraction(SUIT - (k - 1), SIZE - (k - 1))


def own_jack_second() -> Fraction:
    """Return the chance that the second turn-up is the Jack of the first one's suit."""
    return (1 - jack_turned()) * Fraction(1, SIZE - 1)


def two_jacks() -> Fraction:
    """Return the chance of two Jacks scored by the first two turn-ups, the cards being run."""
    return jack_turned() * later_jack(2)


def pack_exhausted(players: int) -> Fraction:
    """Return the chance that every turn-up is of one suit, once the beg is run."""
    out = Fraction(1)
    for k in range(2, turns(players) + 1):
        out *= same_suit(k)
    return out


def jack_in_hand(players: int) -> Fraction:
    """Return the chance that a hand holds the Jack of trumps, another card being turned."""
    return Fraction(dealt(players), SIZE - 1)


def trumps_in_play(players: int, number: int) -> Fraction:
    """Return the chance of exactly *number* trumps in all hands, given the turn-up, no run."""
    held = dealt(players)
    trumps, plain = SUIT - 1, SIZE - SUIT
    return Fraction(comb(trumps, number) * comb(plain, held - number), comb(SIZE - 1, held))


def no_game(players: int) -> Fraction:
    """Return the chance that no hand has a card that counts toward Game, no run."""
    counting = sum("23456789TJQKA"[card % 13] in PIPS_FOR_GAME for card in PACK)
    held = dealt(players)
    return Fraction(comb(SIZE - counting, held), comb(SIZE, held))
