"""Whoever writes a log may silence a detector once it has lost: its stake does not come back.

Every log of a small pack that can be written is judged by the shipped family, and the best
policy is found by recursion in exact fractions: he sees each deal and all before it, writes it
as he likes, and stops when he likes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from audit.cards import RANKS, UNKNOWN
from audit.detect import DETECT
from audit.finding import THRESHOLD, WEIGHTS, Verdicts, also_named, weighted_sum
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.readers.jsonl import READER, encode
from audit.record import Deal
from audit.run.audit import audit
from audit.run.count import count_batches, judge_all, no_deals
from audit.suspect import SUSPECT
from audit.tally import Arrays, Looks, Table
from tests._logs import toy
from tests._suspected import dealt
from tests._worlds import PICTURES, Judge, suspecting
from tests.test_detail import hypothesis

FOUR, THREE = toy("JS TS 2S 3S"), toy("JS TS 2S")
#: The deals that are equally likely, each with the ways to write it.
Ways = Sequence[Sequence[Deal]]
Log = tuple[tuple[int, int], ...]


def turned(*dealers: str | None, hidden: bool = False) -> Ways:
    """One card is turned and written as dealt by one of *dealers*, or with *hidden* not written."""
    shown = [bytes([card]) for card in FOUR.pack]
    return [
        [
            Deal(game="toy", players=2, dealer=name, turnups=t)
            for name in dealers
            for t in ((card, b"") if hidden else (card,))
        ]
        for card in shown
    ]


def held() -> Ways:
    """Two hands of a card, both written, or the dealer's kept back."""
    return [
        [
            Deal(game="toy", players=2, dealer="A", dealer_seat=2, hands=hands)
            for hands in ((bytes([a]), bytes([b])), (bytes([a]), b""))
        ]
        for a, b in itertools.permutations(THREE.pack, 2)
    ]


#: What may be kept back deal by deal; whom it would serve most if silence gave stakes back, and the
#: means that his E and the weighted sum would reach.
CASES = {
    "turn-up": (
        Judge(law=FOUR, machine=True),
        [turned(None, hidden=True)] * 2,
        "turned_honours of this log",
        1.2632,
        1.0306,
    ),
    "hand": (Judge(law=THREE), [held()] * 2, "missing_card TS", 1.5313, 1.0459),
    "dealer": (Judge(law=FOUR), [turned("A"), turned("B", None)], "turned_honours B", 1.2181, 1.0),
}


@dataclass(frozen=True)
class Counted:
    """E and weight of each hypothesis of one log that speaks, and the weight that stands."""

    e: Mapping[str, Fraction]
    weights: Mapping[str, Fraction]
    standing: Fraction

    def total(self, *, returned: bool) -> Fraction:
        """Return the weighted sum; with *returned* all that does not speak stands with E = 1."""
        spent = sum(self.weights.values(), start=Fraction(0))
        rest = 1 - spent if returned else self.standing
        return rest + sum((self.weights[k] * e for k, e in self.e.items()), start=Fraction(0))


def verdicts(judge: Judge, deals: Sequence[Deal]) -> Verdicts:
    tallies = judge.count(deals) | {name: {} for name in PICTURES}
    return judge_all(tallies, judge.table(len(deals)))


def counted(found: Verdicts) -> Counted:
    def key(detector: str, subject: Mapping[str, str]) -> str:
        return f"{detector} {' '.join(subject.values())}"

    e = {key(h.detector, h.subject): Fraction(math.exp(h.final)) for h in found.hypotheses}
    weights = {key(h.detector, h.subject): h.weight for h in found.hypotheses}
    idle = {key(i.detector, i.subject) for i in found.idle if i.subject}
    assert not idle & e.keys()
    return Counted(e=e, weights=weights, standing=found.standing)


def best(worlds: Sequence[Ways], value: Mapping[Log, Fraction], log: Log = ()) -> Fraction:
    """Return the largest mean of *value* over all ways of writing and stopping after *log*."""
    if len(log) == len(worlds):
        return value[log]
    onward = Fraction(0)
    for i, ways in enumerate(worlds[len(log)]):
        onward += max(best(worlds, value, (*log, (i, j))) for j in range(len(ways)))
    onward /= len(worlds[len(log)])
    return max(onward, value[log]) if log else onward


