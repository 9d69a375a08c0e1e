"""Every game and variant of the books is there, by its id and with its status."""

from __future__ import annotations

import importlib

from audit.games import GAMES
from audit.referee import REFEREE

WHOLE = [
    "ecarte_foster",
    "ecarte_enquire",
    "pool_ecarte",
    "pool_ecarte_two_pay",
    "nap",
    "nap_misere",
    "nap_wellington",
    "nap_blucher",
    "nap_treble_english",
    "nap_pool",
    "nap_purchase",
    "nap_widow",
    "nap_peep",
    "spoil_five",
    "forty_five_odd_trick",
    "forty_five_per_trick",
    "rams",
    "rounce",
    "bierspiel",
    "loo3_limited_simple",
    "loo3_limited_double",
    "loo3_unlimited_simple",
    "loo3_unlimited_double",
    "irish_loo",
    "loo5_foster",
    "loo5_foster_pam",
    "loo5_enquire",
    "all_fours_old",
    "seven_up_2",
    "seven_up_3",
    "seven_up_4",
    "pitch_blind",
    "all_fives",
    "california_jack",
    "shasta_sam",
    "auction_pitch_sell",
    "auction_pitch_full_bid",
    "auction_pitch_board",
    "smudge",
    "put_2",
    "put_4",
    "speculation",
    "connexions_3",
    "connexions_4",
    "matrimony",
    "pope_joan",
    "cassino_2",
    "cassino_3",
    "cassino_4",
    "vingt_un",
    "euchre_2",
    "euchre_4",
]
PART = ["pedro", "loo3_enquire_limited", "loo3_enquire_unlimited", "loo_club_law"]
NAMED = ["quadrille"]


def test_fifty_seven_games_by_status() -> None:
    assert (len(WHOLE), len(PART), len(NAMED)) == (52, 4, 1)
    statuses = {name: GAMES[name].status for name in GAMES.names}
    guests = {name for name, status in statuses.items() if status == "guest"}
    assert guests == {"bridge", "holdem"}
    wanted = dict.fromkeys(WHOLE, "whole") | dict.fromkeys(PART, "part")
    wanted |= dict.fromkeys(NAMED, "named")
    assert {n: s for n, s in statuses.items() if n not in guests} == wanted


def test_every_game_names_its_book_and_its_machine() -> None:
    for name in (*WHOLE, *PART):
        law = GAMES[name]
        assert law.source.book in ("Foster", "household book"), name
        assert law.source.section
        assert law.rules is not None, name
        assert law.rules.family in REFEREE.names
        text = importlib.import_module(f"audit.games.{name}").__doc__ or ""
        assert "Foster" in text or "household book" in text, name
