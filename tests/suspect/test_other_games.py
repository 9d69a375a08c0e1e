"""Suspicions outside Seven-Up's family: honest logs are spared, planted cards are not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from audit.detect.suspects import DETECTOR
from audit.event import Event
from audit.finding import Verdicts, weighted_sum
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.law import Law
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import TRIAL, Deal
from audit.referee.simulate import Lots, deals, first_deal, play_deal
from audit.rules import cassino
from audit.rules.all_fours import AllFours
from audit.run.audit import audit
from audit.stats.binomial import log_lower, log_upper
from audit.suspect import SUSPECT, suspicions, trials_of
from audit.tally import Arrays
from tests._suspected import by_subject, columns, counted, dealt, judged, plant, table_of
from tests.laws.test_garbage import _hidden, _spoilt

BUDGET = math.log(1e-9)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One suspicion: a game it looks at, cards that trip it, and about whom."""

    game: str
    players: int
    cards: Mapping[str, str]
    subject: str
    own: int = 0
    count: int = 60
    fewer: Mapping[str, str] = field(default_factory=dict)


#: Which cards are planted, and where; *fewer* trips a bet on too few in as many deals.
CASES = {
    "ace_of_diamonds": Case(game="matrimony", players=6, cards={"up 2": "AD"}, subject="2"),
    "ace_over_king": Case(
        game="nap",
        players=4,
        cards={"seat 1": "KS QS", "seat 3": "AS"},
        subject="1",
        fewer={"seat 1": "KS QS", "stock": "AS"},
        count=120,
    ),
    "ace_to_rob": Case(game="spoil_five", players=5, cards={"turn": "AH"}, subject="P2", own=2),
    "cassino_dealt": Case(
        game="cassino_2", players=2, cards={"dealer": "3H 10D"}, subject="P2", own=2
    ),
    "cassino_on_board": Case(
        game="cassino_2", players=2, cards={"board": "3H 10D"}, subject="P2", own=2
    ),
    "club_turned": Case(
        game="loo_club_law",
        players=5,
        cards={"turn": "2C"},
        subject="P2",
        own=2,
        count=250,
        fewer={"turn": "2S"},
    ),
    "connexion_dealt": Case(
        game="connexions_4",
        players=4,
        cards={"seat 1": "AS", "seat 3": "AC"},
        subject="all",
        fewer={"stock": "AS"},
    ),
    "flush_dealt": Case(
        game="loo5_foster_pam", players=5, cards={"seat 1": "2S 3S 5S 9S JC"}, subject="1"
    ),
    "guard_drawn": Case(
        game="nap", players=4, cards={"seat 2": "AS 2S 3S", "seat 4": "4S 5S 6S"}, subject="2"
    ),
    "king_and_queen": Case(
        game="matrimony", players=6, cards={"seat 3": "KS", "up 3": "QD"}, subject="3"
    ),
    "king_dealt": Case(
        game="ecarte_enquire",
        players=2,
        cards={"turn": "7S", "dealer": "KS"},
        subject="P1",
        own=1,
    ),
    "kings_and_queen": Case(
        game="pool_ecarte",
        players=2,
        cards={"turn": "7S", "seat 1": "KD KC KH QS"},
        subject="1",
    ),
    "paid_turn": Case(
        game="forty_five_per_trick", players=4, cards={"turn": "KC"}, subject="P3", own=3
    ),
    "pairs_dealt": Case(
        game="matrimony", players=6, cards={"seat 5": "2S", "up 5": "2D"}, subject="5"
    ),
    "pam_dealt": Case(game="loo5_enquire", players=5, cards={"dealer": "JC"}, subject="P1", own=1),
    "pope_left": Case(
        game="pope_joan",
        players=4,
        cards={"stock": "9D"},
        subject="all",
        count=200,
        fewer={"seat 1": "9D"},
    ),
    "pope_turned": Case(game="pope_joan", players=4, cards={"turn": "9D"}, subject="P1", own=1),
    "seven_of_diamonds": Case(
        game="bierspiel", players=4, cards={"turn": "7D"}, subject="P4", own=4
    ),
    "stakes_turned": Case(
        game="pope_joan", players=4, cards={"turn": "QC"}, subject="P1", own=1, count=120
    ),
    "standing_hand": Case(
        game="ecarte_foster",
        players=2,
        cards={"turn": "7S", "seat 1": "8S 9S TS"},
        subject="1",
        count=120,
        fewer={"turn": "7S", "seat 1": "8S 9H TD 8C 7D"},
    ),
    "suits_together": Case(
        game="nap_widow", players=4, cards={"seat 4": "2H 3H 4H 9H"}, subject="4"
    ),
    "three_trumps": Case(
        game="loo3_unlimited_double",
        players=5,
        cards={"turn": "AC", "seat 5": "2C 3C 4C"},
        subject="5",
    ),
    "three_without_king": Case(
        game="ecarte_foster",
        players=2,
        cards={"turn": "7S", "seat 2": "8S 9S TS 7D 7C"},
        subject="2",
        count=400,
        fewer={"turn": "7S", "seat 2": "8S 9S TD 7D 7C"},
    ),
    "threes_at_put": Case(game="put_4", players=4, cards={"seat 2": "3D"}, subject="2"),
    "top_trump": Case(
        game="speculation", players=5, cards={"turn": "2H", "seat 3": "AH"}, subject="3"
    ),
    "trumps_against": Case(
        game="nap_peep", players=4, cards={"seat 1": "2S 3S 4S", "seat 2": "5S 6S"}, subject="1"
    ),
    "trumps_again": Case(
        game="speculation",
        players=3,
        cards={"turn": "2H", "seat 3": "AH"},
        subject="all",
        fewer={"turn": "2H", "seat 3": "AH"},
        count=200,
    ),
    # Vingt-un: the third place draws what lies on top when the first two stand.
    "above_fourteen": Case(
        game="vingt_un",
        players=3,
        cards={"seat 2": "TS 9S"},
        subject="2",
        fewer={"seat 2": "2S 3S"},
        count=200,
    ),
    "dealer_naturals": Case(
        game="vingt_un", players=3, cards={"dealer": "AS KS"}, subject="P1", own=1
    ),
    "drawn_fifteen": Case(
        game="vingt_un",
        players=3,
        cards={"seat 1": "TS 9S", "seat 2": "TD 9D", "seat 3": "TH 5S", "stock": "6D"},
        subject="3",
        fewer={"seat 1": "TS 9S", "seat 2": "TD 9D", "seat 3": "TH 5S", "stock": "8D"},
        count=120,
    ),
    "drawn_fourteen": Case(
        game="vingt_un",
        players=3,
        cards={"seat 1": "TS 9S", "seat 2": "TD 9D", "seat 3": "TH 4S", "stock": "7D"},
        subject="3",
        fewer={"seat 1": "TS 9S", "seat 2": "TD 9D", "seat 3": "TH 4S", "stock": "8D"},
        count=120,
    ),
    "long_deals": Case(
        game="vingt_un",
        players=4,
        cards={"seat 1": "AS KS"},
        subject="P2",
        own=2,
        fewer={"dealer": "AS AD", "seat 1": "AH AC"},
        count=100,
    ),
    "naturals": Case(
        game="vingt_un",
        players=3,
        cards={"seat 1": "AS KS"},
        subject="all",
        fewer={"seat 1": "AS AD", "seat 2": "AH AC"},
        count=240,
    ),
}
#: Rare cards take longer to be missed.
FEWER = {"club_turned": 400, "long_deals": 800, "three_without_king": 700}
TWO_SIDED = [name for name, case in CASES.items() if case.fewer]


