"""What a record shows in part is taken as if it did not show it at all.

Source: none; a card that nobody wrote down is no breach of anybody's.
"""

from __future__ import annotations

from msgspec import structs

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import Deal
from audit.rules.nap import Nap

#: With so many at the table a dealer may take no cards (Foster, Napoleon).
ONE_SITS_OUT = 5


def without_hidden(law: Law, deal: Deal) -> Deal:
    """Return *deal* without the hands, widow, board and cards run that hold a card not known.

    Turn-ups end before the first that is not known.  What lies below them in the order of the
    pack is told by what was dealt, so where a hand is left out the order is, too; only a
    dealer may have had none.
    """
    every = b"".join((*deal.hands, deal.widow, deal.turnups, deal.board, deal.runs))
    if UNKNOWN not in every and (deal.order_after_cut is None or _below_is_known(law, deal)):
        return deal
    parts = {"widow": deal.widow, "board": deal.board, "runs": deal.runs}
    return structs.replace(
        deal,
        hands=tuple(_if_known(hand) for hand in deal.hands),
        turnups=deal.turnups.partition(bytes([UNKNOWN]))[0],
        order_after_cut=None,
        **{name: _if_known(cards) for name, cards in parts.items()},
    )


def _if_known(cards: bytes) -> bytes:
    return b"" if UNKNOWN in cards else cards


def _below_is_known(law: Law, deal: Deal) -> bool:
    """Return whether every hand stands in the record, or none, which the order then tells."""
    players = deal.players or len(deal.hands)
    if all(deal.hands):
        return len(deal.hands) in (0, players)
    empty = [seat for seat, hand in enumerate(deal.hands, start=1) if not hand]
    if len(empty) == len(deal.hands):
        return True
    acts = any(e.seat == deal.dealer_seat and e.kind in ("call", "play") for e in deal.events)
    sits_out = isinstance(law.rules, Nap) and players >= ONE_SITS_OUT and not acts
    return len(deal.hands) == players and (not empty or (sits_out and empty == [deal.dealer_seat]))


__all__ = ["without_hidden"]
