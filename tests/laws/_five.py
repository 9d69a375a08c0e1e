"""Hand-made deals of the games of five tricks, and breaches made on simulated ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from audit.cards import NAMES, parse
from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee._five_tricks import FiveTricks
from audit.referee.machine import Due, Ruling
from audit.referee.simulate import deals


def event(text: str) -> Event:
    """Return the event of `1 AH` (plays), `1 gives 2C`, `1 takes` (a trick) or `1 rob` (says)."""
    seat, word, *rest = text.split(maxsplit=2)
    if word in NAMES:
        return Event(kind="play", seat=int(seat), cards=parse(word))
    if word == "gives":
        return Event(kind="exchange", seat=int(seat), cards=parse(rest[0]))
    if word == "takes":
        return Event(kind="trick", seat=int(seat))
    return Event(kind="call", seat=int(seat), word=" ".join([word, *rest]))


def found(word: str, seat: int) -> Event:
    return Event(kind="irregular", seat=seat, word=word)


def table(
    game: str,
    hands: Sequence[str],
    turned: str,
    *events: str | Event,
    dealer: int = 0,
    widow: str = "",
    options: Mapping[str, str] | None = None,
) -> Deal:
    """Return a record; the last seat deals unless *dealer* is given."""
    return Deal(
        game=game,
        players=len(hands),
        dealer_seat=dealer or len(hands),
        hands=tuple(parse(hand) for hand in hands),
        turnups=parse(turned),
        widow=parse(widow),
        options=dict(options or {}),
        events=tuple(event(e) if isinstance(e, str) else e for e in events),
    )


def after(deal: Deal, scores: tuple[int, ...] = ()) -> FiveTricks:
    """Return the machine when it has taken every event of *deal*."""
    made = machine(GAMES[deal.game], deal, scores)
    assert isinstance(made, FiveTricks)
    for each in deal.events:
        made.take(each)
    return made


def may_play(deal: Deal) -> str:
    """Return the cards that may be played next, sorted by name."""
    made = after(deal)
    want = made.wants()
    if want is not None and want.kind == "trick":
        made.take(Event(kind="trick", seat=want.seat))
        want = made.wants()
    assert want is not None
    assert want.kind == "play"
    return " ".join(sorted(NAMES[c] for c in want.cards))


def paid(due: Sequence[Due], *words: str) -> set[tuple[int, int, int]]:
    """Return (from, to, number) of the payments or points for these words."""
    return {(d.seat, d.to, d.number) for d in due if d.word in words}


def by_lot(
    game: str, players: int, count: int, seed: int, options: Mapping[str, str] | None = None
) -> Iterator[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    return deals(
        GAMES[game], players=players, choose=choose, count=count, seed=seed, options=options
    )


class Turn(NamedTuple):
    """A play of a deal: its index, the hands before it by seat, and what may be played."""

    at: int
    seat: int
    hands: list[list[int]]
    legal: set[int]
    trick: list[int]
    taken: int


def turns(deal: Deal) -> Iterator[Turn]:
    """Yield every play of *deal* with what the machine allowed."""
    made = machine(GAMES[deal.game], replace(deal, events=()))
    assert isinstance(made, FiveTricks)
    for at, each in enumerate(deal.events):
        if each.kind == "play":
            want = made.wants()
            assert want is not None
            hands = [list(h) for h in made.hands]
            taken = len(made.tricks.taken) if made.tricks else 0
            yield Turn(at, each.seat, hands, set(want.cards), list(made.trick), taken)
        made.take(each)


Change = Callable[[Deal, random.Random], "Deal | None"]


class Breach(NamedTuple):
    """A way to break the law, and words of the ruling that must follow (what, law or code)."""

    name: str
    change: Change
    what: str
    law: str


def ruled(rulings: Sequence[Ruling], breach: Breach) -> bool:
    return any(
        breach.what in r.what and (breach.law in r.law or breach.law == r.code) for r in rulings
    )


def trial(breach: Breach, some: Sequence[Deal], seed: int = 7) -> tuple[int, list[Deal]]:
    """Make *breach* where it can be made; return how often it was made, and what was missed."""
    rng = random.Random(seed)
    made, missed = 0, []
    for deal in some:
        changed = breach.change(deal, rng)
        if changed is None:
            continue
        made += 1
        if not ruled(referee(GAMES[deal.game], changed)[0], breach):
            missed.append(changed)
    return made, missed


def with_event(deal: Deal, at: int, new: Event | None, *, instead: bool = True) -> Deal:
    """Return *deal* with *new* at an index, instead of what stood there or before it."""
    events = list(deal.events)
    events[at : at + instead] = [] if new is None else [new]
    return replace(deal, events=tuple(events))


def indices(deal: Deal, *kinds: str, word: str | None = None) -> list[int]:
    return [k for k, e in enumerate(deal.events) if e.kind in kinds and word in (None, e.word)]


def other(deal: Deal, seat: int, rng: random.Random) -> int:
    """Return a seat of the table that is not *seat*."""
    return rng.choice([s for s in range(1, (deal.players or 0) + 1) if s != seat])


def spare(deal: Deal) -> int:
    """Return a card of the pack that lies in the stock, -1 for none."""
    order = deal.order_after_cut or b""
    used = {c for h in deal.hands for c in h} | set(deal.widow) | set(deal.turnups)
    return next((c for c in order if c not in used), -1)


# Breaches that every game of five tricks knows.


def bad_card(which: Callable[[Deal, Turn, int], bool]) -> Change:
    """Play a card that is held and not allowed, of the sort *which* wants; the log ends there."""

    def change(deal: Deal, rng: random.Random) -> Deal | None:
        ways = [
            (turn, card)
            for turn in turns(deal)
            for card in turn.hands[turn.seat]
            if card not in turn.legal and which(deal, turn, card)
        ]
        if not ways:
            return None
        turn, card = rng.choice(ways)
        events = deal.events[: turn.at]
        play = Event(kind="play", seat=turn.seat, cards=bytes((card,)))
        return replace(deal, events=(*events, play))

    return change


def wrong_trick(deal: Deal, rng: random.Random) -> Deal | None:
    ways = indices(deal, "trick")
    if not ways:
        return None
    at = rng.choice(ways)
    seat = other(deal, deal.events[at].seat, rng)
    return with_event(deal, at, replace(deal.events[at], seat=seat))


def out_of_turn(deal: Deal, rng: random.Random) -> Deal | None:
    """Somebody who has yet to play to the trick plays before his turn."""
    ways = []
    for turn in turns(deal):
        rest = [e for e in deal.events[turn.at + 1 :] if e.kind in ("play", "trick")]
        for each in rest:
            if each.kind == "trick":
                break
            ways.append((turn.at, each))
    if not ways:
        return None
    at, play = rng.choice(ways)
    return replace(deal, events=(*deal.events[:at], play))


def foreign_card(deal: Deal, rng: random.Random) -> Deal | None:
    ways, card = indices(deal, "play"), spare(deal)
    if not ways or card < 0:
        return None
    at = rng.choice(ways)
    return with_event(deal, at, replace(deal.events[at], cards=bytes((card,))))


def extra_card(deal: Deal, rng: random.Random) -> Deal | None:
    card = spare(deal)
    hands = [*deal.hands]
    seat = rng.choice([k for k, h in enumerate(hands) if h])
    hands[seat] += bytes((card,))
    return None if card < 0 else replace(deal, hands=tuple(hands))


def card_short(deal: Deal, rng: random.Random) -> Deal | None:
    hands = [*deal.hands]
    seat = rng.choice([k for k, h in enumerate(hands) if h])
    hands[seat] = hands[seat][:-1]
    return replace(deal, hands=tuple(hands))


def card_twice(deal: Deal, rng: random.Random) -> Deal | None:
    hands = [*deal.hands]
    one, two = rng.sample([k for k, h in enumerate(hands) if h], 2)
    hands[one] = hands[one][:-1] + hands[two][:1]
    return replace(deal, hands=tuple(hands))


def number_off(word: str) -> Change:
    def change(deal: Deal, rng: random.Random) -> Deal | None:
        ways = indices(deal, "pay", "score", "pool", word=word)
        if not ways:
            return None
        at = rng.choice(ways)
        number = deal.events[at].number + rng.choice((-1, 1))
        return with_event(deal, at, replace(deal.events[at], number=number))

    return change


def wrong_seat(word: str) -> Change:
    """Pay or score to another seat than the one that it is due to."""

    def change(deal: Deal, rng: random.Random) -> Deal | None:
        ways = indices(deal, "pay", "score", word=word)
        if not ways:
            return None
        at = rng.choice(ways)
        each = deal.events[at]
        taken = {e.to if e.kind == "pay" else e.seat for e in deal.events if e.word == word}
        free = [s for s in range(1, (deal.players or 0) + 1) if s not in taken]
        if not free:
            return None
        seat = rng.choice(free)
        new = replace(each, to=seat) if each.kind == "pay" else replace(each, seat=seat)
        return with_event(deal, at, new)

    return change


def not_paid(word: str) -> Change:
    """Leave a payment out of a record that has others."""

    def change(deal: Deal, rng: random.Random) -> Deal | None:
        ways = indices(deal, "pay", "score", word=word)
        alone = len(indices(deal, "pay", "score", "pool")) < 2
        return None if alone or not ways else with_event(deal, rng.choice(ways), None)

    return change


def noted(word: str, seat: str = "any") -> Change:
    """Note something found just before a play of the deal."""

    def change(deal: Deal, rng: random.Random) -> Deal | None:
        ways = indices(deal, "play")
        if not ways:
            return None
        at = rng.choice(ways)
        who = (deal.dealer_seat or 0) if seat == "dealer" else rng.randint(1, deal.players or 1)
        return with_event(deal, at, found(word, who), instead=False)

    return change


def wrong_next_dealer(deal: Deal, rng: random.Random) -> Deal | None:
    """A misdeal after which neither he whom the law names deals next."""
    word = rng.choice(("not cut", "unequal round", "faced card"))
    players, dealer = deal.players or 0, deal.dealer_seat or 0
    right = dealer if word == "faced card" else dealer % players + 1
    events = (found(word, dealer), Event(kind="redeal", seat=other(deal, right, rng), word=word))
    return replace(deal, events=events)


def late_play(deal: Deal, rng: random.Random) -> Deal | None:
    """A card played when the deal is over."""
    first = indices(deal, "pay", "score", "pool")
    card = spare(deal)
    if not first or card < 0:
        return None
    play = Event(kind="play", seat=rng.randint(1, deal.players or 1), cards=bytes((card,)))
    return with_event(deal, first[0], play, instead=False)


COMMON = (
    Breach("trick to the wrong seat", wrong_trick, "trick gathered by seat", "Foster"),
    Breach("out of turn", out_of_turn, "out of turn", "Foster"),
    Breach("a card not held", foreign_card, "not in the hand", "Foster"),
    Breach("six cards dealt", extra_card, "6 cards dealt", "Misdealing"),
    Breach("four cards dealt", card_short, "4 cards dealt", "Misdealing"),
    Breach("a card twice", card_twice, "stands twice", "Misdealing"),
    Breach("wrong next dealer", wrong_next_dealer, "deals next", "Misdealing"),
    Breach("pack counted by the dealer", noted("counted the pack", "dealer"), "counted", "W46"),
    Breach("a card when the deal is over", late_play, "over", "Foster"),
)
