"""The referee of table games against a checker written by another hand from the book's words."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from audit.cards import parse
from audit.event import Below, Event, Seen, Want
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee, referee_log
from audit.referee.simulate import Lots, deals
from tests.laws import outsider_tables as tables
from tests.laws.outsider_changes import MONEY, READ, changes, compare, freely, sample

#: Deals and of how many of their events each is changed; a long deal costs more.
CHANGED = {
    "cassino_2": (8, 19),
    "cassino_3": (8, 19),
    "cassino_4": (8, 19),
    "connexions_3": (12, 8),
    "connexions_4": (12, 8),
    "speculation": (20, 6),
    "matrimony": (12, 6),
    "pope_joan": (10, 11),
    "vingt_un": (12, 11),
}


@pytest.mark.parametrize("name", READ)
def test_both_find_nothing_in_simulated_deals(name: str) -> None:
    for deal in sample(name, 150):
        assert tables.fault(deal, READ[name][1]) is None
        assert referee(GAMES[name], deal) == ([], 0)


@pytest.mark.parametrize("name", READ)
def test_both_object_to_the_same_changes_of_a_record(name: str) -> None:
    count, every = CHANGED[name]
    found = compare(name, count, every)
    assert found.alone == []
    assert len([kind for kind, times in found.both.items() if times >= 3]) >= 12, found.both
    # What is cut off or left out is little beside what is judged.
    assert sum((found.open | found.short).values()) * 20 < sum(found.both.values())


@pytest.mark.parametrize("name", READ)
def test_one_wrong_event_is_not_ruled_on_again_and_again(name: str) -> None:
    """Those who play on after it did nothing wrong; before this was so, a card left out of a
    pack of vingt-un made sixteen rulings, one of Connexions thirteen."""
    lots, made, times = Lots(5), Counter[str](), Counter[str]()
    for number, deal in enumerate(sample(name, CHANGED[name][0], 44)):
        for at in range(number % 7, len(deal.events), CHANGED[name][1]):
            if deal.events[at].kind in MONEY:
                continue
            for kind, changed in changes(deal, at, lots):
                rulings, _ = referee_log(GAMES[name], changed)
                moves = [r for r in rulings if r.event >= 0]
                moves = [r for r in moves if changed.events[r.event].kind not in MONEY]
                made[kind] += len(moves)
                times[kind] += bool(moves)
    assert made.total() <= 3 * times.total(), made
    assert all(made[k] <= 7 * times[k] for k in times), (made, times)


@pytest.mark.parametrize("name", ["speculation", "matrimony", "pope_joan", "vingt_un"])
def test_both_accept_what_the_book_leaves_free(name: str) -> None:
    lots, other = Lots(5), 0
    for deal in sample(name, 150):
        free = freely(deal, lots)
        other += free != deal
        assert tables.fault(free, READ[name][1]) is None, free
        assert referee(GAMES[name], free) == ([], 0), free
    assert other >= 120


@pytest.mark.parametrize("name", ["cassino_2", "cassino_3", "cassino_4"])
def test_both_accept_any_part_of_what_a_card_can_take(name: str) -> None:
    by_lot = PLAY["by_lot"].choose
    assert by_lot is not None
    more = 0

    def choose(want: Want, seen: Seen, below: Below) -> Event:
        nonlocal more
        event = by_lot(want, seen, below)
        for cards in want.sets:
            if cards[:1] == event.cards[:1] and not set(cards[1:]) & set(event.cards[1:]):
                both = event.cards + cards[1:]
                more += both not in want.sets and len(cards) > 1
                event = replace(event, cards=both)
        return event

    law = GAMES[name]
    for deal in deals(law, players=READ[name][0], choose=choose, count=60, seed=8):
        assert tables.fault(deal, tables.cassino) is None, deal
        assert referee(law, deal) == ([], 0), deal
    assert more >= 5


def test_both_let_a_card_of_cassino_take_the_same() -> None:
    """Section 112, law iv: its denomination, all that combines with it, or any part of these."""
    law, seen = GAMES["cassino_2"], Counter[tuple[bool, bool]]()
    for deal in sample("cassino_2", 24):
        eldest = 3 - (deal.dealer_seat or 2)
        for card in deal.hands[eldest - 1]:
            lots = [t for k in range(1, 5) for t in combinations(deal.board, k)]
            takes = any(tables.takes(card, t) for t in lots)
            for taken in ((), *lots):
                play = Event(kind="play", seat=eldest, cards=bytes((card, *taken)))
                right = tables.takes(card, taken) if taken else not takes
                rulings, _ = referee(law, replace(deal, events=(play,)))
                seen[right, bool(rulings)] += 1
    assert seen[True, True] == seen[False, False] == 0
    assert seen[True, False] >= 24
    assert seen[False, True] >= 200


def natural(hands: str, dealer: int) -> int:
    """Return who deals after a first coup in which all naturals are declared."""
    cards = tuple(parse(h) for h in hands.split(", "))
    seats = [s for s, c in enumerate(cards, 1) if tables.count(c) == 21]
    events = tuple(Event(kind="claim", seat=s, word="natural") for s in seats)
    deal = Deal(game="vingt_un", dealer_seat=dealer, hands=cards, events=events)
    return tables.next_dealer(deal)


def test_a_natural_has_the_deal_and_the_dealers_keeps_it() -> None:
    """Section 115; a record is one pack, so nobody is ruled on for who deals the next."""
    assert natural("AS KS, 2H 3H, 4D 5D", 3) == 1
    assert natural("2S 3S, AH KH, AD KD", 1) == 2
    assert natural("2S 3S, 2H 3H, AD KD", 3) == 3
    assert natural("AS KS, 2H 3H, AD KD", 3) == 3
    assert natural("2S 3S, 2H 3H, 4D KD", 3) == 3
