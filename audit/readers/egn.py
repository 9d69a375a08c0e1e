"""Euchre Game Notation: one JSON document a game, one record for each of its deals.

The deal is never written out: hands come from the tricks, whose leaders follow
from the rules.  What the dealer put out for the turn-up is often not told and
stands as an unknown card of his hand; a partner who sits out has no known hand.
Analysis (`alternativeLines`, annotations) is no play and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from audit.cards import RANKS, SUITS, UNKNOWN
from audit.errors import printable
from audit.event import Event
from audit.format import PIECE, Reader, Stream
from audit.ranks import Order, winner
from audit.record import Deal, Flaw, Holds, Record
from audit.rules.euchre import BOWERS

#: A game of more bytes than this is one flaw.
LARGEST = 1 << 24
CARDS, SEATS = 5, 4
_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}
_LEADS = {"LEFT_OF_LONER": "left of loner", "LEFT_OF_DEALER": "left of dealer"}
_MARK = re.compile(rb'"fileType"\s*:\s*"Euchre Game Notation"')


def _card(text: object, trump: int) -> int:
    """Return a card; the bowers by name and unknown ranks or suits are allowed."""
    if not isinstance(text, str) or not text:
        raise ValueError(printable(f"no card: {text!r}"))
    rank = text[0].upper().replace("N", "9")
    if rank in "RL":
        if trump < 0:
            return UNKNOWN
        suit = SUITS[trump] if rank == "R" else _COLOUR[SUITS[trump]]
        return 13 * SUITS.index(suit) + RANKS.index("J")
    suit = text[1:].upper()
    if (rank in "9TJQKA" or rank == "X") and suit in ("X", "T", "N", "G"):
        return UNKNOWN
    if rank == "X" and suit in tuple(SUITS):
        return UNKNOWN
    if rank not in "9TJQKA" or suit not in tuple(SUITS):
        raise ValueError(printable(f"no card: {text!r}"))
    return 13 * SUITS.index(suit) + RANKS.index(rank)


def _list(holder: Mapping[str, Any], name: str) -> list[Any]:
    value = holder.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{name} is no list")
    return value


def _phase(deal: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = [p for p in _list(deal, "phases") if isinstance(p, dict) and p.get("type") == name]
    return found[0] if found else {}


class _Bidding:
    """Who made which trump, and the events up to the first lead."""

    def __init__(self, deal: Mapping[str, Any], dealer: int, turned: int) -> None:
        phase = _phase(deal, "EUCHRE_BIDDING")
        self.events: list[Event] = []
        self.maker, self.trump, self.takes = 0, -1, False
        seat = dealer
        for call in _list(phase, "calls"):
            seat = seat % SEATS + 1
            self.events.append(self._call(call, seat, dealer, turned))
        self.alone = phase.get("isAlone") is True and self.maker > 0
        if self.alone:
            self.events.append(Event(kind="call", seat=self.maker, word="alone"))
        told = phase.get("discard")
        self.discard = _card(told, self.trump) if told else UNKNOWN

    def _call(self, call: object, seat: int, dealer: int, turned: int) -> Event:
        word = call.upper() if isinstance(call, str) else ""
        if word == "PASS":
            return Event(kind="call", seat=seat, word="pass")
        self.maker = seat
        if word == "ORDER":
            self.takes, self.trump = True, turned // 13 if turned < 52 else -1
            return Event(kind="call", seat=seat, word="play" if seat == dealer else "order")
        if word not in tuple(SUITS):
            raise ValueError(printable(f"no call: {call!r}"))
        self.trump = SUITS.index(word)
        return Event(kind="call", seat=seat, word=word)

    def ring(self, dealer: int, lead: str) -> list[int]:
        """Return the seats that play, the first leader first."""
        first = self.maker if self.alone and lead == "left of loner" else dealer
        out = (self.maker + 1) % SEATS + 1 if self.alone else 0
        seats = [(first + k) % SEATS + 1 for k in range(SEATS)]
        return [seat for seat in seats if seat != out]


def _plays(
    tricks: Sequence[Any], ring: list[int], order: Order, trump: int
) -> Iterator[tuple[int, int]]:
    """Yield (seat, card); it ends after a trick whose winner cannot be known.

    Raises: ValueError for a trick of a wrong number of cards that is not the last.
    """
    for number, trick in enumerate(tricks, 1):
        if not isinstance(trick, list) or len(trick) > len(ring) or number > CARDS:
            raise ValueError(f"trick {number} is none of at most {len(ring)} cards, of five")
        cards = [_card(text, trump) for text in trick]
        yield from zip(ring, cards, strict=False)
        if len(cards) < len(ring):
            if number < len(tricks):
                raise ValueError(f"{len(cards)} cards in trick {number}, wanted {len(ring)}")
            return
        if UNKNOWN in cards:
            return
        at = winner(order, cards)
        ring = ring[at:] + ring[:at]


def _told(state: Mapping[str, Any], trump: int) -> list[bytes]:
    """Return the hands that the file gives outright, empty where it does not."""
    hands = [b""] * SEATS
    given = _list(state, "playerCards") or _list(state, "player_cards")
    for seat, hand in enumerate(given[:SEATS]):
        if isinstance(hand, list) and len(hand) == CARDS and all(hand):
            hands[seat] = bytes(_card(text, trump) for text in hand)
    return hands


def _hand(seat: int, played: list[int], bid: _Bidding, dealer: int, turned: int) -> bytes:
    """Return the hand that *seat* was dealt, from what it played: five cards or none."""
    if not played:
        return b""
    cards = list(played)
    if seat == dealer and bid.takes:
        if turned in cards:
            cards.remove(turned)
            cards.append(bid.discard)
        elif len(cards) < CARDS:
            cards.append(bid.discard)
    return bytes((cards + [UNKNOWN] * CARDS)[:CARDS])


def _deal(deal: Mapping[str, Any], line: int, time: str | None, lead: str) -> Deal:
    state = deal.get("initialState")
    if not isinstance(state, dict):
        raise ValueError("no initialState")
    at = state.get("dealer")
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at < SEATS:
        raise ValueError(printable(f"no dealer: {at!r}"))
    dealer, turned = at + 1, _card(state.get("upCard"), -1)
    bid = _Bidding(deal, dealer, turned)
    phase = _phase(deal, "TRICK_PLAY")
    tricks, ring = _list(phase, "tricks"), bid.ring(dealer, lead)
    told = phase.get("initialLead")
    if isinstance(told, int) and told + 1 in ring:
        first = ring.index(told + 1)
        ring = ring[first:] + ring[:first]
    if tricks and bid.trump < 0:
        raise ValueError("tricks, but nobody made a trump that is known")
    plays = list(_plays(tricks, ring, BOWERS.order(bid.trump), bid.trump))
    played: dict[int, list[int]] = {seat: [] for seat in range(1, SEATS + 1)}
    for seat, card in plays:
        played[seat].append(card)
    hands = _told(state, bid.trump)
    for seat in played:
        hands[seat - 1] = hands[seat - 1] or _hand(seat, played[seat], bid, dealer, turned)
    events = list(bid.events)
    if bid.takes:
        events.append(
            Event(kind="exchange", seat=dealer, cards=_put_out(bid, played, dealer, turned))
        )
    events += [Event(kind="play", seat=seat, cards=bytes([card])) for seat, card in plays]
    number = deal.get("dealNumber")
    return Deal(
        game="euchre_4",
        line=line,
        number=str(number) if isinstance(number, int) else None,
        time=time,
        options={"pack": "24", "alone": "yes", "lead": lead},
        players=SEATS,
        dealer_seat=dealer,
        hands=tuple(hands) if any(hands) else (),
        turnups=bytes([turned]) if turned != UNKNOWN else b"",
        cut_short=bool(bid.maker) and len(plays) < CARDS * len(ring),
        events=tuple(events),
    )


def _put_out(bid: _Bidding, played: Mapping[int, list[int]], dealer: int, turned: int) -> bytes:
    """Return the card that the dealer put out: as told, or the turn-up itself if not played."""
    mine = played[dealer]
    if bid.discard == UNKNOWN and len(mine) == CARDS and turned not in mine and UNKNOWN not in mine:
        return bytes([turned])
    return bytes([bid.discard])


def _content(stream: Stream) -> bytes | None:
    """Return the whole content, None where it is too large."""
    parts, size = [], 0
    while chunk := stream.read(PIECE):
        parts.append(chunk)
        size += len(chunk)
        if size > LARGEST:
            return None
    return b"".join(parts).removeprefix(b"\xef\xbb\xbf")


def _line_numbers(data: bytes, count: int) -> list[int]:
    """Return the line of each deal; the first line where the marks do not match the deals."""
    ends = [m.start() for m in re.finditer(rb'"dealNumber"', data)]
    if len(ends) != count:
        return [1] * count
    lines, line, at = [], 1, 0
    for end in ends:
        line, at = line + data.count(b"\n", at, end), end
        lines.append(line)
    return lines


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield one record for each deal of the game, in file order."""
    data = _content(stream)
    if data is None:
        yield Flaw(line=1, field="file", why="longer than 16 MiB")
        return
    try:
        game = msgspec.json.decode(data)
        if not isinstance(game, dict):
            raise ValueError("no JSON object")
        deals = _list(game, "deals")
    except (ValueError, RecursionError) as problem:
        yield Flaw(line=1, field="file", why=printable(str(problem)))
        return
    about = game.get("metadata")
    about = about if isinstance(about, dict) else {}
    rules, date = about.get("ruleset"), about.get("date")
    lead = str(rules.get("loner_lead")) if isinstance(rules, dict) else ""
    lead = _LEADS.get(lead, "left of dealer")
    time = printable(date) if isinstance(date, str) else None
    for deal, line in zip(deals, _line_numbers(data, len(deals)), strict=True):
        try:
            if not isinstance(deal, dict):
                raise ValueError("no JSON object")
            yield _deal(deal, line, time, lead)
        except ValueError as problem:
            yield Flaw(line=line, field="deal", why=printable(str(problem)))


def sniff(head: bytes, name: str) -> bool:
    """Say whether *head* names the notation."""
    return _MARK.search(head) is not None


READER = Reader(
    id="egn",
    title="Euchre Game Notation",
    suffixes=(".egn",),
    game="euchre_4",
    holds=Holds(order="unknown", exposure="played out", turnup="seen"),
    sniff=sniff,
    read=read,
)