def gathered(deal: Deal, *, back: bool = False) -> Deal:
    """Return *deal* dealt as it was gathered, or with what is dealt gathered last."""
    order = deal.order_after_cut or b""
    return structs.replace(deal, gathered_order=order[::-1] if back else order)


def log(case: Case, cards: Mapping[str, str] | None, seed: int, count: int) -> list[Deal]:
    """Return a log of the case's game with *cards* planted."""
    law = GAMES[case.game]
    made = list(dealt(law, case.players, count, seed, cards, own=case.own))
    if case.game == "vingt_un":
        choose, lots = PLAY["vingt_un"].choose, Lots(seed)
        assert choose is not None
        seats = dict.fromkeys(range(1, case.players + 1), choose)
        made = [play_deal(law, deal, seats, lots) for deal in made]
    if case.game == "speculation":
        other = uniform_orders(Words(seed + 1000), count, 52)
        made = [
            structs.replace(d, gathered_order=o.tobytes()) for d, o in zip(made, other, strict=True)
        ]
    return made


def total(found: Verdicts, deals: int) -> float:
    """Return the highest ln of the weighted sum."""
    looks = len(found.hypotheses[0].curve)
    return float(weighted_sum(found.hypotheses, looks).max())


def test_every_suspicion_outside_the_family_has_a_case() -> None:
    laws = [GAMES[n] for n in GAMES.names]
    kin = [law for law in laws if isinstance(law.rules, AllFours)]
    others = [law for law in laws if law not in kin]
    own = {n for n in SUSPECT.names if any(SUSPECT[n].games(law) for law in others)}
    own -= {n for n in own if any(SUSPECT[n].games(law) for law in kin)}
    assert own == set(CASES)
    assert set(TWO_SIDED) == {
        n for n in CASES if any(o is not None and o < 1 for o in SUSPECT[n].odds)
    }


