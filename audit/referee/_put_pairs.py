"""Four-handed Put: one of each pair gives his best card to his partner.

Source: the household book, section 103.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.event import Event, Want
from audit.referee._put_hands import extremes

if TYPE_CHECKING:
    from audit.referee.put import PutDeal

FOUR = "household book, section 103"


def want(deal: PutDeal) -> Want:
    """Return what the pair in turn has to say or to change."""
    if not deal.giver:
        return Want(kind="call", seat=deal.pairs[0], words=("receive", "give"))
    if not deal.thrown:
        cards = extremes(deal.order, deal.hand(deal.receiver) or [], best=False)
        return Want(kind="exchange", seat=deal.receiver, cards=tuple(cards), words=("discard",))
    if not deal.gave:
        cards = extremes(deal.order, deal.hand(deal.giver) or [], best=True)
        return Want(kind="exchange", seat=deal.giver, cards=tuple(cards), words=("partner",))
    return Want(kind="draw", seat=0)


def exchange(deal: PutDeal, event: Event) -> None:
    """Take the worst card thrown, or the best card given."""
    wanted = want(deal) if deal.phase == "pairs" and deal.giver else None
    if wanted is None or wanted.kind != "exchange":
        deal.rule("cards changed that may not be", FOUR, "deal again", seat=event.seat)
        return
    if event.seat != wanted.seat or len(event.cards) != 1:
        deal.rule(
            f"{len(event.cards)} cards of seat {event.seat}, wanted 1 of seat {wanted.seat}",
            FOUR,
            "the partner first throws his worst, then has the other's best card",
            seat=event.seat,
        )
    elif deal.hand(event.seat) is not None and event.cards[0] not in (*wanted.cards, 255):
        which = "best" if deal.thrown else "worst"
        deal.rule(
            f"the card is not the {which} of the hand",
            FOUR,
            "he gives his best card, and the partner throws his worst",
            seat=event.seat,
        )
    deal.give_up(event)
    if not deal.thrown:
        deal.thrown = True
    else:
        deal.gave, deal.gift = True, event.cards


def draw(deal: PutDeal, event: Event) -> None:
    """Take the partner's card into the hand."""
    if deal.phase != "pairs" or not deal.gave:
        deal.rule("a card taken that was not given", FOUR, "deal again", seat=event.seat)
        return
    if event.seat != deal.receiver or (
        event.cards != deal.gift and b"\xff" not in (event.cards, deal.gift)
    ):
        deal.rule(
            f"the card taken by seat {event.seat} is not the one given to {deal.receiver}",
            FOUR,
            "the partner has the best card of the other",
            seat=event.seat,
        )
    if deal.receiver < len(deal.hands):
        deal.hands[deal.receiver] += event.cards
    deal.players_of.append(deal.receiver)
    deal.pairs = deal.pairs[1:]
    deal.giver, deal.thrown, deal.gave, deal.gift = 0, False, False, b""
    if not deal.pairs:
        deal.engage(deal.players_of)
