"""Écarté and its pools: deals by lot, law cases, changes, chances, and a second reading."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from msgspec import structs

from audit.cards import NAMES, parse
from audit.event import Event
from audit.games import GAMES
from audit.games._ecarte import (
    king_dealt,
    king_in_either,
    king_turned,
    pool_ends_at,
    three_trumps,
)
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.ecarte import EcarteDeal
from audit.referee.machine import Ruling
from audit.referee.simulate import Lots, deals, first_deal, play_deal
from tests.laws import mutations_ecarte
from tests.laws._mutate import run
from tests.laws.long import check
from tests.laws.second_ecarte import beats, legal, pool, score

IDS = ("ecarte_foster", "ecarte_enquire", "pool_ecarte", "pool_ecarte_two_pay")
#: Place 2 deals; hearts are turned, and the King of trumps is with place 1.
ELDEST, DEALER, TURNED = "KH 7H QS JD 8C", "QH AH KS 7D 9C", "9H"
STOCK = "8H TH JH KD QD KC"


def dealt(
    game: str = "ecarte_enquire",
    *,
    eldest: str = ELDEST,
    dealer: str = DEALER,
    turned: str = TURNED,
    options: dict[str, str] | None = None,
) -> Deal:
    hands = (parse(eldest), parse(dealer))
    said = options or {}
    return Deal(
        game=game, players=2, dealer_seat=2, hands=hands, turnups=parse(turned), options=said
    )


def call(seat: int, word: str) -> Event:
    return Event(kind="call", seat=seat, word=word)


def king(seat: int) -> Event:
    return Event(kind="claim", seat=seat, word="king")


def plays(*cards: str) -> list[Event]:
    """Return plays "1KH" (place, then card)."""
    return [Event(kind="play", seat=int(c[0]), cards=parse(c[1:])) for c in cards]


def marks(seat: int, word: str, number: int) -> Event:
    return Event(kind="score", seat=seat, word=word, number=number)


#: Place 1 stands; it takes the first three tricks.
THREE = ("1KH", "2AH", "1QS", "2KS", "2QH", "17H", "27D", "1JD", "18C", "29C")


def judged(deal: Deal, *events: Event, scores: tuple[int, ...] = ()) -> tuple[list[Ruling], int]:
    return referee(GAMES[deal.game], structs.replace(deal, events=events), scores)


def due(deal: Deal, *events: Event, scores: tuple[int, ...] = ()) -> list[tuple[int, str, int]]:
    made = machine(GAMES[deal.game], deal, scores)
    assert made is not None
    for event in events:
        made.take(event)
    assert not made.rulings
    return [(d.seat, d.word, d.number) for d in made.due()]


@pytest.mark.parametrize("name", IDS)
def test_deals_by_lot_end_and_obey(name: str) -> None:
    assert check(name, count=300) == 300


@pytest.mark.parametrize("options", [{"must_win": "no"}, {"second_discard": "agreed"}])
def test_deals_under_options_obey(options: dict[str, str]) -> None:
    assert check("ecarte_enquire", count=100, options=options) == 100


def test_the_sensible_player_obeys_and_stands_on_three_trumps() -> None:
    choose = PLAY["ecarte"].choose
    assert choose is not None
    assert check("ecarte_foster", count=200, choose=choose) == 200
    deal = dealt(eldest="QH 7H TH 7S 8C", dealer="KS KD KC 7D 9C")
    made = machine(GAMES["ecarte_enquire"], deal)
    assert made is not None
    want = made.wants()
    assert want is not None
    assert choose(want, made.seen(1), Lots(1).below).word == "play"


# -- law cases --------------------------------------------------------------------------------


def test_law_viii_king_turned_is_the_dealers_point() -> None:
    deal = dealt(eldest="7H 8H QS JD 8C", turned="KH")
    assert due(deal) == [(2, "king", 1)]


def test_law_ix_king_named_before_the_first_card_counts() -> None:
    deal = dealt()
    events = (call(1, "play"), king(1), *plays("17H"))
    assert due(deal, *events) == [(1, "king", 1)]


def test_law_ix_king_led_may_be_named_before_it_is_played_to() -> None:
    events = (call(1, "play"), *plays("1KH"), king(1), *plays("2AH"))
    assert due(dealt(), *events) == [(1, "king", 1)]


def test_law_ix_king_named_after_another_first_card_is_lost() -> None:
    rulings, _ = judged(dealt(), call(1, "play"), *plays("17H"), king(1))
    assert [(r.event, r.seat, r.code) for r in rulings] == [(2, 1, "W78")]
    assert "law ix" in rulings[0].law


def test_law_ix_king_led_is_lost_when_played_to() -> None:
    rulings, _ = judged(dealt(), call(1, "play"), *plays("1KH", "2AH"), king(1))
    assert [(r.event, r.code) for r in rulings] == [(3, "W78")]


def test_section_118_ace_loses_to_the_knave() -> None:
    assert beats("JS", "AS", "H")
    made = machine(GAMES["ecarte_enquire"], dealt(eldest="AS 7H QD JD 8C", dealer="JS TS 8D 7D 9C"))
    assert made is not None
    for event in (call(1, "play"), *plays("1AS", "2JS")):
        made.take(event)
    want = made.wants()
    assert want is not None
    assert want.seat == 2


def test_law_xiii_standing_and_failing_gives_two() -> None:
    deal = dealt(eldest="7S 8S 7D 8D 7C", dealer="KS AS KD 9C TC")
    tricks = plays("17S", "2AS", "2KS", "18S", "2KD", "17D", "2TC", "17C", "29C", "18D")
    events = (call(1, "play"), *tricks)
    # All five tricks as well, yet two once: neither book adds the two.
    assert due(deal, *events) == [(2, "vole", 2)]


def test_law_xiii_standing_and_winning_three_scores_one() -> None:
    deal = dealt(eldest="KH QH JH 7S 8S", dealer="8H TH KS TS 9C")
    tricks = plays("1KH", "28H", "1QH", "2TH", "1JH", "29C", "17S", "2KS", "2TS", "18S")
    assert due(deal, call(1, "play"), king(1), *tricks) == [(1, "king", 1), (1, "point", 1)]


@pytest.mark.parametrize(("rounds", "points"), [(0, 2), (1, 1)])
def test_law_xiv_names_the_first_refusal(rounds: int, points: int) -> None:
    deal = dealt("ecarte_foster", eldest="KH QH JH 7S 8S", dealer="8H TH KS TS 9C")
    ask = [call(1, "propose"), call(2, "refuse")]
    if rounds:
        # Place 1 changes its eight for another spade; the dealer keeps his hand.
        ask = [
            call(1, "propose"),
            call(2, "accept"),
            Event(kind="exchange", seat=1, cards=parse("8S")),
            Event(kind="draw", seat=1, cards=parse("9S")),
            Event(kind="exchange", seat=2),
            *ask,
        ]
    last = "9S" if rounds else "8S"
    tricks = plays("1KH", "28H", "1QH", "2TH", "1JH", "29C", "17S", "2KS", "2TS", "1" + last)
    assert due(deal, *ask, king(1), *tricks) == [(1, "king", 1), (1, "point", points)]


def test_law_x_a_proposal_is_not_retracted() -> None:
    rulings, _ = judged(dealt(), call(1, "propose"), call(1, "play"))
    assert [(r.event, r.seat) for r in rulings] == [(1, 1)]
    assert "law x" in rulings[0].law


@pytest.mark.parametrize(("game", "again"), [("ecarte_enquire", False), ("ecarte_foster", True)])
def test_a_second_discard_only_in_fosters_game(game: str, again: bool) -> None:  # noqa: FBT001
    events = (
        call(1, "propose"),
        call(2, "accept"),
        Event(kind="exchange", seat=1, cards=parse("8C")),
        Event(kind="draw", seat=1, cards=parse("8H")),
        Event(kind="exchange", seat=2),
        call(1, "propose"),
    )
    assert (judged(dealt(game), *events)[0] == []) == again
    agreed = dealt(game, options={"second_discard": "agreed"})
    assert judged(agreed, *events)[0] == []


@pytest.mark.parametrize(
    ("game", "remedy"),
    [("ecarte_foster", "played again"), ("ecarte_enquire", "reported only")],
)
def test_foster_makes_the_king_win_over_the_queen(game: str, remedy: str) -> None:
    """A follower may not hold back the King from K A 7 when the queen is led."""
    deal = dealt(game, eldest="QS 8H 8D 9D 8C", dealer="KS AS 7S 7D 9C")
    rulings, _ = judged(deal, call(1, "play"), *plays("1QS", "27S"))
    assert [(r.event, r.seat) for r in rulings] == [(2, 2)]
    assert remedy in rulings[0].remedy
    lax = structs.replace(deal, options={"must_win": "no"})
    assert judged(lax, call(1, "play"), *plays("1QS", "27S"))[0] == []


def test_law_vi_a_faced_card_wants_a_new_deal() -> None:
    found = Event(kind="irregular", word="faced card")
    assert judged(dealt(), found, Event(kind="redeal", word="faced card"))[0] == []
    rulings, _ = judged(dealt(), found, call(1, "play"), *plays("1KH"))
    assert [(r.what, r.remedy) for r in rulings] == [
        ("faced card, yet played on", "a new deal by the same dealer")
    ]


def test_law_v_the_other_packets_than_those_of_the_game_are_ruled_on() -> None:
    law = GAMES["ecarte_enquire"]
    order = bytes(law.pack)
    deal = first_deal(law, order, 2, 2, {"packets": "3+2"})
    other = structs.replace(deal, options={"packets": "2+3"}, events=(call(1, "play"),))
    assert referee(law, structs.replace(deal, events=(call(1, "play"),)))[0] == []
    assert [r.code for r in referee(law, other)[0]] == ["W75"]


def test_a_king_marked_at_four_ends_the_game() -> None:
    deal = dealt(eldest="7H 8H QS JD 8C", turned="KH")
    made = machine(GAMES["ecarte_enquire"], deal, (0, 4, 4))
    assert made is not None
    assert made.wants() is None
    assert [(d.seat, d.word) for d in made.due()] == [(2, "king")]


def test_what_a_record_does_not_show_is_counted_and_not_ruled_on() -> None:
    events = (call(1, "propose"), call(2, "accept"), *plays("1TC", "2JC"))
    rulings, unjudged = judged(dealt(), *events)
    assert rulings == []
    assert unjudged > 0
    bare = Deal(game="ecarte_enquire", players=2, dealer_seat=2, turnups=parse(TURNED))
    rulings, unjudged = judged(bare, call(1, "play"), *plays("1KH", "2AH"))
    assert (rulings, unjudged) == ([], 1)


def test_a_king_marked_without_a_logged_claim_is_taken_as_named() -> None:
    deal = dealt(eldest="KH QH JH 7S 8S", dealer="8H TH KS TS 9C")
    tricks = plays("1KH", "28H", "1QH", "2TH", "1JH", "29C", "17S", "2KS", "2TS", "18S")
    marked = (marks(1, "king", 1), marks(1, "point", 1))
    assert judged(deal, call(1, "play"), *tricks, *marked) == ([], 1)
    wrong = (marks(2, "king", 1), marks(1, "point", 1))
    assert len(judged(deal, call(1, "play"), *tricks, *wrong)[0]) == 1


def test_advice_of_the_outsider_is_ruled_on_in_the_first_game_only() -> None:
    word = Event(kind="irregular", seat=3, word="advice")
    for game, codes in (("1", ["W80"]), ("2", [])):
        deal = dealt("pool_ecarte", options={"pool_game": game, "winner_before": "1"})
        assert [r.code for r in judged(deal, word)[0]] == codes


# -- pools ------------------------------------------------------------------------------------


def a_pool(name: str, seed: int) -> tuple[list[str], dict[str, int]]:
    """Play one pool; return the winners of its games and what each person gained."""
    law, lots = GAMES[name], Lots(seed)
    choose = PLAY["by_lot"].choose
    assert choose is not None
    table, waiting, before = ["A", "B"], "C", 0
    gains = dict.fromkeys("ABC", 0)
    pool, winners = 0, list[str]()
    while True:
        scores, options = [0, 0, 0], {"pool_game": str(len(winners) + 1)}
        options |= {"winner_before": str(before)} if before else {}
        while max(scores) < 5:
            pack = list(law.pack)
            order = bytes(pack.pop(lots.below(len(pack))) for _ in range(len(pack)))
            deal = first_deal(law, order, 2, 1 + lots.below(2), options)
            deal = play_deal(law, deal, dict.fromkeys((1, 2), choose), lots, tuple(scores))
            assert referee(law, deal, tuple(scores)) == ([], 0)
            people = [*table, waiting]
            for event in deal.events:
                if event.kind == "score":
                    scores[event.seat] += event.number
                elif event.kind == "pay":
                    pool += event.number if event.seat else -event.number
                    who = people[(event.seat or event.to) - 1]
                    gains[who] += -event.number if event.seat else event.number
                elif event.kind == "pool":
                    assert event.number == pool
            assert sum(gains.values()) + pool == 0
        before = 1 if scores[1] >= 5 else 2
        winners.append(table[before - 1])
        if winners[-2:] == winners[-1:] * 2:
            assert pool == 0
            return winners, gains
        table[2 - before], waiting = waiting, table[2 - before]


@pytest.mark.parametrize("seed", range(12))
def test_pools_conserve_stakes_and_end_as_a_second_reading_says(seed: int) -> None:
    winners, gains = a_pool("pool_ecarte", seed)
    game, stakes = pool(winners)
    assert (game, stakes) == (len(winners), 3 + len(winners))
    lost = dict.fromkeys("ABC", 0)
    table = ["A", "B"]
    waiting = "C"
    for winner in winners:
        at = 1 - table.index(winner)
        lost[table[at]] += 1
        table[at], waiting = waiting, table[at]
    wanted = {name: -1 - lost[name] for name in "ABC"}
    wanted[winners[-1]] += stakes
    assert gains == wanted


def test_the_pool_of_two_games_holds_five_stakes() -> None:
    """Foster: "which would then contain five stakes"."""
    for seed in range(40):
        winners, gains = a_pool("pool_ecarte", seed)
        if len(winners) == 2:
            assert gains[winners[0]] == 4
            return
    raise AssertionError("no pool of two games")


def test_two_paying_the_pool_of_two_games_holds_three_stakes() -> None:
    for seed in range(40):
        winners, gains = a_pool("pool_ecarte_two_pay", seed)
        if len(winners) == 2:
            assert sorted(gains.values()) == [-1, -1, 2]
            return
    raise AssertionError("no pool of two games")


# -- changes, chances, second reading -----------------------------------------------------------


def test_changed_deals_are_ruled_on_under_the_right_law() -> None:
    made, misses = run(mutations_ecarte.KINDS, 40, 11)
    assert misses == []
    assert len(made) == len(mutations_ecarte.KINDS) >= 12
    assert min(made.values()) >= 10


def test_chances_are_those_of_the_books_table() -> None:
    law = GAMES["ecarte_enquire"]
    assert king_turned(law) == Fraction(1, 8)
    assert king_dealt(law) == Fraction(35, 248)
    assert king_in_either(law) == Fraction(10, 31)
    assert three_trumps(law) == Fraction(167, 2697)
    assert three_trumps(law, without_king=True) == Fraction(218, 6293)
    assert [pool_ends_at(g) for g in (1, 2, 3, 5)] == [0, *(Fraction(1, d) for d in (2, 4, 16))]


def test_three_trumps_are_counted_hand_by_hand() -> None:
    """Seven of hearts turned: every hand of the other 31 cards; then without the King."""
    law = GAMES["ecarte_enquire"]
    unseen = [NAMES[c] for c in law.pack if NAMES[c] != "7H"]
    trumps, hands = 0, 0
    without = 0
    for hand in combinations([name[1] == "H" for name in unseen], 5):
        hands += 1
        trumps += sum(hand) >= 3
    for hand in combinations([name[1] == "H" for name in unseen if name != "KH"], 5):
        without += sum(hand) >= 3
    assert hands == 169_911
    assert three_trumps(law) == Fraction(trumps, hands)
    assert three_trumps(law, without_king=True) == Fraction(without, hands)


@pytest.mark.parametrize("name", ["ecarte_foster", "ecarte_enquire"])
def test_a_second_reading_agrees_on_plays_and_points(name: str) -> None:
    law = GAMES[name]
    choose = PLAY["by_lot"].choose
    assert choose is not None
    for deal in deals(law, players=2, choose=choose, count=150, seed=5):
        made = machine(law, deal)
        assert isinstance(made, EcarteDeal)
        trump = NAMES[deal.turnups[0]][1]
        leader, tricks = 3 - (deal.dealer_seat or 0), [0, 0]
        words = [e.word for e in deal.events if e.kind == "call"]
        kings = [0, 0]
        kings[1] += NAMES[deal.turnups[0]][0] == "K"
        led = ""
        for event in deal.events:
            if event.kind == "claim":
                kings[event.seat == deal.dealer_seat] += 1
            if event.kind == "play":
                card = NAMES[event.cards[0]]
                if not led:
                    assert event.seat == leader
                    led = card
                else:
                    want = made.wants()
                    assert want is not None
                    hand = [NAMES[c] for c in made.hands[event.seat]]
                    assert {NAMES[c] for c in want.cards} == legal(hand, led, trump)
                    leader = event.seat if beats(card, led, trump) else leader
                    tricks[leader == deal.dealer_seat] += 1
                    led = ""
            made.take(event)
        points = [0, 0]
        for event in deal.events:
            if event.kind == "score":
                points[event.seat == deal.dealer_seat] += event.number
        assert tuple(points) == score(
            (tricks[0], tricks[1]),
            proposed="propose" in words,
            refused=words[:2] == ["propose", "refuse"],
            kings=(kings[0], kings[1]),
        )