def judged(judge: Judge, worlds: Sequence[Ways]) -> dict[Log, Counted]:
    """Return what the shipped family says of every log that can be written."""
    each = [[(i, j) for i, ways in enumerate(w) for j in range(len(ways))] for w in worlds]
    return {
        log: counted(verdicts(judge, [w[i][j] for w, (i, j) in zip(worlds, log, strict=False)]))
        for n in range(1, len(worlds) + 1)
        for log in itertools.product(*each[:n])
    }


def mean(
    worlds: Sequence[Ways], logs: Mapping[Log, Counted], key: str, *, returned: bool
) -> Fraction:
    """Return the largest mean of E of *key*, 0 or with *returned* 1 where it does not speak."""
    silent = Fraction(returned)
    return best(worlds, {log: one.e.get(key, silent) for log, one in logs.items()})


@pytest.mark.parametrize("name", CASES)
def test_no_policy_of_silence_lifts_a_mean_above_one(name: str) -> None:
    """What stakes given back would bring stands beside it, so that the attack is one."""
    judge, worlds, worst, lifted, lifted_sum = CASES[name]
    with suspecting():
        logs = judged(judge, worlds)
    keys = {key for one in logs.values() for key in one.e}
    assert all(mean(worlds, logs, key, returned=False) <= 1 for key in keys)
    assert best(worlds, {log: one.total(returned=False) for log, one in logs.items()}) <= 1
    assert float(mean(worlds, logs, worst, returned=True)) == pytest.approx(lifted, abs=1e-4)
    back = best(worlds, {log: one.total(returned=True) for log, one in logs.items()})
    assert float(back) == pytest.approx(lifted_sum, abs=1e-4)


@pytest.mark.parametrize("dealers", [(), ("A", "B")])
@pytest.mark.parametrize("game", GAMES.names)
def test_before_the_first_deal_every_weight_stands(game: str, dealers: tuple[str, ...]) -> None:
    law = GAMES[game]
    table = Table(
        law=law,
        pack=law.pack,
        players=law.players[0],
        holds=READER.holds,
        looks=Looks(deals=0),
        dealers=dealers,
        machine=not dealers,
    )
    found = judge_all(count_batches([no_deals()], table), table)
    assert not found.hypotheses
    assert not found.fallen
    # The engine looks for repeats itself.
    assert found.standing + WEIGHTS["repeats"] == 1


