"""Who drops packs: the evidence is sound for any honest way of dropping, and it is not deaf."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cli.main import outcome
from audit.columns import columns_of
from audit.detect.voids import DETECTOR, busy_roles, log_orders, log_roles
from audit.finding import WEIGHTS, Hypothesis, share_of_person
from audit.games import GAMES
from audit.lab._random import Words
from audit.readers import jsonl, parquet
from audit.record import ENDED, Deal, Ended, Flaw, Other, Record
from audit.run.audit import audit
from audit.run.count import count_batches
from audit.run.streaks import Streaks
from audit.shuffle.lawbook import law_object, steps_in
from audit.shuffle.local import Room
from audit.shuffle.log import READER
from audit.shuffle.play import Play
from audit.shuffle.transcript import verify_transcript
from audit.tally import Looks, Table
from tests._checks import excesses, mean_limit, mean_of
from tests.ledger.kit import file_place
from tests.shuffle.make_table_vectors import chooser, seeded

LAW = GAMES["seven_up_4"]
#: Only the pone, who chooses the cut, may be slower.
BUSY = busy_roles(LAW)
KEYS = ("house", "k1", "k2", "k3", "k4")
#: place, place of the dealer, places that dropped the pack before -> the chance to drop
Habit = Callable[[int, int, frozenset[int]], float]
#: place asked first, place of the dealer, first turn-up -> whether it leaves
Leave = Callable[[int, int, int], bool]


class Chance:
    """Raw words as numbers from 0 to 1, the same for one seed for ever."""

    def __init__(self, seed: int) -> None:
        self._words = Words(seed)

    def below(self, chance: float) -> bool:
        return int(self._words.words(1)[0]) < chance * 2**64

    def card(self) -> int:
        while True:
            word = int(self._words.words(1)[0])
            if word < 2**64 - 2**64 % 52:
                return word % 52


def never(asked: int, dealer: int, card: int) -> bool:
    return False


@dataclass(kw_only=True)
class Club:
    """Four keys at one table after another, each closed by two voids of one party."""

    seed: int
    habit: Habit
    leave: Leave = never
    restart: float = 0.0
    most: int = 30
    deals: list[Deal] = field(default_factory=list)

    def play(self, packs: int) -> list[Deal]:
        chance, failed = Chance(self.seed), frozenset[int]()
        table, number, dealer, voids = 1, 0, 4, [0] * 5
        while len(self.deals) < packs:
            number += 1
            turned = chance.card()
            down = [p for p in range(1, 5) if chance.below(self.habit(p, dealer, failed))]
            failed = frozenset(down)
            asked = dealer % 4 + 1
            ended: Ended = "opened"
            by: tuple[int, ...] = ()
            if chance.below(self.restart):
                ended, by = "void", (0,)
            elif down:
                ended, by = "void", tuple(down)
            elif self.leave(asked, dealer, turned):
                ended, by = "unfinished before play", (asked,)
            self._write(table, number, dealer, turned, ended, by)
            for p in by:
                voids[p] += 1
            dealer = dealer if ended == "void" else dealer % 4 + 1
            if max(voids) >= 2 or number == self.most:
                table, number, dealer, voids = table + 1, 0, 4, [0] * 5
        return self.deals

    def _write(
        self, table: int, number: int, dealer: int, turned: int, ended: Ended, by: tuple[int, ...]
    ) -> None:
        self.deals.append(
            Deal(
                game=LAW.id,
                table=str(table),
                number=str(number),
                time=f"{len(self.deals):06}",
                players=4,
                dealer_seat=dealer,
                dealt_by="machine",
                turnups=b"" if ended == "void" else bytes([turned]),
                ended=ended,
                ended_by=by,
                parties=KEYS,
            )
        )


def judged(deals: Sequence[Deal], *, once: bool = False) -> list[Hypothesis]:
    """Return what the detector says of *deals* as they stand."""
    names: dict[str, int] = {}
    columns = Streaks().follow(columns_of(deals, names))
    table = Table(
        law=LAW,
        pack=LAW.pack,
        players=4,
        holds=jsonl.READER.holds,
        looks=Looks(deals=len(deals), once=once),
        dealers=(),
        machine=True,
        parties=tuple(names),
    )
    return DETECTOR.judge(count_batches([columns.batch(0)], table), table).hypotheses


def flagged(deals: Sequence[Deal]) -> list[tuple[str, str]]:
    return [(h.subject["party"], h.subject["by"]) for h in judged(deals) if h.flagged]


# The mean of E over every log


def roles_of(history: tuple[bool, ...]) -> int:
    """The next role: a dropped pack leaves the deal where it is, as in the protocol."""
    return sum(not dropped for dropped in history) % 3


def evidence(history: tuple[bool, ...]) -> float:
    packs, dropped = [0, 0, 0], [0, 0, 0]
    for i, one in enumerate(history):
        role = roles_of(history[:i])
        packs[role] += 1
        dropped[role] += one
    return float(np.exp(log_roles(np.array([packs]), np.array([dropped]), BUSY)[0]))


@pytest.mark.parametrize(
    "q",
    [
        (0.001, 0.001, 0.001),
        (0.05, 0.05, 0.05),
        (0.3, 0.3, 0.3),
        (0.8, 0.8, 0.8),
        (0.05, 0.6, 0.05),
        (0.3, 0.31, 0.3),
        (0.5, 0.99, 0.5),
    ],
)
def test_no_way_of_stopping_lifts_the_mean_of_the_roles_above_one(
    q: tuple[float, float, float],
) -> None:
    """The value of the best stopping rule, over all logs of nine packs; the pone may be slow."""

    @cache
    def best(history: tuple[bool, ...]) -> float:
        now = evidence(history) if history else 1.0
        if len(history) == 9:
            return now
        late = q[roles_of(history)]
        return max(now, late * best((*history, True)) + (1 - late) * best((*history, False)))

    assert best(()) <= 1 + 1e-12


def test_the_likeliest_null_is_that_of_a_search() -> None:
    """Over a grid of rates for the base and for two roles that may only be slower."""
    grid = [x / 60 for x in range(61)]

    def likelihood(n: int, k: int, q: float) -> float:
        return float(q**k * (1 - q) ** (n - k))

    for packs, dropped in (
        ([6, 5, 4], [1, 3, 2]),
        ([6, 5, 4], [3, 1, 4]),
        ([6, 5, 4], [1, 0, 4]),
        ([5, 0, 6], [2, 0, 3]),
        ([6, 6, 6], [2, 1, 6]),
    ):
        top = max(
            likelihood(packs[2], dropped[2], base)
            * math.prod(
                max(likelihood(packs[r], dropped[r], q) for q in grid if q >= base) for r in (0, 1)
            )
            for base in grid
        )
        bets = math.prod(
            math.gamma(k + 0.5) * math.gamma(n - k + 0.5) / math.gamma(n + 1) / math.pi
            for n, k in zip(packs, dropped, strict=True)
        )
        got = log_roles(np.array([packs]), np.array([dropped]), (True, True, False))[0]
        assert got <= math.log(bets / top) + 1e-9
        assert got == pytest.approx(math.log(bets / top), abs=0.01)


def test_the_enumeration_catches_a_numerator_that_looks_ahead() -> None:
    """The largest likelihood in each role, chosen afterwards, is no bet."""

    def peeking(history: tuple[bool, ...]) -> float:
        top = whole = 1.0
        for role in range(3):
            mine = [one for i, one in enumerate(history) if roles_of(history[:i]) == role]
            k, n = sum(mine), len(mine)
            top *= (k / n) ** k * ((n - k) / n) ** (n - k) if n else 1
        k, n = sum(history), len(history)
        whole = (k / n) ** k * ((n - k) / n) ** (n - k)
        return top / whole

    logs = [tuple(bool(x >> i & 1) for i in range(6)) for x in range(64)]
    assert sum(peeking(log) for log in logs) / 64 > 1.5
    assert sum(evidence(log) for log in logs) / 64 <= 1


def test_the_roles_are_the_formula_at_values_worked_by_hand() -> None:
    """KT gives (1/2)(3/4) to two drops as dealer and the same to two packs kept as pone."""
    got = log_roles(np.array([[2, 2, 0]]), np.array([[2, 0, 0]]), BUSY)[0]
    assert got == pytest.approx(math.log((3 / 8) ** 2 / (1 / 16)), abs=1e-9)
    assert got < math.log((3 / 8) ** 2 / (1 / 16))


@pytest.mark.parametrize("fair", [Fraction(1, 13), Fraction(1, 8), Fraction(1, 6)])
@pytest.mark.parametrize("share", [Fraction(1), Fraction(1, 2)])
def test_no_way_of_stopping_lifts_the_mean_of_the_orders_above_one(
    fair: Fraction, share: Fraction
) -> None:
    """Also where a part of the paying cards is never published."""
    p = float(fair * share)

    @cache
    def best(hits: int, packs: int) -> float:
        now = float(np.exp(log_orders(np.array([hits]), np.array([packs]), fair)[0]))
        if packs == 40:
            return now
        return max(now, p * best(hits + 1, packs + 1) + (1 - p) * best(hits, packs + 1))

    assert best(0, 0) <= 1 + 1e-12


def first_asked(game: str, players: int, dealer: int, order: Sequence[int]) -> tuple[int, int]:
    law = GAMES[game]
    made: Any = law_object(law, players, {})
    play = Play(
        plan=steps_in(made["plan"]), pack=made["pack"], seats=players, dealer=dealer, packets=0
    )
    items = 0
    while True:
        moves = play.moves()
        for place, to in moves:
            if to == 255:
                play.learn(place, order[place])
        items += len({to for _, to in moves if to != 254})
        if not play.settle():
            assert play.asked is not None
            return play.asked, items


def test_whoever_is_asked_first_is_asked_whatever_was_turned() -> None:
    games = [n for n in GAMES.names if GAMES[n].honours and GAMES[n].turnup]
    assert {"seven_up_4", "ecarte_foster", "euchre_4"} <= set(games)
    for name in games:
        law = GAMES[name]
        for players in range(max(2, law.players[0]), law.players[1] + 1):
            size = len(law.pack)
            turned = law.turn_places(players, size)[0]
            seen = set()
            for card in range(size):
                order = list(range(size))
                order[turned], order[card] = order[card], order[turned]
                seen.add(first_asked(name, players, 0, order))
            assert len(seen) == 1, name


# Honest clubs


def steady(rates: Sequence[float]) -> Habit:
    return lambda place, dealer, failed: rates[place - 1]


def bursts(place: int, dealer: int, failed: frozenset[int]) -> float:
    """A line that fails seldom and then for some packs; a void leaves the deal where it is."""
    return 0.9 if place in failed else 0.02


def flaky(asked: int, dealer: int, card: int) -> bool:
    """Leaves for a reason of its own, here a suit that has nothing to do with the rank."""
    return card // 13 == asked - 1


def slow_pone(place: int, dealer: int, failed: frozenset[int]) -> float:
    """Whoever has a cut to choose is late to a third of those packs."""
    return 0.33 if place == (dealer - 2) % 4 + 1 else 0.02


HONEST: dict[str, dict[str, Any]] = {
    "rates of their own": {"habit": steady((0.02, 0.1, 0.3, 0.0)), "leave": flaky},
    "slow choices": {"habit": slow_pone, "leave": flaky},
    "broken lines": {"habit": bursts, "leave": flaky},
    "a house that restarts": {"habit": steady((0.05,) * 4), "restart": 0.15, "leave": flaky},
}


@pytest.mark.parametrize("way", HONEST)
def test_honest_clubs_are_spared_at_every_threshold(way: str) -> None:
    highest: dict[tuple[str, str], list[float]] = {}
    final: dict[tuple[str, str], list[float]] = {}
    for seed in range(60):
        for h in judged(Club(seed=seed, **HONEST[way]).play(200)):
            key = (h.subject["party"], h.subject["by"])
            highest.setdefault(key, []).append(h.highest)
            final.setdefault(key, []).append(h.final)
    assert {("k2", "role"), ("k2", "turn-up")} <= set(highest)
    assert [text for values in highest.values() for text in excesses(values)] == []
    assert all(mean_of(values) <= mean_limit(len(values)) for values in final.values())


def test_bursts_counted_pack_by_pack_would_be_taken_for_a_habit() -> None:
    """Without readiness a few broken lines stand as many drops in one role."""
    names: dict[str, int] = {}
    worst = 0.0
    for seed in range(20):
        deals = Club(seed=seed, habit=bursts).play(400)
        columns = columns_of(deals, names)
        for place in range(1, 5):
            packs, dropped = np.zeros((1, 3), np.int64), np.zeros((1, 3), np.int64)
            for i, deal in enumerate(deals):
                assert deal.dealer_seat is not None
                role = (deal.dealer_seat - place) % 4
                role = 0 if role == 0 else 1 if role == 1 else 2
                packs[0, role] += 1
                dropped[0, role] += int(columns.dropped[i, place])
            worst = max(worst, float(log_roles(packs, dropped, BUSY)[0]))
    assert worst > math.log(1000)


# Clubs that are not


def late_for_one(rate: float, place: int, dealer: int, failed: frozenset[int]) -> float:
    """k3 comes late to a share of the packs that k1 and k2 deal; all are late at times."""
    return rate if place == 3 and dealer in (1, 2) else 0.02


shy = partial(late_for_one, 0.4)


def sore(asked: int, dealer: int, card: int) -> bool:
    """k1 leaves when another dealer turns a Jack."""
    return asked == 1 and card % 13 == 9


def test_a_party_that_drops_what_others_deal_is_named_alone() -> None:
    for seed in range(5):
        assert flagged(Club(seed=seed, habit=shy).play(1200)) == [("k3", "role")]


def test_a_party_that_leaves_when_a_jack_is_turned_is_named_alone() -> None:
    for seed in range(5):
        club = Club(seed=seed, habit=steady((0.02,) * 4), leave=sore)
        assert flagged(club.play(1200)) == [("k1", "turn-up")]


# What is counted


def test_the_weights_of_all_parties_stay_within_that_of_misdeals() -> None:
    found = judged(Club(seed=1, habit=steady((0.1,) * 4), leave=flaky).play(300))
    assert sum(h.weight for h in found) <= WEIGHTS["misdeals"]
    k1 = next(h for h in found if h.subject == {"party": "k1", "by": "role"})
    assert k1.weight == WEIGHTS["misdeals"] * share_of_person(2) / 2


def test_first_packs_packs_after_a_drop_and_packs_that_the_house_dropped_are_left_out() -> None:
    def pack(number: int, ended: Ended, *by: int) -> Deal:
        return Deal(
            game=LAW.id, number=str(number), table="1", players=4, dealer_seat=4, ended=ended,
            ended_by=by, parties=KEYS,
        )  # fmt: skip

    deals = [
        pack(1, "opened"),
        pack(2, "void", 3),
        pack(3, "opened"),
        pack(4, "void", 0),
        pack(5, "void after closing", 3),
        pack(6, "opened"),
        pack(7, "opened"),
    ]
    found = {h.subject["party"]: h for h in judged(deals) if h.subject["by"] == "role"}
    assert "of packs before which it stood ready, 1 of 3 as pone; 2 packs" in found["k3"].message
    assert "0 of 5 as dealer; 0 packs" in found["k4"].message
    assert "house" not in found


def test_rows_that_do_not_stand_as_dealt_show_no_habit_by_role() -> None:
    deals = Club(seed=1, habit=shy, leave=sore).play(600)
    assert {h.subject["by"] for h in judged(deals, once=True)} == {"turn-up"}


def test_a_log_without_endings_leaves_the_detector_silent(tmp_path: Path) -> None:
    log = tmp_path / "plain.jsonl"
    log.write_bytes(jsonl.encode(Deal(game=LAW.id, number="1", players=4)) + b"\n")
    said = [s for s in audit([str(log)], form=None, game=None)["silent"] if s["code"] == "T16"]
    assert [s["why"] for s in said] == ["no deal says how it ended"]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_every_format_that_bears_endings_gives_the_same_findings(
    suffix: str, tmp_path: Path
) -> None:
    deals = Club(seed=2, habit=shy, leave=sore).play(800)
    log = tmp_path / f"log.{suffix}"
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
        parquet.write(log, deals, arrow=False)
        with log.open("rb") as file:
            got = [replace_line(r) for r in parquet.read(file, "log")]
        assert got == deals
    else:
        log.write_bytes(b"".join(jsonl.encode(d) + b"\n" for d in deals))
    for block in (7, 8192):
        report = audit([str(log)], form=None, game=None, block=block)
        assert report["verdict"] == "flagged"
        rows = [f for f in report["findings"] if f["detector"] == "voids"]
        named = {(f["subject"]["party"], f["subject"]["by"]) for f in rows if f["flagged"]}
        assert named == {("k3", "role"), ("k1", "turn-up")}
        finals = {tuple(f["subject"].values()): f["log10_e"] for f in rows}
        own = {tuple(h.subject.values()): h.final / math.log(10) for h in judged(deals)}
        assert named <= set(finals)
        assert finals == pytest.approx({key: own[key] for key in finals})


def replace_line(record: Record) -> Record:
    assert isinstance(record, Deal)
    return Deal(**{f: getattr(record, f) for f in record.__struct_fields__ if f != "line"})


def test_a_report_that_hides_names_shows_no_key(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    deals = Club(seed=2, habit=shy).play(100)
    log.write_bytes(b"".join(jsonl.encode(d) + b"\n" for d in deals))
    text = json.dumps(audit([str(log)], form=None, game=None, hide=True)["findings"])
    assert "party 2" in text
    assert not any(key in text for key in KEYS[1:])


def test_ended_of_columns_is_that_of_records() -> None:
    deals = [Deal(game=LAW.id, players=4, ended=e, ended_by=(1,), parties=KEYS) for e in ENDED]
    columns = columns_of(deals, {})
    assert [columns.deal(i).ended for i in range(len(ENDED))] == list(ENDED)
    assert columns.deal(2).parties == KEYS
    assert columns.deal(2).ended_by == (1,)


# A ledger as a log


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@lru_cache(maxsize=1)
def table() -> tuple[Room, bytes]:
    """A table with a pack opened, one void, one left before play, one left in play; then closed."""
    clock = Clock()
    room = Room(LAW, 4, packs=6, draw=seeded("ledger as a log"), clock=clock)
    choose = chooser("ledger as a log")
    room.contribute(10)
    room.play(lambda seat, question, hand: choose(seat, question, hand))
    room.finish()
    head = room.ledger.head()
    for seat in room.seats[1:]:
        room.house.accept(seat.say_commit(head, {"cut": 9}), seat.number, "commit")
    clock.now += 61
    room.go_on()
    room.contribute(12)
    clock.now += 121
    room.go_on()
    room.contribute(13)
    assert room.pack.play is not None
    assert room.pack.play.asked is not None
    room.decide(room.pack.play.asked, "beg")
    clock.now += 121
    room.go_on()
    return room, b"".join(raw + b"\n" for raw in room.ledger.entries)


def read(raw: bytes) -> list[Record]:
    return list(READER.read(io.BytesIO(raw), "ledger"))


def test_every_pack_of_a_ledger_is_a_deal_that_says_how_it_ended() -> None:
    room, raw = table()
    deals = [d for d in read(raw) if isinstance(d, Deal)]
    assert [(d.number, d.ended, d.ended_by) for d in deals] == [
        ("1", "opened", ()),
        ("2", "void", (1,)),
        ("3", "unfinished before play", (2,)),
        ("4", "unfinished", (2,)),
    ]
    assert [d.dealer_seat for d in deals] == [4, 1, 1, 2]
    assert [d.order_after_cut is not None for d in deals] == [True, False, True, True]
    made = room.house.book
    assert made is not None
    assert deals[0].parties[1] == made.manifest.seats[0][:16]
    assert deals[0].parties[0] == made.manifest.ledger_key[:16]
    assert {d.table for d in deals} == {made.mh.hex()[:16]}


def test_a_cut_that_the_relay_held_counts_against_the_house_and_against_no_seat() -> None:
    """The house will not hear the relay's choices; an entry that names the pone is a flaw."""
    clock = Clock()
    room = Room(LAW, 4, packs=2, relay=True, draw=seeded("held"), clock=clock)
    head, relay, book = room.ledger.head(), room.relay, room.house.book
    assert relay is not None
    assert book is not None
    for seat in room.seats:
        room.house.accept(seat.say_commit(head, {"cut": 9}), seat.number, "commit")
    room.go_on()
    relay.closing(book, room.ledger.entries[-2], room.ledger.entries[-1], clock.now)
    for seat in room.seats:
        relay.take(book.mh, 1, seat.number, seat.say_open(room.ledger.head()))
        for chosen in seat.say_chosen():
            relay.take_chosen(book.mh, 1, chosen)
    statement = relay.speak(book.mh, 1, clock.now)
    assert statement is not None
    room.house.accept_held(statement, relay.opens(book.mh, 1))
    room.go_on()
    pone = room.pack.call.pone
    clock.now += 61
    room.go_on()
    raw = b"".join(one + b"\n" for one in room.ledger.entries)
    first = read(raw)[0]
    assert isinstance(first, Deal)
    assert (first.ended, first.ended_by) == ("unfinished", (0,))
    blamed = raw.replace(b'"parties":[255]', b'"parties":[%d]' % pone)
    assert blamed != raw
    flaw = read(blamed)[0]
    assert isinstance(flaw, Flaw)
    assert flaw.field == "unfinished parties"


