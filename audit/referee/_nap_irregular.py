"""Misdeals of Napoleon and what else is found: who deals again, what stands.

Source: Foster, Napoleon, Misdealing, Irregularities in Hands, Method of Playing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.event import Event

if TYPE_CHECKING:
    from audit.referee.nap import NapDeal

MISDEALING = "Foster, Napoleon, Misdealing"
#: What makes a misdeal until the first card is led.
MISDEALS = ("faced card", "exposed", "unequal round", "not cut")
#: What a player has to claim before he bids or passes.
NUMBERS = ("too many cards", "too few cards")


def irregular(deal: NapDeal, event: Event) -> None:
    """Take something found: it makes a misdeal, is put right, or stands."""
    word = event.word
    if word in NUMBERS and event.seat in deal.bids.spoken:
        deal.rule(
            f"{word} claimed by seat {event.seat} after he had spoken",
            "Foster, Napoleon, Irregularities in Hands",
            "the deal stands and is played out",
            seat=event.seat,
        )
    elif word in (*MISDEALS, *NUMBERS) and deal.phase in ("buy", "bid"):
        deal.misdealt, deal.phase = word, "redeal"
    elif word == "dealt out of turn":
        deal.wrong_dealer = True
    elif word == "taken back":
        if not deal.play.take_back(event):
            deal.unjudged += 1
    elif word == "gathered face up":
        deal.rule(
            "tricks gathered face up",
            "Foster, Napoleon, Method of Playing",
            "tricks are turned down: faced cards make misdeals",
            seat=event.seat,
            code="W31",
        )
    elif word == "replay":
        replay(deal, event)
    else:
        deal.unjudged += 1


def replay(deal: NapDeal, event: Event) -> None:
    """Take the hand played again after a revoke: the English rule, and no other."""
    if not deal.rules.replay or not deal.revoker:
        deal.rule(
            "the hand was played again",
            "Foster, Napoleon, Revokes",
            "when a revoke is claimed the hands are abandoned",
            seat=event.seat,
            code="W36",
        )
        return
    deal.play.again()


def redeal(deal: NapDeal, event: Event) -> None:
    """Take the end of a deal that is not played: only a misdeal allows it."""
    if deal.phase != "redeal":
        deal.rule(
            "the deal was abandoned without a misdeal",
            MISDEALING,
            "a deal out of turn must be finished"
            if deal.wrong_dealer
            else "hands are never abandoned except in case of a misdeal",
            seat=event.seat,
            code="W41" if deal.wrong_dealer else "LAW",
        )
    deal.phase, deal.redealt = "over", True
