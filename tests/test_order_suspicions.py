"""Suspicions that read the order gathered: their chances, and what is a hit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from audit.cards import parse
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.record import Batch
from audit.suspect import end_packet, kept_four
from audit.suspicion import Scan
from tests._checks import band
from tests._logs import LAW, dealt
from tests._orders import table_of, with_orders

FOUR = parse("AH TH 2H JH")


def scanned(batch: Batch, module: object) -> Scan:
    scan = module.SUSPICION.scan(batch, table_of([batch]))  # type: ignore[attr-defined]
    assert scan is not None
    return scan  # type: ignore[no-any-return]


def test_the_four_come_to_a_fair_dealer_in_4_of_54145_deals() -> None:
    hits = 4 * comb(48, 3)
    assert Fraction(hits, comb(52, 6) * 46) == kept_four.CHANCE == Fraction(4, 54_145)


@pytest.mark.parametrize("dial", [Fraction(0), Fraction(1)])
def test_the_four_are_a_trial_of_every_deal_and_a_hit_of_those_brought_back(dial: Fraction) -> None:
    (batch,) = with_orders(dealt("kept_four", 400, dial, 5, "sensible"))
    scan = scanned(batch, kept_four)
    assert len(scan.row) == 400
    own = scan.subject == 4
    assert scan.hit[own].all() == (dial == 1)
    assert not scan.hit[~own].any()
    assert set(scan.num / scan.den) == {float(kept_four.CHANCE)}


def test_the_four_are_no_hit_where_they_are_known_to_have_lain_apart() -> None:
    (batch,) = with_orders(dealt("kept_four", 40, Fraction(1), 5, "sensible"))
    assert batch.gathered is not None
    spread = replace(batch, gathered=batch.gathered[:, ::-1].copy())
    assert scanned(spread, kept_four).hit.sum() == 10
    spread.gathered[:, [3, 20]] = spread.gathered[:, [20, 3]]  # type: ignore[index]
    assert scanned(spread, kept_four).hit.sum() == 0
    assert scanned(replace(batch, gathered=None), kept_four).hit.sum() == 10


def test_lying_apart_is_more_than_four_places_from_first_to_last() -> None:
    rest = [c for c in range(52) if c not in FOUR]
    together = bytes([*rest[:9], *FOUR, *rest[9:]])
    apart = bytes([*rest[:9], *FOUR[:3], rest[9], FOUR[3], *rest[10:]])
    unknown = together.replace(bytes([FOUR[0]]), b"\xff")
    rows = np.frombuffer(together + apart + unknown, np.uint8).reshape(3, 52)
    assert kept_four.apart(rows, np.array([1, 1, 1])).tolist() == [False, True, False]
    assert kept_four.apart(None, np.array([1])).tolist() == [False]


def test_the_chance_of_an_end_packet_is_a_bound_by_every_hand() -> None:
    hands = list(combinations(range(12), 4))
    top, bottom = set(range(4)), set(range(8, 12))
    hits = sum(max(len(top & set(h)), len(bottom & set(h))) >= 3 for h in hands)
    bound = end_packet.chance(12, 4)
    assert Fraction(hits, len(hands)) == bound
    assert float(end_packet.chance(52, 6)) == pytest.approx(2 * 0.00078, rel=0.01)
    assert [end_packet.least(n) for n in (3, 5, 6, 13)] == [2, 4, 4, 9]


def packed(deals: int, kept: int) -> Batch:
    """Return fair deals where *kept* cards of the dealer's hand lay at the bottom as gathered."""
    (batch,) = with_orders(dealt("fair", deals, Fraction(0), 9, "sensible"))
    gathered = uniform_orders(Words(19), deals)
    row = np.arange(deals)
    for k in range(kept):
        card = batch.hands[row, batch.dealer_seat - 1, k]
        at = np.argmax(gathered == card[:, None], axis=1)
        gathered[row, at] = gathered[row, 51 - k]
        gathered[row, 51 - k] = card
    return replace(batch, gathered=gathered)


def test_four_cards_of_a_hand_from_one_end_are_a_hit() -> None:
    assert scanned(packed(60, 4), end_packet).hit.mean() > 0.9
    fair = scanned(packed(4000, 0), end_packet)
    low, high = band(4000, float(end_packet.chance(52, 6)))
    assert low <= fair.hit.sum() <= high


def test_an_end_packet_is_no_hit_where_the_whole_pack_stayed_together() -> None:
    batch = packed(60, 4)
    assert batch.gathered is not None
    kept = end_packet.kept_elsewhere(
        batch, np.arange(60), batch.hands[np.arange(60), batch.dealer_seat - 1]
    )
    assert kept.mean() < 2
    lazy = replace(batch, order=np.roll(batch.gathered, 7, axis=1))
    assert not scanned(lazy, end_packet).hit.any()
    assert not scanned(replace(batch, order=None), end_packet).hit.any()


@pytest.mark.parametrize("crook", ["riffles", "overhand", "no_shuffle"])
def test_a_poor_shuffle_makes_no_dealer_s_hand(crook: str) -> None:
    (batch,) = with_orders(dealt(crook, 400, Fraction(1), 8, "sensible"))
    assert scanned(batch, end_packet).hit.sum() <= 5


def test_a_hand_that_is_not_shown_hides_how_the_trial_came_out() -> None:
    (batch,) = with_orders(dealt("kept_four", 40, Fraction(1), 5, "sensible"))
    hands = batch.hands.copy()
    hands[3, 0] = 255
    hands[5, 1, 5] = 255
    for module in (kept_four, end_packet):
        scan = scanned(replace(batch, hands=hands), module)
        assert len(scan.row) == 40
        assert scan.shown is not None
        assert np.flatnonzero(~scan.shown).tolist() == [3, 5]
        assert not scan.hit[~scan.shown].any()


def test_games_without_such_hands_are_asked_nothing() -> None:
    assert kept_four.SUSPICION.games(LAW)
    assert end_packet.SUSPICION.games(LAW)
    assert not kept_four.SUSPICION.games(GAMES["nap"])
    assert not end_packet.SUSPICION.games(GAMES["holdem"])


def test_hands_written_only_where_the_hand_is_remarkable_are_no_evidence() -> None:
    """A scribe notes hands only after a deal that he means to tell of: the others count too."""
    (four,) = with_orders(dealt("kept_four", 40, Fraction(1), 5, "sensible"))
    for batch, module in ((four, kept_four), (packed(60, 4), end_packet)):
        whole = scanned(batch, module)
        assert whole.shown is not None
        assert whole.shown.all()
        kept = whole.hit & (np.arange(len(batch)) % 2 == 0)
        assert kept.any()
        hands = np.where(kept[:, None, None], batch.hands, np.uint8(255))
        some = scanned(replace(batch, hands=hands), module)
        assert len(some.row) == len(batch)
        assert (some.shown == kept).all()
        assert (some.hit == kept).all()
        none = scanned(replace(batch, hands=hands[:, :0]), module)
        assert none.shown is not None
        assert not none.shown.any()
