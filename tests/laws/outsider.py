"""A checker of play written from the words of the books alone.

It shares nothing with the referee: cards, ranks, duties and winners are written out here a
second time, from Foster's *Complete Hoyle* and *Enquire Within*.  It reads only what a record
holds.  Cards are the record's numbers: rank `card % 13` from the two, suit `card // 13`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from audit.event import Event
from audit.record import Deal

HEARTS = 1
#: In the place of a winner: the record does not show what decides.
UNSURE = -1
#: The other suit of the same colour: spades and clubs, hearts and diamonds.
FELLOW = {0: 3, 3: 0, 1: 2, 2: 1}
WHIST = "23456789TJQKA"
ECARTE = "789TAJQK"
PUT = "456789TJQKA23"


@dataclass(frozen=True, kw_only=True)
class Book:
    """The words of one book for one deal.

    *suit* is the suit a card belongs to; *strength* of a card in a trick led in a suit,
    below 0 where it cannot win; *duty* the cards of a hand that may follow the cards played
    so far (none: it leads).  *leader* leads first among *seats*, in order of play (0: whoever
    does).  Seats of one *side* may gather each other's tricks.  *robbed* is what a seat that
    robs takes up.  Where its words change within a deal, *later* gives those of a trick, from 0.
    """

    seats: tuple[int, ...]
    leader: int
    hands: dict[int, list[int]]
    suit: Callable[[int], int]
    strength: Callable[[int, int], int]
    duty: Callable[[Sequence[int], Sequence[int]], Sequence[int]]
    side: Callable[[int], int] = int
    robbed: Callable[[int], Sequence[int]] | None = None
    later: Callable[[int], Book] | None = None
    sure: bool = True

    def of_trick(self, number: int) -> Book:
        """Return the words that hold for a trick, numbered from 0."""
        return self.later(number) if self.later else self


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is wrong at event *event* of a deal."""

    event: int
    what: str


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One play: what was held, what might be played, and whose turn it was (*due*, 0: a tie)."""

    event: int
    seat: int
    due: int
    held: tuple[int, ...]
    legal: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Trick:
    """A whole trick: the seats and cards in order, and who wins it (0: a tie, or `UNSURE`)."""

    plays: tuple[tuple[int, int], ...]
    winner: int
    last: int


def rank(card: int) -> str:
    """Return the letter of a card's rank."""
    return WHIST[card % 13]


def plain_suit(card: int) -> int:
    """Return the printed suit of a card."""
    return card // 13


def ordinary(order: str, trump: int) -> Callable[[int, int], int]:
    """ "The highest card played of the suit led wins the trick, and trumps win all others." """

    def strength(card: int, led: int) -> int:
        if plain_suit(card) == trump:
            return 100 + order.index(rank(card))
        return order.index(rank(card)) if plain_suit(card) == led else -1

    return strength


def round_from(deal: Deal, out: frozenset[int] = frozenset()) -> tuple[int, ...]:
    """Return the seats that hold cards and play, the eldest first, the dealer (if so) last."""
    count = len(deal.hands)
    first = (deal.dealer_seat or count) + 1
    seats = ((first + k - 1) % count + 1 for k in range(count))
    return tuple(s for s in seats if s not in out and deal.hands[s - 1])


def dealt(deal: Deal) -> dict[int, list[int]]:
    """Return the hands as dealt, by seat."""
    return {seat: list(hand) for seat, hand in enumerate(deal.hands, 1)}


def passed(deal: Deal) -> frozenset[int]:
    """Return the seats that said they pass."""
    return frozenset(e.seat for e in deal.events if e.kind == "call" and e.word == "pass")


