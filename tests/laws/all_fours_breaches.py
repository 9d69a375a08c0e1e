"""Breaches of the All Fours family whose label is known, for they were made on purpose.

`python -m tests.laws.long_breaches seven_up pitch california` makes ten thousand of each.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.law import Law
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee._all_fours import AllFoursDeal
from audit.referee.simulate import deals


@dataclass(frozen=True, kw_only=True)
class Breach:
    """A deal with one thing changed, and where the ruling has to stand: event, law, code."""

    deal: Deal
    law: str
    event: int
    code: str = "LAW"


Make = Callable[[Law, Deal, random.Random], Breach | None]


def whole(name: str, players: int, count: int, seed: int) -> Iterator[Deal]:
    """Yield deals by lot."""
    choose = PLAY["by_lot"].choose
    assert choose is not None
    yield from deals(GAMES[name], players=players, choose=choose, count=count, seed=seed)


def replay(law: Law, deal: Deal, until: int) -> AllFoursDeal:
    """Return the machine as it stands before event *until*."""
    made = machine(law, deal)
    assert isinstance(made, AllFoursDeal)
    for event in deal.events[:until]:
        made.take(event)
    return made


def plays(deal: Deal) -> list[int]:
    """Return the indices of the plays."""
    return [k for k, e in enumerate(deal.events) if e.kind == "play"]


def scores(deal: Deal) -> list[int]:
    """Return the indices of the scores."""
    return [k for k, e in enumerate(deal.events) if e.kind == "score"]


def put(deal: Deal, at: int, event: Event) -> Deal:
    """Return *deal* with event *at* changed."""
    return structs.replace(deal, events=(*deal.events[:at], event, *deal.events[at + 1 :]))


def insert(deal: Deal, at: int, event: Event) -> Deal:
    """Return *deal* with *event* before event *at*."""
    return structs.replace(deal, events=(*deal.events[:at], event, *deal.events[at:]))


def other(deal: Deal, seat: int, rng: random.Random) -> int:
    """Return another seat."""
    n = deal.players or 2
    return (seat - 1 + rng.randrange(1, n)) % n + 1


def undealt(deal: Deal) -> list[int]:
    """Return cards that came to nobody."""
    drawn = {c for e in deal.events if e.kind == "draw" for c in e.cards}
    held = {c for h in deal.hands for c in h} | set(deal.runs) | set(deal.turnups) | drawn
    return sorted(set(deal.order_after_cut or b"") - held)


def revoke(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """An off-suit card while holding the suit; it changes places with its later play."""
    indices = plays(deal)
    rng.shuffle(indices)
    for at in indices[:8]:
        event = deal.events[at]
        made = replay(law, deal, at)
        tricks = made.begin()
        legal = tricks.legal(event.seat) or []
        wrong = [c for c in tricks.hands[event.seat] or [] if c not in legal]
        if not wrong:
            continue
        card = bytes([rng.choice(wrong)])
        later = [k for k in plays(deal) if k > at and deal.events[k].cards == card]
        changed = put(deal, at, structs.replace(event, cards=card))
        if later:
            back = structs.replace(deal.events[later[0]], cards=event.cards)
            changed = put(changed, later[0], back)
        return Breach(deal=changed, law="revokes", event=at, code="W26")
    return None


def turn(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A card played by another seat than the one whose turn it is."""
    indices = plays(deal)
    if not indices:
        return None
    at = rng.choice(indices)
    event = deal.events[at]
    changed = put(deal, at, structs.replace(event, seat=other(deal, event.seat, rng)))
    return Breach(deal=changed, law="out of turn", event=at)


