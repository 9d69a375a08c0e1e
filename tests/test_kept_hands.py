"""Hands as they were kept are none as dealt, though their format says so, where events tell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from audit.cards import UNKNOWN, parse
from audit.event import Event, Kind
from audit.games import GAMES
from audit.readers.jsonl import encode
from audit.record import Deal
from audit.referee._became import changed
from audit.run import checking
from audit.run.audit import BECAME, audit
from tests._tables import _choose, played

#: Games in which hands change before the play, and who plays them.
CHANGING = (
    ("nap_purchase", 4, "nap"),
    ("ecarte_foster", 2, "ecarte"),
    ("loo5_foster", 5, "by_lot"),
    ("rams", 4, "by_lot"),
    ("spoil_five", 4, "spoil_five"),
    ("euchre_4", 4, "euchre"),
)
NOTE = "stands as it was played"


@cache
def bought() -> list[Deal]:
    return played(GAMES["nap_purchase"], 4, 1200, 12, _choose("nap"), orders=False)


def kept(deals: Sequence[Deal]) -> list[Deal]:
    """Return *deals* with the hands that were left after every exchange."""
    out = []
    for deal in deals:
        hands = [set(hand) for hand in deal.hands]
        for event in deal.events:
            if event.kind == "exchange":
                hands[event.seat - 1] -= set(event.cards)
            elif event.kind == "draw":
                hands[event.seat - 1] |= set(event.cards)
        bare = structs.replace(deal, order_after_cut=None)
        out.append(structs.replace(bare, hands=tuple(bytes(sorted(h)) for h in hands)))
    return out


def report(path: Path, deals: Sequence[Deal], block: int = 500) -> dict[str, Any]:
    path.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
    return audit([str(path)], form=None, game=None, block=block)


def notes(found: dict[str, Any]) -> list[str]:
    return [note for note in found["inputs"][0]["holds"]["notes"] if NOTE in note]


def test_hands_after_cards_were_bought_are_no_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Low cards seemed to be missing, at 10^14."""
    deals = kept(bought())
    found = report(tmp_path / "kept.jsonl", deals)
    assert found["verdict"] == "clear"
    assert notes(found) == [BECAME.format("1,200")]
    fallen = {s["detector"] for s in found["silent"] if not s["untouched"]}
    assert "missing_card" in fallen
    monkeypatch.setattr(checking, "changed", lambda deal, **_: False)
    assert report(tmp_path / "kept.jsonl", deals)["verdict"] == "flagged"


def test_one_hand_as_it_was_kept_is_enough_in_any_cut(tmp_path: Path) -> None:
    """Whoever wrote one so may have written others so, of which nothing tells."""
    fair = bought()[:200]
    deals = [*fair[:150], *kept(fair[150:151]), *fair[151:]]
    found = report(tmp_path / "kept.jsonl", deals)
    assert notes(found) == [BECAME.format(1)]
    again = report(tmp_path / "kept.jsonl", deals, block=70)
    assert (again["findings"], notes(again)) == (found["findings"], notes(found))
    fallen = {s["detector"] for s in found["silent"] if not s["untouched"]}
    assert "missing_card" in fallen


@pytest.mark.parametrize(("game", "players", "player"), CHANGING)
def test_hands_as_dealt_with_all_that_was_drawn_stay_hands_as_dealt(
    tmp_path: Path, game: str, players: int, player: str
) -> None:
    deals = played(GAMES[game], players, 300, 5, _choose(player), orders=False)
    assert any(e.kind in ("exchange", "draw") for d in deals for e in d.events)
    assert not notes(report(tmp_path / "dealt.jsonl", deals))


def cards(text: str) -> bytes:
    return bytes(UNKNOWN if name == "??" else parse(name)[0] for name in text.split())


def said(kind: Kind, text: str) -> Event:
    return Event(kind=kind, seat=1, cards=cards(text))


@pytest.mark.parametrize(
    ("hand", "events", "is_so"),
    [
        ("2S 3S 4S", [said("draw", "4S")], True),
        ("2S 3S 4S", [said("exchange", "5S"), said("draw", "4S")], True),
        ("2S 3S 4S", [said("exchange", "5S"), said("play", "2S")], True),
        ("2S 3S 4S", [said("exchange", "4S"), said("draw", "9S")], False),
        ("2S 3S 4S", [said("exchange", "4S"), said("draw", "9S"), said("play", "9S")], False),
        ("2S 3S 4S", [said("exchange", "5S")], False),
        ("2S 3S 4S", [said("exchange", "??"), said("play", "2S")], False),
        ("2S 3S ??", [said("draw", "??")], False),
        ("2S 3S 4S", [said("exchange", "5S"), said("draw", "5S"), said("play", "2S")], False),
    ],
)
def test_what_tells_a_hand_as_it_was_kept(hand: str, events: list[Event], *, is_so: bool) -> None:
    deal = Deal(game="nap_purchase", players=1, hands=(cards(hand),), events=tuple(events))
    assert changed(deal, unknown=False) == is_so
    whole = structs.replace(deal, order_after_cut=bytes(range(52)))
    assert not changed(whole, unknown=False)


def test_a_card_that_is_in_no_hand_as_dealt_is_found(tmp_path: Path) -> None:
    some = [d for d in bought() if 42 not in b"".join(d.hands)]
    found = report(tmp_path / "missing.jsonl", some)
    assert found["verdict"] == "flagged"
    named = [f["subject"] for f in found["findings"] if f["flagged"]]
    assert {"card": "5C"} in named
