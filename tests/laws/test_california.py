"""California Jack and Shasta Sam: law cases by rule, a second reading, breaches."""

from __future__ import annotations

import pytest
from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.california import CaliforniaDeal
from tests.laws import second_california as second
from tests.laws.all_fours_breaches import CALIFORNIA, plays, tried, whole
from tests.laws.long import check
from tests.laws.second_seven_up import legal

NAMES = ("california_jack", "shasta_sam")


def one(name: str, seed: int = 3) -> Deal:
    return next(whole(name, 2, 1, seed))


@pytest.mark.parametrize("name", NAMES)
def test_deals_by_lot_end_and_obey_the_law(name: str) -> None:
    assert check(name, count=300) == 300


@pytest.mark.parametrize("name", NAMES)
def test_the_winner_of_a_trick_draws_first_and_there_are_twenty_tricks_with_stock(
    name: str,
) -> None:
    deal = one(name)
    kinds = [e.kind for e in deal.events if e.kind in ("play", "draw")]
    assert kinds == ["play", "play", "draw", "draw"] * 20 + ["play", "play"] * 6


@pytest.mark.parametrize(("name", "places"), [(NAMES[0], [51, 50, 49]), (NAMES[1], [12, 13, 14])])
def test_the_stock_is_drawn_from_the_end_that_lies_on_top(name: str, places: list[int]) -> None:
    deal = one(name)
    order = deal.order_after_cut or b""
    drawn = [e.cards[0] for e in deal.events if e.kind == "draw"]
    assert drawn[:3] == [order[p] for p in places]


def test_the_other_end_of_the_stock_is_no_fault() -> None:
    deal = structs.replace(one("shasta_sam"), game="california_jack")
    assert referee(GAMES["california_jack"], deal) == ([], 0)


def test_everything_counts_to_who_wins_it_and_all_cards_are_in_play() -> None:
    for deal in whole("california_jack", 2, 50, 5):
        made = machine(GAMES["california_jack"], deal)
        assert isinstance(made, CaliforniaDeal)
        made.take_all(deal.events)
        assert made.tricks is not None
        low = 13 * made.trump
        taken = {c: s for s, cards in made.tricks.taken for c in cards}
        assert len(taken) == 52
        words = {d.word: d.seat for d in made.due()}
        assert (words["low"], words["high"]) == (taken[low], taken[low + 12])


def test_the_trump_may_stand_among_the_options_of_the_record() -> None:
    deal = one("california_jack")
    suit = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}[deal.events[0].word]
    told = structs.replace(deal, options={"trump": suit}, events=deal.events[1:])
    assert referee(GAMES["california_jack"], told) == ([], 0)


def test_without_a_trump_on_record_nothing_is_judged() -> None:
    deal = one("california_jack")
    told = structs.replace(deal, events=deal.events[1:])
    assert referee(GAMES["california_jack"], told) == ([], len(told.events))


def test_the_face_down_stock_may_not_be_looked_at() -> None:
    look = Event(kind="look", seat=1, word="stock")
    codes = []
    for name in NAMES:
        deal = one(name)
        told = structs.replace(deal, events=(deal.events[0], look, *deal.events[1:]))
        codes.append([r.code for r in referee(GAMES[name], told)[0]])
    assert codes == [[], ["W101"]]


@pytest.mark.parametrize("name", NAMES)
def test_a_second_reading_agrees(name: str) -> None:
    law, compared = GAMES[name], 0
    for deal in whole(name, 2, 300, 7):
        made = machine(law, deal)
        assert isinstance(made, CaliforniaDeal)
        made.take_all(deal.events)
        table = [(deal.events[k].seat, deal.events[k].cards[0]) for k in plays(deal)]
        stock = list(deal.order_after_cut or b"")[12:]
        if name == "california_jack":
            stock.reverse()
        assert second.leads(table, made.trump, made.eldest)
        first = [list(h) for h in deal.hands]
        led: int | None = None
        for at, (_, card, hand) in enumerate(second.hands(first, stock, table, made.trump)):
            led = None if at % 2 == 0 else led
            assert card in legal(hand, led, made.trump)
            led = card
        assert {d.word: d.seat for d in made.due()} == second.points(table, made.trump)
        compared += 1
    assert compared == 300


@pytest.mark.parametrize("kind", [k for k in CALIFORNIA if k not in ("foreign", "seven")])
@pytest.mark.parametrize("name", NAMES)
def test_every_breach_is_ruled_on(kind: str, name: str) -> None:
    made, missed = tried(name, CALIFORNIA[kind], 2, 60, 3)
    assert missed == []
    assert made > 5
