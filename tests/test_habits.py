"""Decisions and misdeals that follow cards: exact chances, honest tables, crooked ones."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from msgspec.structs import replace
from scipy.stats import binom

from audit.event import Event
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._habit import poor
from audit.play import PLAY
from audit.record import Deal
from audit.referee.simulate import first_deal, habitual
from audit.suspect import (
    SUSPECT,
    convenient_misdeals,
    foul_after_jack,
    marked_hands,
    marked_lead,
    marked_stock,
    no_game,
    reflectors,
    signals,
)
from audit.suspect._misdeal import CARE, POOR, with_care
from audit.suspect._table import better_suits, exactly, placed
from tests._habits import highest, highest_of, honest, poorly_shuffled, price, trials

CHOOSE = PLAY["sensible_all_fours"].choose
FIRST = ("marked_stock", "marked_run", "marked_hands", "marked_lead", "signals", "reflectors")


def crooked(game: str, players: int, name: str, count: int, dial: str, seed: int) -> list[Deal]:
    """Deals of a table whose last place has the habit *name*, as far as the first lead."""
    habit = LAB[name].habit
    assert habit is not None
    assert CHOOSE is not None
    made = habitual(
        GAMES[game],
        habit,
        players=players,
        choose=CHOOSE,
        count=count,
        dial=Fraction(dial),
        seed=seed,
        seat=players,
        plays=1,
    )
    return list(made)


# Exact chances, by enumeration


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
    hand = bytes(range(8, 13))[: 5 - high] + bytes(range(13, 14 + high))
    assert len(hand) == 6
    assert marked_hands.chance_of_none(hand, 0) == none
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


# Honest tables


def _within(reached: int, of: int, level: float) -> bool:
    return reached <= int(binom.isf(1e-9, of, level))


def test_honest_tables_stay_silent() -> None:
    over: Counter[tuple[str, int]] = Counter()
    tables: Counter[str] = Counter()
    for seed in range(200):
        game, players = (
            ("seven_up_2", 2),
            ("seven_up_3", 3),
            ("seven_up_4", 4),
            ("pitch_blind", 2),
        )[seed % 4]
        got = highest_of(honest(game, players, 40, seed), GAMES[game])
        for (name, _), ln_e in got.items():
            tables[name] += 1
            over[name, 5] += ln_e >= math.log(5)
            over[name, 20] += ln_e >= math.log(20)
            assert ln_e < price(SUSPECT[name], players)
    assert set(tables) == set(FIRST)
    for (name, level), reached in over.items():
        assert _within(reached, tables[name], 1 / level)


def test_over_many_honest_decisions_hits_come_as_told() -> None:
    seen: dict[str, list[float]] = {name: [0, 0, 0] for name in FIRST}
    law = GAMES["seven_up_4"]
    for deal in honest("seven_up_4", 4, 3000, 77):
        for name in FIRST:
            for t in trials(name, deal, law):
                p = float(t.chance)
                seen[name][0] += t.hit
                seen[name][1] += p
                seen[name][2] += p * (1 - p)
    for hits, expected, spread in seen.values():
        assert expected > 200
        # Bernstein: farther off than this with chance below 1e-9 on either side.
        far = math.log(1e9)
        assert abs(hits - expected) < far / 3 + math.sqrt(far * far / 9 + 2 * far * spread)


def test_hands_written_down_after_the_discard_count_as_not_shown() -> None:
    law = GAMES["seven_up_2"]
    assert CHOOSE is not None
    habit = LAB["marked_stock"].habit
    assert habit is not None
    made = habitual(
        law, habit, players=2, choose=CHOOSE, count=150, dial=Fraction(0), seed=9, seat=2
    )
    runs = 0
    for deal in made:
        kept = [
            bytes(e.cards[0] for e in deal.events if e.kind == "play" and e.seat == p)
            for p in (1, 2)
        ]
        if len(deal.turnups) > 1 and all(len(k) == 6 for k in kept):
            runs += 1
            told = replace(deal, hands=tuple(kept), order_after_cut=None, runs=b"")
            table = placed(told, law)
            assert table is not None
            assert table.hands == (None, None)
            assert not any(t.hit for t in trials("marked_hands", told, law))
    assert runs > 30


def test_begs_that_are_written_down_only_when_granted_prove_nothing() -> None:
    # The dealer's gift follows his hand, so such begs would go with it.
    law, found = GAMES["seven_up_2"], []
    for deal in honest("seven_up_2", 2, 1500, 5):
        granted = any(e.word == "give" for e in deal.events)
        lead = Event(kind="play", seat=deal.events[0].seat, cards=deal.hands[0][:1])
        told = deal if granted else replace(deal, events=(lead,))
        found += trials("marked_hands", told, law)
    assert sum(t.hit for t in found) > 60
    assert highest(SUSPECT["marked_hands"], found) < math.log(20)


def test_hands_that_are_written_down_only_when_remarkable_prove_nothing() -> None:
    law, found = GAMES["seven_up_2"], []
    for deal in honest("seven_up_2", 2, 1500, 6):
        went = any(t.hit for t in trials("marked_hands", deal, law))
        told = replace(deal, order_after_cut=None, hands=deal.hands if went else ())
        found += trials("marked_hands", replace(told, players=2), law)
    assert sum(t.hit for t in found) > 500
    assert highest(SUSPECT["marked_hands"], found) < math.log(20)


def test_bunched_deals_that_are_not_written_down_prove_nothing() -> None:
    law, kept = GAMES["seven_up_2"], []
    dropped = 0
    for deal in honest("seven_up_2", 2, 3000, 7):
        order = deal.order_after_cut or b""
        ran = any(e.word == "run" for e in deal.events)
        # Bunched where the suit turned next is short in both hands.
        short = all(sum(c // 13 == order[19] // 13 for c in h) <= 1 for h in deal.hands)
        dropped += ran and short
        if not (ran and short):
            kept.append(deal)
    assert dropped > 200
    got = highest_of(kept, law)
    assert all(ln_e < math.log(100) for ln_e in got.values())


def test_careful_players_who_count_after_a_jack_are_not_flagged() -> None:
    # Found three times as readily after a Jack: 3 of 15 among the foul hands.
    law, found = GAMES["seven_up_2"], []
    for k in range(1500):
        card = 9 if k * 7 % 5 == 0 else 20
        events = (
            Event(kind="irregular", seat=1, word="foul hand"),
            Event(kind="redeal", word="foul hand", to=1),
        )
        deal = Deal(game=law.id, players=2, dealer_seat=2, turnups=bytes([card]), events=events)
        found += trials("foul_after_jack", deal, law)
    assert len(found) == 1500
    assert sum(t.hit for t in found) == 300
    assert highest(SUSPECT["foul_after_jack"], found) < math.log(20)


@pytest.mark.parametrize("riffles", [0, 2])
def test_packs_shuffled_too_little_accuse_no_player(riffles: int) -> None:
    got = highest_of(poorly_shuffled("seven_up_4", 4, 150, riffles, 3), GAMES["seven_up_4"])
    assert {name for name, _ in got} == set(FIRST)
    assert all(ln_e < math.log(1000) for ln_e in got.values())


def test_an_answer_against_the_eldest_who_has_acted_is_no_trial() -> None:
    # An honest eldest begs without trumps: as if drawn anew, his hand would be a wonder.
    e, law = 0.0, GAMES["seven_up_2"]
    for deal in honest("seven_up_2", 2, 400, 8):
        if deal.events[0].word == "beg":
            suit, dealer = deal.turnups[0] // 13, deal.dealer_seat or 0
            eldest = deal.hands[dealer % 2]
            trumps = 12 - sum(c // 13 == suit for c in deal.hands[dealer - 1])
            p = float(sum(exactly(k, of=45, marked=trumps, drawn=6) for k in (0, 1)))
            few = sum(c // 13 == suit for c in eldest) <= 1
            e += math.log((4 if few else 1) / (1 + 3 * p))
    assert e > math.log(1e6)
    assert not trials("reflectors", deal, law)
    mute = SUSPECT["reflectors"].mute
    assert mute is not None
    assert "acted" in mute(law)


def test_after_an_irregularity_nothing_is_a_first_decision() -> None:
    for deal in honest("seven_up_4", 4, 40, 10):
        law = GAMES["seven_up_4"]
        first = Event(kind="irregular", seat=deal.dealer_seat or 0, word="exposed card")
        told = replace(deal, events=(first, *deal.events))
        assert not any(trials(name, told, law) for name in FIRST)


# Crooked ones


@pytest.mark.parametrize(
    ("game", "players", "name", "deals"),
    [
        ("seven_up_2", 2, "marked_stock", 150),
        ("seven_up_2", 2, "marked_hands", 100),
        ("seven_up_4", 4, "marked_hands", 250),
        ("pitch_blind", 2, "marked_lead", 450),
        ("seven_up_3", 3, "reflectors", 150),
        ("seven_up_4", 4, "signals", 150),
        ("seven_up_4", 4, "reflectors", 400),
        ("seven_up_4", 4, "marked_run", 450),
        ("california_jack", 2, "marked_lead", 500),
        ("pitch_blind", 2, "convenient_misdeals", 250),
        ("seven_up_2", 2, "exposed_card", 300),
        ("seven_up_2", 2, "foul_after_jack", 450),
    ],
)
def test_who_knows_hidden_cards_is_found(game: str, players: int, name: str, deals: int) -> None:
    law = GAMES[game]
    got = highest_of(crooked(game, players, name, deals, "1", 21), law)
    subjects = players if SUSPECT[name].per == "seat" else 2 if SUSPECT[name].per == "dealer" else 1
    need = price(SUSPECT[name], subjects)
    own = (name, 0 if SUSPECT[name].per == "table" else players)
    assert got[own] > need
    assert all(ln_e < price(SUSPECT[key[0]], subjects) for key, ln_e in got.items() if key != own)


@pytest.mark.parametrize("name", ["marked_stock", "marked_hands", "signals"])
def test_the_same_player_without_the_knowledge_is_not(name: str) -> None:
    got = highest_of(crooked("seven_up_4", 4, name, 150, "0", 21), GAMES["seven_up_4"])
    assert all(ln_e < math.log(100) for ln_e in got.values())


def test_half_the_deals_take_longer_than_all_of_them() -> None:
    law, who = GAMES["seven_up_2"], ("marked_hands", 2)
    full = highest_of(crooked("seven_up_2", 2, "marked_hands", 150, "1", 3), law)[who]
    half = highest_of(crooked("seven_up_2", 2, "marked_hands", 150, "1/2", 3), law)[who]
    assert half < full / 2


def test_poor_means_the_same_in_the_laboratory_and_in_the_audit() -> None:
    assert poor(bytes([0, 1, 22, 35]))
    assert not poor(bytes([0, 1, 23, 35]))


def test_stronger_suits_are_those_with_more_high_cards_then_more_cards() -> None:
    # Spades turned: one high spade; two high hearts; one high diamond and another diamond.
    hand = bytes([12, 21, 22, 37, 27, 39])
    assert better_suits(hand, 0) == {1, 2}
    assert marked_stock.chance(hand, frozenset({1, 2})) == Fraction(24 - 3 - 0, 45)
