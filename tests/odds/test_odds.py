"""The odds of the books, derived a second way."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from audit.cli.odds import report
from audit.odds.chances import CHANCES
from audit.odds.claims import CLAIMS, hypergeometric, some_hand
from audit.odds.ecarte import RANKS, ROWS, SUITS, count, opposing, stands, suits_of, tricks
from audit.render.odds import odds_page
from audit.suspect import SUSPECT

REPORT = Path(__file__).parent.parent.parent / "reports" / "odds.json"


def value(code: str, at: int = 0, which: int = 0) -> Fraction:
    claim = [c for c in CLAIMS if c.code == code][which]
    return list(claim.values().values())[at]


@pytest.mark.parametrize(
    ("code", "at", "which", "wanted"),
    [
        ("W13", 0, 0, Fraction(1, 13)),
        ("W32", 0, 0, Fraction(32, 47)),
        ("W33", 0, 0, Fraction(267939847, 398312827)),
        ("W33", 1, 0, Fraction(21116167, 28505947)),
        ("W33", 2, 0, Fraction(162222529, 272529829)),
        ("W34", 0, 0, 1 - Fraction(868386611, 5178066751)),
        ("W34", 1, 0, 1 - Fraction(19051, 154583)),
        ("W94", 0, 0, Fraction(64, 663)),
        ("W94", 0, 1, Fraction(128, 663)),
        ("W94", 1, 0, Fraction(32, 663)),
        ("W95", 0, 0, Fraction(7, 13)),
        ("W95", 1, 0, Fraction(27, 50)),
        ("W95", 2, 0, Fraction(26, 50)),
        ("W96", 0, 0, Fraction(7, 13)),
        ("W96", 1, 0, Fraction(27, 50)),
        ("W96", 2, 0, Fraction(26, 50)),
        ("W97", 0, 0, Fraction(26, 51)),
        ("W97", 1, 0, Fraction(86, 221)),
        ("W20", 0, 0, Fraction(10788, 9860459)),
        ("W71", 0, 0, Fraction(218, 6293)),
        ("W71", 1, 0, Fraction(167, 2697)),
    ],
)
def test_exact_values(code: str, at: int, which: int, wanted: Fraction) -> None:
    assert value(code, at, which) == wanted


def test_verdicts() -> None:
    said = [(c.code, c.verdict) for c in CLAIMS]
    assert said == [
        ("W13", "exact"),
        ("W32", "about right"),
        ("W33", "true"),
        ("W34", "true"),
        ("W94", "false"),
        ("W94", "false"),
        ("W95", "exact"),
        ("W96", "exact"),
        ("W97", "true"),
        ("W20", "true"),
        ("W69", "exact"),
        ("W71", "no figure"),
    ]


@pytest.mark.parametrize(
    ("code", "at", "wanted"),
    [
        ("E02", 0, Fraction(35, 248)),
        ("E02", 1, Fraction(5, 31)),
        ("E04", 0, Fraction(167, 2697)),
        ("E06", 0, Fraction(2519, 10829)),
        ("E50", 0, Fraction(917, 3596)),
        ("E11", 2, Fraction(30, 51)),
        ("E15", 1, Fraction(56803963, 907162228)),
        ("E17", 0, Fraction(11, 3920)),
        ("E24", 2, Fraction(22, 425)),
        ("E27", 0, Fraction(295774596, 2334608675)),
        ("E28", 0, Fraction(8215961, 333515525)),
        ("E45", 0, Fraction(30 * 29, 52 * 51)),
        ("E34", 0, Fraction(72 + 1, 425)),
        ("E38", 0, Fraction(2, 17)),
        ("E41", 0, 2 * Fraction(64, 1326) - Fraction(64, 1326) * Fraction(45, 1225)),
    ],
)
def test_chances_that_the_books_name_without_a_figure(code: str, at: int, wanted: Fraction) -> None:
    (row,) = (c for c in CHANCES if c.code == code)
    assert list(row.values().values())[at] == wanted
    assert row.verdict == "no figure"


def test_every_chance_is_one_and_every_share_of_a_first_deal_is_given() -> None:
    assert len({c.code for c in CHANCES}) == len(CHANCES)
    for row in CHANCES:
        values = row.values()
        assert all(0 < value < 1 for value in values.values()), row.code
        if "seat 1" in values:
            assert sum(values.values()) == 1


@pytest.mark.parametrize(
    ("finding", "code", "wanted"),
    [
        ("king_dealt", "E02", Fraction(5, 31)),
        ("ace_to_rob", "E09", Fraction(1, 13)),
        ("seven_of_diamonds", "E12", Fraction(1, 32)),
        ("three_trumps", "E14", Fraction(44, 4165)),
        ("pam_dealt", "E19", Fraction(5, 52)),
        ("top_trump", "E30", Fraction(1, 4)),
        ("king_and_queen", "E33", Fraction(188, 5525)),
        ("pairs_dealt", "E34", Fraction(73, 425)),
        ("pope_left", "E38", Fraction(2, 17)),
        ("connexion_dealt", "E45", Fraction(145, 442)),
        ("threes_at_put", "E46", Fraction(1201, 5525)),
        ("cassino_on_board", "E47", Fraction(1, 13)),
    ],
)
def test_a_code_names_one_event_in_findings_and_odds(
    finding: str, code: str, wanted: Fraction
) -> None:
    assert SUSPECT[finding].codes == (code,)
    (row,) = (c for c in CHANCES if c.code == code)
    assert wanted in row.values().values()


def test_every_code_of_a_chance_that_a_finding_bears_has_its_odds() -> None:
    borne = {c for name in SUSPECT.names for c in SUSPECT[name].codes if c[0] == "E"}
    assert len(borne) == 12
    assert borne <= {c.code for c in CHANCES}


def test_counting_formulas_on_a_toy_pack() -> None:
    """Nine cards, four marked, hands of two: every deal counted one by one."""
    hits = total = 0
    for deal in itertools.permutations(range(9), 4):
        total += 1
        hands = (deal[:2], deal[2:])
        hits += any(sum(card < 4 for card in hand) >= 2 for hand in hands)
    assert some_hand(9, 4, 2, 2, 2) == Fraction(hits, total)
    drawn = list(itertools.combinations(range(9), 3))
    assert hypergeometric(9, 4, 3, 2) == Fraction(
        sum(sum(c < 4 for c in d) >= 2 for d in drawn), len(drawn)
    )


def plain_minimax(dealer: list[str], player: list[str], trump: str, leader: str) -> int:
    """The same play on the cards themselves, without any shortening."""
    if not dealer:
        return 0
    mine, other = (dealer, player) if leader == "D" else (player, dealer)
    results = []
    for led in mine:
        same = [c for c in other if c[1] == led[1]]
        higher = [c for c in same if RANKS.index(c[0]) < RANKS.index(led[0])]
        trumps = [c for c in other if c[1] == trump]
        legal = higher or same or trumps or other
        answers = []
        for card in legal:
            beats = card in higher or (card[1] == trump and led[1] != trump)
            winner = leader if not beats else ("P" if leader == "D" else "D")
            left = ([c for c in mine if c != led], [c for c in other if c != card])
            rest = left if leader == "D" else left[::-1]
            answers.append((winner == "D") + plain_minimax(*rest, trump, winner))
        results.append((max if leader == "P" else min)(answers))
    return (max if leader == "D" else min)(results)


def test_best_play_of_ecarte_against_plain_minimax() -> None:
    rng = random.Random(2)
    pack = [rank + suit for suit in SUITS for rank in RANKS]
    for _ in range(120):
        cards = rng.sample(pack, 8)
        dealer, player, trump = cards[:4], cards[4:], rng.choice(SUITS)
        for leader in "DP":
            got = tricks(suits_of(dealer, player, trump), leader)
            assert got == plain_minimax(dealer, player, trump, leader)


def test_printed_rows_add_up_and_one_is_impossible() -> None:
    for row in ROWS:
        assert row.no_proposal + row.dealer_wins + row.player_wins == comb(26, 5)
    assert [row.number for row in ROWS if not row.possible] == [29]
    assert sum(1 for _ in opposing(ROWS[0])) == 65_780
    with pytest.raises(ValueError, match="twice"):
        count(ROWS[-1])


def test_standing_hands_by_the_words() -> None:
    assert stands(["QC", "7C", "8C", "7D", "8D"], "C")
    assert stands(["KD", "KS", "KH", "QD", "7S"], "C")
    assert stands(["KD", "QD", "JH", "QS", "7S"], "C")
    assert not stands(["JC", "JD", "JH", "JS", "7S"], "H")
    assert not stands(["KC", "7C", "KD", "8S", "9S"], "C")
    assert stands(["7C", "8C", "KD", "8S", "9S"], "C")


def test_the_published_page_is_current() -> None:
    made = report()
    assert json.loads(REPORT.read_text(encoding="utf-8")) == made
    assert REPORT.with_suffix(".html").read_text(encoding="utf-8") == odds_page(made)
