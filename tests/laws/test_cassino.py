"""Cassino: whole deals, laws, deals made wrong, chances, and a second reading."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.simulate import Lots, deals
from audit.rules.cassino import Cassino, fits, on_board
from tests.laws import _wrong as wrong
from tests.laws import second_cassino as second
from tests.laws.long import check

NAMES = ("cassino_2", "cassino_3", "cassino_4")


def log(players: int, count: int, seed: int = 4, packets: str = "") -> list[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    law = GAMES[f"cassino_{players}"]
    options = {"packets": packets} if packets else {}
    made = deals(law, players=players, choose=choose, count=count, seed=seed, options=options)
    return list(made)


@pytest.mark.parametrize("name", NAMES)
def test_whole_deals_are_accepted(name: str) -> None:
    assert check(name, count=300) == 300


def test_the_board_dropped_one_a_round_is_accepted() -> None:
    deal = log(2, 1, packets="board one a round")[0]
    order = deal.order_after_cut
    assert order is not None
    assert deal.board == bytes(order[k] for k in (2, 5, 8, 11))
    assert referee(GAMES["cassino_2"], deal) == ([], 0)


@pytest.mark.parametrize(
    ("card", "taken", "right"),
    [
        ("TS", "TH 9C AD 8C 2D 7S 3S 6H 4H 5H 5D", True),
        ("TS", "9C 2D", False),
        ("QS", "QH QD", True),
        ("QS", "JH AD", False),
        ("AS", "AD", True),
        ("5S", "2H 3C 5D AC 4D", True),
        ("5S", "2H 3C 4D", False),
        ("TS", "KH", False),
    ],
)
def test_a_card_takes_its_denomination_and_all_that_combines(
    card: str, taken: str, *, right: bool
) -> None:
    assert fits(parse(card)[0], parse(taken)) is right
    assert second.splits(parse(card)[0], list(parse(taken))) is right


def table(*plays: str, lay: str = "unfit") -> list[str]:
    """Two players, seat 1 to play to the board 4H 5D KC 2C; what is ruled."""
    hands = (parse("9S KS 7H AH"), parse("3D 6C QD JD"))
    events = tuple(
        Event(kind="play", seat=k % 2 + 1, cards=parse(cards)) for k, cards in enumerate(plays)
    )
    law = GAMES["cassino_2"]
    assert isinstance(law.rules, Cassino)
    if lay == "freely":
        law = replace(law, rules=replace(law.rules, lay="freely"))
    deal = Deal(
        game="cassino_2",
        players=2,
        dealer_seat=2,
        hands=hands,
        board=parse("4H 5D KC 2C"),
        events=events,
    )
    return [r.what for r in referee(law, deal)[0]]


def test_a_card_is_put_down_when_nothing_pairs_or_combines() -> None:
    assert not table("9S 4H 5D", "QD")
    assert table("9S") == ["a card put down that takes"]
    assert not table("9S", lay="freely")


def test_only_what_is_on_the_board_is_taken() -> None:
    assert table("KS KD") == ["cards taken that are not on the board"]


def test_only_the_last_trick_is_looked_at() -> None:
    deal = log(2, 1)[0]
    looks = [Event(kind="look", seat=1, word=w) for w in ("last trick", "first trick")]
    codes = [
        [r.code for r in referee(GAMES["cassino_2"], wrong.added(deal, 5, look))[0]]
        for look in looks
    ]
    assert codes == [[], ["W92"]]


def test_a_card_faced_before_the_board_begins_the_deal_again() -> None:
    deal = log(2, 1)[0]
    faced = Event(kind="irregular", seat=2, word="card faced by the dealer before the board")
    law = GAMES["cassino_2"]
    assert [r.code for r in referee(law, wrong.added(deal, 0, faced))[0]] == ["W91"]
    again = structs.replace(deal, events=(faced, Event(kind="redeal", word="a card was faced")))
    assert not referee(law, again)[0]


def test_the_smaller_number_is_subtracted_from_the_larger() -> None:
    """Three players: the two lower together are taken from the highest, or nothing is scored."""
    scored = 0
    for deal in log(3, 60):
        made = machine(GAMES["cassino_3"], deal)
        assert made is not None
        made.take_all(deal.events)
        points = second_points(deal, 3)
        low, middle, high = sorted(points.values())
        due = made.due()
        assert [d.number for d in due] == ([high - middle - low] if high > middle + low else [])
        scored += bool(due)
    assert 0 < scored < 60


def test_tricks_are_not_counted_before_all_the_cards_are_played() -> None:
    """Section 112, law v."""
    for deal in log(2, 20):
        if deal.events[-1].kind == "score":
            for at in (0, 30, len(deal.events) - 2):
                early = wrong.added(wrong.without(deal, len(deal.events) - 1), at, deal.events[-1])
                found = referee(GAMES["cassino_2"], early)[0]
                assert [(r.event, "counted before" in r.what) for r in found] == [(at, True)]


def second_points(deal: Deal, sides: int) -> dict[int, int]:
    plays = [(e.seat, list(e.cards)) for e in deal.events if e.kind == "play"]
    return second.tally(plays, list(deal.board), sides)


@pytest.mark.parametrize(("name", "sides"), [("cassino_2", 2), ("cassino_3", 3), ("cassino_4", 2)])
def test_second_reading(name: str, sides: int) -> None:
    for deal in log(int(name[-1]), 110, seed=6):
        points = second_points(deal, sides)
        best = max(points, key=lambda s: points[s])
        more = 2 * points[best] - sum(points.values())
        got = [(e.seat, e.number) for e in deal.events if e.kind == "score"]
        assert got == ([(best, more)] if more > 0 else [])
        board = set(deal.board)
        for event in deal.events:
            if event.kind != "play":
                continue
            card, taken = event.cards[0], list(event.cards[1:])
            assert second.splits(card, taken)
            assert set(taken) <= board
            assert taken or not second.can(card, sorted(board)[:12])
            board = board - set(taken) if taken else board | {card}


def _score_off(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, number=deal.events[at].number + 1)


def _score_other(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, seat=wrong.another(deal, deal.events[at].seat, lots))


def _score_more(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.added(deal, at, deal.events[at])


def _take_wrong(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Take a card of the board more than the card played pairs or adds to."""
    made = machine(GAMES[deal.game], deal)
    assert made is not None
    made.take_all(deal.events[:at])
    cards = deal.events[at].cards
    board: list[int] = getattr(made, "board", [])
    bad = [c for c in board if c not in cards and not second.splits(cards[0], [*cards[1:], c])]
    return wrong.changed(deal, at, cards=cards + bytes(bad[:1])) if bad else None


