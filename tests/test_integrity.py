"""Deals that cannot have happened: orders before and after the cut, and hands off their places."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from msgspec.structs import replace

from audit.cards import UNKNOWN
from audit.columns import columns_of
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.record import Deal
from audit.referee.simulate import deals as simulated
from audit.run.integrity import fault, suspects

LAW = GAMES["seven_up_4"]
PACK = LAW.pack


def one() -> Deal:
    deal = next(
        simulate(
            LAW, LAB["fair"], 1, Fraction(0), 5, 4, player=PLAY["sensible_all_fours"]
        ).records()
    )
    assert deal.order_after_cut is not None
    order = deal.order_after_cut
    return replace(deal, pack_order=order[-20:] + order[:-20], cut=20)


def ruled(deal: Deal) -> str | None:
    why = fault(deal, LAW, PACK, 4)
    (bad,) = suspects(columns_of([deal], {}), LAW, PACK).tolist()
    assert bad or why is None, "what is at fault is also a suspect"
    return why


def test_a_deal_as_it_happened_has_no_fault() -> None:
    assert ruled(one()) is None
    assert ruled(replace(one(), cut=None)) is None
    assert ruled(replace(one(), pack_order=one().order_after_cut, cut=None)) is None


def test_a_cut_that_left_the_pack_as_it_was() -> None:
    deal = one()
    assert ruled(replace(deal, pack_order=deal.order_after_cut)) == (
        "20 cards were cut and the pack lies as before"
    )


def test_a_cut_of_another_depth() -> None:
    assert ruled(replace(one(), cut=21)) == (
        "21 cards were cut, the pack lies as after a cut of 20"
    )


def test_a_cut_that_is_none() -> None:
    order = bytearray(one().pack_order or b"")
    order[3], order[9] = order[9], order[3]
    got = ruled(replace(one(), pack_order=bytes(order)))
    assert got == "the pack after the cut is not the pack before it, cut"
    assert ruled(replace(one(), pack_order=bytes(order), cut=None)) is None


@pytest.mark.parametrize("hands", [(b"",) * 6, (b"\1\1",) * 4])
def test_an_empty_order_is_none(hands: tuple[bytes, ...]) -> None:
    deal = Deal(game=LAW.id, order_after_cut=b"", pack_order=b"", hands=hands, turnups=b"\2")
    assert "order" not in (fault(deal, LAW, PACK, 4) or "")


@pytest.mark.parametrize("field", ["gathered_order", "pack_order"])
def test_an_order_with_a_card_twice(field: str) -> None:
    order = bytearray(one().pack_order or b"")
    order[3] = order[9]
    why = ruled(replace(one(), cut=None, **{field: bytes(order)}))
    assert why is not None
    assert "is no order of this pack" in why


def test_gathered_cards_may_be_known_in_part() -> None:
    order = bytes([*(one().pack_order or b"")[:30], *[255] * 22])
    assert ruled(replace(one(), gathered_order=order)) is None


def test_a_second_is_dealt_to_another_place() -> None:
    deal = one()
    first, second, *rest = (bytearray(h) for h in deal.hands)
    first[0], second[0] = second[0], first[0]
    hands = tuple(map(bytes, (first, second, *rest)))
    why = ruled(replace(deal, hands=hands))
    assert why == "place 1 holds other cards than lie at its places of the pack"
    assert ruled(replace(deal, hands=hands, irregularity="dealt out of order")) is None
    assert ruled(replace(deal, hands=hands, dealer_seat=None)) is None
    sorted_hands = tuple(bytes(sorted(h)) for h in deal.hands)
    assert ruled(replace(deal, hands=sorted_hands)) is None


@pytest.mark.parametrize("slot", range(6))
def test_a_card_that_is_not_known_may_be_any_that_was_due(slot: int) -> None:
    deal = one()
    for place in range(4):
        hands = [bytearray(h) for h in deal.hands]
        hands[place][slot] = UNKNOWN
        assert ruled(replace(deal, hands=tuple(map(bytes, hands)))) is None
        # The others of that hand are still no cards of another place.
        k, other = (slot + 1) % 6, (place + 1) % 4
        hands[place][k], hands[other][k] = hands[other][k], hands[place][k]
        why = ruled(replace(deal, hands=tuple(map(bytes, hands))))
        seat = min(place, other) + 1
        assert why == f"place {seat} holds other cards than lie at its places of the pack"


@pytest.mark.parametrize(
    "name", [n for n in GAMES.names if n not in ("quadrille", "bridge", "holdem")]
)
def test_dealing_as_every_law_says_is_no_fault(name: str) -> None:
    law, choose = GAMES[name], PLAY["by_lot"].choose
    assert choose is not None
    for players in (law.tables[0], law.tables[-1]):
        deals = list(simulated(law, players=players, choose=choose, count=20, seed=11))
        for deal in deals:
            assert fault(deal, law, law.pack_of(deal.options), players) is None
        assert isinstance(suspects(columns_of(deals, {}), law, law.pack), np.ndarray)
