"""The chances of what is looked for outside Seven-Up, derived a second way."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from audit.cards import NAMES
from audit.games import GAMES
from audit.games import _ecarte as ecarte
from audit.games import _loo as loo
from audit.odds import ecarte as foster
from audit.odds.claims import CLAIMS
from audit.odds.claims import some_hand as claimed
from audit.record import TRIAL
from audit.rules import matrimony, vingt_un
from audit.rules.speculation import no_trump
from audit.suspect import (
    SUSPECT,
    _coups,
    _nap,
    cassino_on_board,
    flush_dealt,
    king_and_queen,
    kings_and_queen,
    pairs_dealt,
    standing_hand,
    suits_together,
    three_trumps,
    three_without_king,
    threes_at_put,
    trumps_again,
)
from audit.suspect._ecarte import PACK
from audit.suspicion import Trial, stored

QUEEN, KING, ACE = 10, 11, 12


def claim(code: str, at: int = 0) -> Fraction:
    one = next(c for c in CLAIMS if c.code == code)
    return list(one.values().values())[at]


# Loo


@pytest.mark.parametrize(
    ("pam", "exact"),
    [
        ("none", Fraction(33, 16660)),
        ("clubs", Fraction(11, 3920)),
        ("trumps", Fraction(2211, 783020)),
    ],
)
def test_flushes_averaged_over_the_card_turned(pam: str, exact: Fraction) -> None:
    rules, _ = GAMES["loo5_foster"].rules.chosen({"pam": pam})  # type: ignore[union-attr]
    chances = [flush_dealt.chance(rules.pam_card(c // 13), c, 5) for c in range(52)]
    assert sum(chances, Fraction(0)) / 52 == exact


def test_flushes_of_a_small_hand_counted_one_by_one() -> None:
    """Hands of two off the pack without the card turned, Pam for any card."""
    for pam, turned in ((48, 3), (48, 48), (-1, 3), (3, 3), (9, 40)):
        hands = itertools.combinations([c for c in range(52) if c != turned], 2)
        found = sum(len({c // 13 for c in h if c != pam}) == 1 for h in hands)
        assert flush_dealt.chance(pam, turned, 2) == Fraction(found, comb(51, 2))


def test_three_trumps_as_the_law_has_them() -> None:
    assert three_trumps.CHANCE == loo.three_trumps(GAMES["irish_loo"]) == Fraction(44, 4165)


# Écarté


def test_three_trumps_without_the_king_as_claimed() -> None:
    plain, king = PACK[0], next(c for c in PACK if c % 13 == KING)
    assert three_without_king.chance(plain) == claim("W71") == Fraction(218, 6293)
    law = GAMES["ecarte_foster"]
    assert three_without_king.chance(plain) == ecarte.three_trumps(law, without_king=True)
    assert three_without_king.chance(king) == ecarte.three_trumps(law) == Fraction(167, 2697)


@pytest.mark.parametrize("turned", ["7S", "QH", "KD"])
def test_kings_and_a_queen_counted_one_by_one(turned: str) -> None:
    card = NAMES.index(turned)
    left = [c for c in PACK if c != card]
    kings = [c for c in left if c % 13 == KING and c // 13 != card // 13]
    rest = [c for c in left if c not in kings]
    found = sum(any(c % 13 == QUEEN for c in pair) for pair in itertools.combinations(rest, 2))
    assert kings_and_queen.chance(card) == Fraction(found, comb(31, 5))


def test_the_figures_told_of_kings_and_a_queen_are_its_chances() -> None:
    seven, queen = (NAMES.index(card) for card in ("7S", "QS"))
    some, fewer = (kings_and_queen.chance(c) * comb(31, 5) for c in (seven, queen))
    often = f"{float(some) / comb(31, 5) * 10_000:.1f} in 10,000"
    told = f"{some} ({often}) or, a queen turned, {fewer}."
    assert told in " ".join((kings_and_queen.__doc__ or "").split())


def test_standing_hands_are_those_of_the_counted_table() -> None:
    rng = random.Random(4)
    for _ in range(2_000):
        cards = rng.sample(PACK, 6)
        hand, turned = cards[:5], cards[5]
        got = standing_hand.stands(np.array(hand, np.uint8), np.array(turned // 13))
        assert bool(got) == foster.stands([NAMES[c] for c in hand], NAMES[turned][1])


def test_standing_hands_against_one_dealer_as_printed() -> None:
    """Given the dealer's hand of a row too, the hands without proposal are 65,780's share."""
    row = next(r for r in foster.ROWS if r.possible)
    counted = foster.count(row, every=10).no_proposal
    hands = np.array([[NAMES.index(c) for c in h] for h in foster.opposing(row)], np.uint8)
    trump = np.full(len(hands), "SHDC".index(row.trump), np.int64)
    assert len(hands) == claim("W69") == 65_780
    assert int(standing_hand.stands(hands, trump)[::10].sum()) == counted


def test_suits_are_alike_for_a_hand_to_stand_on() -> None:
    spades, hearts = NAMES.index("QS"), NAMES.index("QH")
    assert standing_hand.chance(spades) == standing_hand.chance(hearts)
    assert standing_hand.chance(spades) != standing_hand.chance(NAMES.index("KS"))


# Napoleon


def test_what_lies_against_a_hand_as_claimed() -> None:
    assert [_nap.some_hand(13 - k, 3, 2) for k in (3, 2, 4, 5)] == [
        claim("W33", i) for i in range(4)
    ]
    assert [1 - _nap.some_hand(13 - k, 3, 3) for k in (3, 4)] == [claim("W34", i) for i in range(2)]
    assert 1 - Fraction(_nap.HAND * 3, 47) == claim("W32")
    assert _nap.some_hand(9, 2, 2) == claimed(47, 9, 5, 2, 2)


def test_four_of_a_suit_counted_by_suits() -> None:
    ways = 0
    for lengths in itertools.product(range(6), repeat=4):
        if sum(lengths) == 5 and max(lengths) >= 4:
            ways += (
                comb(13, lengths[0])
                * comb(13, lengths[1])
                * comb(13, lengths[2])
                * comb(13, lengths[3])
            )
    assert Fraction(ways, comb(52, 5)) == suits_together.CHANCE


# Speculation, Matrimony, Cassino, Put


@pytest.mark.parametrize("cards", [6, 15, 51])
def test_the_highest_trump_is_some_card_unless_none_is_dealt(cards: int) -> None:
    every = trumps_again.chance(np.arange(52) % 13, cards)
    assert every == 1 - no_trump(52, 13, cards)
    # The ace is the highest whenever it is dealt and another card of its suit is turned.
    aces = trumps_again.chance(np.array([ACE] * 4), cards)
    assert aces == 4 * Fraction(12, 52) * Fraction(cards, 51)
    low, high = trumps_again.extremes(cards)
    assert 0 <= low <= Fraction(cards + 1, 52) * every <= high <= 1


def test_the_highest_trump_counted_on_a_few_cards() -> None:
    """Two cards dealt and one turned, every deal: how often a card of rank 2, Q, A is highest."""
    ways = trumps_again.tops(2)
    for rank in (0, QUEEN, ACE):
        found = 0
        for turned in range(13):
            for pair in itertools.combinations([c for c in range(52) if c != turned], 2):
                found += max((c for c in pair if c < 13), default=-1) == rank
        assert found == ways[rank]


def test_three_cards_of_matrimony_as_counted_over_all_hands() -> None:
    pack = tuple(range(52))
    assert matrimony.in_three(pack, lambda h: matrimony.pair(h) >= 0) == pairs_dealt.CHANCE
    assert Fraction(72, 425) + Fraction(1, 425) == pairs_dealt.CHANCE
    union = matrimony.in_three(pack, lambda h: matrimony.holds(h, "matrimony"))
    assert king_and_queen.CHANCE == union == Fraction(188, 5525)


def test_one_of_two_cards_on_the_board_and_a_three_in_hand() -> None:
    assert 2 * Fraction(1, 13) - Fraction(comb(50, 2), comb(52, 4)) == cassino_on_board.CHANCE
    assert Fraction(1201, 5525) == threes_at_put.CHANCE


# Vingt-un


def test_coups_of_a_fresh_pack_as_the_law_has_them() -> None:
    pack = bytes(range(52))
    assert _coups.natural_next(pack) == vingt_un.natural_chance(pack) == claim("W94", 1)
    for hands in (1, 2, 3, 6):
        none = _coups.no_natural(*_coups.kinds(pack), hands)
        assert 1 - none == vingt_un.any_natural(pack, hands)
    assert _coups.above(pack, 14) == claim("W97")


@pytest.mark.parametrize("seed", range(6))
def test_coups_of_what_is_left_counted_one_by_one(seed: int) -> None:
    left = bytes(random.Random(seed).sample(range(52), 9 + seed))
    pairs = list(itertools.combinations(left, 2))
    assert _coups.natural_next(left) == Fraction(sum(map(vingt_un.natural, pairs)), len(pairs))
    many = sum(vingt_un.total(p) > 14 for p in pairs)
    assert _coups.above(left, 14) == Fraction(many, len(pairs))
    for points in (14, 15):
        assert _coups.safe(left, points) == 1 - vingt_un.bust_at(left, points)
    free = 0
    total = 0
    for first in pairs:
        for second in itertools.combinations([c for c in left if c not in first], 2):
            total += 1
            free += not (vingt_un.natural(first) or vingt_un.natural(second))
    assert _coups.no_natural(*_coups.kinds(left), 2) == Fraction(free, total)


def test_cards_drawn_to_fourteen_and_fifteen_as_claimed() -> None:
    pack = bytes(range(52))
    ten, four, five = NAMES.index("TS"), NAMES.index("4S"), NAMES.index("5S")
    assert _coups.safe(pack, 14) == claim("W95")
    assert _coups.safe(_coups.left_for(pack, bytes([ten, four])), 14) == claim("W95", 1)
    assert 1 - _coups.safe(pack, 15) == claim("W96")
    assert 1 - _coups.safe(_coups.left_for(pack, bytes([ten, five])), 15) == claim("W96", 1)


def test_every_warning_of_odds_that_cards_answer_has_a_suspicion() -> None:
    named = {code for name in SUSPECT.names for code in SUSPECT[name].codes}
    wanted = {32, 33, 34, 40, 43, 53, 67, 68, 69, 70, 71, 85, 87, 88, 93, 94, 95, 96, 97}
    assert named >= {f"W{n}" for n in wanted}


def test_trials_are_stored_as_rows_of_their_kind() -> None:
    """A chance with too long a denominator is stored a little too large, never smaller."""
    fine = Fraction(1, 3 * 10**11)
    some = [
        Trial(chance=Fraction(2, 7), hit=True, subject=3),
        Trial(chance=fine, hit=False),
        Trial(chance=Fraction(1, 2), hit=True, shown=False),
        Trial(chance=Fraction(1), hit=True),
        Trial(chance=Fraction(0), hit=False),
    ]
    rows = np.frombuffer(stored({5: some[:2], 9: some[2:]}), TRIAL).tolist()
    assert rows[0] == (5, 3, 1, 2, 7)
    assert rows[1][:3] == (5, 0, 0)
    assert Fraction(*rows[1][3:]) >= fine
    assert rows[2:] == [(9, 0, 2, 1, 2)]
