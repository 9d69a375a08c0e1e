"""The referee against a checker written by another hand from the books' words."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import pytest
from msgspec.structs import replace

from audit.event import Event, Seen, Want
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import deals
from tests.laws import outsider, outsider_scores
from tests.laws.outsider import Book, Trick, Turn

READ: dict[str, tuple[int, Callable[[Deal], Book]]] = {
    "seven_up_2": (2, outsider.seven_up),
    "seven_up_3": (3, outsider.seven_up),
    "seven_up_4": (4, outsider.seven_up),
    "nap": (4, outsider.nap),
    "ecarte_foster": (2, outsider.ecarte),
    "ecarte_enquire": (2, outsider.ecarte),
    "loo3_limited_double": (5, outsider.loo),
    "spoil_five": (5, outsider.spoil_five),
    "rams": (6, outsider.rams),
    "euchre_2": (2, outsider.euchre),
    "put_2": (2, outsider.put),
    "put_4": (4, outsider.put),
    "euchre_4": (4, outsider.euchre),
}
#: Every card of every hand may be played in these.
FREE = {"put_2", "put_4"}
COUNT, MUTATED, SEED = 150, 120, 61


@cache
def sample(name: str) -> tuple[tuple[Deal, tuple[tuple[int, ...], ...]], ...]:
    """Return simulated deals, each with what the simulation let its players play, in order."""
    by_lot = PLAY["by_lot"].choose
    assert by_lot is not None
    offered: list[tuple[int, ...]] = []

    def choose(want: Want, seen: Seen, below: Callable[[int], int]) -> Event:
        if want.kind == "play":
            offered.append(tuple(sorted(want.cards)))
        if "general" in want.words and below(6):  # it mostly ends the play at the first trick
            words = tuple(w for w in want.words if w != "general")
            return by_lot(dataclasses.replace(want, words=words), seen, below)
        return by_lot(want, seen, below)

    found = []
    for deal in deals(GAMES[name], players=READ[name][0], choose=choose, count=COUNT, seed=SEED):
        found.append((deal, tuple(offered)))
        offered.clear()
    return tuple(found)


def played(name: str) -> list[Deal]:
    """Return the deals of the sample that came to play."""
    return [d for d, _ in sample(name) if any(e.kind == "play" for e in d.events)]


def objects(name: str, deal: Deal, at: int | None = None) -> bool:
    """Return whether the referee objects to a deal, to its event *at* where that is given."""
    rulings, _ = referee(GAMES[name], deal)
    return any(at is None or r.event == at for r in rulings)


def with_events(deal: Deal, changes: dict[int, Event]) -> Deal:
    """Return the deal with some of its events put in the place of others."""
    return replace(deal, events=tuple(changes.get(k, e) for k, e in enumerate(deal.events)))


def swapped(deal: Deal, turn: Turn, card: int) -> Deal:
    """Return the deal with *card* played at *turn*, and the true card where *card* was played."""
    true = deal.events[turn.event]
    changes = {turn.event: replace(true, cards=bytes([card]))}
    for at, event in enumerate(deal.events):
        if at > turn.event and event.kind == "play" and event.cards[0] == card:
            changes[at] = replace(event, cards=true.cards)
    return with_events(deal, changes)


@pytest.mark.parametrize("name", READ)
def test_both_find_nothing_in_simulated_deals(name: str) -> None:
    read = READ[name][1]
    assert len(played(name)) >= 60
    for deal, _ in sample(name):
        assert outsider.faults(deal, read) == []
        assert not objects(name, deal)


@pytest.mark.parametrize("name", READ)
def test_both_allow_the_same_cards_at_every_play(name: str) -> None:
    read = READ[name][1]
    narrowed = 0
    for deal, offered in sample(name):
        if not offered:
            continue
        steps = [t for t in outsider.turns(deal, read(deal)) if isinstance(t, Turn)]
        assert [tuple(sorted(t.legal)) for t in steps] == list(offered)
        narrowed += sum(len(t.legal) < len(t.held) for t in steps)
    assert (narrowed == 0) if name in FREE else (narrowed >= 100)


def illegal(name: str) -> Iterator[tuple[Turn, Deal]]:
    """Yield deals in each of which one card of the same hand is played against the book."""
    read = READ[name][1]
    for deal in played(name)[:MUTATED]:
        for turn in outsider.turns(deal, read(deal)):
            if isinstance(turn, Turn):
                for card in set(turn.held) - set(turn.legal):
                    yield turn, swapped(deal, turn, card)


@pytest.mark.parametrize("name", [n for n in READ if n not in FREE])
def test_both_object_to_a_card_that_may_not_be_played(name: str) -> None:
    tried = 0
    for turn, deal in illegal(name):
        tried += 1
        assert any(f.event == turn.event for f in outsider.faults(deal, READ[name][1]))
        assert objects(name, deal, turn.event), (turn, deal)
    assert tried >= 40


@pytest.mark.parametrize("name", READ)
def test_both_object_when_another_seat_leads_to_the_next_trick(name: str) -> None:
    read = READ[name][1]
    tried = 0
    for deal in played(name)[:MUTATED]:
        seats = read(deal).seats
        steps = list(outsider.turns(deal, read(deal)))
        for trick, lead in pairwise(steps):
            if not isinstance(trick, Trick) or not isinstance(lead, Turn) or not trick.winner:
                continue
            other = seats[(seats.index(lead.seat) + 1) % len(seats)]
            wrong = with_events(deal, {lead.event: replace(deal.events[lead.event], seat=other)})
            tried += 1
            assert any(f.event == lead.event for f in outsider.faults(wrong, read))
            assert objects(name, wrong, lead.event), (lead, wrong)
    assert tried >= 20


@pytest.mark.parametrize("name", ["nap", "spoil_five", "rams"])
def test_both_object_to_a_trick_gathered_by_another_side_and_to_no_other(name: str) -> None:
    read = READ[name][1]
    seen: Counter[bool] = Counter()
    for deal in played(name)[:MUTATED]:
        side, count = read(deal).side, len(deal.hands)
        for at, event in enumerate(deal.events):
            if event.kind == "trick":
                other = event.seat % count + 1
                wrong = with_events(deal, {at: replace(event, seat=other)})
                foul = side(other) != side(event.seat)
                seen[foul] += 1
                assert any(f.event == at for f in outsider.faults(wrong, read)) == foul
                assert objects(name, wrong, at) == foul, wrong
    assert seen[True] >= 40
    assert (seen[False] >= 40) == (name == "nap")


def test_an_ace_of_trumps_that_is_not_announced_is_the_lowest_trump() -> None:
    """Both then find the same tricks and turns wrong; the silence itself the referee notes."""
    tried = changed = 0
    for deal in played("spoil_five"):
        said = [k for k, e in enumerate(deal.events) if e.word == "turn down"]
        if not said:
            continue
        silent = replace(deal, events=deal.events[: said[0]] + deal.events[said[0] + 1 :])
        rulings, _ = referee(GAMES["spoil_five"], silent)
        assert [r.event for r in rulings if r.code == "W50"] == [said[0]]
        mine = sorted({f.event for f in outsider.faults(silent, outsider.spoil_five)})
        theirs = sorted({r.event for r in rulings if r.code != "W50"})
        tried += 1
        changed += bool(mine)
        assert mine == [k for k in theirs if silent.events[k].kind in ("play", "trick")], silent
    assert tried >= 20
    assert changed >= 5


@pytest.mark.parametrize("name", ["seven_up_2", "seven_up_3", "seven_up_4"])
def test_the_points_of_seven_up_are_those_of_the_book(name: str) -> None:
    words = ("high", "low", "catch jack", "game")
    for deal in played(name):
        sides = 2 if len(deal.hands) == 4 else len(deal.hands)
        logged = {e.word: (e.seat - 1) % sides + 1 for e in deal.events if e.word in words}
        assert logged == outsider_scores.all_fours_points(deal), deal
        for at, event in enumerate(deal.events):
            if event.word in words:
                other = event.seat % len(deal.hands) + 1
                wrong = with_events(deal, {at: replace(event, seat=other)})
                assert objects(name, wrong), wrong


@pytest.mark.parametrize(
    ("name", "owed", "words"),
    [
        ("nap", outsider_scores.nap_payments, ("bid",)),
        ("loo3_limited_double", outsider_scores.loo_payments, ("tricks", "loo")),
    ],
)
def test_the_payments_are_those_of_the_book(
    name: str, owed: Callable[[Deal], Counter[tuple[int, int, int]]], words: tuple[str, ...]
) -> None:
    for deal in played(name):
        pays = [e for e in deal.events if e.kind == "pay" and e.word in words]
        logged: Counter[tuple[int, int, int]] = Counter((e.seat, e.to, e.number) for e in pays)
        assert logged == owed(deal), deal
        for at, event in enumerate(deal.events):
            if event.kind == "pay":
                wrong = with_events(deal, {at: replace(event, number=event.number + 1)})
                assert objects(name, wrong), wrong


@pytest.mark.parametrize(
    ("name", "owed", "words"),
    [
        ("ecarte_foster", outsider_scores.ecarte_score, ("point", "vole")),
        ("ecarte_enquire", outsider_scores.ecarte_score, ("point", "vole")),
        ("euchre_2", outsider_scores.euchre_score, ("point", "march", "euchre")),
    ],
)
def test_the_score_is_that_of_the_book(
    name: str, owed: Callable[[Deal], tuple[int, int]], words: tuple[str, ...]
) -> None:
    for deal in played(name):
        at, event = next((k, e) for k, e in enumerate(deal.events) if e.word in words)
        assert (event.seat, event.number) == owed(deal), deal
        assert objects(name, with_events(deal, {at: replace(event, seat=3 - event.seat)}))
        assert objects(name, with_events(deal, {at: replace(event, number=3 - event.number)}))


def test_the_shares_of_rams_are_those_of_the_book() -> None:
    tried = 0
    for deal in played("rams"):
        if any(e.word == "general" for e in deal.events):
            continue
        pays = [e for e in deal.events if e.kind == "pay" and e.word in ("tricks", "ramsed")]
        tried += 1
        assert Counter((e.seat, e.to, e.number) for e in pays) == outsider_scores.rams_payments(
            deal
        )
    assert tried >= 40


@pytest.mark.parametrize("name", READ)
def test_another_card_that_may_be_played_is_no_breach(name: str) -> None:
    """What follows may then be wrong, and both find the same play or trick wrong first."""
    read = READ[name][1]
    tried = 0
    for deal in played(name)[:25]:
        for turn in outsider.turns(deal, read(deal)):
            if not isinstance(turn, Turn):
                continue
            for card in set(turn.legal) - set(deal.events[turn.event].cards):
                other = swapped(deal, turn, card)
                rulings, _ = referee(GAMES[name], other)
                theirs = [
                    r.event for r in rulings if other.events[r.event].kind in ("play", "trick")
                ]
                first = min((f.event for f in outsider.faults(other, read)), default=-1)
                tried += 1
                assert turn.event not in theirs
                assert first == min(theirs, default=-1), other
    assert tried >= 60
