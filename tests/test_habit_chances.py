"""Chances of decisions and misdeals that follow cards, held to full enumeration."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from audit.event import Event
from audit.games import GAMES
from audit.lab._habit import poor
from audit.referee.simulate import first_deal
from audit.suspect import (
    convenient_misdeals,
    foul_after_jack,
    marked_hands,
    marked_lead,
    marked_run,
    marked_stock,
    no_game,
    reflectors,
    signals,
)
from audit.suspect._misdeal import CARE, POOR, with_care
from audit.suspect._table import NINE, better_suits, exactly, not_held, of_suit
from tests._habits import trials


def test_marked_cards_in_a_hand_are_counted_as_by_enumeration() -> None:
    for of, marked, drawn in ((7, 3, 2), (8, 2, 5), (6, 6, 3), (9, 4, 4)):
        ways = Counter(sum(c < marked for c in s) for s in combinations(range(of), drawn))
        for k in range(drawn + 2):
            want = Fraction(ways[k], math.comb(of, drawn))
            assert exactly(k, of=of, marked=marked, drawn=drawn) == want


@pytest.mark.parametrize("trumps", [2, 3, 4])
def test_answers_are_priced_as_by_enumeration(trumps: int) -> None:
    # Where the trumps lie among the 39 cards: places 0-5 are the third player's.
    ways = [sum(p < 6 for p in w) for w in combinations(range(39), trumps)]
    few = Fraction(sum(y <= 1 for y in ways), len(ways))
    assert reflectors.chance_of_few(trumps) == few


@pytest.mark.parametrize("high", [1, 2, 3])
def test_begs_and_leads_are_priced_as_by_enumeration(high: int) -> None:
    ways = list(combinations(range(45), high))
    none = Fraction(sum(min(w) >= 6 for w in ways), len(ways))
    assert marked_hands.chance("stand", high) == none
    assert marked_hands.chance("beg", high) == 1 - none
    assert marked_lead.chance(high, unseen=45, players=1) == none
    two = Fraction(sum(min(w) >= 12 for w in ways), len(ways))
    assert marked_lead.chance(high, unseen=45, players=2) == two
    few = Fraction(sum(sum(p < 6 for p in w) <= 1 for w in ways), len(ways))
    assert signals.chance("beg", high) == few
    assert signals.chance("stand", high) == 1 - few


def test_no_game_has_the_odds_of_the_catalogue() -> None:
    assert no_game.chance(2) == Fraction(10788, 9860459)
    assert 1.0e-5 < no_game.chance(3) < 1.2e-5
    assert 2.4e-8 < no_game.chance(4) < 2.6e-8


def test_a_poor_hand_and_a_jack_are_bounded_with_care() -> None:
    ways = [math.comb(12, k) * math.comb(40, 6 - k) for k in range(7)]
    assert Fraction(ways[0], sum(ways)) == POOR
    assert Fraction(1, 5) == foul_after_jack.CHANCE
    for p in (POOR, Fraction(1, 13)):
        # Found CARE times as readily after the cards looked for.
        assert with_care(p) == CARE * p / (CARE * p + 1 - p)
    assert abs(float(convenient_misdeals.CHANCE) - 0.4107) < 1e-4


def test_over_all_next_cards_a_bet_is_fair() -> None:
    law, seen = GAMES["seven_up_3"], bytes([11, 3, 14, 24, 40, 51])
    turned = 7
    rest = [c for c in range(52) if c not in seen and c != turned]
    at = 28  # the second turn-up of three players
    for word in ("beg", "stand"):
        hits, chances = 0, set()
        for card in rest:
            others = [c for c in rest if c != card]
            # Place 3 deals; place 1 is the eldest and holds places 0-2 and 9-11 of the pack.
            order = bytes([*seen[:3], *others[:6], *seen[3:], *others[6:12], turned])
            order += bytes(others[12:])
            order = order[:at] + bytes([card]) + order[at:]
            deal = first_deal(law, order, 3, 3, {})
            assert set(deal.hands[0]) == set(seen)
            said = replace(deal, events=(Event(kind="call", seat=1, word=word),))
            (trial,) = trials("marked_stock", said, law)
            hits += trial.hit
            chances.add(trial.chance)
        assert chances == {Fraction(hits, 45)}


def laid(game: str, players: int, hands: dict[int, bytes], turned: int | None) -> list[int]:
    """Return an order of the pack with those hands (by place; the last deals), 255 elsewhere."""
    law, order = GAMES[game], [255] * 52
    for place, hand in hands.items():
        for at, card in zip(law.hand_places(players)[place - 1], hand, strict=True):
            order[at] = card
    if turned is not None:
        order[6 * players] = turned
    return order


SPADES = bytes(range(13))
WORLDS = (
    # The two highest of the suit led, or high trumps, or trumps, are out of sight.
    ("marked_hands", "seven_up_2", 2, {1: bytes([8, 9, 10, 20, 33, 46])}, 0, "beg", (11, 12)),
    ("marked_hands", "seven_up_4", 4, {1: bytes([8, 9, 10, 20, 33, 46])}, 0, "stand", (11, 12)),
    ("marked_lead", "pitch_blind", 2, {1: bytes([10, 14, 16, 20, 33, 46])}, None, "", (11, 12)),
    ("marked_lead", "pitch_blind", 4, {1: bytes([10, 14, 16, 20, 33, 46])}, None, "", (11, 12)),
    ("marked_lead", "shasta_sam", 2, {1: bytes([10, 14, 16, 20, 33, 46])}, None, "", (11, 12)),
    ("marked_lead", "seven_up_3", 3, {1: bytes([10, 14, 16, 20, 33, 46])}, 0, "stand", (11, 12)),
    (
        "reflectors",
        "seven_up_3",
        3,
        {1: SPADES[:6], 3: SPADES[6:10] + b"\x14\x2e"},
        10,
        "give",
        (11, 12),
    ),
    (
        "reflectors",
        "seven_up_3",
        3,
        {1: SPADES[:6], 3: SPADES[6:10] + b"\x14\x2e"},
        10,
        "run",
        (11, 12),
    ),
    (
        "reflectors",
        "seven_up_4",
        4,
        {1: SPADES[:6], 4: SPADES[6:10] + b"\x14\x2e"},
        10,
        "give",
        (11, 12),
    ),
    (
        "reflectors",
        "seven_up_4",
        4,
        {1: SPADES[:6], 4: SPADES[6:10] + b"\x14\x2e"},
        10,
        "run",
        (11, 12),
    ),
)


@pytest.mark.parametrize(("name", "game", "players", "hands", "turned", "word", "pair"), WORLDS)
def test_over_all_places_of_the_hidden_cards_hits_come_as_told(
    name: str,
    game: str,
    players: int,
    hands: dict[int, bytes],
    turned: int | None,
    word: str,
    pair: tuple[int, int],
) -> None:
    law, base = GAMES[game], laid(game, players, hands, turned)
    free = [at for at, card in enumerate(base) if card == 255]
    rest = [c for c in range(52) if c not in base and c not in pair]
    call = Event(kind="call", seat=1, word=word if word in ("beg", "stand") else "beg")
    answer = Event(kind="call", seat=players, word=word)
    lead = Event(kind="play", seat=1, cards=hands[1][:1])
    events = {"": (lead,), "give": (call, answer), "run": (call, answer)}.get(word, (call, lead))
    hits, worlds, chances = 0, 0, set()
    for one, two in combinations(free, 2):
        order, others = list(base), iter(rest)
        order[one], order[two] = pair
        filled = bytes(next(others) if c == 255 else c for c in order)
        deal = replace(first_deal(law, filled, players, players, {}), events=events)
        for trial in trials(name, deal, law):
            hits, worlds = hits + trial.hit, worlds + 1
            chances.add(trial.chance)
    assert chances == {Fraction(hits, worlds)}
    assert worlds > 100
    assert 0 < hits < worlds


@pytest.mark.parametrize("word", ["give", "run"])
def test_over_all_next_cards_the_dealers_answer_is_a_fair_bet(word: str) -> None:
    hands = {1: bytes([0, 1, 14, 28, 30, 51]), 3: bytes([2, 11, 21, 22, 35, 48])}
    base = laid("seven_up_3", 3, hands, 7)
    unseen = [c for c in range(52) if c not in base]
    events = (Event(kind="call", seat=1, word="beg"), Event(kind="call", seat=3, word=word))
    hits, chances = 0, set()
    for card in unseen:
        others = iter([c for c in unseen if c != card])
        order = [card if at == 28 else c for at, c in enumerate(base)]
        filled = bytes(next(others) if c == 255 else c for c in order)
        deal = replace(first_deal(GAMES["seven_up_3"], filled, 3, 3, {}), events=events)
        (trial,) = trials("marked_run", deal, GAMES["seven_up_3"])
        hits += trial.hit
        chances.add(trial.chance)
    assert chances == {Fraction(hits, 39)}
    assert 0 < hits < 39


@pytest.mark.parametrize("top", [12, 51])
def test_an_open_stock_makes_no_lead_surer_than_told(top: int) -> None:
    # Which end of the stock lies on top the book does not say; the leader sees that card.
    law, own = GAMES["california_jack"], {1: bytes([10, 14, 16, 20, 33, 46])}
    base = laid("california_jack", 2, own, None)
    free = [at for at, card in enumerate(base) if card == 255]
    rest = [c for c in range(52) if c not in base and c not in (11, 12)]
    lead = Event(kind="play", seat=1, cards=own[1][:1])
    groups: dict[int, list[bool]] = {}
    for one, two in combinations(free, 2):
        order, others = list(base), iter(rest)
        order[one], order[two] = 11, 12
        filled = bytes(next(others) if c == 255 else c for c in order)
        deal = replace(first_deal(law, filled, 2, 2, {}), events=(lead,))
        (trial,) = trials("marked_lead", deal, law)
        groups.setdefault(top in (one, two), []).append(trial.hit)
    shares = {seen: Fraction(sum(hits), len(hits)) for seen, hits in groups.items()}
    assert shares[False] < shares[True] == trial.chance


def test_poor_means_the_same_in_the_laboratory_and_in_the_audit() -> None:
    assert poor(bytes([0, 1, 22, 35]))
    assert not poor(bytes([0, 1, 23, 35]))


def test_stronger_suits_are_those_with_more_high_cards_then_more_cards() -> None:
    # Spades turned: one high spade; two high hearts; one high diamond and another diamond.
    hand = bytes([12, 21, 22, 37, 27, 39])
    assert better_suits(hand, 0) == {1, 2}
    assert not_held(marked_stock.suiting(frozenset({1, 2})), hand) == 24 - 3


def test_suits_are_compared_by_high_cards_and_length_in_every_hand() -> None:
    rng = Random(1)
    for _ in range(2000):
        hand = bytes(rng.sample(range(52), 6))
        high = [sum(c // 13 == s and c % 13 > 7 for c in hand) for s in range(4)]
        long = [sum(c // 13 == s for c in hand) for s in range(4)]
        assert [of_suit(hand, s, NINE) for s in range(4)] == high
        assert [of_suit(hand, s) for s in range(4)] == long
        for turned in range(4):
            least = (high[turned], long[turned])
            assert better_suits(hand, turned) == {s for s in range(4) if (high[s], long[s]) > least}


def test_cards_that_serve_are_whole_suits_and_jacks_of_others_than_that_turned() -> None:
    assert marked_run.serving(frozenset(), 0) == {22, 35, 48}
    assert marked_run.serving(frozenset({1}), 0) == {*range(13, 26), 35, 48}
    assert marked_stock.suiting(frozenset({1})) == set(range(13, 26)) - {22}