@pytest.mark.parametrize("name", CASES)
def test_planted_cards_trip(name: str) -> None:
    case = CASES[name]
    made = log(case, case.cards, 5, case.count)
    if name == "trumps_again":
        made = [gathered(deal) for deal in made]
    found = by_subject(judged(GAMES[case.game], made), name)
    assert found[case.subject].flagged
    assert case.subject in found[case.subject].message or case.subject == "all"


@pytest.mark.parametrize("name", TWO_SIDED)
def test_cards_kept_away_trip(name: str) -> None:
    case = CASES[name]
    made = log(case, case.fewer, 6, FEWER.get(name, max(case.count, 120)))
    if name == "trumps_again":
        made = [gathered(deal, back=True) for deal in made]
    assert by_subject(judged(GAMES[case.game], made), name)[case.subject].flagged


GAMES_LOOKED_AT = sorted({(case.game, case.players) for case in CASES.values()})


@pytest.mark.parametrize(("game", "players"), GAMES_LOOKED_AT)
def test_fair_deals_are_spared_and_come_out_as_often_as_told(game: str, players: int) -> None:
    case = Case(game=game, players=players, cards={}, subject="")
    count = 150 if game == "vingt_un" else 400
    for seed in (11, 12):
        found = judged(GAMES[game], log(case, None, seed, count))
        assert {h.detector for h in found.hypotheses} >= {
            n for n in CASES if SUSPECT[n].games(GAMES[game])
        }
        assert not {s.detector for s in found.silent} & CASES.keys()
        assert not any(h.flagged for h in found.hypotheses)
        assert total(found, count) < math.log(20)


@lru_cache(maxsize=32)
def _fair(game: str, players: int) -> Arrays:
    case = Case(game=game, players=players, cards={}, subject="")
    return counted(GAMES[game], log(case, None, 21, 200 if game == "vingt_un" else 800))[0]


@pytest.mark.parametrize("name", CASES)
def test_hits_keep_to_their_chances(name: str) -> None:
    """Each subject has one trial a deal, or trials off what is left: no wider than a binomial."""
    case = CASES[name]
    seen = _fair(case.game, case.players)[f"seen:{name}"]
    assert seen[:, 0].sum() >= 20
    assert not seen[:, 2].any()
    for trials, hits, _, units in seen[seen[:, 0] > 0].tolist():
        # A sum of unlike chances is spread no wider than one of their mean (Hoeffding 1956).
        mean = Fraction(units, trials << 36)
        assert log_upper(trials, hits, mean) > BUDGET or not hits
        assert log_lower(trials, hits, mean) > BUDGET


