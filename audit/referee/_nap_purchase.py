"""Purchase Nap: each buys once, in turn, before any bid, and the number named stands.

Source: Foster, Napoleon, Purchase Nap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.event import Event, Want

if TYPE_CHECKING:
    from audit.referee.nap import NapDeal

LAW = "Foster, Napoleon, Purchase Nap"


def want(deal: NapDeal) -> Want:
    """Return the next purchase, or the cards that are owed for it."""
    if deal.owed:
        return Want(kind="draw", seat=0, count=deal.owed)
    seat = deal.buyers[0]
    cards = tuple(deal.hand(seat) or ())
    most = min(len(cards), deal.left)
    return Want(kind="exchange", seat=seat, cards=cards, count=most, least=0, words=("stock",))


def exchange(deal: NapDeal, event: Event) -> None:
    """Take cards given up for as many of the stock; who is passed over has bought none."""
    seat = event.seat
    if deal.rules.extra != "purchase":
        deal.rule("cards changed that may not be", LAW, "the hand is foul", seat=seat)
        return
    _lacking(deal)
    if seat not in deal.buyers or deal.phase != "buy":
        deal.rule(
            "a second purchase, or one out of turn or after the bids",
            LAW,
            "each buys once, in turn, before any bid; a decision cannot be amended",
            seat=seat,
            code="W45",
        )
    else:
        deal.buyers = deal.buyers[deal.buyers.index(seat) :]
    deal.give_up(event)
    deal.buyer, deal.owed = seat, len(event.cards)
    if not deal.owed:
        bought(deal)


def bought(deal: NapDeal) -> None:
    """Go on to the next buyer, or to the bids."""
    if deal.buyer in deal.buyers:
        deal.buyers.remove(deal.buyer)
    deal.owed = deal.buyer = 0
    if not deal.buyers and deal.phase == "buy":
        deal.phase = "bid"


def _lacking(deal: NapDeal) -> None:
    """Take a hand whose bought cards are not on record as five that nobody knows."""
    if deal.owed:
        deal.unjudged += 1
        deal.unknown(deal.buyer, 5)
    deal.owed = deal.buyer = 0


def end(deal: NapDeal) -> None:
    """Go on to the bids: who has not bought has refused."""
    _lacking(deal)
    deal.phase = "bid"


def draw(deal: NapDeal, event: Event) -> None:
    """Take the cards bought, which are the next of the stock."""
    if not deal.owed or event.seat != deal.buyer:
        deal.rule("cards drawn that were not bought", LAW, "the hand is foul", seat=event.seat)
    elif len(event.cards) != deal.owed:
        deal.rule(
            f"{len(event.cards)} cards drawn, wanted {deal.owed}",
            LAW,
            "the number once named cannot be amended",
            seat=event.seat,
            code="W45",
        )
    pairs = zip(deal.below, event.cards, strict=False)
    if any(a != b for a, b in pairs if b < 52):
        deal.rule(
            "cards were not drawn in the order of the stock",
            LAW,
            "the dealer gives the next cards of the pack",
            seat=deal.dealer,
        )
    deal.below = deal.below[len(event.cards) :]
    deal.left -= len(event.cards)
    paid = deal.account.bought
    paid[event.seat] = paid.get(event.seat, 0) + len(event.cards)
    deal.take_up(event)
    bought(deal)
