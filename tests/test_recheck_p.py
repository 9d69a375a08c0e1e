"""Each p of a report follows from the counts that it carries, by a script that is not ours."""

from __future__ import annotations

import copy
import importlib.util
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from audit.detect._tails import of_trials
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._random import Words, uniform_orders
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers import jsonl
from audit.record import Deal
from audit.run.audit import audit
from audit.stats.binomial import log_upper
from audit.stats.chances import BINS
from audit.suspect import SUSPECT
from audit.suspicion import UNIT
from tests._suspected import dealt
from tests.stats.test_repeated import law_of_hits

_spec = importlib.util.spec_from_file_location(
    "recheck", Path(__file__).resolve().parents[1] / "reports" / "recheck.py"
)
assert _spec is not None
assert _spec.loader is not None
SCRIPT: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(SCRIPT)

#: Games that are dealt 60 times, and what is planted when the player at the first place deals.
TABLED: Mapping[str, Mapping[str, str]] = {
    "ecarte_enquire": {"turn": "KS"},
    "loo_club_law": {"turn": "AC"},
    "loo5_foster_pam": {},
    "nap": {},
    "matrimony": {},
    "pope_joan": {"turn": "9D"},
    "speculation": {},
    "spoil_five": {"turn": "AC"},
    "forty_five_odd_trick": {},
    "put_4": {},
    "cassino_4": {},
    "connexions_3": {},
    "bierspiel": {},
    "seven_up_3": {},
}
#: Crooks of the laboratory at Seven-Up, and how many deals; the last ones are summed by a bound.
CROOKS = {"riffles": 120, "kept_four": 400, "strippers": 1500, "overhand": 180}
ORDERS = {"riffles", "successions", "card_places", "honour_packets", "stock_order", "uneven_ranks"}
Report = dict[str, Any]


def tabled(game: str) -> Iterator[Deal]:
    """Yield 60 deals that show the pack as gathered before each of them, in a fair order."""
    law = GAMES[game]
    pack = np.array(sorted(law.pack), np.uint8)
    gathered = pack[uniform_orders(Words(8), 60, len(pack))]
    deals = dealt(law, min(6, law.players[1]), 60, 3, TABLED[game], own=1)
    for deal, order in zip(deals, gathered, strict=True):
        yield structs.replace(deal, gathered_order=order.tobytes())


def crooked(crook: str) -> Iterator[Deal]:
    law, player = GAMES["seven_up_4"], PLAY["sensible"]
    yield from simulate(law, LAB[crook], CROOKS[crook], Fraction(1), 5, 4, player=player).records()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    folder, out = tmp_path_factory.mktemp("logs"), {}
    for name in (*TABLED, *CROOKS):
        deals = crooked(name) if name in CROOKS else tabled(name)
        path = folder / f"{name}.jsonl"
        path.write_bytes(b"".join(jsonl.encode(d) + b"\n" for d in deals))
        out[name] = json.loads(json.dumps(audit([str(path)], form=None, game=None)))
    return out


@pytest.mark.parametrize(
    ("game", "gone", "kinds"),
    [
        ("ecarte_enquire", {"turnups": b"", "order_after_cut": None}, {"lost"}),
        ("spoil_five", {"turnups": b"", "order_after_cut": None}, {"lost"}),
        ("loo_club_law", {"turnups": b"", "order_after_cut": None}, {"lost", "hidden"}),
        ("pope_joan", {"gathered_order": None, "order_after_cut": None}, {"lost"}),
        ("put_4", {"dealer": None, "dealer_seat": None}, set()),
    ],
)
def test_every_number_follows_where_a_log_leaves_something_out(
    game: str, gone: dict[str, Any], kinds: set[str], tmp_path: Path
) -> None:
    deals = [d if k % 3 else structs.replace(d, **gone) for k, d in enumerate(tabled(game))]
    (path := tmp_path / "x.jsonl").write_bytes(b"".join(jsonl.encode(d) + b"\n" for d in deals))
    report = json.loads(json.dumps(audit([str(path)], form=None, game=None)))
    rows = evidence(report)
    assert SCRIPT.whole(report, rows) == []
    assert all(follows(f) for f in rows if f["recheck"])
    counts = [f["recheck"]["p"] for f in rows if f["recheck"] and "p" in f["recheck"]]
    assert counts
    assert {key for p in counts for key in ("lost", "hidden") if p.get(key)} >= kinds


