"""Vingt-un off one pack: each coup as it is dealt, and each card drawn, beside the cards left.

Only a record with the whole order of its pack is followed: a coup after the first is dealt
from what the coups before it left, and a pack goes on while it deals no natural.  Whatever
players do depends on cards that are out; the next card is uniform among those left.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from audit.cards import UNKNOWN
from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.rules.vingt_un import ACE, MOST, VingtUn, low, natural, total
from audit.suspicion import Trial

HAND = 2


@dataclass(frozen=True, kw_only=True)
class Coup:
    """One coup: *hands* by place from 1 (index 0 is empty), *left* the cards before it.

    *hands* is () where it is not told whether the coup was dealt, nor off which cards.
    """

    left: bytes
    hands: tuple[bytes, ...]
    dealer: int


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """One card: *card* is 255 where the record does not say whether it was asked for."""

    seat: int
    hand: bytes
    left: bytes
    card: int


def is_vingt_un(law: Law) -> bool:
    """Whether the game is vingt-un."""
    return isinstance(law.rules, VingtUn)


def _order(deal: Deal, law: Law) -> tuple[bytes, int, int]:
    """Return order, players and dealer of a record that can be followed; else no order."""
    order, players = deal.order_after_cut or b"", deal.players or len(deal.hands)
    dealer = deal.dealer_seat or 0
    if sorted(order) != sorted(law.pack_of(deal.options)) or players not in law.tables:
        return b"", 0, 0
    if not 1 <= dealer <= players:
        return b"", 0, 0
    given = _hands(order, 0, players, dealer)
    fits = all({*h} - {UNKNOWN} <= {*g} for h, g in zip(deal.hands, given[1:], strict=False))
    return (order, players, dealer) if fits else (b"", 0, 0)


def in_order(players: int, dealer: int) -> list[int]:
    """Return the places from the dealer's left round to the dealer."""
    return [(dealer - 1 + k) % players + 1 for k in range(1, players + 1)]


def _hands(order: bytes, start: int, players: int, dealer: int) -> tuple[bytes, ...]:
    hands = [b""] * (players + 1)
    for k, seat in enumerate(in_order(players, dealer)):
        hands[seat] = bytes(order[start + k + players * r] for r in range(HAND))
    return tuple(hands)


#: The record that was asked for last: every suspicion asks for the same one in turn.
_last: list[tuple[Deal, Law, list[Coup | Drawn]]] = []


def coups(deal: Deal, law: Law) -> list[Coup | Drawn]:
    """Return the coups of a record and the cards drawn, as far as it can be followed.

    Where a record with events breaks off while a coup may have been dealt after it, a coup
    without hands stands for that one.
    """
    if not _last or _last[0][0] is not deal or _last[0][1] is not law:
        _last[:] = [(deal, law, list(_coups(deal, law)))]
    return _last[0][2]


def _coups(deal: Deal, law: Law) -> Iterator[Coup | Drawn]:
    try:
        order, players, dealer = _order(deal, law)
    except KeyError:
        return
    if not order:
        return
    events, start = iter([e for e in deal.events if _counts(e)]), 0
    untold = Coup(left=b"", hands=(), dealer=dealer)
    while start + players * HAND <= len(order):
        hands = _hands(order, start, players, dealer)
        yield Coup(left=order[start:], hands=hands, dealer=dealer)
        if any(map(natural, hands)) or not deal.events:
            return
        # That the pack goes on to a coup is settled before that is dealt.
        told = not start or _dealt(events, order, start, players, dealer)
        start += players * HAND
        for seat in in_order(players, dealer):
            asked = _asked(events, order, start, seat, hands[seat])
            drawn = (yield from asked) if told else None
            if drawn is None:
                if start + players * HAND <= len(order):
                    yield untold
                return
            start += drawn


def _asked(
    events: Iterator[Event], order: bytes, start: int, seat: int, hand: bytes
) -> Generator[Drawn, None, int | None]:
    """Yield the cards that *seat* draws; return how many, None where the record breaks off."""
    drawn = 0
    while total(hand) < MOST:
        left, event = order[start + drawn :], next(events, None)
        said = event.word if event and event.kind == "call" and event.seat == seat else ""
        if said not in ("stand", "card"):
            yield Drawn(seat=seat, hand=hand, left=left, card=UNKNOWN)
            return None
        if said == "stand" or not left:
            break
        yield Drawn(seat=seat, hand=hand, left=left, card=left[0])
        if not _given(next(events, None), seat, left[0]):
            return None
        hand, drawn = hand + left[:1], drawn + 1
    return drawn