def seven_up(deal: Deal) -> Book:
    """Foster, Seven-Up: follow suit or trump; a trump led must be followed.

    Each run is three more cards to each, the eldest first; the last card turned is trumps.
    """
    trump = deal.turnups[-1] // 13
    seats, hands = round_from(deal), dealt(deal)
    for at in range(0, len(deal.runs), 3):
        hands[seats[at // 3 % len(seats)]] += deal.runs[at : at + 3]

    return Book(
        seats=seats,
        leader=seats[0],
        hands=hands,
        suit=plain_suit,
        strength=ordinary(WHIST, trump),
        duty=follow_or_trump(plain_suit, trump),
    )


def follow_or_trump(
    suit: Callable[[int], int], trump: int
) -> Callable[[Sequence[int], Sequence[int]], Sequence[int]]:
    """ "If he does not trump, he must follow suit if he can." """

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        same = [c for c in hand if trick and suit(c) == suit(trick[0])]
        if not same:
            return hand
        return [c for c in hand if suit(c) in (suit(trick[0]), trump)]

    return duty


def nap(deal: Deal) -> Book:
    """Foster, Napoleon: the highest bidder leads a trump; follow suit if able.

    "One of the other side should gather all tricks won by the adversaries of the bidder."
    """
    bids = [e for e in deal.events if e.kind == "call" and e.word != "pass"]
    lead = next((e.cards[0] for e in deal.events if e.kind == "play"), 0)

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        return [c for c in hand if trick and c // 13 == trick[0] // 13] or hand

    return Book(
        seats=round_from(deal),
        leader=bids[-1].seat if bids else 0,
        hands=dealt(deal),
        suit=plain_suit,
        strength=ordinary(WHIST, lead // 13),
        duty=duty,
        side=lambda seat: int(bool(bids) and seat == bids[-1].seat),
    )


def heading(
    strength: Callable[[int, int], int],
    trump: int,
    *,
    under: bool,
    suit: Callable[[int], int] = plain_suit,
) -> Callable[[Sequence[int], Sequence[int]], Sequence[int]]:
    """ "He must head the trick if he can"; void, he must trump; *under* a higher trump too.

    A trick that is trumped cannot be headed in a plain suit: then he need only follow.
    """

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        if not trick:
            return hand
        led = suit(trick[0])
        best = max(strength(c, led) for c in trick)
        same = [c for c in hand if suit(c) == led]
        if same:
            return [c for c in same if strength(c, led) > best] or same
        trumps = [c for c in hand if suit(c) == trump]
        return [c for c in trumps if under or strength(c, led) > best] or hand

    return duty


def ecarte(deal: Deal) -> Book:
    """Foster, Écarté: K Q J A 10 9 8 7; "the player must win the trick if he can".

    The household book's "must follow suit, or win the trick if he can" is taken in the same
    sense; its bare words would also let a follower lose, or trump though able to follow.
    """
    trump = deal.turnups[0] // 13
    seats = round_from(deal)
    return Book(
        seats=seats,
        leader=seats[0],
        hands=dealt(deal),
        suit=plain_suit,
        strength=ordinary(ECARTE, trump),
        duty=heading(ordinary(ECARTE, trump), trump, under=False),
    )


def loo(deal: Deal) -> Book:
    """Foster, Loo, double pools: lead trumps if able, the ace (K if it is turned) first of all.

    "He must trump or over-trump if he can; but he need not under-trump."
    """
    turned, seats, hands = deal.turnups[0], round_from(deal, passed(deal)), dealt(deal)
    for event in deal.events:
        if event.kind == "call" and event.word in ("widow", "defend"):
            hands[event.seat] = list(deal.widow)
    follow = heading(ordinary(WHIST, turned // 13), turned // 13, under=False)
    best = turned - 1 if rank(turned) == "A" else turned // 13 * 13 + 12

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        if trick:
            return follow(hand, trick)
        if len(hand) == 3 and best in hand:
            return [best]
        return [c for c in hand if c // 13 == turned // 13] or hand

    return Book(
        seats=seats,
        leader=seats[0] if seats else 0,
        hands=hands,
        suit=plain_suit,
        strength=ordinary(WHIST, turned // 13),
        duty=duty,
    )


#: Plain suits, best first: "highest in red; lowest in black".
RED, BLACK = "KQJT98765432A", "KQJA23456789T"


def spoil_five(deal: Deal) -> Book:
    """Foster, Spoil Five: five, Jack, ace of hearts and ace are best; reneging with the three.

    An ace of trumps whose holder did not say so is the lowest trump, and the ace of hearts
    then has no privilege.
    """
    turned = deal.turnups[0]
    trump, ace, heart_ace = turned // 13, turned // 13 * 13 + 12, HEARTS * 13 + 12
    five, jack = trump * 13 + 3, trump * 13 + 9
    owner = next((s for s, hand in dealt(deal).items() if ace in hand), 0)
    shown = [
        e.word or e.kind for e in deal.events if e.seat == owner and e.kind in ("call", "play")
    ]
    said = shown[:1] in (["rob"], ["turn down"])
    weak = owner != 0 and not said
    top = [five, jack, heart_ace, ace]
    order = {c: 100 - k for k, c in enumerate(dict.fromkeys(top))}

    def suit(card: int) -> int:
        return trump if card == heart_ace else card // 13

    def strength(card: int, led: int) -> int:
        letters = RED if card // 13 in (1, 2) else BLACK
        value = 20 - letters.index(rank(card))
        if suit(card) != trump:
            return value if suit(card) == led else -1
        return 50 if weak and card == ace else order.get(card, 60 + value)

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        if not trick or suit(trick[0]) != trump:
            return follow_or_trump(suit, trump)(hand, trick)
        trumps = [c for c in hand if suit(c) == trump]
        free = [c for c in (five, jack, heart_ace) if not (weak and c == ace)]
        lead = strength(trick[0], trump)
        if all(c in free and strength(c, trump) > lead for c in trumps):
            return hand
        return trumps

    seats = round_from(deal)
    return Book(
        seats=seats,
        leader=seats[0],
        hands=dealt(deal),
        suit=suit,
        strength=strength,
        duty=duty,
    )


def rams(deal: Deal) -> Book:
    """Foster, Rams: head the trick; void, trump "even if the trick is already trumped"."""
    calls = [e for e in deal.events if e.kind == "call"]
    general = [e.seat for e in calls if e.word == "general"]
    seats = round_from(deal, frozenset() if general else passed(deal))
    hands = dealt(deal)
    for event in calls:
        if event.word == "widow":
            hands[event.seat] = list(deal.widow)
    trump = deal.turnups[0] // 13
    return Book(
        seats=seats,
        leader=general[0] if general else (seats[0] if seats else 0),
        hands=hands,
        suit=plain_suit,
        strength=ordinary(ECARTE, trump),
        duty=heading(ordinary(ECARTE, trump), trump, under=True),
    )


def euchre(deal: Deal) -> Book:
    """Enquire Within, Euchre: bowers above the trumps; "follow suit or trump, or throw away".

    Taken as: follow if able, the left bower being a trump.  The bare words would also let a
    player trump though able to follow.
    """
    named = [e.word for e in deal.events if e.kind == "call" and e.word in "SHDC"]
    trump = "SHDC".index(named[-1]) if named else deal.turnups[0] // 13
    right, left = trump * 13 + 9, FELLOW[trump] * 13 + 9

    def suit(card: int) -> int:
        return trump if card == left else card // 13

    def strength(card: int, led: int) -> int:
        if card in (left, right):
            return 200 + (card == right)
        value = "789TJQKA".index(rank(card))
        if suit(card) == trump:
            return 100 + value
        return value if suit(card) == led else -1

    def duty(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
        return [c for c in hand if trick and suit(c) == suit(trick[0])] or hand

    seats, hands = round_from(deal), dealt(deal)
    for event in deal.events:
        if event.kind == "call" and event.word in ("order", "play"):
            hands[seats[-1]].append(deal.turnups[0])
    return Book(seats=seats, leader=seats[0], hands=hands, suit=suit, strength=strength, duty=duty)


def put(deal: Deal) -> Book:
    """Foster, Put: 3 2 A K down to 4, suits for nothing; any card may be played.

    Of four, those who give their partners their best card play no further.
    """
    gave = (e.seat for e in deal.events if e.kind == "exchange" and e.word == "partner")
    seats = round_from(deal, frozenset(gave))
    return Book(
        seats=seats,
        leader=seats[0],
        hands=dealt(deal),
        suit=lambda card: 0,
        strength=lambda card, led: PUT.index(rank(card)),
        duty=lambda hand, trick: hand,
    )


def _change(hand: list[int], event: Event, deal: Deal, book: Book) -> None:
    """Take into *hand* what *event* gives, and give up what it gives up."""
    if event.kind == "draw":
        hand += event.cards
    elif event.kind == "call" and event.word == "rob":
        hand += book.robbed(event.seat) if book.robbed else deal.turnups[:1]
    elif event.kind == "exchange":
        for card in event.cards:
            if card in hand:
                hand.remove(card)


def turns(deal: Deal, book: Book) -> Iterator[Turn | Trick]:
    """Yield each play and each whole trick of a deal, in order.

    A deal that goes astray goes on as the record says: the seat that plays is taken as it is.
    """
    hands = {seat: list(hand) for seat, hand in book.hands.items()}
    trick: list[tuple[int, int]] = []
    due, number = book.leader, 0
    for at, event in enumerate(deal.events):
        if event.kind != "play":
            if event.seat in hands:
                _change(hands[event.seat], event, deal, book)
            continue
        hand, card, now = hands[event.seat], event.cards[0], book.of_trick(number)
        legal = now.duty(hand, [c for _, c in trick])
        yield Turn(event=at, seat=event.seat, due=due, held=tuple(hand), legal=tuple(legal))
        if card in hand:
            hand.remove(card)
        trick.append((event.seat, card))
        first = book.seats.index(trick[0][0]) if trick[0][0] in book.seats else 0
        done = {seat for seat, _ in trick}
        order = book.seats[first:] + book.seats[:first]
        due = next((s for s in order if s not in done), order[0])
        if len(trick) == len(book.seats):
            led = now.suit(trick[0][1])
            power = [now.strength(c, led) for _, c in trick]
            tie = power.count(max(power)) > 1
            due = 0 if tie else trick[power.index(max(power))][0]
            yield Trick(plays=tuple(trick), winner=due if now.sure else UNSURE, last=at)
            trick, number = [], number + 1


def faults(deal: Deal, read: Callable[[Deal], Book]) -> list[Fault]:
    """Return the plays that break a duty or a turn, and the tricks that go to another seat."""
    if not _played(deal):
        return []
    found, book = [], read(deal)
    winners: dict[int, int] = {}
    for step in turns(deal, book):
        if isinstance(step, Trick):
            winners[step.last] = step.winner
        elif step.due not in (0, step.seat):
            found.append(Fault(event=step.event, what=f"seat {step.due} was to play"))
        elif deal.events[step.event].cards[0] not in step.legal:
            found.append(Fault(event=step.event, what="this card may not be played"))
    for at, event in enumerate(deal.events):
        if event.kind == "trick":
            last = max((k for k in winners if k < at), default=-1)
            won = winners.get(last, 0)
            if won != UNSURE and book.side(won) != book.side(event.seat):
                found.append(Fault(event=at, what="the trick is another's"))
    return found


def _played(deal: Deal) -> bool:
    return any(e.kind == "play" for e in deal.events)


def tricks(deal: Deal, read: Callable[[Deal], Book]) -> list[Trick]:
    """Return the whole tricks of a deal."""
    steps = turns(deal, read(deal)) if _played(deal) else iter(())
    return [s for s in steps if isinstance(s, Trick)]