def bare(finding: dict[str, Any]) -> dict[str, Any]:
    """Return *finding* without the counts of its p, which take longest to work out."""
    return finding | {"recheck": {k: v for k, v in finding["recheck"].items() if k != "p"}}


def counted(reports: Mapping[str, Report]) -> Iterator[dict[str, Any]]:
    """Yield the first finding of each detector and kind of subject that carries counts."""
    for report in reports.values():
        found = {(f["detector"], *f["subject"]): f for f in reversed(report["findings"])}
        yield from (f for f in found.values() if f.get("recheck"))


def follows(finding: dict[str, Any]) -> bool:
    """Whether the script finds the numbers of *finding* again."""
    try:
        return not SCRIPT.faults(finding)
    except (ValueError, ArithmeticError):
        return False


def test_every_p_that_is_shown_follows_from_counts(reports: Mapping[str, Report]) -> None:
    shown = set()
    for report in reports.values():
        rows = evidence(report)
        assert SCRIPT.whole(report, rows) == []
        for f in rows:
            assert not f["recheck"] or follows(f), f
            assert "p" not in SCRIPT.uncounted(f)
            if f["log10_p"] is not None:
                shown.add(f["detector"])
    whole_deals = {n for n in SUSPECT.names if SUSPECT[n].find is None}
    assert shown >= ORDERS | {"turned_card", "turned_honours"}
    assert whole_deals - shown == set()


def evidence(report: Report) -> list[dict[str, Any]]:
    return [f for f in report["findings"] if f["kind"] == "evidence"]


def integers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where the whole numbers of *value* stand."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from integers(inner, (*path, key))
    elif type(value) is int:
        yield path


def moved(finding: dict[str, Any], path: Sequence[Any], by: int) -> dict[str, Any]:
    """Return *finding* with one number of its counts changed."""
    out = copy.deepcopy(finding)
    inner = out["recheck"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] += by
    return out


def matters(path: Sequence[Any], finding: dict[str, Any]) -> bool:
    """Whether a step of this count must show in the p.

    A bound may not need the chances of all trials, nor the less likely tail what is hidden, and
    p stays 1 whatever makes it larger.
    """
    if path[0] != "p" or path[1] == "hidden" or (path[1] == "steps" and path[3] == 0):
        return False
    return path[1] in ("deals", "steps") or finding["log10_p"] < 0


def test_no_count_of_a_p_can_be_changed_by_a_little(reports: Mapping[str, Report]) -> None:
    tried: set[tuple[str, str]] = set()
    for finding in counted(reports):
        for path in integers(finding["recheck"]):
            if matters(path, finding):
                tried.add((finding["detector"], path[1]))
                large = path[1] in ("units", "unit")
                by = finding["recheck"]["p"][path[1]] // 16 if large else 1
                for step in (by, -by):
                    assert not follows(moved(finding, path, step)), (finding, path, step)
    assert {d for d, _ in tried} >= ORDERS
    assert {key for _, key in tried} >= {"hits", "deals", "total", "lost", "kinds", "of", "units"}


@pytest.mark.parametrize("key", ["log10_p", "log10_e", "log10_e_max"])
def test_no_number_can_be_changed_by_a_little(key: str, reports: Mapping[str, Report]) -> None:
    tried = set()
    for finding in counted(reports):
        rows = finding["recheck"]
        if finding[key] is not None and ("last" in rows or key == "log10_p"):
            tried.add(finding["detector"])
            # Evidence that is told by its hits was rounded down deal by deal.
            told_by_hits = rows.get("last", {}).get("rule") in ("rate", "absent", "tilts")
            rounded = told_by_hits and key != "log10_p"
            held = finding if key == "log10_p" else bare(finding)
            for by in (1e-2, -1e-2) if rounded else (1e-5, -1e-5):
                assert not follows(held | {key: finding[key] + by * max(1, abs(finding[key]))})
            assert not follows(held | {key: None}) or "p" not in rows
    assert tried >= {"riffles", "successions", "stock_order", "king_dealt", "ace_over_king"}
    assert ("honour_packets" in tried, "card_places" in tried) == (True, key == "log10_p")


