"""Whatever stands in a record, six games rule on it and none of them stops."""

from __future__ import annotations

import pytest
from msgspec import structs

from audit.event import Event, Kind
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import Lots, deals

NAMES = (
    "speculation",
    "connexions_3",
    "connexions_4",
    "matrimony",
    "pope_joan",
    "cassino_2",
    "cassino_3",
    "cassino_4",
    "vingt_un",
)
KINDS: tuple[Kind, ...] = (
    "call",
    "exchange",
    "draw",
    "turn",
    "look",
    "play",
    "trick",
    "claim",
    "score",
    "pay",
    "pool",
    "irregular",
    "redeal",
)
WORDS = ("", "bid", "sell", "pass", "card", "stand", "natural", "stake", "best", "stock", "x")
CARDS = (*range(52), 255)


def _event(lots: Lots) -> Event:
    some = lots.below(4)
    return Event(
        kind=KINDS[lots.below(len(KINDS))],
        seat=lots.below(21),
        cards=bytes(CARDS[lots.below(len(CARDS))] for _ in range(some)),
        word=WORDS[lots.below(len(WORDS))],
        number=lots.below(9) - 3,
        to=lots.below(8),
    )


def _spoilt(deal: Deal, lots: Lots) -> Deal:
    events = list(deal.events)
    for _ in range(1 + lots.below(4)):
        at = lots.below(len(events) + 1)
        events[at : at + lots.below(2)] = [_event(lots) for _ in range(lots.below(3))]
    hands = list(deal.hands)
    seat = lots.below(len(hands))
    hands[seat] = (hands[seat], b"", b"\xff" * len(hands[seat]), hands[seat] * 2)[lots.below(4)]
    fields: tuple[dict[str, object], ...] = (
        {},
        {"hands": ()},
        {"hands": deal.hands[1:]},
        {"turnups": b""},
        {"turnups": b"\xff"},
        {"board": b"\xff" * 4},
        {"board": b""},
        {"players": None},
        {"players": 1 + lots.below(20)},
        {"dealer_seat": None},
        {"dealer_seat": 1 + lots.below(30)},
        {"order_after_cut": None},
        {"order_after_cut": b"\xff" * 52},
        {"order_after_cut": bytes(range(9))},
        {"options": {"pool": "x", "pool best": "-3"}},
    )
    wrong = structs.replace(deal, events=tuple(events), hands=tuple(hands))
    return structs.replace(wrong, **fields[lots.below(len(fields))])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_record_stops_the_referee(name: str) -> None:
    law, lots, choose = GAMES[name], Lots(17), PLAY["by_lot"].choose
    assert choose is not None
    for players in {law.players[0], min(law.players[1], 7)}:
        made = deals(law, players=players, choose=choose, count=150, seed=players)
        for deal in made:
            wrong = _spoilt(deal, lots)
            rulings, unjudged = referee(law, wrong)
            assert unjudged >= 0
            for ruling in rulings:
                assert -1 <= ruling.event < len(wrong.events)
                assert law.source.section in ruling.law


def _hidden(deal: Deal, lots: Lots) -> Deal:
    """Take from the record what a log may well not show; nothing in it is wrong."""
    hands, events = list(deal.hands), list(deal.events)
    what = lots.below(8)
    at = lots.below(len(events))
    if what == 0:
        return structs.replace(deal, hands=())
    if what == 1:
        hands[lots.below(len(hands))] = b""
    elif what == 2:
        seat = lots.below(len(hands))
        hands[seat] = b"\xff" * len(hands[seat])
    elif what == 3:
        seat = lots.below(len(hands))
        hands[seat] = hands[seat][:-1] + b"\xff"
    elif what == 4:
        events = [e for e in events[:at] if e.kind not in ("score", "pay", "pool")]
    elif what == 5:
        events = [e for e in events if e.kind not in ("score", "pay", "pool")]
    elif what == 6 and events[at].kind in ("play", "draw"):
        events[at] = structs.replace(events[at], cards=b"\xff" * len(events[at].cards))
    elif what == 7:
        hands = [bytes(sorted(h)) for h in hands]
    kept = deal.order_after_cut if what == 5 else None
    return structs.replace(deal, hands=tuple(hands), events=tuple(events), order_after_cut=kept)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_record_does_not_show_is_not_ruled_on(name: str) -> None:
    law, lots, choose = GAMES[name], Lots(23), PLAY["by_lot"].choose
    assert choose is not None
    unjudged = 0
    for players in {law.players[0], min(law.players[1], 7)}:
        for deal in deals(law, players=players, choose=choose, count=200, seed=players):
            found, left = referee(law, _hidden(deal, lots))
            assert not found
            unjudged += left
    assert unjudged > 0
