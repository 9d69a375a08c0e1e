"""Honest hands that stand in other places than those who held them, and what a finding names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.play import PLAY
from audit.record import Deal
from audit.referee.simulate import Lots, first_deal, play_deal
from audit.suspect import SUSPECT
from tests._habits import highest_of, price, trials

LAW = GAMES["seven_up_4"]
#: Words by which a finding says that its deals may have been chosen, or its rows.
CHOSEN = ("keeps", "recorded", "written down", "break off", "made up")


@cache
def night() -> tuple[Deal, ...]:
    """Deals of four sensible players, calls, runs and plays told, without the order."""
    choose = PLAY["sensible_all_fours"].choose
    assert choose is not None
    lots, out = Lots(1), list[Deal]()
    for i, row in enumerate(uniform_orders(Words(1), 300)):
        dealt = first_deal(LAW, bytes(row.tolist()), 4, (3 + i) % 4 + 1, {})
        played = play_deal(LAW, dealt, dict.fromkeys(range(1, 5), choose), lots)
        out.append(replace(played, order_after_cut=None))
    return tuple(out)


def moved(how: str) -> Iterator[Deal]:
    """Yield the deals of the night with hands written from the eldest on, or under other names."""
    for deal in night():
        seats = {
            "from the eldest": [((deal.dealer_seat or 0) + k) % 4 for k in range(4)],
            "partners changed": [2, 1, 0, 3],
            "turned by two": [2, 3, 0, 1],
            "as held": [0, 1, 2, 3],
        }[how]
        yield replace(deal, hands=tuple(deal.hands[s] for s in seats))


def without_plays(deal: Deal) -> Deal:
    return replace(deal, events=tuple(e for e in deal.events if e.kind == "call"))


@pytest.mark.parametrize("how", ["from the eldest", "partners changed", "turned by two"])
def test_hands_written_in_other_places_tell_of_no_signals(how: str) -> None:
    """A partner's hand that is the own goes with every beg: half of such logs were flagged.

    The plays of a deal say that its hands stand elsewhere; a log without plays cannot say so,
    and the finding names it.
    """
    most = max(
        ln_e - price(SUSPECT[name], 4) for (name, _), ln_e in highest_of(moved(how), LAW).items()
    )
    assert most < -4
    blind = highest_of(map(without_plays, moved(how)), LAW)
    assert max(ln_e for (name, _), ln_e in blind.items() if name == "signals") > 4
    assert any("other places" in text for text in SUSPECT["signals"].explains)


def test_hands_written_where_they_were_held_are_still_trials() -> None:
    whole = [trials("signals", d, LAW) for d in moved("as held")]
    bare = [trials("signals", without_plays(d), LAW) for d in moved("as held")]
    assert whole == bare
    assert sum(map(len, whole)) == 300


def test_a_place_that_plays_a_card_of_a_run_was_given_it() -> None:
    ran = [d for d in moved("as held") if d.runs]
    assert ran
    for deal in ran:
        (one,) = trials("marked_hands", deal, LAW)
        (same,) = trials("marked_hands", without_plays(deal), LAW)
        assert one == same


@pytest.mark.parametrize("name", SUSPECT.names)
def test_every_suspicion_names_a_log_that_was_chosen_by_its_cards(name: str) -> None:
    """Thrown in and not written down: no record can show it, so the finding has to say it."""
    told = " ".join(SUSPECT[name].explains)
    assert any(word in told for word in CHOSEN)