def test_no_count_of_cards_or_repeats_can_be_changed_by_one(reports: Mapping[str, Report]) -> None:
    tried = set()
    for finding in counted(reports):
        for at in ("last", "highest"):
            row = finding["recheck"].get(at, {})
            if row.get("rule") in ("tilts", "repeats"):
                tried.add(row["rule"])
                keys = ("deals", "size") if row["rule"] == "tilts" else ("fresh", "again")
                for key in keys:
                    assert not follows(moved(bare(finding), (at, key), 1)), (finding, at, key)
            if row.get("rule") == "tilts":
                more = copy.deepcopy(bare(finding))
                more["recheck"][at]["held"] = [h + 1 for h in row["held"]]
                assert not follows(more)
    assert tried == {"tilts", "repeats"}


def test_no_sum_of_bets_can_be_changed_by_a_little(reports: Mapping[str, Report]) -> None:
    tried = set()
    for finding in counted(reports):
        for at in ("last", "highest"):
            row = finding["recheck"].get(at, {})
            if row.get("rule") == "bets":
                weights = [float(Fraction(w)) for w in row["weights"]]
                logs = [s if w else -math.inf for s, w in zip(row["sums"], weights, strict=True)]
                path = (at, "sums", logs.index(max(logs)))
                tried.add(finding["detector"])
                for by in (1 << 12, -(1 << 12)):
                    assert not follows(moved(bare(finding), path, by)), (finding, path)
    assert tried >= {"riffles", "successions", "stock_order", "king_dealt", "ace_over_king"}


def test_a_report_without_the_counts_of_its_p_is_taken_and_says_so(
    reports: Mapping[str, Report],
) -> None:
    finding = next(f for f in counted(reports) if f["detector"] == "king_dealt")
    assert follows(bare(finding))
    assert SCRIPT.uncounted(bare(finding)) == ["p"]
    assert SCRIPT.uncounted(finding) == []
    assert SCRIPT.uncounted(finding | {"recheck": None}) == ["e", "p"]


def test_a_p_that_holm_adjusted_follows_where_every_hypothesis_is_told() -> None:
    rows = [
        {"log10_p": p, "log10_p_holm": q} for p, q in ((-4.0, -3.0), (-3.0, None), (None, None))
    ]
    rows[1]["log10_p_holm"] = -3 + math.log10(9)
    assert not SCRIPT.holm(rows, 10, every=True)
    for by in (0.01, -0.01):
        moved_by = [rows[0], rows[1] | {"log10_p_holm": -3 + math.log10(9) + by}]
        assert SCRIPT.holm(moved_by, 10, every=True)
        assert not SCRIPT.holm(moved_by, 10, every=False)
    assert SCRIPT.holm([{"log10_p": -3.0, "log10_p_holm": -1.9}], 10, every=False)
    assert SCRIPT.holm([{"log10_p": -3.0, "log10_p_holm": -3.1}], 10, every=False)


def test_the_counts_of_a_p_take_little_room(reports: Mapping[str, Report]) -> None:
    assert max(len(json.dumps(f["recheck"].get("p"))) for f in counted(reports)) < 400


@pytest.mark.parametrize(
    "change",
    [
        {"deals": -1},
        {"deals": 0},
        {"steps": [[30, 9], [31, -2]]},
        {"steps": [[-(10**9), 7]]},
        {"hits": None},
        {"steps": []},
        {"unit": 0},
        {"rule": "sum", "law": "falls", "of": [10**9], "total": 1, "lost": 0, "way": "upper"},
        {"rule": "sum", "law": "kept", "of": [-1], "total": 1, "lost": 0, "way": "upper"},
        {"rule": "sum", "law": "falls", "of": [9], "total": 1, "lost": -9, "way": "upper"},
    ],
)
def test_counts_that_cannot_be_are_refused(change: dict[str, Any]) -> None:
    row = {"rule": "trials", "hits": 3, "deals": 7, "units": UNIT, "unit": UNIT} | {
        "steps": [[39, 7]],
        "both": False,
    }
    assert SCRIPT.tail(row) < 0
    with pytest.raises((ValueError, TypeError, ArithmeticError)):
        SCRIPT.tail(row | change)


