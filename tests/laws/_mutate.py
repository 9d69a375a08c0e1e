"""One-event changes to rightly played deals, whose label is known by how they are made.

A change returns the deal it made, what the law of the ruling has to say, and the
event it is due at (None: of the deal itself), or None where the deal does not offer it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee._five import FiveCards
from audit.referee.simulate import deals

Made = tuple[Deal, str, int | None] | None
Change = Callable[[Deal, random.Random], Made]


def at(deal: Deal, index: int) -> FiveCards:
    """Return the machine as it stands before event *index*."""
    made = machine(GAMES[deal.game], deal)
    assert isinstance(made, FiveCards)
    for event in deal.events[:index]:
        made.take(event)
    return made


def put(deal: Deal, index: int, *events: Event, drop: int = 1) -> Deal:
    """Return *deal* with *events* in the place of *drop* events from *index* on."""
    whole = deal.events
    return structs.replace(deal, events=(*whole[:index], *events, *whole[index + drop :]))


def of_kind(deal: Deal, kind: str, rng: random.Random) -> list[int]:
    """Return the indices of the events of *kind*, in an order by lot."""
    found = [i for i, event in enumerate(deal.events) if event.kind == kind]
    rng.shuffle(found)
    return found


def other_card(deal: Deal, index: int, card: int) -> Deal:
    """Return *deal* with *card* played at *index*, the card of then at the time of *card*."""
    mine = deal.events[index]
    later = next(
        (
            i
            for i, e in enumerate(deal.events)
            if i > index and e.kind == "play" and e.seat == mine.seat and e.cards[0] == card
        ),
        None,
    )
    changed = put(deal, index, structs.replace(mine, cards=bytes([card])))
    if later is None:
        return changed
    return put(changed, later, structs.replace(deal.events[later], cards=mine.cards))


def followers(deal: Deal, rng: random.Random) -> Iterator[tuple[int, FiveCards]]:
    """Yield plays that are not leads, with the machine before each."""
    for index in of_kind(deal, "play", rng):
        made = at(deal, index)
        if made.trick:
            yield index, made


def out_of_turn(law: str) -> Change:
    """The leader and the next to play change places."""

    def change(deal: Deal, rng: random.Random) -> Made:
        for index, made in followers(deal, rng):
            if len(made.trick) == 1:
                lead, mine = deal.events[index - 1 : index + 1]
                if lead.kind == "play":
                    return put(deal, index - 1, mine, lead, drop=2), law, index - 1
        return None

    return change


def trick_to_loser(law: str) -> Change:
    """A trick is taken in by who did not win it."""

    def change(deal: Deal, rng: random.Random) -> Made:
        for index in of_kind(deal, "play", rng):
            tricks = at(deal, index + 1).tricks
            if tricks is not None and tricks.taken and not tricks.cards:
                wrong = rng.choice([s for s in tricks.seats if s != tricks.taken[-1][0]])
                event = Event(kind="trick", seat=wrong)
                return put(deal, index + 1, event, drop=0), law, index + 1
        return None

    return change


def score_off(law: str) -> Change:
    """A score is one off."""

    def change(deal: Deal, rng: random.Random) -> Made:
        for index in of_kind(deal, "score", rng):
            event = deal.events[index]
            number = event.number + rng.choice((-1, 1))
            return put(deal, index, structs.replace(event, number=number)), law, index
        return None

    return change


def score_to_other(law: str) -> Change:
    """A score goes to the other side."""

    def change(deal: Deal, rng: random.Random) -> Made:
        for index in of_kind(deal, "score", rng):
            event = deal.events[index]
            return put(deal, index, structs.replace(event, seat=3 - event.seat)), law, index
        return None

    return change


def extra_card(law: str) -> Change:
    """A hand holds a sixth card."""

    def change(deal: Deal, rng: random.Random) -> Made:
        assert deal.order_after_cut is not None
        seat = rng.randrange(len(deal.hands))
        hands = list(deal.hands)
        hands[seat] += deal.order_after_cut[-1:]
        return structs.replace(deal, hands=tuple(hands)), law, None

    return change


def hands_not_of_the_pack(law: str) -> Change:
    """Two hands have changed a card."""

    def change(deal: Deal, rng: random.Random) -> Made:
        a, b = rng.sample(range(len(deal.hands)), 2)
        hands = [bytearray(hand) for hand in deal.hands]
        hands[a][0], hands[b][0] = hands[b][0], hands[a][0]
        return structs.replace(deal, hands=tuple(map(bytes, hands))), law, None

    return change


def turn_up_not_of_the_pack(law: str) -> Change:
    """The card turned is another of the stock."""

    def change(deal: Deal, rng: random.Random) -> Made:
        assert deal.order_after_cut is not None
        card = rng.choice(deal.order_after_cut[5 * len(deal.hands) + 1 :])
        return structs.replace(deal, turnups=bytes([card])), law, None

    return change


def card_twice(law: str) -> Change:
    """A card is played that lies in a trick already."""

    def change(deal: Deal, rng: random.Random) -> Made:
        for index in of_kind(deal, "play", rng):
            gone = [c for s, c in at(deal, index).played if s == deal.events[index].seat]
            if gone:
                event = structs.replace(deal.events[index], cards=bytes([rng.choice(gone)]))
                return put(deal, index, event), law, index
        return None

    return change


def sixth_card(law: str) -> Change:
    """A card is played after the fifth trick."""

    def change(deal: Deal, rng: random.Random) -> Made:
        last = max(of_kind(deal, "play", rng), default=None)
        if last is None or not at(deal, last + 1).complete:
            return None
        assert deal.order_after_cut is not None
        event = Event(
            kind="play", seat=rng.randint(1, len(deal.hands)), cards=deal.order_after_cut[-1:]
        )
        return put(deal, last + 1, event, drop=0), law, last + 1

    return change


@dataclass(frozen=True, kw_only=True)
class Base:
    """Deals to change: of which game, under which options."""

    game: str
    options: Mapping[str, str]


def run(
    kinds: Mapping[str, tuple[Change, Sequence[Base]]], each: int, seed: int
) -> tuple[Counter[str], list[str]]:
    """Make about *each* changes of every kind; return how many, and the misses in words."""
    made: Counter[str] = Counter()
    misses: list[str] = []
    choose = PLAY["by_lot"].choose
    assert choose is not None
    played: dict[str, list[Deal]] = {}
    for name, (change, bases) in kinds.items():
        rng = random.Random(f"{seed} {name}")
        for base in bases:
            law, key = GAMES[base.game], f"{base.game} {sorted(base.options.items())}"
            if key not in played:
                n, options = law.players[0], dict(base.options)
                played[key] = list(
                    deals(law, players=n, choose=choose, count=each, seed=seed, options=options)
                )
            for deal in played[key]:
                changed = change(deal, rng)
                if changed is None:
                    continue
                made[name] += 1
                wrong, words, where = changed
                rulings = referee(law, wrong)[0]
                if not any(words in r.law and where in (r.event, None) for r in rulings):
                    misses.append(f"{name}: {rulings}: {wrong}")
    return made, misses