@pytest.mark.parametrize("name", CASES)
def test_a_log_that_shows_only_what_came_out_gains_nothing(name: str) -> None:
    """Hands, turn-ups, boards and gathered orders are left out of deals in turn and by hits."""
    case = CASES[name]
    if case.game == "vingt_un":
        return
    law, made = GAMES[case.game], log(case, case.cards, 31, 40)
    full = by_subject(judged(law, made), name)
    lots = Lots(3)
    some = [_less(deal, lots) if i % 3 else deal for i, deal in enumerate(made)]
    short = by_subject(judged(law, some), name)
    for subject, hypothesis in short.items():
        assert (hypothesis.curve <= full[subject].curve + 1e-9).all()
        assert "count against it" in hypothesis.message
    fair = log(case, None, 32, 150)
    hits = _hits(law, fair, name)
    kept = [d if i in hits else _bare(d) for i, d in enumerate(fair)]
    found = judged(law, kept)
    assert not found.hypotheses or total(found, len(kept)) < math.log(20)


def _hits(law: Law, deals: list[Deal], name: str) -> set[int]:
    """Return which of *deals* hold a trial that came out."""
    names: dict[str, int] = {}
    scan, batch = SUSPECT[name].scan, columns(law, deals, names).batch(0)
    assert scan is not None
    found = scan(batch, table_of(law, deals, list(names)))
    assert found is not None
    return set(found.row[found.hit].tolist())


def _bare(deal: Deal) -> Deal:
    """Return *deal* without anything that says which cards came where."""
    return structs.replace(
        deal, hands=(), turnups=b"", board=b"", order_after_cut=None, gathered_order=None
    )


def _less(deal: Deal, lots: Lots) -> Deal:
    """Return *deal* with something left out, so that what hangs on it is not shown."""
    hands = list(deal.hands)
    hands[lots.below(len(hands))] = (b"", b"\xff" * len(hands[0]))[lots.below(2)]
    out: tuple[Callable[[], Deal], ...] = (
        lambda: _bare(deal),
        lambda: structs.replace(deal, hands=tuple(hands)),
        lambda: structs.replace(deal, turnups=b"", order_after_cut=None),
        lambda: structs.replace(deal, dealer_seat=None, order_after_cut=None),
    )
    return out[lots.below(len(out))]()


def test_a_log_of_nothing_but_hidden_outcomes_is_silent() -> None:
    law = GAMES["loo5_foster_pam"]
    found = judged(law, [_bare(d) for d in dealt(law, 5, 30, 1)])
    assert not found.hypotheses
    assert {s.detector for s in found.silent} >= {"flush_dealt", "pam_dealt"}


def test_a_hand_after_an_exchange_is_no_hand_as_dealt() -> None:
    """Without the order of the pack a flush that stands in the log may have been drawn."""
    law = GAMES["loo5_foster"]
    made = dealt(law, 5, 60, 3, {"seat 1": "2S 3S 5S 9S TS"})
    found = judged(law, [structs.replace(d, order_after_cut=None) for d in made])
    assert [h.detector for h in found.hypotheses] == []


def test_a_dealer_of_napoleon_who_sits_out_leaves_the_others_judged() -> None:
    law = GAMES["nap"]
    made = []
    for deal in dealt(law, 5, 200, 8):
        hands = list(deal.hands)
        hands[(deal.dealer_seat or 1) - 1] = b""
        made.append(structs.replace(deal, hands=tuple(hands), order_after_cut=None))
    tally, _ = counted(law, made)
    for name in ("ace_over_king", "trumps_against", "guard_drawn", "suits_together"):
        assert tally[f"seen:{name}"][:, 2].sum() == 0
    assert tally["seen:suits_together"][:, 0].sum() == 4 * 200
    expected = tally["seen:ace_over_king"].sum(axis=0)
    # Three hands stand against each, not four.
    assert expected[3] / 2**36 / expected[0] == pytest.approx(15 / 47)


