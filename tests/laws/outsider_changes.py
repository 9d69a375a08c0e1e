"""Records made wrong at each event, and what the referee and the outsider say of them.

A change need not be a breach: another card may be in order.  What counts is that both say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from audit.event import Event, Kind
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import Lots, deals
from audit.run import integrity
from tests.laws import outsider_tables as tables

#: Of each game: how many play in a sample, and the outsider's reading of it.
READ: dict[str, tuple[int, Callable[[Deal], None]]] = {
    "cassino_2": (2, tables.cassino),
    "cassino_3": (3, tables.cassino),
    "cassino_4": (4, tables.cassino),
    "connexions_3": (3, tables.connexions),
    "connexions_4": (4, tables.connexions),
    "speculation": (4, tables.speculation),
    "matrimony": (6, tables.matrimony),
    "pope_joan": (4, tables.pope_joan),
    "vingt_un": (3, tables.vingt_un),
}
KINDS: tuple[Kind, ...] = ("call", "draw", "look", "play", "trick", "score", "pay", "pool")
MONEY = ("pay", "score", "pool")


def sample(name: str, count: int, seed: int = 71) -> Iterator[Deal]:
    """Yield simulated deals, all of whose players play by lot."""
    choose = PLAY["by_lot"].choose
    assert choose is not None
    yield from deals(GAMES[name], players=READ[name][0], choose=choose, count=count, seed=seed)


def _numbers(event: Event) -> Iterator[tuple[str, Event]]:
    if event.kind in MONEY or event.number:
        yield "a number one more", replace(event, number=event.number + 1)
        yield "a number one less", replace(event, number=event.number - 1)


def _who(event: Event, count: int) -> Iterator[tuple[str, Event]]:
    if event.seat:
        yield "the next seat", replace(event, seat=event.seat % count + 1)
        yield "no seat", replace(event, seat=0)
    if event.to:
        yield "paid to the next seat", replace(event, to=event.to % count + 1)
    if event.kind == "pay":
        yield "paid the other way", replace(event, seat=event.to, to=event.seat)


def _cards(event: Event, lots: Lots) -> Iterator[tuple[str, Event]]:
    cards, any_card = event.cards, bytes([lots.below(52)])
    if not cards:
        return
    yield "another card", replace(event, cards=any_card + cards[1:])
    yield "a card more", replace(event, cards=cards + any_card)
    yield "the card twice", replace(event, cards=cards + cards[:1])
    yield "a card less", replace(event, cards=cards[:-1])
    if len(cards) > 1:
        yield "another card taken or drawn", replace(event, cards=cards[:-1] + any_card)
        yield "nothing taken", replace(event, cards=cards[:1])


def _instead(deal: Deal, at: int, lots: Lots) -> Iterator[tuple[str, Event]]:
    """Yield what may stand in the place of the event."""
    event = deal.events[at]
    yield from _numbers(event)
    yield from _who(event, len(deal.hands))
    yield from _cards(event, lots)
    words = sorted({e.word for e in deal.events if e.kind == event.kind} - {event.word})
    if words:
        yield "another word", replace(event, word=words[lots.below(len(words))])
    if event.word:
        yield "no word of the game", replace(event, word="quoth")
    kinds = [k for k in KINDS if k != event.kind]
    yield "another kind", replace(event, kind=kinds[lots.below(len(kinds))])


def _before(deal: Deal, lots: Lots) -> Iterator[tuple[str, Event]]:
    """Yield what may be put before the event."""
    count = len(deal.hands)
    seat, dealer = 1 + lots.below(count), deal.dealer_seat or count
    card = bytes([lots.below(52)])
    yield (
        "a payment more",
        Event(kind="pay", seat=seat, to=seat % count + 1, number=1, word="stake"),
    )
    yield "points more", Event(kind="score", seat=seat, number=1, word="points")
    yield "a play more", Event(kind="play", seat=seat, cards=card)
    yield "a draw more", Event(kind="draw", seat=seat, cards=card)
    yield "a pass more", Event(kind="call", seat=seat, word="pass")
    yield "a trick gathered", Event(kind="trick", seat=seat)
    if deal.game == "pope_joan":
        yield "a look by the dealer", Event(kind="look", seat=dealer, word="stock")
        yield "a look by another", Event(kind="look", seat=dealer % count + 1, word="stock")


def changes(deal: Deal, at: int, lots: Lots) -> Iterator[tuple[str, Deal]]:
    """Yield the deal with its event *at* changed, each with the kind of the change."""
    events = deal.events
    head, event, tail = events[:at], events[at], events[at + 1 :]
    made = [(kind, (*head, e, *tail)) for kind, e in _instead(deal, at, lots)]
    made += [(kind, (*head, e, event, *tail)) for kind, e in _before(deal, lots)]
    made.append(("left out", head + tail))
    made.append(("twice", (*head, event, event, *tail)))
    if tail:
        made.append(("after the next", (*head, tail[0], event, *tail[1:])))
    if event.kind in MONEY and head:
        early = lots.below(at)
        made.append(("money moved up", (*events[:early], event, *events[early:at], *tail)))
    same = [k for k, e in enumerate(tail) if (e.kind, e.seat) == (event.kind, event.seat)]
    if event.cards and same:
        later = same[lots.below(len(same))]
        other, rest = tail[later], list(tail)
        rest[later] = replace(other, cards=event.cards[:1] + other.cards[1:])
        first = replace(event, cards=other.cards[:1] + event.cards[1:])
        made.append(("a card of later first", (*head, first, *rest)))
    for kind, changed in made:
        if changed != events:
            yield kind, replace(deal, events=changed)


def of_the_deal(deal: Deal, lots: Lots) -> Iterator[tuple[str, Deal]]:
    """Yield the deal with a hand changed."""
    seat = lots.below(len(deal.hands))
    hand, other = deal.hands[seat], deal.hands[seat - 1]
    for kind, cards in (
        ("a hand of a card more", hand + bytes([lots.below(52)])),
        ("a hand of a card less", hand[:-1]),
        ("a hand with a card of another", hand[:-1] + other[:1]),
    ):
        hands = (*deal.hands[:seat], cards, *deal.hands[seat + 1 :])
        yield kind, replace(deal, hands=hands)


def freely(deal: Deal, lots: Lots) -> Deal:
    """Return the deal recorded otherwise in what the book leaves free: it is as right as before.

    Payments come in any order and at any time where no word forbids it; a trump is bid for by
    anybody in any order; stakes are named in any order, and none for nothing; the dealer looks at
    the stock, and stands without a word.
    """
    money = [e for e in deal.events if e.kind in MONEY]
    moves = [e for e in deal.events if e.kind not in MONEY]
    made: list[Event] = []
    for at, event in enumerate(moves):
        dealt = at + 1 < len(moves) and moves[at + 1].kind == "draw"
        if deal.game == "speculation":
            made += _bids(deal, moves[:at], event, lots)
        elif deal.game == "pope_joan" and not lots.below(4):
            made.append(Event(kind="look", seat=deal.dealer_seat or 0, word="stock"))
        dealer_stands = event.word == "stand" and event.seat == deal.dealer_seat and dealt
        nothing = deal.game == "matrimony" and event.number == 0
        if not nothing and not (dealer_stands and lots.below(2)):
            made.append(event)
    if deal.game == "matrimony":
        _shuffle(made, lots)
    if not deal.game.startswith(("cassino", "connexions")):
        _shuffle(money, lots)
        for event in money:
            made.insert(lots.below(len(made) + 1), event)
        return replace(deal, events=tuple(made))
    return replace(deal, events=(*made, *money))


def _bids(deal: Deal, before: list[Event], event: Event, lots: Lots) -> Iterator[Event]:
    """Yield passes and low bids that may come before a call or the card that is shown next."""
    count = len(deal.hands)
    yield from [Event(kind="call", seat=1 + lots.below(count), word="pass")] * lots.below(2)
    high = 0
    for said in before:
        high = 0 if said.kind == "play" else max(high, said.number * (said.word == "bid"))
    shown = [e.seat for e in before if e.kind == "play"]
    if event.kind == "call" and high and lots.below(2):
        other = shown[-1] % count + 1
        yield Event(kind="call", seat=other, word="bid", number=1 + lots.below(high))


def _shuffle(events: list[Event], lots: Lots) -> None:
    for at in range(len(events) - 1, 0, -1):
        other = lots.below(at + 1)
        events[at], events[other] = events[other], events[at]


@dataclass(kw_only=True)
class Compared:
    """How many changes both, or one alone, object to, by kind.

    *open*: the referee leaves unjudged what the outsider objects to, for the record no
    longer says enough.  *short*: the outsider misses something past the end of the record
    alone, which a record that is cut off between coups or before any event does not owe.
    """

    both: Counter[str] = field(default_factory=Counter)
    neither: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    short: Counter[str] = field(default_factory=Counter)
    alone: list[tuple[str, str, Deal]] = field(default_factory=list)

    def take(self, kind: str, deal: Deal) -> None:
        """Compare what is said of one changed deal."""
        mine = tables.fault(deal, READ[deal.game][1])
        law = GAMES[deal.game]
        rulings, unjudged = referee(law, deal)
        if not rulings and kind.startswith("a hand"):
            # Hands that cannot have been dealt are found before any play is judged.
            foul = integrity.fault(deal, law, law.pack, len(deal.hands))
            if foul is not None and mine is not None:
                self.both[kind] += 1
                return
        if mine is None:
            if rulings:
                self.alone.append((f"referee: {rulings[0].what}", kind, deal))
            self.neither[kind] += not rulings
        elif rulings:
            self.both[kind] += 1
        elif unjudged:
            self.open[kind] += 1
        elif mine.event == len(deal.events):
            self.short[kind] += 1
        else:
            self.alone.append((f"outsider: {mine.what}", kind, deal))


def compare(name: str, count: int, every: int = 1, seed: int = 71) -> Compared:
    """Compare both on all changes of every *every*-th event of *count* simulated deals."""
    lots, found = Lots(seed), Compared()
    for number, deal in enumerate(sample(name, count, seed)):
        for kind, wrong in of_the_deal(deal, lots):
            found.take(kind, wrong)
        for at in range(number % every, len(deal.events), every):
            for kind, wrong in changes(deal, at, lots):
                found.take(kind, wrong)
    return found
