"""Changes to deals of Euchre; `python -m tests.laws.long_breaches euchre` makes many."""

from __future__ import annotations

import random

from msgspec import structs

from audit.cards import SUITS
from audit.event import Event
from audit.record import Deal
from tests.laws import _mutate as m
from tests.laws.second_euchre import suit


def _name(card: int) -> str:
    return "23456789TJQKA"[card % 13] + SUITS[card // 13]


def revoke(deal: Deal, rng: random.Random) -> m.Made:
    """Another suit is played by who holds the suit led."""
    for index, made in m.followers(deal, rng):
        trump = SUITS[made.trump]
        led = suit(_name(made.trick[0]), trump)
        hand = made.hands[deal.events[index].seat]
        able = [c for c in hand if suit(_name(c), trump) == led]
        others = [c for c in hand if c not in able]
        if able and others:
            return m.other_card(deal, index, rng.choice(others)), "rule viii, follow suit", index
    return None


def left_bower_off_suit(deal: Deal, rng: random.Random) -> m.Made:
    """The left bower is played to its printed suit by who holds that suit."""
    for index, made in m.followers(deal, rng):
        trump = SUITS[made.trump]
        hand = made.hands[deal.events[index].seat]
        bower = [c for c in hand if suit(_name(c), trump) == trump != _name(c)[1]]
        led = suit(_name(made.trick[0]), trump)
        if bower and led == _name(bower[0])[1] and any(suit(_name(c), trump) == led for c in hand):
            return m.other_card(deal, index, bower[0]), "rule viii, follow suit", index
    return None


def call_by_another(deal: Deal, rng: random.Random) -> m.Made:
    index = rng.choice(m.of_kind(deal, "call", rng))
    event = deal.events[index]
    seat = rng.choice([s for s in range(1, len(deal.hands) + 1) if s != event.seat])
    return m.put(deal, index, structs.replace(event, seat=seat)), "order of the calls", index


def turned_suit_named(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "call", rng):
        if deal.events[index].word in tuple(SUITS):
            word = SUITS[deal.turnups[0] // 13]
            event = structs.replace(deal.events[index], word=word)
            return m.put(deal, index, event), "rule xi, the trump is altered", index
    return None


def suit_in_the_first_round(deal: Deal, rng: random.Random) -> m.Made:
    event = structs.replace(deal.events[0], word=rng.choice(SUITS))
    return m.put(deal, 0, event), "rules vi to xi", 0


def called_again(deal: Deal, rng: random.Random) -> m.Made:
    plays = m.of_kind(deal, "play", rng)
    if not plays:
        return None
    index = min(plays)
    event = Event(kind="call", seat=rng.randint(1, len(deal.hands)), word="order")
    return m.put(deal, index, event, drop=0), "rules vi to xi", index


def exchange_by_another(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "exchange", rng):
        seat = rng.choice([s for s in range(1, len(deal.hands) + 1) if s != deal.dealer_seat])
        event = Event(kind="exchange", seat=seat, cards=deal.hands[seat - 1][:1])
        return m.put(deal, index, event), "rules vi and x", index
    return None


def exchange_after_naming(deal: Deal, rng: random.Random) -> m.Made:
    plays = m.of_kind(deal, "play", rng)
    if not plays or m.of_kind(deal, "exchange", rng):
        return None
    seat, index = deal.dealer_seat or 0, min(plays)
    event = Event(kind="exchange", seat=seat, cards=deal.hands[seat - 1][:1])
    return m.put(deal, index, event, drop=0), "rules vi and x", index


def exchange_of_two(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "exchange", rng):
        event = deal.events[index]
        more = next(c for c in deal.hands[event.seat - 1] if c not in event.cards)
        cards = event.cards + bytes([more])
        return m.put(deal, index, structs.replace(event, cards=cards)), "rules vi and x", index
    return None


def turn_up_put_out(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "exchange", rng):
        event = structs.replace(deal.events[index], cards=deal.turnups)
        return m.put(deal, index, event), "one of his cards", index
    return None


def lone_hand(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "call", rng):
        if deal.events[index].word != "pass":
            event = Event(kind="call", seat=deal.events[index].seat, word="alone")
            return m.put(deal, index + 1, event, drop=0), "knows no lone hand", index + 1
    return None


def partner_of_a_loner_plays(deal: Deal, rng: random.Random) -> m.Made:
    lone = [e.seat for e in deal.events if e.word == "alone"]
    plays = m.of_kind(deal, "play", rng)
    if not lone or not plays:
        return None
    seat = (lone[0] + 1) % 4 + 1
    event = Event(kind="play", seat=seat, cards=deal.hands[seat - 1][:1])
    return m.put(deal, plays[0], event, drop=0), "the five cards in each hand", plays[0]


def redeal_without_cause(deal: Deal, rng: random.Random) -> m.Made:
    plays = m.of_kind(deal, "play", rng)
    if not plays:
        return None
    event = Event(kind="redeal", word="poor hands")
    return m.put(deal, plays[0], event, drop=0), "rules vi to xi", plays[0]


def lead_before_the_trump(deal: Deal, rng: random.Random) -> m.Made:
    if deal.events[0].word != "pass":
        return None
    seat = deal.events[0].seat
    event = Event(kind="play", seat=seat, cards=deal.hands[seat - 1][:1])
    return m.put(deal, 1, event, drop=0), "when the trump is made", 1


TWO, FOUR = m.Base(game="euchre_2", options={}), m.Base(game="euchre_4", options={})
LONE = m.Base(game="euchre_4", options={"pack": "24", "alone": "yes"})
BOTH = (TWO, FOUR)
BOOK = "household book, 120-121"
KINDS = {
    "revoke": (revoke, (TWO, FOUR, LONE)),
    "left bower off suit": (left_bower_off_suit, (TWO, FOUR, LONE)),
    "out of turn": (m.out_of_turn("order of play"), (TWO, FOUR, LONE)),
    "trick to a loser": (m.trick_to_loser("winner of the trick"), (TWO, FOUR, LONE)),
    "score one off": (m.score_off(BOOK), BOTH),
    "score to the other side": (m.score_to_other(BOOK), BOTH),
    "sixth card dealt": (m.extra_card("rules ii and iii"), BOTH),
    "hands not of the pack": (m.hands_not_of_the_pack("rules ii and iii"), BOTH),
    "turn-up not of the pack": (m.turn_up_not_of_the_pack("rules ii and iii"), BOTH),
    "card twice": (m.card_twice("rule ii, each having five"), BOTH),
    "sixth card played": (m.sixth_card("the five cards in each hand"), BOTH),
    "call by another": (call_by_another, BOTH),
    "turned suit named": (turned_suit_named, BOTH),
    "suit in the first round": (suit_in_the_first_round, BOTH),
    "called again": (called_again, BOTH),
    "exchange by another": (exchange_by_another, BOTH),
    "exchange after naming": (exchange_after_naming, BOTH),
    "exchange of two": (exchange_of_two, BOTH),
    "turn-up put out": (turn_up_put_out, BOTH),
    "lone hand": (lone_hand, BOTH),
    "partner of a loner plays": (partner_of_a_loner_plays, (LONE,)),
    "redeal without cause": (redeal_without_cause, BOTH),
    "lead before the trump": (lead_before_the_trump, BOTH),
}
