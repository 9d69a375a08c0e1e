"""A checker of All Fours, Pitch and California Jack, from Foster's words alone."""

from __future__ import annotations

from collections import Counter

from audit.event import Event
from audit.record import Deal
from tests.laws.outsider import (
    WHIST,
    Book,
    Fault,
    dealt,
    follow_or_trump,
    ordinary,
    plain_suit,
    rank,
    round_from,
    seven_up,
    tricks,
)
from tests.laws.outsider_scores import PIPS

BIDS = ("pass", "one", "two", "three", "four")
SUITS = ("spades", "hearts", "diamonds", "clubs")
CALIFORNIA = {"california_jack", "shasta_sam"}
#: Games whose points go to who wins them, and in which the cards are not turned up.
CAPTURED = {*CALIFORNIA, "pedro"}
AUCTION = {"auction_pitch_sell", "auction_pitch_full_bid", "auction_pitch_board", "smudge"}


def trump_of(deal: Deal) -> int:
    """Return the trump suit: cut for, turned up last, or that of the first card pitched."""
    if deal.game in CALIFORNIA:
        return next(SUITS.index(e.word) for e in deal.events if e.word in SUITS)
    if deal.turnups:
        return deal.turnups[-1] // 13
    return next(e.cards[0] for e in deal.events if e.kind == "play") // 13


def bargain(deal: Deal) -> tuple[int, int, int]:
    """Return who pitches, how many he has to make, and how many the seller is paid.

    The eldest sells, or pitches "without waiting for a bid" for four; he pitches, too, where he
    refuses, for as many as he was bid.  On the board the highest bidder pitches.
    """
    eldest = round_from(deal)[0]
    calls = [e for e in deal.events if e.kind == "call"]
    bids = [(BIDS.index(e.word), e.seat) for e in calls if e.word in BIDS[1:]]
    number, bidder = max(bids, default=(0, eldest))
    said = {e.word for e in calls}
    if "pitch" in said:
        return eldest, 4, 0
    if "refuse" in said:
        return eldest, number, 0
    return bidder, number, number if "accept" in said else 0


def read(deal: Deal) -> Book:
    """Follow suit or trump; a trump led must be followed; the highest trump wins."""
    if deal.turnups:
        return seven_up(deal)
    trump, seats = trump_of(deal), round_from(deal)
    return Book(
        seats=seats,
        leader=0 if deal.game == "pedro" else bargain(deal)[0],
        hands=dealt(deal),
        suit=plain_suit,
        strength=ordinary(WHIST, trump),
        duty=follow_or_trump(plain_suit, trump),
    )


def drawn_amiss(deal: Deal) -> list[Fault]:
    """ "The winner of each trick takes the top card, his adversary taking the next one."

    A stock turned face up shows the last card of the pack on top.
    """
    if deal.game not in CALIFORNIA or deal.order_after_cut is None:
        return []
    stock = list(deal.order_after_cut[12:])
    if deal.game == "california_jack":
        stock.reverse()
    draws = [(k, e) for k, e in enumerate(deal.events) if e.kind == "draw"]
    found, pairs = list[Fault](), zip(draws[::2], draws[1::2], strict=False)
    for trick, pair in zip(tricks(deal, read), pairs, strict=False):
        due = [trick.winner, 3 - pair[0][1].seat]
        for (at, event), seat in zip(pair, due, strict=True):
            if (event.seat, event.cards) != (seat, bytes([stock.pop(0)])):
                found.append(Fault(event=at, what="another card, or another's turn to draw"))
    return found


def sides(deal: Deal) -> int:
    """Return how many score: "when four play, two are partners", but not in an auction."""
    four = len(deal.hands) == 4 and deal.game in ("all_fours_old", "all_fives", "pitch_blind")
    return 2 if four else len(deal.hands)


def points(deal: Deal) -> dict[str, int]:
    """Return the seat (of four with partners: 1 or 2) that makes each point.

    High and Low are his who held them, or in some games who won them, as the Jack.  Game is the
    most pips (in Pedro the Ten of trumps): tied, it is the non-dealer's where a card is turned.
    """
    trump, count, captured = trump_of(deal), sides(deal), deal.game in CAPTURED
    pips, held = Counter(dict.fromkeys(range(1, count + 1), 0)), dict[int, int]()
    made: dict[str, int] = {}
    five = {trump * 13 + 3: 5} if deal.game == "all_fives" else {}
    for trick in tricks(deal, read):
        winner = (trick.winner - 1) % count + 1
        for seat, card in trick.plays:
            pips[winner] += PIPS.get(rank(card), 0) + five.get(card, 0)
            if card // 13 == trump:
                held[card] = winner if captured else (seat - 1) % count + 1
            if card == trump * 13 + 9:
                made["catch jack"] = winner
            if card == trump * 13 + 8 and deal.game == "pedro":
                made["game"] = winner
    if held:
        made["high"], made["low"] = held[max(held)], held[min(held)]
    best = [s for s in pips if pips[s] == max(pips.values())]
    if len(best) > 1 and deal.turnups:
        best = [s for s in best if s != ((deal.dealer_seat or 0) - 1) % count + 1]
    if len(best) == 1 and deal.game != "pedro":
        made["game"] = best[0]
    return made


def _turned(deal: Deal) -> list[Event]:
    """Return the dealer's point for a Jack turned, the gift, and what All Fives pegs at once.

    A Jack of the suit that the dealer declined by running the cards is not scored; of three
    players he gives to both adversaries.
    """
    trump, dealer, seats = trump_of(deal), deal.dealer_seat or 0, round_from(deal)
    turned = [c for k, c in enumerate(deal.turnups) if not k or c // 13 != deal.turnups[0] // 13]
    found = [Event(kind="score", seat=dealer, word="jack", number=1)] * sum(
        rank(c) == "J" for c in turned
    )
    if any(e.word == "give" for e in deal.events):
        given = seats[:-1] if len(seats) == 3 else seats[:1]
        found += [Event(kind="score", seat=s, word="gift", number=1) for s in given]
    for trick in tricks(deal, read) if deal.game == "all_fives" else ():
        mine = [c for _, c in trick.plays if c // 13 == trump]
        pegs = sum(5 if rank(c) == "5" else PIPS.get(rank(c), 0) for c in mine)
        if pegs:
            found.append(Event(kind="score", seat=trick.winner, word="peg", number=pegs))
    return found


def owed(deal: Deal) -> Counter[Event]:
    """Return the points of a deal as scored, a partnership's at its first seat.

    A pitcher who fails to make the number bid is set back by it "and scores nothing".  At
    Smudge who bids four and makes it wins: he scores what is missing to seven.
    """
    made = points(deal)
    found = _turned(deal)
    if deal.game in AUCTION:
        pitcher, number, sold = bargain(deal)
        bid = sum(BIDS.index(e.word) for e in deal.events if e.word in BIDS and e.seat == pitcher)
        own = sum(s == pitcher for s in made.values())
        if sold:
            found.append(Event(kind="score", seat=round_from(deal)[0], word="sale", number=sold))
        if own < number:
            found.append(Event(kind="score", seat=pitcher, word="penalty", number=number))
            made = {w: s for w, s in made.items() if s != pitcher}
        elif deal.game == "smudge" and bid == 4:
            found.append(Event(kind="score", seat=pitcher, word="smudge", number=3))
    found += [Event(kind="score", seat=s, word=w, number=1) for w, s in made.items()]
    return Counter(found)
