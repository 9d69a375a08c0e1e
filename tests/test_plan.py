"""Plans: every course of decisions puts every place of the pack in exactly one zone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from audit.games import GAMES
from audit.games._plans import (
    BIERSPIEL,
    CASSINO,
    EUCHRE,
    LOO_DOUBLE,
    SEVEN_UP,
    SPOIL_FIVE,
    VINGT_UN,
    a_card_a_trick,
    ecarte,
)
from audit.plan import Answer, Move, Question, State, Step, course, longest, start

Plan = tuple[Step, ...]
Choose = Callable[[Question], Answer]

HARD: dict[str, tuple[Plan, tuple[int, ...], int]] = {
    "seven-up, two runs": (SEVEN_UP, (2, 3, 4), 52),
    "ecarte, two exchanges": (ecarte(exchanges=2), (2,), 32),
    "ecarte to the end": (ecarte(exchanges=None), (2,), 32),
    "double loo": (LOO_DOUBLE, (3, 5, 8, 16), 52),
    "spoil five": (SPOIL_FIVE, (2, 5, 10), 52),
    "california jack": (a_card_a_trick(turned_over=True), (2,), 52),
    "shasta sam": (a_card_a_trick(turned_over=False), (2,), 52),
    "cassino": (CASSINO, (2, 3, 4), 52),
    "vingt-un": (VINGT_UN, (2, 5, 9), 52),
    "bierspiel": (BIERSPIEL, (3, 4, 5), 32),
    "euchre": (EUCHRE, (2, 4), 32),
}
CASES = [
    pytest.param(plan, n, size, id=f"{name}, {n} players")
    for name, (plan, players, size) in HARD.items()
    for n in players
] + [
    pytest.param(GAMES[name].plan, n, len(GAMES[name].pack), id=f"{name}, {n} players")
    for name in GAMES.names
    for n in set(GAMES[name].players)
]


def follow(plan: Plan, players: int, size: int, choose: Choose) -> tuple[State, list[Move]]:
    """Run one course, checking each move as it comes."""
    state = start(players, size)
    moves: list[Move] = []
    running = course(plan, state)
    answer: Answer | None = None
    while True:
        stock = list(state.stock)
        try:
            event = running.send(answer)
        except StopIteration:
            return state, moves
        answer = None
        if isinstance(event, Question):
            answer = choose(event)
            continue
        if event.source == "stock":
            ends = (stock[: len(event.places)], stock[::-1][: len(event.places)])
            assert list(event.places) in ends, "cards leave the stock from one end, in order"
        moves.append(event)
        lying = sorted(p for zone in state.zones.values() for p in zone)
        assert lying == list(range(size))


def any_answer(rng: random.Random) -> Choose:
    def choose(question: Question) -> Answer:
        if question.places:
            return tuple(rng.sample(question.places, question.count))
        return rng.choice(question.choices)

    return choose


@pytest.mark.parametrize(("plan", "players", "size"), CASES)
def test_every_course_uses_up_the_pack(plan: Plan, players: int, size: int) -> None:
    rng = random.Random(11)
    for _ in range(150):
        state, moves = follow(plan, players, size, any_answer(rng))
        from_stock = [p for m in moves if m.source == "stock" for p in m.places]
        under = [p for m in moves if m.to == "under" for p in m.places]
        twice = {p for p in from_stock if from_stock.count(p) > 1}
        assert twice <= set(under), "only a card that went under may leave the stock again"
        assert set(from_stock) | set(state.stock) == set(range(size))


class Script:
    """Gives the answers of a prefix, then first choices, and keeps what else could be said."""

    def __init__(self, prefix: tuple[Answer, ...]) -> None:
        self.given: list[Answer] = []
        self.prefix = prefix
        self.others: list[tuple[Answer, ...]] = []

    def __call__(self, question: Question) -> Answer:
        at = len(self.given)
        if at < len(self.prefix):
            self.given.append(self.prefix[at])
            return self.given[-1]
        options: list[Answer] = list(question.choices)
        if question.places:
            options = list[Answer](combinations(question.places, question.count))[:2]
        self.others += [(*self.given, option) for option in options[1:]]
        self.given.append(options[0])
        return options[0]


def all_courses(plan: Plan, players: int, size: int) -> Iterator[State]:
    """Yield the end of every course, of each pick the first two choices only."""
    waiting: list[tuple[Answer, ...]] = [()]
    while waiting:
        script = Script(waiting.pop())
        yield follow(plan, players, size, script)[0]
        waiting += script.others


@pytest.mark.parametrize(
    ("plan", "players", "size", "least"),
    [
        (SEVEN_UP, 4, 52, 6),
        (SPOIL_FIVE, 3, 52, 8),
        (LOO_DOUBLE, 4, 52, 40),
        (EUCHRE, 4, 32, 6),
        (BIERSPIEL, 3, 32, 100),
    ],
)
def test_all_courses_by_enumeration(plan: Plan, players: int, size: int, least: int) -> None:
    ends = list(all_courses(plan, players, size))
    assert len(ends) >= least
    assert not any(state.short for state in ends)


def scripted(*answers: Answer) -> Choose:
    left = list(answers)

    def choose(question: Question) -> Answer:
        if question.places:
            return question.places[: question.count]
        return left.pop(0)

    return choose


def test_seven_up_two_runs() -> None:
    """Turn-ups at 13, 20, 27 with two players (places from 1), run cards by threes."""
    state, moves = follow(SEVEN_UP, 2, 52, scripted("beg", "run", "same", "new"))
    assert state.zones["turnup"] == [12, 19, 26]
    runs = [m.places for m in moves if m.to == "hand 1" and m.source == "stock"]
    assert runs == [(0, 1, 2), (6, 7, 8), (13, 14, 15), (20, 21, 22)]
    assert len(state.zones["hand 1"]) == len(state.zones["hand 2"]) == 6
    assert len(state.zones["discard"]) == 12


def test_seven_up_pack_gone_without_another_suit() -> None:
    """Four players: turn-ups at 25, 38, 51; then the pack cannot serve a run: bunched."""
    state, _ = follow(SEVEN_UP, 4, 52, scripted("beg", "run", "same", "same"))
    assert state.zones["turnup"] == [24, 37, 50]
    assert "discard" not in state.zones
    assert state.stock == [51]


def test_ecarte_two_exchanges_and_the_packets() -> None:
    """By 3+2 the non-dealer has places 1-3, 7-8; draws come from place 12 on."""
    script = scripted("3+2", "propose", "accept", 3, 2, "propose", "accept", 5, 0)
    state, moves = follow(ecarte(exchanges=2), 2, 32, script)
    first = [p for m in moves[:4] if m.to == "hand 1" for p in m.places]
    assert first == [0, 1, 2, 6, 7]
    assert state.zones["turnup"] == [10]
    drawn = [m.places for m in moves[5:] if m.source == "stock"]
    assert drawn == [(11, 12, 13), (14, 15), (16, 17, 18, 19, 20)]
    assert state.stock == list(range(21, 32))


def test_ecarte_refused_ends_the_exchange() -> None:
    state, _ = follow(ecarte(exchanges=None), 2, 32, scripted("2+3", "propose", "refuse"))
    assert state.stock == list(range(11, 32))


def test_ecarte_never_draws_more_than_the_stock_holds() -> None:
    asked: list[Question] = []

    def greedy(question: Question) -> Answer:
        asked.append(question)
        return question.places[: question.count] or question.choices[-1]

    state, _ = follow(ecarte(exchanges=None), 2, 32, greedy)
    assert not state.stock
    assert not state.short
    assert [q.choices[-1] for q in asked if q.name == "discard"] == [5, 5, 5, 5, 1, 0]


def test_loo_hand_given_up_goes_under_the_pack() -> None:
    """Three seats: the first passes, the second takes the widow, the dealer stands."""
    state, _ = follow(LOO_DOUBLE, 3, 52, scripted("pass", "widow", "stand"))
    assert state.stock[-6:] == [0, 4, 8, 1, 5, 9]
    assert state.zones["hand 2"] == [2, 6, 10], "the widow falls just before the dealer's card"
    assert state.zones["hand 3"] == [3, 7, 11]
    assert state.zones["turnup"] == [12]


def test_loo_widow_goes_to_the_first_only() -> None:
    with pytest.raises(ValueError, match="one of"):
        follow(LOO_DOUBLE, 3, 52, scripted("widow", "widow", "stand"))


def test_spoil_five_rob_by_the_dealer_and_by_a_holder() -> None:
    state, _ = follow(SPOIL_FIVE, 3, 52, scripted("2+3", "yes", "rob"))
    assert 15 in state.zones["hand 3"]
    assert state.zones["turnup"] == []
    state, _ = follow(SPOIL_FIVE, 3, 52, scripted("2+3", "no", "leave", "rob", "leave"))
    assert 15 in state.zones["hand 2"]
    assert len(state.zones["hand 2"]) == 5


@pytest.mark.parametrize("over", [False, True])
def test_california_jack_draws_alternate(over: bool) -> None:  # noqa: FBT001
    """Winner first: 13, 14 | 15, 16 ..., or 52, 51 | 50, 49 ... turned over bodily."""
    script = scripted(*(1 + k % 2 for k in range(20)))
    state, moves = follow(a_card_a_trick(turned_over=over), 2, 52, script)
    drawn = [m for m in moves[4:] if m.source == "stock"]
    assert [m.places[0] for m in drawn] == (
        list(range(51, 11, -1)) if over else list(range(12, 52))
    )
    assert [m.to for m in drawn[:4]] == ["hand 1", "hand 2", "hand 2", "hand 1"]
    assert len(state.zones["hand 1"]) == len(state.zones["hand 2"]) == 6
    assert not state.stock


@pytest.mark.parametrize(("players", "deals"), [(2, 6), (3, 4), (4, 3)])
def test_cassino_deals_until_the_pack_is_gone(players: int, deals: int) -> None:
    for order, board in (
        ("board last", list(range(4 * players, 4 * players + 4))),
        ("board one a round", [players + r * (players + 1) for r in range(4)]),
    ):
        state, moves = follow(CASSINO, players, 52, scripted(order))
        assert state.zones["board"] == board
        assert sum(m.to == "hand 1" and m.source == "stock" for m in moves) == 4 * deals
        assert not state.stock


def test_vingt_un_goes_on_with_the_same_pack() -> None:
    """Two coups of two players; the pack goes on where it stopped and a natural ends it."""
    script = scripted("no", "card", "stand", "stand", "no", "stand", "card", "stand", "yes")
    state, moves = follow(VINGT_UN, 2, 52, script)
    drawn = [(m.places[0], m.to) for m in moves if m.source == "stock"]
    assert [p for p, _ in drawn] == list(range(14))
    assert drawn[4] == (4, "hand 1")
    assert drawn[9] == (9, "hand 2")
    assert not state.short


def test_vingt_un_pack_that_ends_within_a_coup_is_short() -> None:
    state, _ = follow(VINGT_UN, 9, 52, lambda q: "no" if q.name == "natural" else "stand")
    assert state.short


def test_bierspiel_second_turn_up() -> None:
    script = scripted("2+3", "yes", "play", "widow", "play", "rob")
    state, moves = follow(BIERSPIEL, 3, 32, script)
    turned = [m.places[0] for m in moves if m.to == "turnup"]
    assert turned == [20, 21]
    assert {20, 21} <= set(state.zones["hand 3"])
    assert len(state.zones["hand 3"]) == 5
    assert len(state.zones["dead"]) == 5


def test_the_longest_course_is_one_of_the_courses() -> None:
    turned = [p + 1 for m in longest(SEVEN_UP, 3, 52) if m.to == "turnup" for p in m.places]
    assert turned == [19, 29, 39, 49]


def test_a_wrong_answer_is_refused() -> None:
    for wrong in ("3", 7, (1, 2)):
        with pytest.raises(ValueError, match="wanted"):
            follow(SEVEN_UP, 2, 52, scripted(wrong))
