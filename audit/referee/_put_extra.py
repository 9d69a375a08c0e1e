"""Hands of Put that are not of three cards, or not as dealt.

Source: the household book, section 104, iv and v.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.event import Event, Want
from audit.referee._astray import astray, doubled

if TYPE_CHECKING:
    from audit.referee.put import PutDeal

LAWS = "household book, section 104"


def look_at_deal(deal: PutDeal) -> None:
    """Rule on hands that are not as they had to be dealt."""
    if doubled(deal.deal) or list(astray(deal.law, deal.deal, deal.players, deal.dealer)):
        deal.rule(
            "hands are not the cards at their places of the pack",
            "household book, section 101",
            "deal again",
            seat=deal.dealer,
        )
    for seat, hand in enumerate(deal.deal.hands, start=1):
        if 0 < len(hand) < 3:
            deal.unjudged += 1
        if len(hand) <= 3:
            continue
        deal.extra, deal.phase = seat, "extra"
        mine = seat == deal.dealer
        deal.rule(
            f"{len(hand)} cards dealt to seat {seat}, wanted 3",
            f"{LAWS}, {'v' if mine else 'iv'}",
            "the adversary adds a point, and calls a fresh deal or draws the extra cards"
            if mine
            else "the adversary calls a fresh deal, or the dealer draws the extra cards",
            seat=deal.dealer,
            code="W82",
        )


def want(deal: PutDeal) -> Want:
    """The adversary chooses; then the extra cards are drawn out of the hand."""
    if deal.again:
        held = tuple(deal.hand(deal.extra) or ())
        count = len(held) - 3
        return Want(kind="exchange", seat=deal.extra, cards=held, count=count, words=("extra",))
    chooser = deal.extra if deal.extra != deal.dealer else deal.eldest
    return Want(kind="call", seat=chooser, words=("fresh deal", "draw"))


def choose(deal: PutDeal, event: Event) -> None:
    """Take the choice between a fresh deal and drawing the extra cards."""
    wanted = want(deal)
    if event.seat != wanted.seat:
        deal.rule(
            f"{event.word} by seat {event.seat}, wanted seat {wanted.seat}",
            LAWS,
            "the adversary chooses",
            seat=event.seat,
            code="W82",
        )
    fresh = event.word == "fresh deal"
    if deal.extra == deal.dealer and (fresh or deal.rules.point_and_cards):
        deal.points.append((wanted.seat, "extra cards", 1))
    if fresh:
        deal.phase = "redeal"
    else:
        deal.again = True


def draw(deal: PutDeal, event: Event) -> None:
    """Take the extra cards drawn out of the hand."""
    held = deal.hand(deal.extra)
    over = len(held or ()) - 3
    if event.seat != deal.extra or (held is not None and len(event.cards) != over):
        deal.rule(
            f"{len(event.cards)} cards drawn of seat {event.seat}, "
            f"wanted {over} of seat {deal.extra}",
            LAWS,
            "the extra cards are drawn from the hand",
            seat=event.seat,
            code="W82",
        )
    deal.give_up(event)
    deal.resume()