@pytest.mark.parametrize(("game", "players"), GAMES_LOOKED_AT)
def test_trials_add_up_the_same_however_the_log_is_cut(game: str, players: int) -> None:
    law = GAMES[game]
    made = log(Case(game=game, players=players, cards={}, subject=""), None, 41, 60)
    lots = Lots(6)
    made = [_less(d, lots) if i > 40 and game != "vingt_un" else d for i, d in enumerate(made)]
    if game == "speculation":
        made = [
            structs.replace(d, gathered_order=None) if i < 30 else d for i, d in enumerate(made)
        ]
    whole, _ = counted(law, made)
    for parts in (3, 7):
        cut, _ = counted(law, made, parts=parts)
        assert cut.keys() == whole.keys()
        for key in whole:
            assert np.array_equal(whole[key], cut[key]), key


def _wrong() -> Iterator[tuple[Law, Deal]]:
    lots = Lots(51)
    for name in ("vingt_un", "matrimony", "pope_joan", "speculation", "cassino_2"):
        law, choose = GAMES[name], PLAY["by_lot"].choose
        assert choose is not None
        for deal in deals(law, players=law.players[0], choose=choose, count=80, seed=9):
            yield law, _spoilt(deal, lots)
            yield law, _hidden(deal, lots)


SCANNED = ("loo5_foster_pam", "ecarte_foster", "nap", "bierspiel", "put_4", "connexions_3")


@pytest.mark.parametrize("game", [*SCANNED, "matrimony", "pope_joan", "speculation", "cassino_2"])
def test_nothing_in_columns_stops_a_scan(game: str) -> None:
    law, lots, wrong = GAMES[game], Lots(61), list[Deal]()
    for deal in dealt(law, min(law.tables[-1], 7), 40, 3):
        some = structs.replace(deal, events=(Event(kind="call", word="x"),))
        wrong.append(_spoilt(some, lots))
    tally, table = counted(law, wrong)
    found = DETECTOR.judge({"trials": tally}, table)
    assert {h.detector for h in found.hypotheses} | {s.detector for s in found.silent} >= {
        n for n in CASES if SUSPECT[n].games(law)
    }
    assert all((h.curve < math.log(1e6)).all() for h in found.hypotheses)


def test_nothing_in_a_record_stops_a_suspicion() -> None:
    read = 0
    for law, deal in _wrong():
        known = {k: s for k, s in suspicions(law).items() if s.find is not None}
        rows = np.frombuffer(trials_of(deal, law, known), TRIAL)
        assert (rows["num"] < rows["den"]).all()
        assert (rows["hit"] < 3).all()
        read += len(rows)
    assert read > 500


# Vingt-un, followed card by card


def played(count: int, seed: int) -> list[Deal]:
    choose = PLAY["vingt_un"].choose
    assert choose is not None
    return [
        structs.replace(d, dealer=f"P{d.dealer_seat}")
        for d in deals(GAMES["vingt_un"], players=4, choose=choose, count=count, seed=seed)
    ]


def test_a_record_cut_before_a_bad_card_gains_nothing() -> None:
    """Who leaves off where fourteen was drawn to and busted leaves a trial that counts against."""
    law = GAMES["vingt_un"]
    known = {k: s for k, s in suspicions(law).items() if s.id == "drawn_fourteen"}
    full, short = 0, 0
    for deal in played(60, 3):
        for at in range(len(deal.events)):
            cut = structs.replace(deal, events=deal.events[:at])
            rows = np.frombuffer(trials_of(cut, law, known), TRIAL)
            assert (rows["hit"] == 2).sum() <= 1
            short += int((rows["hit"] == 2).sum())
        full += len(np.frombuffer(trials_of(deal, law, known), TRIAL))
    assert full > 40
    assert short > 40


