"""Changes to deals of Écarté; `python -m tests.laws.long_breaches ecarte` makes many."""

from __future__ import annotations

import random

from msgspec import structs

from audit.cards import NAMES
from audit.event import Event
from audit.record import Deal
from tests.laws import _mutate as m
from tests.laws.second_ecarte import beats

KING = 11


def _swap(kind: str, deal: Deal, rng: random.Random) -> m.Made:
    """Let the second to a trick play a card that the *kind* of breach describes."""
    laws = {"win": "must win the trick", "follow": "follow suit or win", "trump": "follow suit or"}
    for index, made in m.followers(deal, rng):
        led, trump = NAMES[made.trick[0]], "SHDC"[made.trump]
        hand = made.hands[deal.events[index].seat]
        same = [c for c in hand if NAMES[c][1] == led[1]]
        over = [c for c in hand if beats(NAMES[c], led, trump)]
        if kind == "win":
            wrong = [c for c in same if c not in over] if any(c in same for c in over) else []
        elif kind == "follow":
            wrong = [c for c in hand if c not in same] if same else []
        else:
            wrong = [c for c in hand if c not in over] if over and not same else []
        if wrong:
            card = rng.choice(wrong)
            # The household book lets a card that wins stand for one that follows: reported only.
            wins = deal.game == "ecarte_enquire" and NAMES[card][1] == trump != led[1]
            law = "or win the trick" if kind == "follow" and wins else laws[kind]
            return m.other_card(deal, index, card), law, index
    return None


def revoke(deal: Deal, rng: random.Random) -> m.Made:
    return _swap("follow", deal, rng)


def not_won(deal: Deal, rng: random.Random) -> m.Made:
    return _swap("win", deal, rng)


def not_trumped(deal: Deal, rng: random.Random) -> m.Made:
    return _swap("trump", deal, rng)


def call_by_the_other(deal: Deal, rng: random.Random) -> m.Made:
    index = rng.choice(m.of_kind(deal, "call", rng))
    event = deal.events[index]
    return m.put(deal, index, structs.replace(event, seat=3 - event.seat)), "dealer gives", index


def accepted_unasked(deal: Deal, rng: random.Random) -> m.Made:
    event = Event(kind="call", seat=deal.dealer_seat or 0, word="accept")
    return m.put(deal, 0, event, drop=0), "law x", 0


def proposal_retracted(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "call", rng):
        if deal.events[index].word == "propose":
            event = structs.replace(deal.events[index], word="play")
            return m.put(deal, index + 1, event, drop=0), "law x", index + 1
    return None


def changed_unasked(deal: Deal, rng: random.Random) -> m.Made:
    if m.of_kind(deal, "exchange", rng) or not m.of_kind(deal, "play", rng):
        return None
    index = min(m.of_kind(deal, "play", rng))
    seat = rng.randint(1, 2)
    event = Event(kind="exchange", seat=seat, cards=deal.hands[seat - 1][:1])
    return m.put(deal, index, event, drop=0), "second discard only", index


def put_out_not_held(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "exchange", rng):
        event = deal.events[index]
        held = m.at(deal, index).hands[event.seat]
        card = rng.choice([c for c in deal.order_after_cut or b"" if c not in held])
        if event.cards:
            cards = bytes([card]) + event.cards[1:]
            return m.put(deal, index, structs.replace(event, cards=cards)), "law vi", index
    return None


def dealer_changes_first(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "exchange", rng):
        event = deal.events[index]
        cards = deal.hands[(deal.dealer_seat or 0) - 1][:1]
        if event.seat != deal.dealer_seat and index < 4:
            early = Event(kind="exchange", seat=deal.dealer_seat or 0, cards=cards)
            return m.put(deal, index, early, drop=0), "the non-dealer changes first", index
    return None


def drawn_from_below(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "draw", rng):
        event, order = deal.events[index], deal.order_after_cut or b""
        if event.cards[-1] != order[-1]:
            cards = event.cards[:-1] + order[-1:]
            return m.put(deal, index, structs.replace(event, cards=cards)), "from the stock", index
    return None


def drawn_in_another_order(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "draw", rng):
        event = deal.events[index]
        if len(event.cards) > 1:
            changed = structs.replace(event, cards=event.cards[::-1])
            return m.put(deal, index, changed), "from the stock", index
    return None


def drawn_too_many(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "draw", rng):
        event, order = deal.events[index], deal.order_after_cut or b""
        below = order.index(event.cards[-1]) + 1
        if below < len(order):
            cards = event.cards + order[below : below + 1]
            return m.put(deal, index, structs.replace(event, cards=cards)), "law xi", index
    return None


def drawn_by_the_other(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "draw", rng):
        event = deal.events[index]
        return m.put(deal, index, structs.replace(event, seat=3 - event.seat)), "law xi", index
    return None


