"""At Napoleon it does not matter which hands of a dealer who may sit out are written down."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from msgspec import structs

from audit.count.trials import _bets
from audit.games import GAMES
from audit.record import Deal
from audit.suspect import SUSPECT
from audit.suspect.suits_together import CHANCE
from tests._suspected import by_subject, counted, dealt, judged

LAW = GAMES["nap"]
NAMES = ("ace_over_king", "trumps_against", "guard_drawn", "suits_together")


def suits(hand: bytes) -> list[int]:
    return [sum(c // 13 == s for c in hand) for s in range(4)]


def lies_against(deal: Deal) -> bool:
    """Whether the dealer alone holds two of the best suit of some hand."""
    own = (deal.dealer_seat or 1) - 1
    for place, hand in enumerate(deal.hands):
        suit = suits(hand).index(max(suits(hand)))
        two = [p for p, h in enumerate(deal.hands) if p != place and suits(h)[suit] >= 2]
        if place != own and two == [own]:
            return True
    return False


def together(deal: Deal) -> bool:
    return max(suits(deal.hands[(deal.dealer_seat or 1) - 1])) >= 4


def written(deals: Sequence[Deal], when: Callable[[Deal], bool]) -> list[Deal]:
    """Return *deals* with the dealer's hand only *when* that says so."""
    out = []
    for deal in deals:
        hands = list(deal.hands)
        if not when(deal):
            hands[(deal.dealer_seat or 1) - 1] = b""
        out.append(structs.replace(deal, hands=tuple(hands), order_after_cut=None))
    return out


def highest(deals: Sequence[Deal], name: str) -> float:
    found = by_subject(judged(LAW, deals), name)
    return max((h.highest for h in found.values()), default=-math.inf)


@pytest.mark.parametrize(
    ("name", "when"), [("trumps_against", lies_against), ("suits_together", together)]
)
def test_a_dealer_whose_hand_is_written_only_when_it_hits_is_no_evidence(
    name: str, when: Callable[[Deal], bool]
) -> None:
    """Taken for one who sat out of all other deals, the first stood at 10^18."""
    deals = written(list(dealt(LAW, 5, 3000, 4)), when)
    assert 50 < sum(all(d.hands) for d in deals) < 2500
    assert highest(deals, name) < math.log(20)


@pytest.mark.parametrize("odds", [o for o in SUSPECT["suits_together"].odds if o is not None])
def test_no_choice_of_what_is_written_lifts_the_mean_of_a_bet(odds: int | Fraction) -> None:
    miss, hit, hidden = (
        math.exp(x / 2**20) for x in _bets(*CHANCE.as_integer_ratio(), (odds,))[:, 0]
    )
    p = float(CHANCE)
    assert p * max(hit, hidden) + (1 - p) * max(miss, hidden) <= 1
    assert p * hit + (1 - p) * miss > 1 - 1e-4


def test_half_of_the_bets_look_at_no_dealer_whatever_is_shown_of_him() -> None:
    every = list(dealt(LAW, 5, 60, 8))
    logs = {}
    for name in NAMES:
        half = len(SUSPECT[name].odds)
        for way, deals in (("all", every), ("none", written(every, lambda d: False))):
            logs[way] = counted(LAW, deals)[0][f"log:{name}"]
        assert (logs["all"][:, :, :half] == logs["none"][:, :, :half]).all()
        assert logs["all"][:, :, :half].any()
        assert (logs["all"][:, :, half:] >= logs["none"][:, :, half:]).all()


def test_a_deal_of_five_that_does_not_say_who_dealt_shows_no_outcome() -> None:
    every = [structs.replace(d, dealer_seat=None) for d in dealt(LAW, 5, 60, 8)]
    seen = counted(LAW, every)[0]["seen:suits_together"]
    assert (seen[:, 0] == 60).all()
    assert (seen[:, 2] == 60).all()


@pytest.mark.parametrize("name", NAMES)
def test_to_leave_out_who_dealt_lowers_every_bet(name: str) -> None:
    """At another chance it raised that on few Aces over Kings: its mean was 1.012 a deal."""
    lowered = False
    for deal in dealt(LAW, 5, 60, 8):
        bare = structs.replace(deal, dealer_seat=None, order_after_cut=None)
        named = structs.replace(deal, order_after_cut=None)
        told = counted(LAW, [named])[0].get(f"log:{name}", np.zeros(1, np.int64))
        untold = counted(LAW, [bare])[0][f"log:{name}"]
        assert (untold <= told).all()
        lowered |= bool((untold < told).any())
    assert lowered


@pytest.mark.parametrize("players", [4, 5])
def test_fewer_than_five_have_no_dealer_who_sits_out(players: int) -> None:
    tally, _ = counted(LAW, list(dealt(LAW, players, 60, 8)))
    same = (tally["seen:suits_together"] == tally["seen:suits_together:again"]).all()
    assert same == (players < 5)


@pytest.mark.parametrize("cut", [2, 7])
def test_both_ways_are_the_same_in_any_cut(cut: int) -> None:
    deals = written(list(dealt(LAW, 5, 90, 8)), together)
    whole, parts = counted(LAW, deals)[0], counted(LAW, deals, parts=cut)[0]
    assert whole.keys() == parts.keys()
    assert all(np.array_equal(whole[k], parts[k]) for k in whole)


@pytest.mark.parametrize("sits", [False, True])
def test_hands_of_one_suit_are_found_whether_the_dealer_plays_or_not(*, sits: bool) -> None:
    """And as soon as with one way of looking, but for what half of the stake costs."""
    plant = {"dealer" if not sits else "seat 1": "2S 3S 5S 9S"}
    crooked = list(dealt(LAW, 5, 500, 5, plant))
    fair = list(dealt(LAW, 5, 500, 6))
    # Two deals of ten.
    deals = [c if i % 10 < 2 else f for i, (c, f) in enumerate(zip(crooked, fair, strict=True))]
    found = by_subject(judged(LAW, written(deals, lambda d: not sits)), "suits_together")
    best = max(found.values(), key=lambda h: h.highest)
    assert best.flagged
    half = len(SUSPECT["suits_together"].odds)
    log = counted(LAW, written(deals, lambda d: not sits))[0]["log:suits_together"]
    mine = log[:, int(best.subject["place"]) - 1].cumsum(axis=0) / 2**20
    way = mine[:, :half] if sits else mine[:, half:]
    alone = np.log(np.exp(way).mean(axis=1))
    assert (best.curve >= alone - math.log(2) - 1e-9).all()