def _take_absent(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Take a card that was taken before."""
    gone = [e.cards[0] for e in deal.events[:at] if e.kind == "play" and len(e.cards) > 1]
    return wrong.changed(deal, at, cards=deal.events[at].cards + bytes(gone[:1])) if gone else None


def _lay(deal: Deal, at: int, lots: Lots) -> Deal | None:
    cards = deal.events[at].cards
    return wrong.changed(deal, at, cards=cards[:1]) if len(cards) > 1 else None


def _draw_order(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Deal two seats each other's cards."""
    one, two = deal.events[at], deal.events[at + 1]
    if two.kind != "draw":
        return None
    swapped = wrong.changed(deal, at, cards=two.cards)
    return wrong.changed(swapped, at + 1, cards=one.cards)


def _draw_three(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, cards=deal.events[at].cards[:3])


def _look(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.added(deal, at, Event(kind="look", seat=1, word="first trick"))


KINDS = wrong.HANDS | {
    "points off": (wrong.some("score", _score_off), "score of"),
    "points to the wrong side": (wrong.some("score", _score_other), "score of"),
    "points scored twice": (wrong.some("score", _score_more), "wanted nothing"),
    "out of turn": (wrong.some("play", wrong.other_seat), "wanted seat"),
    "a card played twice": (wrong.some("play", wrong.twice), ""),
    "a card taken that does not fit": (wrong.some("play", _take_wrong), "neither pair"),
    "a card taken that is gone": (wrong.some("play", _take_absent), "not on the board"),
    "a card put down that takes": (wrong.some("play", _lay), "put down"),
    "cards dealt to the wrong seats": (wrong.some("draw", _draw_order), "next of the pack"),
    "three cards dealt": (wrong.some("draw", _draw_three), "cards dealt, wanted 4"),
    "cards dealt twice": (wrong.some("draw", wrong.twice), ""),
    "an old trick looked at": (wrong.some("play", _look), "looked at"),
}


def test_deals_made_wrong_are_ruled_on() -> None:
    made, missed = wrong.misses(KINDS, log(2, 60) + log(3, 60) + log(4, 60))
    assert min(made.values()) >= 50, made
    assert not any(missed.values()), missed


def test_chance_that_great_cassino_is_on_the_board() -> None:
    assert on_board(52, 4) == Fraction(1, 13)
