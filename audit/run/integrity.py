"""A deal that reads well and cannot have happened: pack integrity, no probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from audit.cards import NAMES
from audit.law import Law
from audit.record import Deal


def fault(deal: Deal, law: Law, pack: Sequence[int], players: int) -> str | None:
    """Return what makes *deal* impossible under its law, or None.

    A hand with fewer cards than the law deals may be cut short and is no fault
    unless every hand stands in the log and one of them holds too many.
    """
    if deal.order_after_cut is not None:
        order = deal.order_after_cut
        twice = [NAMES[c] for c, k in Counter(order).items() if k > 1 and c < 52]
        if twice:
            return f"{', '.join(twice)} twice in the order of the pack"
        if len(order) != len(pack):
            return f"the pack counts {len(order)} cards, wanted {len(pack)}"
        foreign = sorted(set(order) - set(pack))
        if foreign:
            return f"{NAMES[foreign[0]]} is no card of this pack"
    held = [c for h in deal.hands for c in h if c < 52]
    later = [c for part in (deal.turnups, deal.runs, deal.board) for c in part if c < 52]
    if deal.widow[:1] != deal.turnups[:1]:
        later += [c for c in deal.widow if c < 52]
    else:
        later += [c for c in deal.widow[1:] if c < 52]
    count = Counter(held + later)
    twice = [NAMES[c] for c, k in count.items() if k > 1]
    if twice:
        return f"{', '.join(sorted(twice))} twice in the deal"
    foreign = sorted(set(count) - set(pack))
    if foreign:
        return f"{NAMES[foreign[0]]} is no card of this pack"
    for seat, hand in enumerate(deal.hands, start=1):
        if len(hand) > law.hand:
            return f"place {seat} holds {len(hand)} cards, wanted {law.hand}"
    if len(deal.hands) > players:
        return f"{len(deal.hands)} hands, wanted {players}"
    if deal.order_after_cut is not None and deal.turnups and law.turnup:
        places = law.turn_places(players, len(pack))
        for k, card in enumerate(deal.turnups[: len(places)]):
            if card < 52 and deal.order_after_cut[places[k]] != card:
                want = NAMES[deal.order_after_cut[places[k]]]
                return (
                    f"turn-up {k + 1} is {NAMES[card]}, card {places[k] + 1} of the pack is {want}"
                )
    return None