def test_orders_are_those_of_the_verifier_and_of_the_house() -> None:
    room, raw = table()
    deals = [d for d in read(raw) if isinstance(d, Deal)]
    verdict = verify_transcript(room.transcript(1), room.ledger.head())
    assert deals[0].order_after_cut == bytes(verdict.dealt)
    for deal in deals[2:4]:
        pack = room.house.packs[int(deal.number or 0)]
        cards = [LAW.pack[pack.order[(pack.depth + p) % 52]] for p in range(52)]
        assert deal.order_after_cut == bytes(cards)


@pytest.mark.parametrize("kind", ["opened", "void", "root", "choices", "closing"])
def test_an_entry_that_was_changed_makes_its_pack_a_flaw_and_leaves_the_rest(kind: str) -> None:
    _, raw = table()
    lines = raw.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if f'"kind":"{kind}"'.encode() in line)
    name = {"opened": b"secret", "void": b"secret", "root": b"root", "choices": b"nonce"}
    mark = b'"' + name.get(kind, b"sig") + b'":"'
    place = lines[at].rindex(mark) + len(mark)
    other = b"0" if lines[at][place : place + 1] != b"0" else b"1"
    lines[at] = lines[at][:place] + other + lines[at][place + 1 :]
    got = read(b"".join(lines))
    assert len(got) == 4
    assert sum(isinstance(r, Flaw) for r in got) == 1


