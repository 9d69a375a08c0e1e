"""What a record shows of itself: extra and dropped cards, looks, scores, thin cuts, bunching."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from audit.cli.main import outcome
from audit.columns import columns_of
from audit.event import Event, Kind
from audit.games import GAMES
from audit.lab import LAB
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import Deal, Holds
from audit.referee import referee, referee_log
from audit.referee.simulate import Lots, first_deal, habitual
from audit.run.audit import audit
from audit.suspect import SUSPECT, suspicions, trials_of
from audit.suspicion import stored
from audit.tally import Looks, Table

CHOOSE = PLAY["sensible_all_fours"].choose


def table(game: str, players: int, name: str, count: int, dial: str = "1") -> list[Deal]:
    habit = LAB[name].habit
    assert habit is not None
    assert CHOOSE is not None
    made = habitual(
        GAMES[game],
        habit,
        players=players,
        choose=CHOOSE,
        count=count,
        dial=Fraction(dial),
        seed=31,
        seat=players,
    )
    return list(made)


def report(path: Path, some: list[Deal]) -> dict[str, Any]:
    path.write_bytes(b"".join(encode(d) + b"\n" for d in some))
    return audit([str(path)], form=None, game=None)


def stated(found: dict[str, Any]) -> Counter[tuple[str, str]]:
    return Counter((f["code"], f["kind"]) for f in found["findings"] if f["kind"] != "evidence")


@pytest.mark.parametrize(
    ("game", "players", "name", "code", "kind"),
    [
        ("seven_up_4", 4, "extra_card", "W03", "contradiction"),
        ("seven_up_4", 4, "dropped_cards", "W03", "ruling"),
        ("pitch_blind", 4, "dropped_cards", "W03", "ruling"),
        ("seven_up_4", 4, "early_look", "W15", "ruling"),
        ("seven_up_2", 2, "foul_after_jack", "W18", "ruling"),
        ("seven_up_3", 3, "overscored", "W19", "ruling"),
        ("seven_up_2", 2, "bunching", "W25", "ruling"),
        ("seven_up_3", 3, "thin_cut", "W102", "ruling"),
    ],
)
def test_the_record_shows_it(
    tmp_path: Path, game: str, players: int, name: str, code: str, kind: str
) -> None:
    told = report(tmp_path / "crooked.jsonl", table(game, players, name, 60))
    assert stated(told)[code, kind] > 2
    assert (told["verdict"] == "contradiction") == (kind == "contradiction")
    fair = report(tmp_path / "fair.jsonl", table(game, players, name, 60, "0"))
    assert stated(fair) == Counter()
    assert fair["verdict"] == "clear"


def test_a_foul_hand_that_was_settled_is_no_contradiction(tmp_path: Path) -> None:
    law = GAMES["seven_up_2"]
    deal = replace(first_deal(law, bytes(range(52)), 2, 2, {}), order_after_cut=None)
    long = replace(deal, hands=(deal.hands[0] + b"\x33", deal.hands[1]), number="1", table="1")
    settled = (
        Event(kind="irregular", seat=1, word="foul hand"),
        Event(kind="redeal", word="foul hand", to=1),
    )
    good = report(tmp_path / "settled.jsonl", [replace(long, events=settled)])
    assert (good["verdict"], stated(good)) == ("clear", Counter())
    assert good["inputs"][0]["deals"] == 1
    twice = replace(long, hands=(long.hands[0] + long.hands[0][:1], long.hands[1]), events=settled)
    doubled = report(tmp_path / "twice.jsonl", [twice])
    assert doubled["verdict"] == "contradiction"
    bad = report(tmp_path / "kept.jsonl", [long])
    assert stated(bad) == Counter({("W03", "contradiction"): 1})


def test_more_points_than_can_be_made_are_ruled_on_though_no_play_is_on_record() -> None:
    law = GAMES["seven_up_2"]
    marks = [Event(kind="score", seat=1, word=w, number=2) for w in ("high", "low", "game")]
    deal = Deal(game=law.id, players=2, dealer_seat=2, events=tuple(marks))
    assert [r.code for r in referee_log(law, deal)[0]] == ["W19"]
    running = replace(deal, events=(Event(kind="score", seat=1, word="total", number=6),))
    assert referee_log(law, running)[0] == []


def test_a_tied_game_goes_to_the_non_dealer() -> None:
    law, told = GAMES["seven_up_2"], 0
    for deal in table("seven_up_2", 2, "bunching", 250, "0"):
        at = [k for k, e in enumerate(deal.events) if e.kind == "score" and e.word == "game"]
        if not at:
            continue
        event = deal.events[at[0]]
        other = replace(event, seat=3 - event.seat)
        events = (*deal.events[: at[0]], other, *deal.events[at[0] + 1 :])
        codes = {r.code for r in referee(law, replace(deal, events=events))[0]}
        piles: Counter[int] = Counter()
        for seat, card in _taken(deal):
            piles[seat] += {8: 10, 9: 1, 10: 2, 11: 3, 12: 4}.get(card % 13, 0)
        tied = piles[1] == piles[2]
        told += tied
        assert ("W22" in codes) == tied
        assert event.seat != deal.dealer_seat or not tied
    assert told


def _taken(deal: Deal) -> list[tuple[int, int]]:
    """Return who took each card of a deal of two, by the plain rules of trumps."""
    plays = [(e.seat, e.cards[0]) for e in deal.events if e.kind == "play"]
    trump, out = deal.turnups[-1] // 13, []
    for first, second in zip(plays[::2], plays[1::2], strict=True):
        (a, x), (b, y) = first, second
        beaten = y // 13 == x // 13 and y > x
        winner = b if beaten or (y // 13 == trump and x // 13 != trump) else a
        out += [(winner, x), (winner, y)]
    return out


def test_thin_cuts_are_judged_by_the_law_of_the_game(tmp_path: Path) -> None:
    cards, some = bytes(range(52)), []
    for cut in (0, 3, 4, 48, 49, 52):
        deal = first_deal(GAMES["seven_up_2"], cards[cut % 7 :] + cards[: cut % 7], 2, 2, {})
        some.append(replace(deal, cut=cut, number=str(cut), table="1"))
    found = report(tmp_path / "cuts.jsonl", some)["findings"]
    assert [f["subject"] for f in found if f["code"] == "W102"] == [{"deal": "3"}, {"deal": "49"}]


KINDS: tuple[Kind, ...] = ("call", "play", "irregular", "redeal", "look", "exchange", "score")
WORDS = ("beg", "stand", "give", "run", "pitch", "foul hand", "faced card", "exposed card", "x")


def _event(lots: Lots) -> Event:
    return Event(
        kind=KINDS[lots.below(len(KINDS))],
        seat=lots.below(9),
        cards=bytes([*range(52), 255][lots.below(53)] for _ in range(lots.below(3))),
        word=WORDS[lots.below(len(WORDS))],
        number=lots.below(9) - 3,
    )


def _spoilt(deal: Deal, lots: Lots) -> Deal:
    events = list(deal.events)
    for _ in range(lots.below(4)):
        at = lots.below(len(events) + 1)
        events[at : at + lots.below(2)] = [_event(lots) for _ in range(lots.below(3))]
    seat = lots.below(len(deal.hands))
    hands = list(deal.hands)
    hands[seat] = (hands[seat], b"", b"\xff" * 6, hands[seat][:5], hands[seat - 1])[lots.below(5)]
    fields: tuple[dict[str, object], ...] = (
        {},
        {"hands": ()},
        {"hands": deal.hands[1:], "players": None},
        {"turnups": b""},
        {"turnups": b"\xff"},
        {"turnups": deal.hands[0][:1]},
        {"players": 1 + lots.below(20)},
        {"dealer_seat": None},
        {"dealer_seat": 1 + lots.below(30)},
        {"order_after_cut": None},
        {"order_after_cut": b"\xff" * 52},
        {"order_after_cut": bytes(range(9))},
        {"order_after_cut": bytes(52)},
        {"runs": b"\xff" * 6},
    )
    wrong = replace(deal, events=tuple(events), hands=tuple(hands))
    return replace(wrong, **fields[lots.below(len(fields))])


@pytest.mark.parametrize(
    ("game", "players"),
    [("seven_up_2", 2), ("seven_up_3", 3), ("seven_up_4", 4), ("auction_pitch_sell", 5)],
)
def test_whatever_stands_in_a_record_trials_are_found_or_not(game: str, players: int) -> None:
    law, lots, found = GAMES[game], Lots(5), 0
    known = suspicions(law)
    for deal in table(game, players, "convenient_misdeals", 60, "1/4"):
        for _ in range(12):
            wrong = _spoilt(deal, lots)
            for suspicion in known.values():
                for trial in suspicion.find(wrong, law) if suspicion.find else ():
                    found += 1
                    assert 0 <= trial.chance <= 1
                    assert 0 <= trial.subject <= players
            trials_of(wrong, law, known)
    assert found > 5


def test_no_trials_are_no_bytes() -> None:
    assert stored({0: [], 3: []}) == b""


def test_deals_without_a_card_for_game_are_counted() -> None:
    low = [c for c in range(52) if c % 13 < 8]
    deal = Deal(game="seven_up_2", players=2, hands=(bytes(low[:6]), bytes(low[6:12])))
    one = replace(deal, hands=(bytes(low[:6]), bytes([*low[6:11], 8])))
    short = replace(deal, hands=(bytes(low[:6]), b""))
    batch = columns_of([deal, one, short], {}).batch(0)
    law = GAMES["seven_up_2"]
    table = Table(
        law=law,
        pack=law.pack,
        players=2,
        holds=Holds(),
        looks=Looks(deals=3),
        dealers=(),
        machine=False,
    )
    scan = SUSPECT["no_game"].scan
    assert scan is not None
    found = scan(batch, table)
    assert found is not None
    assert (found.row.tolist(), found.hit.tolist()) == ([0, 1, 2], [True, False, False])
    assert found.shown is not None
    assert found.shown.tolist() == [True, True, False]
    assert found.num[0] * 9860459 == found.den[0] * 10788


def test_the_laboratory_writes_tables_of_players_with_habits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "marked.jsonl")
    command = ["lab", "deal", "marked_hands", "--game", "seven_up_2", "--deals", "150"]
    assert outcome([*command, "--seed", "5", "--crook", "1", "-o", out]) == 0
    assert outcome(["audit", out, "--json", str(tmp_path / "r.json")]) == 1
    told = json.loads((tmp_path / "r.json").read_text())
    named = [(f["detector"], f["subject"]) for f in told["findings"] if f["flagged"]]
    assert named == [("marked_hands", {"place": "1"})]
    (why,) = [s["why"] for s in told["silent"] if s["detector"] == "reflectors"]
    assert why.startswith("the eldest has acted")
    assert (
        outcome(["lab", "deal", "marked_hands", "--game", "bridge", "--deals", "1", "--seed", "1"])
        == 2
    )
    assert outcome(["recheck", str(tmp_path / "r.json"), out]) == 0
    text = capsys.readouterr().out.lower()
    assert "cheat" not in text
    assert "guilty" not in text
