"""One place at the table gets the good hands, or all best hands are too strong.

Warning: T12, the row of the battery behind W12 and W75.
Null: the hands of a deal are exchangeable over the places (a place), and a fair
deal (the best hand of the deal, whoever holds it).
Statistic: whether the place holds the best hand, ties counting t/n, and its
points; for the best hand whether it reaches far tails of the fair law.
Evidence: mixture over "always" (1/4), "often or seldom" (3/8) and tilted
strength (3/8), given the hands of the deal; for the best hand bets against the
union bound over places, which lies above the true chance.
Misses: a favour in cards that the law's count of strength does not count.

Hands that were turned so that one place, or one side, always declares are strong there for that
alone.  Whoever has the best hand declares in some two of five to two of three deals of bridge,
he or his partner in nine of ten; where declarers say more than that of a place, whatever it is
dealt, no place is tested.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS
from audit.detect._counts import of_bets
from audit.detect._effect import COVERAGE
from audit.detect._shown import against_odds, seen
from audit.finding import WEIGHTS, Detail, Hypothesis, Idle, Silent, Verdicts, log_threshold
from audit.stats.bets import OFTEN, TAIL_ODDS, TILTS
from audit.stats.binomial import log_upper
from audit.stats.bounded import mean_sequence
from audit.stats.evalue import SCALE
from audit.stats.hand import far_tails, tilt_drop
from audit.stats.odds import least_left_out, trials
from audit.stats.tilt import NEVER, hit_and_miss
from audit.tally import Arrays, Detector, Table

MIXTURE = (
    Fraction(1, 4),
    *[Fraction(3, 8 * len(OFTEN))] * len(OFTEN),
    *[Fraction(3, 8 * len(TILTS))] * len(TILTS),
)
PRIOR = np.array([float(w) for w in MIXTURE])


def _mix(log: NDArray[np.int64], prior: NDArray[np.float64]) -> NDArray[np.float64]:
    rows = log.cumsum(axis=0).T / SCALE + np.log(prior)[:, None]
    top = rows.max(axis=0)
    return np.asarray(top + np.log(np.exp(rows - top).sum(axis=0)))


def _groups(tied: NDArray[np.int64], place: int) -> list[tuple[Fraction, int, int]]:
    """Return (chance, hits, deals) of *place* by how many hands are best; all tied is none."""
    n = len(tied)
    return [(Fraction(t, n), int(tied[t - 1, 1 + place]), int(tied[t - 1, 0])) for t in range(1, n)]


def _points(table: Table) -> list[int]:
    """Return the points of each card of the pack."""
    return [table.law.strength.get(RANKS[c % 13], 0) for c in table.pack]


def _drops(table: Table) -> list[float]:
    """Return for each bet on a place how far one deal can lower it, as fixed point."""
    places, cards = table.players, _points(table)
    worst = Fraction(places - 1, places)
    return [
        float(NEVER),
        *(float(min(hit_and_miss(worst if x > 1 else Fraction(1, places), x))) for x in OFTEN),
        *(SCALE * tilt_drop(cards, table.law.hand, places, tilt) for tilt in TILTS),
    ]


def _detail(got: Arrays, place: int, used: int, table: Table, bar: float) -> Detail:
    """Return the detail of one place.

    Power is that of the bets on "always" and "often" alone, so at least what is told; the
    share that would explain the finding is at least what is told, for no deal lowers a bet more.
    """
    groups = _groups(got["tied"], place)
    hits, of = sum(k for _, k, _ in groups), trials([(p, n) for p, _, n in groups])
    logs = got["log"][:, place].cumsum(axis=0)
    left_out = least_left_out(logs, _drops(table), MIXTURE, bar)
    bets = 1 + len(OFTEN)
    return Detail(
        effect=_effect(got["tied"], place),
        share_explaining=left_out / (used + left_out) if left_out else None,
        detectable=seen(of, (None, *OFTEN), MIXTURE[:bets], bar, "deals with a best hand"),
        cleared=against_odds(
            of, hits, "odds of holding the best hand, as a multiple of the fair ones"
        ),
    )


def _effect(tied: NDArray[np.int64], place: int) -> dict[str, Any]:
    """Return the mean share that *place* has of the best hand, one of t that tie having 1/t.

    A fair one has 1 in the number of places, whatever was dealt.  The interval bets on a
    bounded score (`stats/bounded.py`) and asks for no law of ties.
    """
    n, parts = len(tied), math.lcm(*range(1, len(tied) + 1))
    counts = [0] * (parts + 1)
    for t in range(1, n + 1):
        counts[parts // t] += int(tied[t - 1, 1 + place])
    deals, got = int(tied[:, 0].sum()), sum(x * k for x, k in enumerate(counts))
    counts[0] = deals - sum(counts)
    low, high = (end / parts for end in mean_sequence(counts, level=COVERAGE))
    return {
        "name": "mean share of the best hand",
        "value": got / parts / deals,
        "low": None,
        "high": None,
        "coverage": float(COVERAGE),
        "anytime_low": low,
        "anytime_high": high,
        "fair": 1 / n,
    }


def _best_detail(logs: NDArray[np.int64], table: Table, used: int, bar: float) -> Detail:
    """Return the detail of the best hand of a deal, whoever holds it; *logs* are cumulative."""
    drops = [
        float(min(hit_and_miss(bound, factor))) if 0 < bound < 1 else 0.0
        for _, bound in far_tails(_points(table), table.law.hand, table.players)
        for factor in TAIL_ODDS
    ]
    live = [k for k, drop in enumerate(drops) if drop < 0]
    flat = Fraction(1, len(drops))
    # A bet that a deal cannot lower stays at 1.
    bar = math.log(max(math.exp(bar) - (len(drops) - len(live)) / len(drops), 1e-300))
    left_out = least_left_out(logs[:, live], [drops[k] for k in live], [flat] * len(live), bar)
    return Detail(share_explaining=left_out / (used + left_out) if left_out else None)


#: A place, and a side of two, declares in at most these shares of the deals, even where it is
#: always given the best hand.
MOST_DECLARED = (Fraction(3, 4), Fraction(19, 20))
#: Of tables where so many are declared, fewer than this share are taken for turned.
TURNED = Fraction(1, 100)


def turned_to(declared: NDArray[np.int64], table: Table) -> str:
    """Return who declares so often that the hands were surely turned towards him, '' for nobody.

    *declared* are the deals in which each place declares.
    """
    names, n = _names(table), len(declared)
    sides = {names[p]: (int(declared[p]), MOST_DECLARED[0]) for p in range(n)}
    if n == 4:
        for p in (0, 1):
            both = int(declared[p] + declared[p + 2])
            sides[f"{names[p]} or {names[p + 2]}"] = both, MOST_DECLARED[1]
    deals, bar = int(declared.sum()), math.log(TURNED) - math.log(len(sides))
    for who, (count, most) in sides.items():
        if deals and log_upper(deals, count, most) < bar:
            return f"{who} declares in {count} of {deals} deals"
    return ""


def _names(table: Table) -> list[str]:
    """Return what each place is called."""
    return list(table.law.place_names) or [f"place {p + 1}" for p in range(table.players)]


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, got, law = Verdicts(), tallies["strength"], table.law
    used, all_deals = (int(x) for x in got["used"])
    why, untouched = "", True
    if not law.strength:
        why = "the game has no count of a hand's strength"
    elif table.holds.exposure in ("shown", "owner"):
        # Another input of the log may have been bet on before this one was put beside it.
        why, untouched = "somebody chose which hands the log shows", False
    elif not used and law.changes and table.holds.exposure == "unknown":
        why = "nothing says whether hands stand as dealt or as they were played"
        untouched = not all_deals
    elif not used:
        why, untouched = "no deal shows every hand", not all_deals
    elif used < all_deals:
        why, untouched = f"{all_deals - used} of {all_deals} deals do not show every hand", False
    n = table.players
    if why:
        out.silent.append(
            Silent(code="T12", detector="favoured_seat", why=why, untouched=untouched)
        )
        if untouched:
            whole = WEIGHTS["favoured_seat"] + WEIGHTS["best_hand"]
            out.idle.append(Idle(detector="favoured_seat", weight=whole))
        else:
            out.fallen += n + 1
        return out
    turned = turned_to(got["declared"], table)
    if turned:
        why = f"{turned}, so that hands seem to have been turned towards the declarer"
        out.silent.append(Silent(code="T12", detector="favoured_seat", why=why, untouched=False))
        out.fallen += n
    for place, name in enumerate([] if turned else _names(table)):
        held = int(got["top"][place, 0])
        out.hypotheses.append(
            Hypothesis(
                code="T12",
                detector="favoured_seat",
                subject={"seat": name},
                weight=WEIGHTS["favoured_seat"] / n,
                curve=_mix(got["log"][:, place], PRIOR),
                deals=used,
                counts=of_bets(got["log"][:, place], MIXTURE),
                null="given the hands of a deal, each place is as likely to hold each of them",
                message=f"{name} holds the best hand, alone or tied, in {held} of {used} deals",
                more=partial(
                    _detail,
                    got,
                    place,
                    used,
                    table,
                    log_threshold(WEIGHTS["favoured_seat"] / n),
                ),
                explains=(
                    "an event in which one place is given the best hand on purpose",
                    "deals selected for a place before they were kept",
                    "hands turned towards one place, that of who declared or won for instance",
                ),
            )
        )
    bets = got["best"][:, :-1]
    out.hypotheses.append(
        Hypothesis(
            code="T12",
            detector="favoured_seat",
            subject={"hand": "best of each deal"},
            weight=WEIGHTS["best_hand"],
            curve=_mix(bets, np.full(bets.shape[1], 1 / bets.shape[1])),
            deals=used,
            counts=of_bets(bets, [Fraction(1, bets.shape[1])] * bets.shape[1]),
            null="a fair deal: the best hand reaches a far tail no oftener than chance allows",
            message=f"the best hand of a deal counts {got['best'][:, -1].sum() / used:.2f} points"
            " on average, whoever holds it",
            more=partial(
                _best_detail, bets.cumsum(axis=0), table, used, log_threshold(WEIGHTS["best_hand"])
            ),
            explains=("deals made or kept to meet a condition", "two packs mixed"),
        )
    )
    return out


assert math.isclose(PRIOR.sum(), 1)

DETECTOR = Detector(
    id="favoured_seat",
    codes=("T12",),
    title="A place that gets the good hands",
    tallies=("strength",),
    judge=_judge,
)
