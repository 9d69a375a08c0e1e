"""Speculation: whole deals, laws, deals made wrong, chances, and a second reading."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.machine import Ruling
from audit.referee.simulate import Lots, deals
from audit.rules.speculation import highest_in, no_trump
from tests.laws import _wrong as wrong
from tests.laws import second_speculation as second
from tests.laws.long import check

LAW = GAMES["speculation"]


def log(players: int, count: int, seed: int = 4) -> list[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    return list(deals(LAW, players=players, choose=choose, count=count, seed=seed))


def test_whole_deals_are_accepted() -> None:
    assert check("speculation", count=300) >= 300


def hand_made(*events: Event) -> list[Ruling]:
    """Two players, dealer seat 2, hearts turned, cards dealt in the order given."""
    hands = (parse("2S 3S 9H"), parse("4S KH 5C"))
    order = bytes(c for pair in zip(*hands, strict=True) for c in pair) + parse("7H")
    deal = Deal(
        game="speculation",
        players=2,
        dealer_seat=2,
        hands=hands,
        turnups=parse("7H"),
        order_after_cut=order,
        events=events,
    )
    return referee(LAW, deal)[0]


def show(seat: int, card: str) -> Event:
    return Event(kind="play", seat=seat, cards=parse(card))


def call(seat: int, word: str, number: int = 0) -> Event:
    return Event(kind="call", seat=seat, word=word, number=number)


def test_only_the_uppermost_card_is_shown() -> None:
    assert not hand_made(show(1, "9H"))
    assert "not the uppermost" in hand_made(show(1, "3S"))[0].what


def test_cards_are_not_to_be_looked_at() -> None:
    found = hand_made(Event(kind="look", seat=2, word="hand"))
    assert [r.code for r in found] == ["W86"]


def test_the_price_has_to_be_approved_by_the_seller() -> None:
    assert not hand_made(show(1, "9H"), call(2, "bid", 3), call(1, "sell"))
    assert "owner's answer" in hand_made(show(1, "9H"), call(2, "bid", 3), call(2, "sell"))[0].what


def test_the_company_speculates_as_it_pleases() -> None:
    """Section 105: bids come in any order, and a price refused may be raised."""
    calls = [
        call(1, "pass"),
        call(2, "bid", 2),
        call(1, "keep"),
        call(2, "pass"),
        call(2, "bid", 1),
        call(2, "bid", 5),
        call(2, "bid", 3),
        call(1, "sell"),
        call(2, "pass"),
    ]
    rest = [show(2, "5C"), show(1, "3S"), show(2, "KH"), show(1, "2S"), show(2, "4S")]
    pays = [
        Event(kind="pay", seat=2, word="stake", number=6),
        Event(kind="pay", seat=2, word="trump bought", number=5, to=1),
    ]
    found = hand_made(show(1, "9H"), *calls, *rest, *pays)
    assert {r.event for r in found} == {-1}, found
    assert not any("bought" in r.what for r in found)


def test_a_trump_is_sold_once_and_before_the_next_card() -> None:
    sold = [show(1, "9H"), call(2, "bid", 2), call(1, "sell")]
    assert "for sale" in hand_made(*sold, call(2, "bid", 3))[0].what
    late = [show(1, "9H"), call(2, "bid", 2), show(2, "5C"), call(1, "sell")]
    assert "for sale" in hand_made(*late)[0].what


def test_nothing_is_shown_when_all_is_discovered() -> None:
    cards = [(1, "9H"), (2, "5C"), (1, "3S"), (2, "KH"), (1, "2S"), (2, "4S")]
    shown = [show(seat, card) for seat, card in cards]
    assert not hand_made(*shown)
    assert "nothing more" in hand_made(*shown, Event(kind="play", seat=1))[0].what


def test_the_pool_of_a_deal_without_trumps_stands_over() -> None:
    """Section 105: "the company pool again, and the event is decided by the succeeding deal"."""
    for deal in log(4, 30):
        over = [
            structs.replace(e, number=e.number + 18 * (e.word in ("before", "highest trump")))
            for e in deal.events
        ]
        if any(e.word == "highest trump" for e in over):
            assert not referee(LAW, structs.replace(deal, events=tuple(over)))[0]


def test_the_highest_trump_bought_takes_the_pool() -> None:
    shown = [show(1, "9H"), show(2, "5C"), show(1, "3S"), show(2, "KH")]
    sold = [call(1, "bid", 2), call(2, "sell")]
    rest = [show(1, "2S"), show(2, "4S")]
    pays = [
        Event(kind="pool", word="before"),
        Event(kind="pay", seat=1, word="stake", number=4),
        Event(kind="pay", seat=2, word="stake", number=6),
        Event(kind="pay", seat=1, word="trump bought", number=2, to=2),
        Event(kind="pay", seat=0, word="highest trump", number=10, to=1),
        Event(kind="pool", word="after"),
    ]
    assert not hand_made(*shown, *sold, *rest, *pays)
    pays[4] = Event(kind="pay", seat=0, word="highest trump", number=10, to=2)
    assert len(hand_made(*shown, *sold, *rest, *pays)) == 1


def _no_price(deal: Deal, at: int, lots: Lots) -> Deal | None:
    return wrong.changed(deal, at, number=-lots.below(2))


def _own_bid(deal: Deal, at: int, lots: Lots) -> Deal | None:
    owner = next(e.seat for e in reversed(deal.events[:at]) if e.kind == "play")
    return wrong.changed(deal, at, seat=owner)


def _looked(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.added(deal, at, Event(kind="look", seat=1, word="hand"))


KINDS = (
    wrong.PAY
    # Where the count before is off, it is the pool taken that does not fit it.
    | {"the pool off": (wrong.some("pool", wrong.more), "wanted")}
    | wrong.HANDS
    | wrong.PLAY
    | {
        "a bid of nothing": (wrong.some("call", _no_price, word="bid"), "bid of nothing"),
        "a bid for one's own trump": (wrong.some("call", _own_bid, word="bid"), "one's own"),
        "a sale by another": (
            wrong.some("call", wrong.other_seat, word="sell"),
            "owner's answer",
        ),
        "a look": (wrong.some("play", _looked), "looked at"),
    }
)


def test_deals_made_wrong_are_ruled_on() -> None:
    made, missed = wrong.misses(KINDS, log(4, 120) + log(7, 60))
    assert min(made.values()) >= 60, made
    assert not any(missed.values()), missed


@pytest.mark.parametrize("players", [2, 3, 5, 9, 17])
def test_second_reading(players: int) -> None:
    for deal in log(players, 60, seed=players):
        assert deal.dealer_seat is not None
        first = deal.dealer_seat % players + 1
        shown = [(e.cards[0], e.seat) for e in deal.events if e.kind == "play"]
        seats = [(first - 1 + t) % players + 1 for t in second.turns(players)]
        count = dict.fromkeys(seats, 0)
        sold: dict[int, list[int]] = {}
        bid = 0
        for seat, (card, who) in zip(seats, shown, strict=True):
            assert (seat, second.uppermost(deal.hands[seat - 1], count[seat])) == (who, card)
            count[seat] += 1
        card = -1
        for event in deal.events:
            card = event.cards[0] if event.kind == "play" else card
            bid = event.seat if event.word == "bid" else bid
            if event.word == "sell":
                sold.setdefault(card, []).append(bid)
        who_wins = second.possessor(shown, sold, deal.turnups[0])
        won = [(e.to, e.number) for e in deal.events if e.word == "highest trump"]
        assert won == ([] if who_wins is None else [(who_wins, second.pool(players, 0))])


def test_chance_that_no_trump_is_dealt() -> None:
    """The published figures, by counting from the pack and the cards that the plan deals."""
    for players, figure in ((3, ".0697"), (4, ".0246"), (5, ".0079"), (6, ".0022")):
        cards = sum(map(len, LAW.hand_places(players)))
        chance = no_trump(len(LAW.pack), 13, cards)
        assert f"{float(chance):.4f}".lstrip("0") == figure


def test_the_highest_trump_is_in_every_hand_alike() -> None:
    for players in range(2, 18):
        assert highest_in(players, 52, 13, LAW.hand_of(players)) == Fraction(1, players)
