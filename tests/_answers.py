"""Which test trips each answer to a warning, and which leaves it silent.

Detectors and suspicions that are not listed are looked for by name: a test whose function
speaks of what is found, with the name among its parameters, trips; one of the same file that
speaks of what is fair or silent spares.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LAWS = "tests/laws/test_"
TABLE = "tests/test_warnings_table.py::"
FAIR = "tests/test_calibration.py::"
SPARED = f"{FAIR}test_fair_tables_are_spared_at_every_threshold_however_often_looked_at"
FLAGGED = f"{FAIR}test_every_laboratory_fault_is_flagged_and_a_fair_deal_is_not"
OTHERS_NAMED = f"{TABLE}test_paying_turn_ups_of_other_games_are_named"
ORDERS = "tests/test_orders.py::"
WHOLE = "tests/test_integrity.py::"
BREACH = f"{LAWS}seven_up.py::test_every_breach_is_ruled_on"

#: Name of a detector or suspicion -> trips, silent.  A code in their place is for that row alone.
EVIDENCE: dict[str, tuple[str, str]] = {
    "turned_honours": (f"{FAIR}test_a_dealer_with_too_many_jacks_is_named_alone", SPARED),
    "later_turnups": (FLAGGED, SPARED),
    "missing_card": (FLAGGED, SPARED),
    "high_hand": ("tests/test_suspects.py::test_one_high_hand_is_worth_its_price", SPARED),
    "no_game": (
        "tests/test_habit_rulings.py::test_deals_without_a_card_for_game_are_counted",
        "tests/test_habits.py::test_honest_tables_stay_silent",
    ),
    "card_places": (
        f"{ORDERS}test_a_wedge_at_one_place_of_the_pack_is_found_by_thirty_deals",
        f"{ORDERS}test_fair_orders_are_spared_at_every_threshold",
    ),
    "voids": (
        "tests/test_voids.py::test_a_party_that_leaves_when_a_jack_is_turned_is_named_alone",
        "tests/test_voids.py::test_honest_clubs_are_spared_at_every_threshold",
    ),
    "W79": (OTHERS_NAMED, OTHERS_NAMED),
    "W100": (OTHERS_NAMED, OTHERS_NAMED),
    "W10": (f"{WHOLE}test_a_cut_that_left_the_pack_as_it_was", ""),
    "W60": (f"{TABLE}test_a_card_turned_from_the_bottom_contradicts_the_order", ""),
    "W77": (f"{WHOLE}test_an_order_with_a_card_twice", ""),
    "W106": (f"{WHOLE}test_an_order_with_a_card_twice", ""),
    "integrity": ("", f"{WHOLE}test_dealing_as_every_law_says_is_no_fault"),
}

#: Code -> the test in which a ruling of that code, or of its duty, is given.
RULINGS: dict[str, str] = {
    "W01": BREACH,
    "W02": BREACH,
    "W03": BREACH,
    "W09": BREACH,
    "W15": f"{LAWS}seven_up.py::test_a_look_too_soon_costs_a_point_among_strict_players",
    "W16": BREACH,
    "W17": f"{LAWS}seven_up.py::test_a_revoke_without_the_jack_costs_one_and_the_game_point",
    "W18": f"{LAWS}seven_up.py::"
    "test_a_wrong_number_announced_of_a_right_hand_does_not_cancel_the_jack",
    "W19": f"{LAWS}seven_up.py::test_at_most_five_points_can_be_made",
    "W22": "tests/test_habit_rulings.py::test_a_tied_game_goes_to_the_non_dealer",
    "W25": f"{LAWS}seven_up.py::test_two_players_bunch_only_when_both_agree",
    "W26": f"{LAWS}seven_up.py::test_a_revoke_without_the_jack_costs_one_and_the_game_point",
    "W27": f"{LAWS}pitch.py::test_a_bid_out_of_turn_has_no_penalty_and_stands",
    "W28": f"{LAWS}pitch.py::test_a_bid_that_would_put_the_seller_out_is_forfeited",
    "W31": f"{LAWS}nap.py::test_tricks_quitted_are_not_seen_again_nor_gathered_face_up",
    "W36": f"{LAWS}nap.py::test_revokes_the_hand_is_played_again_in_england_and_nowhere_else",
    "W37": f"{LAWS}nap.py::test_revokes_the_hand_is_played_again_in_england_and_nowhere_else",
    "W39": f"{LAWS}nap.py::test_tricks_quitted_are_not_seen_again_nor_gathered_face_up",
    "W41": f"{LAWS}nap.py::test_misdealing_the_misdealer_deals_again_and_nothing_else_ends_a_deal",
    "W42": f"{LAWS}nap.py::test_peep_nap_a_look_is_paid_for_and_comes_before_the_bid",
    "W45": f"{LAWS}nap.py::test_purchase_nap_a_number_once_named_cannot_be_amended",
    "W46": f"{LAWS}spoil_five.py::test_a_breach_is_ruled_on",
    "W47": f"{LAWS}spoil_five.py::test_an_ace_turned_is_the_dealers_alone",
    "W48": f"{LAWS}spoil_five.py::test_a_card_exposed_is_free_until_somebody_has_two_tricks",
    "W50": f"{LAWS}spoil_five.py::test_a_silent_ace_of_trumps_is_the_lowest_trump",
    "W52": f"{LAWS}spoil_five.py::test_a_wrong_score_is_ruled_on",
    "W54": f"{LAWS}rams.py::test_a_breach_is_ruled_on",
    "W56": f"{LAWS}rams.py::test_a_void_player_trumps_even_under_a_higher_trump",
    "W57": f"{LAWS}rams.py::test_nobody_looks_before_the_dealer_says_auf",
    "W58": f"{LAWS}loo.py::test_looking_early_costs_three_reds_and_all_winnings",
    "W59": f"{LAWS}loo.py::test_reshuffling_after_the_cut_loses_the_deal_and_three_reds",
    "W61": f"{LAWS}loo.py::test_the_trick_has_to_be_headed",
    "W62": f"{LAWS}loo.py::test_every_breach_is_ruled_on_with_the_right_law",
    "W63": f"{LAWS}loo.py::test_irish_loo_draws_in_order_and_the_number_named_stands",
    "W64": f"{LAWS}loo.py::test_pam_lets_the_ace_pass_where_another_trump_is_held",
    "W65": f"{LAWS}loo.py::test_a_trump_turned_by_mistake_in_a_simple_costs_three_reds",
    "W67": f"{LAWS}loo.py::test_with_a_club_turned_everybody_plays",
    "W68": f"{LAWS}loo.py::test_every_breach_is_ruled_on_with_the_right_law",
    "W74": f"{TABLE}test_a_cut_of_one_card_at_ecarte_is_ruled_on_and_of_two_is_not",
    "W75": f"{LAWS}ecarte.py::test_law_v_the_other_packets_than_those_of_the_game_are_ruled_on",
    "W76": f"{LAWS}ecarte.py::test_changed_deals_are_ruled_on_under_the_right_law",
    "W78": f"{LAWS}ecarte.py::test_law_ix_king_named_after_another_first_card_is_lost",
    "W80": f"{LAWS}ecarte.py::test_advice_of_the_outsider_is_ruled_on_in_the_first_game_only",
    "W81": f"{LAWS}put.py::"
    "test_104_i_and_ii_a_card_of_the_adversary_seen_allows_a_new_deal_his_own_does_not",
    "W82": f"{LAWS}put.py::test_104_iv_extra_cards_of_the_adversary_are_drawn_or_dealt_again",
    "W83": f"{LAWS}put.py::test_104_iii_a_faced_card_is_dealt_again",
    "W84": f"{LAWS}put.py::test_104_vi_and_vii_a_put_stands_and_bystanders_are_silent",
    "W86": f"{LAWS}speculation.py::test_cards_are_not_to_be_looked_at",
    "W89": f"{LAWS}pope_joan.py::test_only_the_dealer_looks_at_the_stock",
    "W90": f"{TABLE}test_a_player_of_cassino_who_is_dealt_too_few_is_ruled_on",
    "W91": f"{LAWS}cassino.py::test_a_card_faced_before_the_board_begins_the_deal_again",
    "W92": f"{LAWS}cassino.py::test_only_the_last_trick_is_looked_at",
    "W99": f"{LAWS}vingt_un.py::test_a_natural_is_declared_at_once",
    "W101": f"{LAWS}california.py::test_the_face_down_stock_may_not_be_looked_at",
    "W102": f"{LAWS}spoil_five.py::test_a_breach_is_ruled_on",
}

#: Start of a family of games -> the test in which whole deals of it get no ruling.
NO_RULING: dict[str, str] = {
    "seven_up": f"{LAWS}seven_up.py::test_deals_by_lot_end_and_obey_the_law",
    "auction_pitch": f"{LAWS}pitch.py::test_deals_by_lot_end_and_obey_the_law",
    "pitch": f"{LAWS}pitch.py::test_deals_by_lot_end_and_obey_the_law",
    "california_jack": f"{LAWS}california.py::test_deals_by_lot_end_and_obey_the_law",
    "nap": f"{LAWS}nap.py::test_deals_end_and_the_referee_accepts_them",
    "spoil_five": f"{LAWS}spoil_five.py::test_whole_deals_are_accepted",
    "rams": f"{LAWS}rams.py::test_whole_deals_are_accepted",
    "bierspiel": f"{LAWS}rams.py::test_whole_deals_are_accepted",
    "loo": f"{LAWS}loo.py::test_whole_deals_end_obey_the_referee_and_lose_nothing",
    "irish_loo": f"{LAWS}loo.py::test_whole_deals_end_obey_the_referee_and_lose_nothing",
    "ecarte": f"{LAWS}ecarte.py::test_deals_by_lot_end_and_obey",
    "pool_ecarte": f"{LAWS}ecarte.py::test_deals_by_lot_end_and_obey",
    "put": f"{LAWS}put.py::test_deals_end_and_the_referee_accepts_them",
    "speculation": f"{LAWS}speculation.py::test_whole_deals_are_accepted",
    "pope_joan": f"{LAWS}pope_joan.py::test_whole_deals_are_accepted",
    "cassino": f"{LAWS}cassino.py::test_whole_deals_are_accepted",
    "vingt_un": f"{LAWS}vingt_un.py::test_whole_packs_are_accepted",
}
#: Rows that need more than whole deals by lot to show what is spared.
SPARED_ROWS = {"W17": f"{LAWS}seven_up.py::test_trumping_while_holding_the_suit_is_no_revoke"}

#: What a log needs where it is not what the book's row asks for.
FIELDS: dict[str, tuple[str, ...]] = {"W44": ("ended", "ended_by", "parties")}

_TRIPS = re.compile(r"_trip\b|_found\b|_named\b|_flagged\b")
#: The first that any test of the file speaks of is taken.
_SPARES = ("spared", "honest_tables", "stay_silent", "fair", "silent", "clear")


def without_parameters(node: str) -> str:
    """Return the id of a test without the parameters in brackets."""
    return node.partition("[")[0]


def by_name(name: str, nodes: Sequence[str]) -> tuple[str, str]:
    """Return the tests that trip and spare a detector or suspicion, "" where none is found."""
    trips = [
        n
        for n in nodes
        if name in n.partition("[")[2].rstrip("]").split("-")
        and _TRIPS.search(n.partition("::")[2].partition("[")[0])
    ]
    if not trips:
        return "", ""
    file = trips[0].partition("::")[0]
    same = [without_parameters(n) for n in nodes if n.startswith(f"{file}::")]
    spares = [n for word in _SPARES for n in same if word in n.partition("::")[2]]
    return trips[0], spares[0] if spares else ""


def ruling(code: str, games: Sequence[str]) -> tuple[str, str]:
    """Return the tests that trip and spare a ruling."""
    spared = SPARED_ROWS.get(code, "")
    for start, node in NO_RULING.items():
        if not spared and games[0].startswith(start):
            spared = node
    return RULINGS.get(code, ""), spared