def _given(event: Event | None, seat: int, card: int) -> bool:
    """Whether *event* gives *card*, or one that is not shown, to *seat*."""
    if event is None or event.kind != "draw" or event.seat != seat:
        return False
    return event.cards in (bytes([card]), bytes([UNKNOWN]))


def _counts(event: Event) -> bool:
    if event.kind == "call":
        return event.word != "stake"
    return event.kind not in ("score", "pay", "pool", "look", "claim")


def _dealt(events: Iterator[Event], order: bytes, start: int, players: int, dealer: int) -> bool:
    """Whether the next events deal the coup that the order holds."""
    seats = in_order(players, dealer) * HAND
    return all(_given(next(events, None), s, order[start + k]) for k, s in enumerate(seats))


def kinds(cards: bytes) -> tuple[int, int, int]:
    """Return how many of *cards* are aces, count ten, and neither."""
    aces = sum(c % 13 == ACE for c in cards)
    tens = sum(low(c) == 10 for c in cards)
    return aces, tens, len(cards) - aces - tens


def natural_next(left: bytes) -> Fraction:
    """Return the chance that the next two of the cards *left* are a natural."""
    aces, tens, _ = kinds(left)
    return Fraction(aces * tens, comb(len(left), 2))


@lru_cache(maxsize=1 << 14)
def no_natural(aces: int, tens: int, others: int, hands: int) -> Fraction:
    """Return the chance that none of so many hands of two is a natural."""
    if not hands:
        return Fraction(1)
    have, ways = (aces, tens, others), comb(aces + tens + others, HAND)
    out = Fraction(0)
    for i in range(3):
        for j in range(i, 3):
            pairs = comb(have[i], 2) if i == j else have[i] * have[j]
            if pairs and (i, j) != (0, 1):
                rest = [n - (k == i) - (k == j) for k, n in enumerate(have)]
                out += Fraction(pairs, ways) * no_natural(*rest, hands - 1)
    return out


@lru_cache(maxsize=1 << 12)
def _above(values: tuple[int, ...], points: int) -> Fraction:
    """Return the chance that two cards count more, *values* being how many count 1 to 10."""
    ways = 0
    for a in range(1, 11):
        for b in range(a, 11):
            best = a + b + 10 * (a == 1)
            if best > points:
                ways += comb(values[a - 1], 2) if a == b else values[a - 1] * values[b - 1]
    return Fraction(ways, comb(sum(values), HAND))


def above(left: bytes, points: int) -> Fraction:
    """Return the chance that the next two of *left* count more than *points*, an ace eleven."""
    counts = [0] * 10
    for card in left:
        counts[low(card) - 1] += 1
    return _above(tuple(counts), points)


def safe(left: bytes, points: int) -> Fraction:
    """Return the chance that the next of *left* does not take a hand of *points* above 21."""
    return Fraction(sum(points + low(c) <= MOST for c in left), len(left))


def left_for(left: bytes, gone: bytes) -> bytes:
    """Return the cards *left* without those that are *gone*."""
    return bytes(c for c in left if c not in gone)


def unknown(subject: int = 0) -> Iterator[Trial]:
    """Yield a coup that may have been dealt and is not told: each bet takes its worst outcome.

    No chance of a coup lies beyond these two where bets are at four times the odds or less.
    """
    for chance in (Fraction(1, 2000), Fraction(1999, 2000)):
        yield Trial(chance=chance, hit=False, subject=subject, shown=False)


def drawn_to(points: int, deal: Deal, law: Law) -> Iterator[Trial]:
    """Yield whether each card drawn to a hand of *points*, its aces as one, left it under 22."""
    for drawn in coups(deal, law):
        if isinstance(drawn, Drawn) and sum(map(low, drawn.hand)) == points and drawn.left:
            yield Trial(
                chance=safe(drawn.left, points),
                hit=drawn.card != UNKNOWN and points + low(drawn.card) <= MOST,
                subject=drawn.seat,
                shown=drawn.card != UNKNOWN,
            )
