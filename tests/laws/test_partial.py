"""A log that leaves out what it likes is never ruled on for what it left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee, referee_log
from audit.referee.simulate import deals

PLAYED = [n for n in GAMES.names if GAMES[n].rules is not None and GAMES[n].status != "named"]


def without(deal: Deal, left: Callable[[Event], bool], *, hands: bool = True) -> Deal:
    """Return the record with only the events that are *left*, and without the order."""
    events = tuple(e for e in deal.events if left(e))
    bare = {} if hands else {"hands": ()}
    return structs.replace(deal, events=events, order_after_cut=None, **bare)


@pytest.mark.parametrize("name", PLAYED)
def test_what_a_right_record_leaves_out_is_not_ruled_on(name: str) -> None:
    law = GAMES[name]
    choose = PLAY["by_lot"].choose
    assert choose is not None
    players = law.tables[len(law.tables) // 2]
    for deal in deals(law, players=players, choose=choose, count=12, seed=5):
        for some in (
            without(deal, lambda e: e.kind != "play"),
            without(deal, lambda e: e.kind != "play", hands=False),
            without(deal, lambda e: e.kind in ("score", "pay", "pool"), hands=False),
            without(deal, lambda e: e.kind != "call", hands=False),
        ):
            assert referee_log(law, some)[0] == []


def test_what_is_missing_is_counted() -> None:
    law, choose = GAMES["seven_up_4"], PLAY["by_lot"].choose
    assert choose is not None
    deal = next(iter(deals(law, players=4, choose=choose, count=1, seed=5)))
    some = without(deal, lambda e: e.kind != "play")
    assert referee(law, some)[0], "the plain referee takes a record for whole"
    rulings, unjudged = referee_log(law, some)
    assert (rulings, unjudged > 0) == ([], True)


def test_a_whole_record_keeps_its_rulings() -> None:
    law, choose = GAMES["seven_up_4"], PLAY["by_lot"].choose
    assert choose is not None
    for deal in deals(law, players=4, choose=choose, count=20, seed=6):
        events = list(deal.events)
        at = next((i for i, e in enumerate(events) if e.kind == "score"), None)
        if at is None:
            continue
        events[at] = structs.replace(events[at], number=events[at].number + 1)
        wrong = structs.replace(deal, events=tuple(events))
        assert referee_log(law, wrong)[0] == referee(law, wrong)[0] != []


@pytest.mark.parametrize("name", ["seven_up_3", "seven_up_4", "all_fours_old", "all_fives"])
def test_a_hand_that_is_not_shown_is_not_known_by_its_three_more_cards(name: str) -> None:
    law, choose, tried = GAMES[name], PLAY["by_lot"].choose, 0
    assert choose is not None
    for deal in deals(law, players=law.tables[-1], choose=choose, count=24, seed=5):
        for seat in range(len(deal.hands) if deal.runs else 0):
            hands = tuple(b"" if k == seat else hand for k, hand in enumerate(deal.hands))
            tried += 1
            assert referee(law, structs.replace(deal, hands=hands, order_after_cut=None))[0] == []
    assert tried >= 8


def as_played(deal: Deal) -> Deal:
    """Return *deal* with the cards that each place played for its hand, without the order."""
    hands = tuple(
        bytes(c for e in deal.events if e.kind == "play" and e.seat == p for c in e.cards)
        for p in range(1, len(deal.hands) + 1)
    )
    return structs.replace(deal, hands=hands, order_after_cut=None)


#: Games in which hands change, or end before they are played out; rulings without the rule.
WRITTEN_AFTER = (
    ("ecarte_foster", 2, "ecarte"),
    ("nap", 4, "nap"),
    ("nap_purchase", 4, "nap"),
    ("loo5_foster", 5, "loo"),
    ("pope_joan", 5, "by_lot"),
)


@pytest.mark.parametrize(("name", "players", "player"), WRITTEN_AFTER)
def test_hands_written_as_they_were_played_are_not_ruled_on(
    name: str, players: int, player: str
) -> None:
    """Else who exchanged gave up what he did not hold, and who stopped held a foul hand."""
    law, choose = GAMES[name], PLAY[player].choose
    assert choose is not None
    plain = 0
    for deal in deals(law, players=players, choose=choose, count=30, seed=8):
        some = as_played(deal)
        plain += bool(referee(law, some)[0])
        assert referee_log(law, some)[0] == []
    assert plain > 3


@pytest.mark.parametrize("name", ["speculation", "loo5_foster_pam", "spoil_five"])
def test_a_record_without_its_turn_up_is_not_ruled_on(name: str) -> None:
    law, choose = GAMES[name], PLAY["by_lot"].choose
    assert choose is not None
    for deal in deals(law, players=5, choose=choose, count=60, seed=9):
        some = structs.replace(deal, turnups=b"", order_after_cut=None)
        assert referee_log(law, some)[0] == []


@pytest.mark.parametrize(("name", "players", "player"), WRITTEN_AFTER[:4])
def test_hands_as_dealt_keep_their_rulings(name: str, players: int, player: str) -> None:
    """Whoever plays a card that he never held is ruled on, with the order or without."""
    law, choose = GAMES[name], PLAY[player].choose
    assert choose is not None
    ruled = wrong = 0
    for deal in deals(law, players=players, choose=choose, count=30, seed=8):
        events = list(deal.events)
        at = next((i for i, e in enumerate(events) if e.kind == "play"), None)
        if at is None:
            continue
        known = {c for h in deal.hands for c in h} | {c for e in events for c in e.cards}
        other = next(c for c in law.pack if c not in known and c not in deal.turnups)
        events[at] = structs.replace(events[at], cards=bytes([other]))
        some = structs.replace(deal, events=tuple(events), order_after_cut=None)
        wrong += 1
        ruled += any(r.event == at for r in referee_log(law, some)[0])
    assert wrong > 10
    assert ruled > 0.8 * wrong
