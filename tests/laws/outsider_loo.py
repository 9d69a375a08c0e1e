"""A checker of Loo and its kin, written from the words of the books alone; see `outsider.py`.

Foster, Loo: a red counter is worth three white, in Five-card Loo five.  The household book
(98 to 100) counts pence.  What it lost of three-card Loo is taken from Foster, as its deals
say (play=foster).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from audit.event import Event
from audit.record import Deal
from tests.laws.outsider import (
    WHIST,
    Book,
    Fault,
    dealt,
    heading,
    ordinary,
    passed,
    plain_suit,
    round_from,
    tricks,
)

PAM = 3 * 13 + 9
WITH_PAM = {"loo5_foster_pam", "loo5_enquire"}
UNLIMITED = {"loo3_unlimited_simple", "loo3_unlimited_double", "loo3_enquire_unlimited"}
#: The price of a loo where it is not three reds of three white counters.
PRICE = {
    "loo5_foster": 25,
    "loo5_foster_pam": 25,
    "loo5_enquire": 30,
    "loo3_enquire_limited": 3,
    "loo_club_law": 3,
}


def _turning(deal: Deal) -> tuple[int, int]:
    """Return after how many tricks the trump is due to be turned, and was (9: never)."""
    seats, cards = round_from(deal), [e.cards[0] for e in deal.events if e.kind == "play"]
    whole = [cards[k : k + len(seats)] for k in range(0, len(cards), len(seats))]
    odd = [k for k, trick in enumerate(whole, 1) if any(c // 13 != trick[0] // 13 for c in trick)]
    at = next((k for k, e in enumerate(deal.events) if e.kind == "turn"), 0)
    plays = sum(e.kind == "play" for e in deal.events[:at])
    on_time = at and not plays % len(seats)
    return min(odd, default=9), plays // len(seats) if on_time else 9


def turned_amiss(deal: Deal) -> list[Fault]:
    """ "As soon as the trick is complete the dealer turns up the top card", and not before."""
    at = [k for k, e in enumerate(deal.events) if e.kind == "turn"]
    due, done = _turning(deal) if deal.game.endswith("simple") else (9, 9)
    return [Fault(event=k, what="the trump is not to be turned here") for k in at if due != done]


def simple(deal: Deal) -> Book:
    """ "Must head the trick if they can"; a trump is turned after a trick not all followed to.

    It wins in that trick too, and then "the winner must lead a trump if he has one".  Where it
    is not turned then, nothing can be said of that trick and those after it.
    """
    seats = round_from(deal)
    due, done = _turning(deal)
    turn = next((e for e in deal.events if e.kind == "turn"), None)
    trump = turn.cards[0] // 13 if turn else -1
    none, power = ordinary(WHIST, -1), ordinary(WHIST, trump)
    follow, blind = heading(power, trump, under=False), heading(none, -1, under=False)

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        return follow(hand, trick) if trick else _trumps(hand, trump)

    free = Book(
        seats=seats,
        leader=seats[0],
        hands=dealt(deal),
        suit=plain_suit,
        strength=none,
        duty=blind,
    )
    blank = replace(free, strength=lambda card, led: 0, sure=False)
    turning = replace(free, strength=power) if due == done else blank
    known = replace(turning, duty=duty if due == done else lambda hand, trick: hand)
    return replace(free, later=lambda n: known if n >= due else turning if n == due - 1 else free)


def _trumps(hand: Sequence[int], trump: int) -> Sequence[int]:
    return [c for c in hand if c // 13 == trump] or hand


def loo(deal: Deal) -> Book:
    """A trump is turned: lead trumps if able, the ace (K if it is turned) first of all.

    Pam, the club Jack (by agreement that of trumps), is the best trump.  Where the ace of
    trumps is led (the household book: with "Pam be civil") its holder "must pass the trick if
    he can do so without revoking".
    """
    turned = deal.turnups[0]
    trump, seats, hands = turned // 13, round_from(deal, passed(deal)), dealt(deal)
    agreed = trump * 13 + 9 if deal.options.get("pam") == "trumps" else PAM
    pam = agreed if deal.game in WITH_PAM else -1
    for event in deal.events:
        if event.kind == "call" and event.word in ("widow", "defend", "miss"):
            hands[event.seat] = list(deal.widow)
    whole, ace = len(deal.hands[0]), trump * 13 + 12
    best = turned - 1 if turned == ace else ace
    plain = ordinary(WHIST, trump)

    def suit(card: int) -> int:
        return trump if card == pam else card // 13

    def strength(card: int, led: int) -> int:
        return 200 if card == pam else plain(card, led)

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        trumps = [c for c in hand if suit(c) == trump]
        if not trick:
            return [best] if len(hand) == whole and best in hand else trumps or hand
        return follow(hand, trick)

    def passing(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        others = [c for c in hand if suit(c) == trump and c != pam]
        return others if trick and trick[0] == ace and others else duty(hand, trick)

    follow = heading(strength, trump, under=False, suit=suit)
    book = Book(
        seats=seats,
        leader=seats[0] if seats else 0,
        hands=hands,
        suit=suit,
        strength=strength,
        duty=duty,
    )
    civil = replace(book, duty=passing)
    leads = [e for e in deal.events if e.kind == "play"][:: len(seats) or 1]
    asked = {k for k, e in enumerate(leads) if e.word == "Pam be civil"}
    always = deal.game == "loo5_foster_pam"
    return replace(book, later=lambda n: civil if always or n in asked else book)


def read(deal: Deal) -> Book:
    """Return the words for a deal of any Loo."""
    return simple(deal) if deal.game.endswith("simple") else loo(deal)


def owed(deal: Deal) -> Counter[Event]:
    """Return what is paid: a share of the pool a trick, and by the looed the price of a loo.

    A lone player has the pool.  A flush takes it at once; then in Foster's five-card game
    "every person at the table" is looed, else "each of those who are in", but no younger flush.
    The dealer who defends the pool is never looed and leaves in it what he wins.
    """
    book = read(deal)
    start = next(e.number for e in deal.events if e.kind == "pool" and e.word == "start")
    loo = start if deal.game in UNLIMITED else PRICE.get(deal.game, 9)
    safe = {e.seat for e in deal.events if e.kind == "call" and e.word == "defend"}
    flushes = [e.seat for e in deal.events if e.kind == "claim"]
    won = Counter(t.winner for t in tricks(deal, read))
    share, takes = start // len(deal.hands[0]), "tricks"
    looed = set(book.seats) - safe - set(won)
    if flushes:
        won, share, takes, loo = Counter(flushes[:1]), start, "flush", PRICE.get(deal.game, 9)
        everyone = deal.game in ("loo5_foster", "loo5_foster_pam")
        looed = set(range(1, len(deal.hands) + 1)) if everyone else set(book.seats)
        looed -= set(flushes[:1] if everyone else flushes)
    elif not won:
        won, share, takes, looed = Counter(book.seats), start, "alone", set()
    pays = [
        Event(kind="pay", seat=0, to=s, word=takes, number=share * n)
        for s, n in won.items()
        if s not in safe
    ]
    pays += [Event(kind="pay", seat=s, word="loo", number=loo) for s in looed]
    left = start + sum(-e.number if e.to else e.number for e in pays)
    return Counter([*pays, Event(kind="pool", word="left", number=left)])