def foreign(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A card played that was dealt to nobody."""
    left, indices = undealt(deal), plays(deal)
    if not left or not indices:
        return None
    at = rng.choice(indices)
    changed = put(deal, at, structs.replace(deal.events[at], cards=bytes([rng.choice(left)])))
    return Breach(deal=changed, law="misdealing", event=at)


def twice(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Two cards of one seat to a trick."""
    indices, n = plays(deal), deal.players or 2
    spots = [k for i, k in enumerate(indices) if i % n < n - 1 and i + n < len(indices)]
    if not spots:
        return None
    at = rng.choice(spots)
    event = deal.events[at]
    later = [k for k in indices if k > at and deal.events[k].seat == event.seat]
    return Breach(deal=insert(deal, at + 1, deal.events[later[0]]), law="exposed", event=at + 1)


def late(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A card too many, after the last trick."""
    indices = plays(deal)
    if not indices:
        return None
    at = indices[-1] + 1
    event = deal.events[rng.choice(indices)]
    return Breach(deal=insert(deal, at, event), law="methods of play", event=at)


def gathered(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A trick given to another than its winner."""
    indices, n = plays(deal), deal.players or 2
    if not indices:
        return None
    at = rng.choice(indices[n - 1 :: n]) + 1
    tricks = replay(law, deal, at).begin()
    seat = other(deal, tricks.taken[-1][0], rng)
    changed = insert(deal, at, Event(kind="trick", seat=seat))
    return Breach(deal=changed, law="methods of play", event=at)


def score_off(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A score one off."""
    indices = scores(deal)
    if not indices:
        return None
    at = rng.choice(indices)
    event = deal.events[at]
    changed = put(deal, at, structs.replace(event, number=event.number + rng.choice((-1, 1))))
    return Breach(deal=changed, law=law.source.section, event=at)


def score_seat(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A score to the wrong seat."""
    mine = [k for k in scores(deal) if sum(e.word == deal.events[k].word for e in deal.events) == 1]
    if not mine:
        return None
    at = rng.choice(mine)
    event = deal.events[at]
    seat = other(deal, event.seat, rng)
    if getattr(law.rules, "sides", False) and deal.players == 4:
        # A partner's seat would be no breach: points are the side's.
        seat = event.seat % 4 + 1
    changed = put(deal, at, structs.replace(event, seat=seat))
    return Breach(deal=changed, law=law.source.section, event=at)


def score_lost(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A score that was not marked."""
    indices = scores(deal)
    if len(indices) < 2:
        return None
    at = rng.choice(indices)
    changed = structs.replace(deal, events=(*deal.events[:at], *deal.events[at + 1 :]))
    return Breach(deal=changed, law=law.source.section, event=-1)


def score_made_up(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A score for what was not made."""
    if not scores(deal):
        return None
    seat = rng.randrange(1, (deal.players or 2) + 1)
    event = Event(kind="score", seat=seat, word="last trick", number=1)
    at = len(deal.events)
    return Breach(deal=insert(deal, at, event), law=law.source.section, event=at)


def claimed(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Low claimed by one who has it not."""
    low = [e for e in deal.events if e.kind == "score" and e.word == "low"]
    if not low or len(plays(deal)) < 6 * (deal.players or 2):
        return None
    seat = other(deal, low[0].seat, rng)
    sides = getattr(law.rules, "sides", False) and deal.players == 4
    if sides and (seat - low[0].seat) % 2 == 0:
        seat = seat % 4 + 1
    at = plays(deal)[-1] + 1
    changed = insert(deal, at, Event(kind="claim", seat=seat, word="low"))
    return Breach(deal=changed, law="objects", event=at, code="W16")


def seven(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Seven cards dealt to one seat."""
    left = undealt(deal)
    if not left:
        return None
    seat = rng.randrange(deal.players or 2)
    hands = [h + bytes([rng.choice(left)]) if s == seat else h for s, h in enumerate(deal.hands)]
    changed = structs.replace(deal, hands=tuple(hands))
    return Breach(deal=changed, law="misdealing", event=-1, code="W03")


def five(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Five cards dealt to one seat."""
    seat = rng.randrange(deal.players or 2)
    hands = [h[1:] if s == seat else h for s, h in enumerate(deal.hands)]
    changed = structs.replace(deal, hands=tuple(hands))
    return Breach(deal=changed, law="misdealing", event=-1, code="W18")


def swapped(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Two seats' hands changed for one another against the order of the pack."""
    a = rng.randrange(deal.players or 2)
    b = other(deal, a + 1, rng) - 1
    hands = list(deal.hands)
    hands[a], hands[b] = hands[b], hands[a]
    changed = structs.replace(deal, hands=tuple(hands))
    return Breach(deal=changed, law="dealing", event=-1, code="W09")


ALL: dict[str, Make] = {
    make.__name__: make
    for make in (
        revoke,
        turn,
        foreign,
        twice,
        late,
        gathered,
        score_off,
        score_seat,
        score_lost,
        score_made_up,
        claimed,
        seven,
        five,
        swapped,
    )
}


def beg_seat(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A beg, or its answer, by the wrong seat."""
    calls = [k for k, e in enumerate(deal.events) if e.kind == "call"]
    if not calls:
        return None
    at = rng.choice(calls)
    event = deal.events[at]
    changed = put(deal, at, structs.replace(event, seat=other(deal, event.seat, rng)))
    return Breach(deal=changed, law="begging", event=at)


def second_beg(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A beg after the eldest stood, or after the cards were run."""
    indices = plays(deal)
    if not indices:
        return None
    seat = (deal.dealer_seat or 1) % (deal.players or 2) + 1
    event = Event(kind="call", seat=seat, word="beg")
    at = indices[0]
    return Breach(deal=insert(deal, at, event), law="begging", event=at)


def early_look(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """The pone looks at his hand before the beg is settled."""
    n = deal.players or 2
    if n == 2 or not deal.turnups:
        return None
    pone = ((deal.dealer_seat or 1) - 2) % n + 1
    changed = insert(deal, 0, Event(kind="look", seat=pone, word="hand"))
    return Breach(deal=changed, law="begging", event=0, code="W15")


def discard_short(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """One card too few laid aside after a run."""
    indices = [k for k, e in enumerate(deal.events) if e.kind == "exchange"]
    if not indices:
        return None
    at = rng.choice(indices)
    event = deal.events[at]
    changed = put(deal, at, structs.replace(event, cards=event.cards[1:]))
    return Breach(deal=changed, law="discarding", event=at)


def bunched(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """The cards bunched in the middle of the play, with nobody agreed."""
    indices = plays(deal)
    if len(indices) < 2:
        return None
    at = indices[1]
    changed = insert(deal, at, Event(kind="redeal", seat=deal.dealer_seat or 1, word="bunched"))
    return Breach(deal=changed, law="begging", event=at, code="W25")


def turned(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A card turned that is not at its place."""
    left = undealt(deal)
    if not left or not deal.turnups:
        return None
    changed = structs.replace(deal, turnups=bytes([rng.choice(left)]) + deal.turnups[1:])
    return Breach(deal=changed, law="dealing", event=-1, code="W01")


def run_order(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Cards run in another order than the pack's."""
    if len(deal.runs) < 6:
        return None
    changed = structs.replace(deal, runs=deal.runs[3:6] + deal.runs[:3] + deal.runs[6:])
    return Breach(deal=changed, law="begging", event=-1, code="W02")


TURNED: dict[str, Make] = ALL | {
    make.__name__: make
    for make in (beg_seat, second_beg, early_look, discard_short, bunched, turned, run_order)
}


def bid_turn(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Two bids in the wrong order."""
    bids = [
        k
        for k, e in enumerate(deal.events)
        if e.kind == "call" and e.word not in ("sell", "pitch", "accept", "refuse")
    ]
    if len(bids) < 2:
        return None
    at = rng.choice(bids[:-1])
    a, b = deal.events[at], deal.events[at + 1]
    changed = put(put(deal, at, b), at + 1, a)
    return Breach(deal=changed, law="bidding", event=at, code="W27")


def bid_low(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A bid no higher than the one before it."""
    spots = [
        k
        for k, e in enumerate(deal.events[1:], start=1)
        if e.word == "pass" and deal.events[k - 1].word in ("one", "two", "three", "four")
    ]
    if not spots:
        return None
    at = rng.choice(spots)
    event = structs.replace(deal.events[at], word=deal.events[at - 1].word)
    return Breach(deal=put(deal, at, event), law="bidding", event=at)


def bid_again(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A second bid of one player."""
    bids = [k for k, e in enumerate(deal.events) if e.word == "pass"]
    if not bids or bids[0] + 1 >= len(deal.events) or deal.events[bids[0] + 1].kind != "call":
        return None
    at = bids[0]
    if deal.events[at + 1].word in ("accept", "refuse"):
        return None
    event = structs.replace(deal.events[at], word="four")
    return Breach(deal=insert(deal, at + 1, event), law="bidding", event=at + 1)


def sold_by(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Another than the eldest sells, or answers."""
    calls = [
        k
        for k, e in enumerate(deal.events)
        if e.word in ("sell", "pitch", "accept", "refuse") and e.kind == "call"
    ]
    if not calls:
        return None
    at = rng.choice(calls)
    event = deal.events[at]
    changed = put(deal, at, structs.replace(event, seat=other(deal, event.seat, rng)))
    return Breach(deal=changed, law="bidding", event=at)


PITCH: dict[str, Make] = ALL | {
    make.__name__: make for make in (bid_turn, bid_low, bid_again, sold_by)
}


def draw_turn(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """The loser of a trick draws first."""
    draws = [k for k, e in enumerate(deal.events) if e.kind == "draw"][::2]
    at = rng.choice(draws)
    event = deal.events[at]
    changed = put(deal, at, structs.replace(event, seat=3 - event.seat))
    return Breach(deal=changed, law="the stock", event=at)


def draw_order(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """Two cards drawn in the wrong order."""
    draws = [k for k, e in enumerate(deal.events) if e.kind == "draw"][2::2]
    at = rng.choice(draws)
    a, b = deal.events[at], deal.events[at + 1]
    changed = put(put(deal, at, structs.replace(a, cards=b.cards)), at + 1, b)
    changed = put(changed, at + 1, structs.replace(b, cards=a.cards))
    return Breach(deal=changed, law="the stock", event=at, code="W09")


def draw_left_out(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A card played before both had drawn."""
    draws = [k for k, e in enumerate(deal.events) if e.kind == "draw"][1::2]
    at = rng.choice(draws)
    changed = structs.replace(deal, events=(*deal.events[:at], *deal.events[at + 1 :]))
    return Breach(deal=changed, law="the stock", event=at)


def draw_more(law: Law, deal: Deal, rng: random.Random) -> Breach | None:
    """A third card drawn after a trick."""
    draws = [k for k, e in enumerate(deal.events) if e.kind == "draw"][1:-2:2]
    at = rng.choice(draws)
    event = deal.events[at + 1]
    extra = Event(kind="draw", seat=event.seat, cards=bytes([(deal.order_after_cut or b"")[20]]))
    return Breach(deal=insert(deal, at + 1, extra), law="the stock", event=at + 1)


CALIFORNIA: dict[str, Make] = ALL | {
    make.__name__: make for make in (draw_turn, draw_order, draw_left_out, draw_more)
}
KINDS = {"seven_up": TURNED, "pitch": PITCH, "california": CALIFORNIA}


def tried(name: str, kind: Make, players: int, count: int, seed: int) -> tuple[int, list[Breach]]:
    """Return how many breaches of *kind* were made on *count* deals, and those missed."""
    law, rng = GAMES[name], random.Random(seed)
    made, missed = 0, []
    for deal in whole(name, players, count, seed):
        breach = kind(law, deal, rng)
        if breach is None:
            continue
        made += 1
        rulings, _ = referee(law, breach.deal)
        if not any(
            breach.law in r.law
            and r.event == breach.event
            # A wrong score of a Game that happens to be tied answers a warning.
            and breach.code == ("LAW" if r.code == "W22" else r.code)
            for r in rulings
        ):
            missed.append(breach)
    return made, missed