@pytest.mark.parametrize("game", ["seven_up_4", "bridge", "pope_joan", "vingt_un"])
def test_every_detector_that_says_nothing_says_why(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log of dealers alone, one of turn-ups, and one of whole deals."""
    told: list[Verdicts] = []

    def judged(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
        told.append(judge_all(tallies, table))
        return told[-1]

    monkeypatch.setattr("audit.run.audit.judge_all", judged)
    law = GAMES[game]
    whole = list(dealt(law, law.players[0], 6, 1))
    bare = [Deal(game=game, dealer=d.dealer, number=d.number) for d in whole]
    turned = [structs.replace(b, turnups=d.turnups) for b, d in zip(bare, whole, strict=True)]
    for name, deals in (("whole", whole), ("bare", bare), ("turned", turned)):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"".join(encode(deal) + b"\n" for deal in deals))
        found = audit([str(path)], form=None, game=None)
        spoken = {h.detector for h in told[-1].hypotheses}
        silent = {s["detector"] for s in found["silent"]}
        suspected = {n for n in SUSPECT.names if SUSPECT[n].games(law)}
        wanted = {*DETECT.names, *suspected, "repeats"} - {"suspects"}
        assert wanted <= spoken | silent
        assert all(s["why"] and isinstance(s["untouched"], bool) for s in found["silent"])


def test_silence_that_may_follow_the_cards_takes_its_weight_along() -> None:
    deals = [Deal(game="toy", players=2, hands=(bytes(FOUR.pack[:1]), b""))]
    found = verdicts(Judge(law=FOUR, machine=True), deals)
    said = {s.detector: s.untouched for s in found.silent}
    assert said["missing_card"] is said["favoured_seat"] is said["turned_honours"] is False
    assert said["later_turnups"] is said["voids"] is True
    assert found.fallen > len(FOUR.pack)
    total = weighted_sum(found.hypotheses, 1, found.standing)
    assert math.exp(float(total[0])) < 1 - WEIGHTS["missing_card"] - WEIGHTS["favoured_seat"]


def test_hypotheses_that_fell_silent_count_among_those_that_are_named() -> None:
    strong, light = hypothesis(60.0, Fraction(1, 8)), hypothesis(8.0, Fraction(1, 1000))
    assert also_named([strong, light]) == {1}
    # With so many that count 0 the mean has to reach half of a thousand, two being named.
    assert math.exp(8.0) / 5 > THRESHOLD / 2 > math.exp(8.0) / 6
    assert also_named([strong, light], 4) == {1}
    assert also_named([strong, light], 5) == frozenset()


def run_once(seed: int, count: int, write: Callable[[int, int, bool], Deal]) -> list[Deal]:
    """Return fair deals after a run: the cards turned first and later as *write* tells them."""
    orders = uniform_orders(Words(seed), count, 52)
    out = []
    for i, order in enumerate(orders.tolist()):
        first, later = order[12], order[18]
        pays = later % 13 == RANKS.index("J") and later // 13 != first // 13
        deal = write(first, later, pays)
        out.append(structs.replace(deal, number=str(i), dealer=deal.dealer and "AB"[i % 2]))
    return out


def told(first: int, later: int, dealer: str | None = "A") -> Deal:
    return Deal(game="seven_up_2", players=2, dealer=dealer, turnups=bytes([first, later]))


#: What whoever sees the later turn-up before he writes may leave out where it does not pay.
LATER: Mapping[str, Callable[[int, int, bool], Deal]] = {
    "the card": lambda a, b, pays: told(a, b if pays else UNKNOWN),
    "the card before": lambda a, b, pays: told(a if pays else UNKNOWN, b),
    "the dealer": lambda a, b, pays: told(a, b, "A" if pays else None),
}


@pytest.mark.parametrize("what", LATER)
def test_a_later_turn_up_that_is_left_out_is_none_that_pays(what: str) -> None:
    judge = Judge(law=GAMES["seven_up_2"])

    def e_of(deals: Sequence[Deal]) -> tuple[list[float], Verdicts]:
        found = verdicts(judge, deals)
        return [h.final for h in found.hypotheses if h.detector == "later_turnups"], found

    fair = run_once(11, 400, lambda a, b, _: told(a, b))
    chosen = run_once(11, 400, LATER[what])
    (honest, _), (left_out, found) = e_of(fair), e_of(chosen)
    assert len(honest) == len(left_out) == 2
    # All that pays was kept; without this rule each E was beyond 10^5.
    assert sum(math.exp(x) for x in left_out) <= 2
    assert found.standing < 1
    paid = [deal for deal in chosen if deal.dealer and UNKNOWN not in deal.turnups]
    assert min(e_of(paid)[0]) > math.log(10**4)


def test_hands_written_only_where_nobody_has_a_card_that_counts_are_no_evidence() -> None:
    orders = uniform_orders(Words(3), 6000, 52)
    none = np.asarray((orders[:, :12] % 13 < RANKS.index("T")).all(axis=1))
    assert none.sum() > 3
    judge, e = Judge(law=GAMES["seven_up_2"]), {}
    for name, count in (("all", len(orders)), ("some", int(none.sum()))):
        deals = [
            Deal(
                game="seven_up_2",
                players=2,
                hands=(bytes(order[:6]), bytes(order[6:12])) if last else (),
            )
            for order, last in zip(orders, none, strict=True)
            if last or count > none.sum()
        ]
        (e[name],) = (h.final for h in verdicts(judge, deals).hypotheses if h.detector == "no_game")
    assert e["all"] < math.log(THRESHOLD) < e["some"]