def test_any_lines_give_flaws_and_no_error() -> None:
    _, raw = table()
    lines = raw.splitlines(keepends=True)
    for cut in range(len(lines)):
        rest = b"".join(lines[:cut] + lines[cut + 1 :])
        assert all(isinstance(r, Deal | Flaw) for r in read(rest))
    got = read(b"\x00\n[[\n" + lines[3] + lines[4])
    assert len(got) == 4
    assert all(isinstance(r, Flaw) for r in got)
    assert [type(r) for r in read(b'{"kind":"another"}\n{}\n')] == [Other, Other]
    twice = read(b"".join([*lines, *lines]))
    assert sum(isinstance(r, Deal) for r in twice) == 4
    assert any("stands twice" in r.why for r in twice if isinstance(r, Flaw))


def test_a_ledger_is_audited_as_a_log(tmp_path: Path) -> None:
    _, raw = table()
    log = tmp_path / "table.ledger"
    log.write_bytes(raw)
    report = audit([str(log)], form=None, game=None, more=(READER,))
    assert report["verdict"] == "clear"
    assert (report["inputs"][0]["format"], report["inputs"][0]["deals"]) == ("ledger", 4)
    rows = [f for f in report["findings"] if f["detector"] == "voids"]
    assert {f["subject"]["by"] for f in rows} == {"role", "turn-up"}


