"""Hands as they were kept are none as dealt, though their format says so, where events tell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from audit.games import GAMES
from audit.readers.jsonl import encode
from audit.record import Deal
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
    monkeypatch.setattr(checking, "became", lambda deal, law: False)
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


def test_a_card_that_is_in_no_hand_as_dealt_is_found(tmp_path: Path) -> None:
    some = [d for d in bought() if 42 not in b"".join(d.hands)]
    found = report(tmp_path / "missing.jsonl", some)
    assert found["verdict"] == "flagged"
    named = [f["subject"] for f in found["findings"] if f["flagged"]]
    assert {"card": "5C"} in named
