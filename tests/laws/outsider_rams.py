"""A checker of Rounce, Bierspiel, Forty-five and Pool Écarté, from the words of the books alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from audit.event import Event
from audit.record import Deal
from tests.laws.outsider import (
    WHIST,
    Book,
    ecarte,
    heading,
    ordinary,
    rams,
    rank,
    spoil_five,
    tricks,
)
from tests.laws.outsider_scores import ecarte_score

BEER, SEVEN = "789TJQKA", 2 * 13 + 5


def rounce(deal: Deal) -> Book:
    """Foster, Rounce: ranks of Whist, "no obligation to head the trick, nor to trump".

    "The winner of the first trick must lead a trump if he has one."  Suit is followed.
    """
    trump = deal.turnups[0] // 13

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        return [c for c in hand if trick and c // 13 == trick[0] // 13] or hand

    def second(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        return duty(hand, trick or [trump * 13])

    book = replace(rams(deal), strength=ordinary(WHIST, trump), duty=duty)
    return replace(book, later=lambda n: replace(book, duty=second) if n == 1 else book)


def bierspiel(deal: Deal) -> Book:
    """Foster, Bierspiel: the seven of diamonds is the second-best trump; trumps are led first.

    Two playing once, three twice, four thrice.  The smallest card led face down calls for
    trumps; its suit is not followed, so there each plain card is a suit of its own.
    """
    base, trump = rams(deal), deal.turnups[-1] // 13
    plain, times = ordinary(BEER, trump), min(len(base.seats) - 1, 3)

    def suit(card: int) -> int:
        return trump if card == SEVEN else card // 13

    def strength(card: int, led: int) -> int:
        below_ace = 2 * plain(trump * 13 + 12, trump) - 1
        return below_ace if card == SEVEN else 2 * plain(card, led)

    def down(card: int) -> int:
        return trump if suit(card) == trump else 100 + card

    def alone(card: int, led: int) -> int:
        return strength(card, led) if suit(card) == trump else 0 if down(card) == led else -1

    def first(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        if trick:
            return heading(alone, trump, under=True, suit=down)(hand, trick)
        small = min(BEER.index(rank(c)) for c in hand)
        trumps = [c for c in hand if suit(c) == trump]
        return trumps or [c for c in hand if BEER.index(rank(c)) == small]

    follow = heading(strength, trump, under=True, suit=suit)
    book = replace(
        base,
        suit=suit,
        strength=strength,
        duty=follow,
        robbed=lambda s: deal.turnups if s == deal.dealer_seat else deal.turnups[-1:],
    )
    called = replace(book, suit=down, strength=alone, duty=first)
    return replace(book, later=lambda n: called if n < times else book)


def shares(deal: Deal) -> Counter[Event]:
    """Foster, Rams: a fifth of the pool a trick, and five from who plays and wins none.

    The dealer puts up five.  A pone who alone could oppose him and declines pays him five.
    """
    pool = next(e.number for e in deal.events if e.kind == "pool" and e.word == "before")
    dealer, book, declined = deal.dealer_seat or 0, rounce(deal), _declined(deal)
    won = Counter(t.winner for t in tricks(deal, rounce))
    pays = [Event(kind="pay", seat=dealer, word="stake", number=5)]
    pays += [Event(kind="pay", seat=s, to=dealer, word="declined", number=5) for s in declined]
    for seat, count in won.items():
        pays.append(Event(kind="pay", to=seat, word="tricks", number=(pool + 5) // 5 * count))
    for seat in set(book.seats) - set(won) if won else ():
        pays.append(Event(kind="pay", seat=seat, word="ramsed", number=5))
    after = pool + sum(e.number * ((not e.to) - (not e.seat)) for e in pays)
    pools = [Event(kind="pool", word=w, number=n) for w, n in (("before", pool), ("after", after))]
    return Counter([*pays, *pools])


def _declined(deal: Deal) -> list[int]:
    return [e.seat for e in deal.events if e.kind == "call" and e.word == "decline"]


def crosses(deal: Deal) -> Counter[Event]:
    """Foster, Bierspiel: an arm of a cross goes for each trick; a penalty is a cross of five."""
    won = Counter(t.winner for t in tricks(deal, bierspiel))
    none = set(bierspiel(deal).seats) - set(won) if won else _declined(deal)
    score = [Event(kind="score", seat=s, word="tricks", number=n) for s, n in won.items()]
    return Counter([*score, *(Event(kind="score", seat=s, word="penalty", number=5) for s in none)])


def forty_five(deal: Deal) -> Book:
    """Foster, Forty-Five: Spoil Five by two sides, whose members sit alternately."""
    return replace(spoil_five(deal), side=lambda seat: (seat - 1) % 2)


def fives(deal: Deal) -> Counter[Event]:
    """ "The odd trick counts five, or ten for all five"; or five a trick, the losers' deducted."""
    won = Counter(t.winner % 2 for t in tricks(deal, forty_five))
    side, count = won.most_common(1)[0]
    points = 5 * (2 * count - 5) if deal.game.endswith("per_trick") else 10 if count == 5 else 5
    return Counter([Event(kind="score", seat=2 - side, word="tricks", number=points)])


def marks(deal: Deal) -> Counter[Event]:
    """Écarté: the tricks, and a point for the King, turned by the dealer or announced."""
    seat, points = ecarte_score(deal)
    won = Counter(t.winner for t in tricks(deal, ecarte))[seat]
    word = "vole" if won == 5 else "point"
    kings = [e.seat for e in deal.events if e.kind == "claim" and e.word == "king"]
    if rank(deal.turnups[0]) == "K":
        kings = [deal.dealer_seat or 0]
    found = [Event(kind="score", seat=s, word="king", number=1) for s in kings]
    return Counter([*found, Event(kind="score", seat=seat, word=word, number=points)])