@pytest.mark.parametrize("n", [3, 4, 6, 7])
def test_the_laws_of_a_circle_are_those_of_all_its_orders(n: int) -> None:
    falls, kept = [0] * n, [0] * (n + 1)
    for rest in permutations(range(1, n)):
        place = [0, *rest]
        falls[sum(place[i] > place[(i + 1) % n] for i in range(n))] += 1
        kept[sum((place[i] + 1) % n == place[(i + 1) % n] for i in range(n))] += 1
    assert SCRIPT.falls(n) == falls
    assert SCRIPT.kept(n) == kept


def test_tails_of_sums_are_exact_and_bounded() -> None:
    laws = [([1, 3, 0, 2], 3), ([0, 1, 1], 2)]
    chance = {0: Fraction(1)}
    for law, times in laws:
        for _ in range(times):
            new: dict[int, Fraction] = {}
            for (score, p), (more, w) in ((x, y) for x in chance.items() for y in enumerate(law)):
                new[score + more] = new.get(score + more, Fraction(0)) + p * Fraction(w, sum(law))
            chance = new
    for total in range(-1, 14):
        exact = sum(p for score, p in chance.items() if score >= total)
        got = SCRIPT.above(laws, total, exact=True)
        assert math.exp(got) == pytest.approx(float(exact), rel=1e-12)
        assert SCRIPT.above(laws, total, exact=False) >= got - 1e-12
    assert SCRIPT.above([([3, 1], 1000)], 1000, exact=True) == pytest.approx(-1000 * math.log(4))


@pytest.mark.parametrize("name", ["three_trumps", "club_turned"])
@pytest.mark.parametrize("hidden", [0, 2])
def test_the_p_of_trials_is_the_least_bound_and_no_less_than_the_truth(
    name: str, hidden: int
) -> None:
    """Over all outcomes of seven trials of three chances, one bet one way and one both ways."""
    chances = (Fraction(1, 13),) * 3 + (Fraction(1, 4),) * 2 + (Fraction(11, 20),) * 2
    n, bins = len(chances), np.zeros(len(BINS), np.int64)
    for p in chances:
        bins[np.searchsorted(BINS, float(p))] += 1
    units = sum(p.numerator * UNIT // p.denominator for p in chances)
    law, both = law_of_hits(chances), name == "club_turned"
    for hits in range(n + 1 - hidden):
        told = of_trials(SUSPECT[name], (n, hits, hidden, units), bins)
        assert told.log10 is not None
        assert told.counts is not None
        ours = SCRIPT.tail(told.counts)
        assert ours == pytest.approx(told.log10 * math.log(10), abs=1e-9)
        tails = [sum(law[hits:])] + [sum(law[: hits + hidden + 1])] * both
        assert math.exp(ours) >= min(1, len(tails) * min(tails)) * (1 - 1e-9)


def test_a_hundred_thousand_trials_of_many_chances_are_bounded_by_their_mean() -> None:
    steps = [[k, 2_500] for k in range(20, 60)]
    chances = [Fraction(math.floor(1.05**-k * 10**6), 10**6) for k, _ in steps]
    row = {
        "rule": "trials",
        "hits": 18_000,
        "deals": 100_000,
        "units": sum(2_500 * (p.numerator * UNIT // p.denominator) for p in chances),
        "unit": UNIT,
        "steps": steps,
        "both": False,
    }
    mean = sum(chances, Fraction(0)) / len(chances)
    assert SCRIPT.tail(row) == pytest.approx(log_upper(100_000, 18_000, mean), rel=1e-6)
    assert SCRIPT.tail(row) < -1