def test_one_ledger_at_two_lengths_is_counted_once(tmp_path: Path) -> None:
    _, raw = table()
    lines = raw.splitlines(keepends=True)
    (tmp_path / "old.ledger").write_bytes(b"".join(lines[:-3]))
    (tmp_path / "new.ledger").write_bytes(raw)

    def messages(*names: str) -> set[str]:
        paths = [str(tmp_path / n) for n in names]
        report = audit(paths, form=None, game=None, more=(READER,))
        rows = [f for f in report["findings"] if f["detector"] == "voids"]
        return {f["message"] for f in rows if f["subject"]["by"] == "turn-up"}

    assert len(messages("new.ledger")) == 1
    assert messages("old.ledger", "new.ledger") == messages("new.ledger")


def test_a_pack_that_stands_twice_ends_once() -> None:
    deals = Club(seed=3, habit=steady((0.1,) * 4)).play(60)
    columns = Streaks().follow(columns_of([*deals, *deals], {}))
    assert (columns.ended[:60] > 0).all()
    assert not columns.ended[60:].any()
    assert not columns.fresh[60:].any()


def test_a_ledger_in_its_store_becomes_a_log(tmp_path: Path) -> None:
    _, raw = table()
    place = file_place(tmp_path)
    place.create()
    with place.ledger() as ledger:
        ledger.append([b"no entry of ours", *raw.splitlines()])
    log, deals = tmp_path / "table.lines", tmp_path / "table.jsonl"
    assert outcome(["fsck", place.address, "--entries", str(log)]) == 0
    assert log.read_bytes() == b"no entry of ours\n" + raw
    log.write_bytes(raw)
    assert outcome(["audit", str(log)]) == 0
    assert outcome(["convert", str(log), "-o", str(deals)]) == 0
    with deals.open("rb") as file:
        got = [replace_line(r) for r in jsonl.READER.read(file, "log")]
    assert got == [replace_line(r) for r in read(raw)]
