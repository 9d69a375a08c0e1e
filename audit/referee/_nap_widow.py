"""The widow of five that a bidder of nap takes, and the one card that may be peeped at.

Source: Foster, Napoleon, Widows, Peep Nap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.event import Event, Want

if TYPE_CHECKING:
    from audit.referee.nap import NapDeal


def source(deal: NapDeal) -> str:
    """Return the law of the widow in this game."""
    return f"Foster, Napoleon, {'Peep Nap' if deal.rules.extra == 'peep' else 'Widows'}"


def want(deal: NapDeal) -> Want:
    """Return the widow to be taken up, or the cards to be laid aside for it."""
    if not deal.taken:
        return Want(kind="draw", seat=0, count=deal.law.widow)
    cards = tuple(deal.hand(deal.bids.bidder) or ())
    count = deal.law.widow
    return Want(kind="exchange", seat=deal.bids.bidder, cards=cards, count=count, words=("widow",))


def look(deal: NapDeal, event: Event) -> None:
    """Take a look at the widow, or at a trick that is turned."""
    if event.word == "trick":
        deal.rule(
            "a trick turned and quitted was looked at again",
            "Foster, Napoleon, Method of Playing",
            "it cannot be seen again",
            seat=event.seat,
            code="W39",
        )
        return
    if event.word not in ("widow", "nothing"):
        deal.unjudged += 1
        return
    if event.word == "widow":
        peep(deal, event.seat)
    if event.seat in deal.looking:
        deal.looking = deal.looking[deal.looking.index(event.seat) + 1 :]
    deal.after_bid()


def peep(deal: NapDeal, seat: int) -> None:
    """Take a peep: in turn, before bidding, or after a nap."""
    law = "Foster, Napoleon, Peep Nap"
    if deal.rules.extra != "peep":
        deal.rule("a look at cards that nobody may see", law, "it is no peep", seat=seat)
        return
    if seat not in deal.looking or _must_speak_first(deal, seat):
        deal.rule(
            f"a peep out of turn by seat {seat}",
            law,
            "each may peep in turn, before bidding or passing",
            seat=seat,
            code="W42",
        )
    deal.looked.add(seat)
    deal.account.peeps[seat] = deal.account.peeps.get(seat, 0) + 1


def _must_speak_first(deal: NapDeal, seat: int) -> bool:
    waiting = deal.bids.waiting
    return not deal.bids.closed and bool(waiting) and waiting[0] != seat


def lay_aside(deal: NapDeal, event: Event) -> None:
    """Take the cards that the highest bidder lays aside."""
    law = source(deal)
    if event.seat != deal.bids.bidder or len(event.cards) != deal.law.widow:
        deal.rule(
            f"{len(event.cards)} cards laid aside by seat {event.seat}, "
            f"wanted {deal.law.widow} by seat {deal.bids.bidder}",
            law,
            "the highest bidder reduces his hand to five cards",
            seat=event.seat,
        )
    if not deal.taken:
        deal.unjudged += 1
    deal.give_up(event)
    deal.phase = "play"


def take(deal: NapDeal, event: Event) -> None:
    """Take the widow into the hand of the highest bidder."""
    law = source(deal)
    if event.seat != deal.bids.bidder or deal.taken:
        deal.rule(
            f"the widow taken by seat {event.seat}, wanted seat {deal.bids.bidder}, once",
            law,
            "the highest bidder takes it",
            seat=event.seat,
        )
    known = {c for c in event.cards if c < 52}
    widow = {c for c in deal.deal.widow if c < 52}
    if len(event.cards) != deal.law.widow or (len(widow) == deal.law.widow and not known <= widow):
        deal.rule(
            "cards taken that are not the widow",
            law,
            "the hand is foul",
            seat=event.seat,
        )
    deal.take_up(event)
    deal.taken = True
