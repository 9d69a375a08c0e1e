"""What a sealed pack of every game opens, when and to whom: turn-ups, widows, runs and draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from audit.games import GAMES
from audit.plan import Question
from audit.shuffle.entries import EVERYBODY, NOBODY
from audit.shuffle.local import Room
from audit.shuffle.transcript import TableVerdict, verify_transcript
from tests.shuffle.make_table_vectors import chooser, seeded

#: A game of which only the name is left cannot be dealt.
DEALT = [name for name in GAMES.names if GAMES[name].status != "named"]
#: The game whose stock is turned over bodily after six cards to each, and the one whose
#: players may look at one card in turn.
TURNED_OVER, PEEPED = "california_jack", "nap_peep"

#: What the books have opened after the deal where every answer moves as many cards as it may.
WIDOW = {
    *("nap_widow", "nap_peep", "rams", "rounce", "bierspiel", "loo_club_law"),
    *("loo3_limited_double", "loo3_unlimited_double"),
    *("loo3_enquire_limited", "loo3_enquire_unlimited"),
}
RUN = {"all_fours_old", "seven_up_2", "seven_up_3", "seven_up_4", "all_fives"}
LATER_TURNUP = {"loo3_limited_simple", "loo3_unlimited_simple", "holdem"}
DRAWN = {
    *("ecarte_foster", "ecarte_enquire", "pool_ecarte", "pool_ecarte_two_pay", "nap_purchase"),
    *("irish_loo", "loo5_foster", "loo5_foster_pam", "loo5_enquire"),
    *("california_jack", "shasta_sam", "vingt_un"),
}


def most(seat: int, question: Question, hand: Mapping[int, int]) -> str | list[int]:
    """Give the answer that moves most cards."""
    if question.places:
        return list(question.places[: question.count])
    return str(question.choices[-1])


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A verified pack; *asked* is how many openings were made before the first question."""

    verdict: TableVerdict
    asked: int

    @property
    def later(self) -> list[tuple[int, int]]:
        """What was opened after somebody was asked."""
        return list(self.verdict.shown[self.asked :])


def opened(name: str, players: int, *, by_lot: bool) -> Opened:
    """Deal a sealed pack, answered by lot or by what moves most, and verify it."""
    options = {"trump": "H"} if name == TURNED_OVER else {}
    room = Room(GAMES[name], players, options=options, draw=seeded(f"opened {name} {players}"))
    decide, asked = chooser(name) if by_lot else most, []

    def noted(seat: int, question: Question, hand: Mapping[int, int]) -> str | list[int]:
        asked.append(sum(len(item.faces) for item in room.pack.items))
        return decide(seat, question, hand)

    room.contribute(10)
    room.play(noted)
    room.finish()
    verdict = verify_transcript(room.transcript(1), room.ledger.head())
    assert verdict.verified
    # Nobody's cards are opened to nobody, so they are no items; they stand among the shown.
    told = [k for k, (_, to) in enumerate(verdict.shown, start=1) if to != NOBODY]
    first = asked[0] if asked else len(told)
    return Opened(verdict=verdict, asked=told[first - 1] if first else 0)


@pytest.mark.parametrize("by_lot", [False, True], ids=["most", "by lot"])
@pytest.mark.parametrize("name", DEALT)
def test_every_pack_is_opened_from_the_top_card_down(name: str, *, by_lot: bool) -> None:
    """No place is passed over; a stock that lies turned over is opened from its other end."""
    for players in {max(2, GAMES[name].tables[0]), GAMES[name].tables[-1]}:
        verdict = opened(name, players, by_lot=by_lot).verdict
        places = list(dict.fromkeys(place for place, _ in verdict.shown))
        size = len(verdict.dealt)
        wanted = list(range(size))
        if name == TURNED_OVER:
            wanted = [*wanted[: 6 * players], *wanted[: 6 * players - 1 : -1]]
        assert places == wanted[: len(places)]
        # A place is opened to one seat, or to all; only the card peeped at goes round.
        seen = Counter(place for place, to in verdict.shown if to != NOBODY)
        assert sum(times > 1 for times in seen.values()) <= (name == PEEPED)


def test_turnups_widows_runs_and_draws_are_opened_after_a_decision() -> None:
    widow, run, turned, drawn = set[str](), set[str](), set[str](), set[str]()
    for name in DEALT:
        made = opened(name, max(2, GAMES[name].tables[0]), by_lot=False)
        laid = {place for place, to in made.verdict.shown if to == NOBODY}
        to_all = [place for place, to in made.later if to == EVERYBODY]
        to_one = [place for place, to in made.later if to not in (EVERYBODY, NOBODY)]
        if set(to_one) & laid:
            widow.add(name)
        if to_all:
            (run if set(to_one) - laid else turned).add(name)
        elif set(to_one) - laid:
            drawn.add(name)
    assert (widow, run, turned, drawn) == (WIDOW, RUN, LATER_TURNUP, DRAWN)
