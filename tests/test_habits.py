"""Decisions and misdeals that follow cards: honest tables and crooked ones."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from msgspec.structs import replace
from scipy.stats import binom

from audit.event import Event
from audit.games import GAMES
from audit.lab import LAB
from audit.play import PLAY
from audit.record import Deal
from audit.referee.simulate import habitual
from audit.suspect import SUSPECT
from audit.suspect._table import exactly, placed
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
