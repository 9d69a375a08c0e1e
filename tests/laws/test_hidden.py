"""A card that a log does not show, or a part of a deal that it leaves out, is nobody's breach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import structs

from audit.cards import UNKNOWN
from audit.games import GAMES
from audit.law import Law
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee_log
from audit.referee.simulate import deals
from audit.run.integrity import fault
from tests.laws.test_series_honest import TABLES, follow, right

PLAYED = [n for n in GAMES.names if GAMES[n].rules is not None and GAMES[n].status != "named"]
PARTS = ("turnups", "widow", "runs", "board")


def hidden(cards: bytes, at: int) -> bytes:
    return cards[:at] + bytes([UNKNOWN]) + cards[at + 1 :]


def ways(deal: Deal) -> Iterator[Deal]:
    """Yield *deal* with one card of a part of it not known, or without that part."""
    for k, hand in enumerate(deal.hands):
        for other in (hidden(hand, 0), hidden(hand, len(hand) - 1), b"\xff" * len(hand), b""):
            hands = (*deal.hands[:k], other, *deal.hands[k + 1 :])
            yield structs.replace(deal, hands=hands if hand else deal.hands)
    for name in PARTS:
        if cards := getattr(deal, name):
            for other in (hidden(cards, 0), hidden(cards, len(cards) - 1), b""):
                yield structs.replace(deal, **{name: other})
    for k, event in enumerate(deal.events):
        if event.cards:
            blank = structs.replace(event, cards=hidden(event.cards, 0))
            yield structs.replace(deal, events=(*deal.events[:k], blank, *deal.events[k + 1 :]))


def honest(law: Law, count: int) -> Iterator[Deal]:
    """Yield right deals at the least and the largest table, with and without the order."""
    choose = PLAY["by_lot"].choose
    assert choose is not None
    for players in {law.tables[0], law.tables[-1]}:
        for deal in deals(law, players=players, choose=choose, count=count, seed=11):
            yield deal
            yield structs.replace(deal, order_after_cut=None)


@pytest.mark.parametrize("name", PLAYED)
def test_a_card_that_is_not_known_is_ruled_on_for_nobody(name: str) -> None:
    law = GAMES[name]
    for deal in honest(law, 3):
        players = deal.players or len(deal.hands)
        for torn in ways(deal):
            assert fault(torn, law, law.pack_of(torn.options), players) is None
            assert referee_log(law, torn)[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_nor_from_deal_to_deal(game: str, players: int) -> None:
    log = right(game, players)
    torn = [list(ways(deal)) for deal in log]
    for way in range(8):
        every = [
            others[way % len(others)] if others else deal
            for deal, others in zip(log, torn, strict=True)
        ]
        assert follow(every)[0] == []
        some = [
            one if k % 3 else deal for k, (deal, one) in enumerate(zip(log, every, strict=True))
        ]
        assert follow(some)[0] == []


def test_a_breach_elsewhere_is_still_ruled_on() -> None:
    law = GAMES["seven_up_4"]
    found = 0
    for deal in honest(law, 6):
        at = next((k for k, e in enumerate(deal.events) if e.kind == "score"), None)
        if at is None or deal.order_after_cut is None:
            continue
        wrong = structs.replace(deal.events[at], number=9)
        events = (*deal.events[:at], wrong, *deal.events[at + 1 :])
        marred = structs.replace(deal, events=events, widow=hidden(b"\0", 0))
        found += bool(referee_log(law, marred)[0])
    assert found