def king_named_late(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "claim", rng):
        claim = deal.events[index]
        mine = [
            i for i in sorted(m.of_kind(deal, "play", rng)) if deal.events[i].seat == claim.seat
        ]
        first = deal.events[mine[0]]
        if first.cards[0] % 13 != KING or first.cards[0] // 13 != deal.turnups[0] // 13:
            moved = m.put(deal, mine[0] + 1, claim, drop=0)
            return m.put(moved, index), "law ix, before", mine[0]
    return None


def king_not_held(deal: Deal, rng: random.Random) -> m.Made:
    plays = sorted(m.of_kind(deal, "play", rng))
    king = 13 * (deal.turnups[0] // 13) + KING
    if not plays:
        return None
    seat = deal.events[plays[0]].seat
    if king in m.at(deal, plays[0]).hands[seat]:
        return None
    return (
        m.put(deal, plays[0], Event(kind="claim", seat=seat, word="king"), drop=0),
        "law ix",
        plays[0],
    )


def played_on(deal: Deal, rng: random.Random) -> m.Made:
    word = rng.choice(("faced card", "incorrect deal", "cards exposed in cutting"))
    law = "law iii" if "cutting" in word else "law vi"
    return m.put(deal, 0, Event(kind="irregular", word=word), drop=0), law, -1


def new_deal_without_cause(deal: Deal, rng: random.Random) -> m.Made:
    index = rng.choice(m.of_kind(deal, "call", rng))
    return (
        m.put(deal, index, Event(kind="redeal", word="poor hand"), drop=0),
        "laws iii and vi",
        index,
    )


def looked_at_a_discard(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "exchange", rng):
        event = Event(kind="look", seat=rng.randint(1, 2), word="discard")
        return m.put(deal, index + 1, event, drop=0), "law xi", index + 1
    return None


def stake_doubled(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "pay", rng):
        event = structs.replace(deal.events[index], number=2)
        return m.put(deal, index, event), "Pool Écarté", index
    return None


def pool_one_off(deal: Deal, rng: random.Random) -> m.Made:
    for index in m.of_kind(deal, "pool", rng):
        event = deal.events[index]
        changed = structs.replace(event, number=event.number + 1)
        return m.put(deal, index, changed), "Pool Écarté", index
    return None


FOSTER, BOOK = m.Base(game="ecarte_foster", options={}), m.Base(game="ecarte_enquire", options={})
FIRST = m.Base(game="pool_ecarte", options={"pool_game": "1"})
TWO_PAY = m.Base(
    game="pool_ecarte_two_pay", options={"pool_game": "2", "winner_before": "1", "packets": "3+2"}
)
BOTH = (FOSTER, BOOK)
KINDS = {
    "revoke": (revoke, (FOSTER, BOOK, TWO_PAY)),
    "not won though able": (not_won, (FOSTER, FIRST)),
    "not trumped though able": (not_trumped, BOTH),
    "out of turn": (m.out_of_turn("law vi"), BOTH),
    "trick to the loser": (m.trick_to_loser("winner of the trick"), BOTH),
    "score one off": (m.score_off("Foster, Écarté"), (FOSTER,)),
    "score to the other": (m.score_to_other("household book, 118-119"), (BOOK,)),
    "sixth card dealt": (m.extra_card("law vi"), BOTH),
    "hands not of the pack": (m.hands_not_of_the_pack("law vi"), (FOSTER, BOOK, TWO_PAY)),
    "turn-up not of the pack": (m.turn_up_not_of_the_pack("law vi"), BOTH),
    "card twice": (m.card_twice("law vi, incorrect deal"), BOTH),
    "sixth card played": (m.sixth_card("five cards on each side"), BOTH),
    "call by the other": (call_by_the_other, BOTH),
    "accepted unasked": (accepted_unasked, BOTH),
    "proposal retracted": (proposal_retracted, BOTH),
    "changed unasked": (changed_unasked, BOTH),
    "put out but not held": (put_out_not_held, BOTH),
    "dealer changes first": (dealer_changes_first, BOTH),
    "drawn from below": (drawn_from_below, BOTH),
    "drawn in another order": (drawn_in_another_order, BOTH),
    "drawn too many": (drawn_too_many, BOTH),
    "drawn by the other": (drawn_by_the_other, BOTH),
    "King named late": (king_named_late, BOTH),
    "King not held": (king_not_held, BOTH),
    "played on": (played_on, BOTH),
    "new deal without cause": (new_deal_without_cause, BOTH),
    "looked at a discard": (looked_at_a_discard, BOTH),
    "stake doubled": (stake_doubled, (FIRST, TWO_PAY)),
    "pool one off": (pool_one_off, (FIRST, TWO_PAY)),
}
