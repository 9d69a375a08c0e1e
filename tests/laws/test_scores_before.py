"""What stood on the score before a deal is used where a record says it, and else not assumed."""

from __future__ import annotations

import pytest
from msgspec import structs

from audit.games import GAMES
from audit.record import Deal
from audit.referee import machine, referee, referee_log
from audit.referee._facts import parse_scores, scores_before
from tests.laws._night import night

#: Games in which a deal can be over for the score before all its points are made.
GAMES_TO_A_SCORE = [
    ("seven_up_2", 2),
    ("seven_up_4", 4),
    ("pitch_blind", 3),
    ("california_jack", 2),
    ("auction_pitch_sell", 5),
    ("auction_pitch_full_bid", 4),
    ("auction_pitch_board", 4),
    ("ecarte_enquire", 2),
    ("forty_five_per_trick", 2),
    ("euchre_4", 4),
    ("put_2", 2),
]


def thrifty(deal: Deal) -> Deal:
    """Return the record of a table that marks no point more once a game is won."""
    law = GAMES[deal.game]
    made = machine(law, deal, scores_before(law, deal) or ())
    assert made is not None
    made.take_all(deal.events)
    events = list(deal.events)
    for due in made.due():
        if due.may and due.event in events:
            events.reverse()
            events.remove(due.event)
            events.reverse()
    return structs.replace(deal, events=tuple(events))


def unscored(deal: Deal) -> Deal:
    """Return the record without what stood on the score."""
    said = {name: text for name, text in deal.options.items() if name != "scores"}
    return structs.replace(deal, options=said)


@pytest.mark.parametrize(("game", "players"), GAMES_TO_A_SCORE)
def test_whoever_is_out_need_not_mark_the_rest(game: str, players: int) -> None:
    law = GAMES[game]
    for deal in night(game, players=players, count=60, seed=5, every=10**9):
        for record in (deal, thrifty(deal), unscored(thrifty(deal))):
            assert referee_log(law, record)[0] == []


def test_the_plain_referee_takes_the_score_for_none() -> None:
    law = GAMES["seven_up_4"]
    log = [unscored(thrifty(d)) for d in night("seven_up_4", players=4, count=60, seed=5)]
    assert sum(bool(referee(law, deal)[0]) for deal in log) > 5
    assert sum(referee_log(law, deal)[1] for deal in log) > 5


def test_a_point_that_has_to_be_marked_is_missed_where_the_score_is_known() -> None:
    law, missed = GAMES["seven_up_4"], 0
    for deal in night("seven_up_4", players=4, count=60, seed=6, every=10**9):
        made = machine(law, deal, scores_before(law, deal) or ())
        assert made is not None
        made.take_all(deal.events)
        must = next((d.event for d in made.due() if not d.may), None)
        if must is None or "bunched" in str(deal.events[-1].word):
            continue
        events = list(deal.events)
        events.remove(must)
        if not any(e.kind == "score" for e in events):
            continue
        record = structs.replace(deal, events=tuple(events))
        assert any("was not recorded" in r.what for r in referee_log(law, record)[0])
        assert not referee_log(law, unscored(record))[0]
        missed += 1
    assert missed > 20


def test_a_bid_that_puts_the_seller_out_is_found_by_the_score_of_the_record() -> None:
    law = GAMES["auction_pitch_sell"]
    made = next(
        d
        for d in night("auction_pitch_sell", players=4, count=60, seed=2, every=10**9)
        if any(e.kind == "call" and e.word == "three" for e in d.events)
    )
    eldest = (made.dealer_seat or 0) % 4 + 1
    scores = ["0"] * 4
    scores[eldest - 1] = "5"
    told = structs.replace(made, options={**made.options, "scores": " ".join(scores)})
    assert any(r.code == "W28" for r in referee_log(law, told)[0])
    assert not any(r.code == "W28" for r in referee_log(law, unscored(told))[0])


def test_a_later_deal_of_a_pool_game_owes_no_stake_that_its_record_does_not_show() -> None:
    """Without scores nobody can say whether a deal opens its game, and so who stakes."""
    law = GAMES["pool_ecarte"]
    (deal,) = night("ecarte_enquire", players=2, count=1, seed=4, every=10**9)
    told = structs.replace(deal, game="pool_ecarte", options={"pool_game": "1"})
    assert any("for stake was not recorded" in r.what for r in referee(law, told)[0])
    assert referee_log(law, told)[0] == []


def test_scores_of_a_record_are_whole_numbers_by_place_or_by_side() -> None:
    assert parse_scores("3 -1 0") == (3, -1, 0)
    for wrong in ("", "x", "3,1", "²", "99999 1", "1 " * 200):
        assert parse_scores(wrong) is None
    law = GAMES["seven_up_4"]
    base = Deal(game="seven_up_4", players=4)
    for text, wanted in (
        ("3 5", (0, 3, 5, 0, 0)),
        ("3 5 3 5", (0, 3, 5, 0, 0)),
        ("3 5 3 4", None),
        ("3", None),
    ):
        assert scores_before(law, structs.replace(base, options={"scores": text})) == wanted
    assert scores_before(GAMES["nap"], Deal(game="nap", options={"scores": "1 2"})) is None