def test_without_the_order_a_pack_may_be_half_dealt() -> None:
    law = GAMES["vingt_un"]
    found = judged(law, [structs.replace(d, order_after_cut=None) for d in played(20, 5)])
    assert not found.hypotheses
    assert len({s.detector for s in found.silent} & CASES.keys()) == 6


def test_coups_after_the_first_are_told_off_what_is_left() -> None:
    law = GAMES["vingt_un"]
    name = next(k for k, s in suspicions(law).items() if s.id == "naturals")
    known = {name: SUSPECT["naturals"]}
    chances = set()
    for deal in played(20, 7):
        rows = np.frombuffer(trials_of(deal, law, known), TRIAL)
        assert Fraction(int(rows["num"][0]), int(rows["den"][0])) == Fraction(32, 663)
        chances |= set((rows["num"] / rows["den"]).tolist())
    assert len(chances) > 50


def test_a_plant_lies_where_it_was_put() -> None:
    law = GAMES["matrimony"]
    order = bytes(range(52))
    deal = first_deal(law, plant(law, order, 6, 2, {"up 2": "AD", "seat 1": "2S"}), 6, 2, {})
    assert deal.turnups[5] == 38
    assert 0 in deal.hands[0]


PLAYED = {
    "ecarte_foster": "ecarte",
    "loo5_foster_pam": "loo",
    "nap": "nap",
    "spoil_five": "spoil_five",
}


@pytest.mark.parametrize("game", PLAYED)
def test_logs_of_sensible_players_are_clear(game: str, tmp_path: Path) -> None:
    """Whole records, through the whole audit: exchanges and bids follow the hands."""
    law, choose = GAMES[game], PLAY[PLAYED[game]].choose
    assert choose is not None
    players = min(4, law.players[1])
    made = deals(law, players=players, choose=choose, count=60, seed=13)
    report = _audited(tmp_path, list(made))
    assert report["verdict"] == "clear"
    told = {f["detector"] for f in report["findings"]}
    assert told >= {n for n in CASES if SUSPECT[n].games(law)}


def test_a_planted_log_is_flagged_by_the_whole_audit(tmp_path: Path) -> None:
    law = GAMES["loo5_foster_pam"]
    made = list(dealt(law, 5, 60, 5, {"seat 1": "2S 3S 5S 9S JC"}))
    report = _audited(tmp_path, made)
    assert report["verdict"] == "flagged"
    named = [f for f in report["findings"] if f["flagged"] and f["detector"] == "flush_dealt"]
    assert [f["subject"] for f in named] == [{"place": "1"}]


def _audited(folder: Path, made: list[Deal]) -> dict[str, Any]:
    named = [
        structs.replace(d, number=str(i + 1), table="1", dealer=f"P{d.dealer_seat}")
        for i, d in enumerate(made)
    ]
    path = folder / "log.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in named))
    return audit([str(path)], form=None, game=None)


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_a_hand_of_cassino_that_is_played_from_is_no_hand_dealt(kept: int) -> None:
    """Who keeps the ten of diamonds to the end holds it whenever few cards are left."""
    law, made = GAMES["cassino_2"], list[Deal]()
    for deal in dealt(law, 2, 200, 41):
        hands = tuple(
            bytes(sorted(hand, key=lambda c: c not in (cassino.GREAT, cassino.LITTLE))[:kept])
            for hand in deal.hands
        )
        made.append(structs.replace(deal, hands=hands, order_after_cut=None))
    for hypothesis in by_subject(judged(law, made), "cassino_dealt").values():
        assert hypothesis.highest <= 0


def test_a_dealer_of_cassinos_is_found_without_the_order_of_the_pack() -> None:
    case = CASES["cassino_dealt"]
    made = [
        structs.replace(deal, order_after_cut=None) for deal in log(case, case.cards, 5, case.count)
    ]
    found = by_subject(judged(GAMES[case.game], made), "cassino_dealt")
    assert found["P2"].flagged
    assert not found["P1"].flagged
