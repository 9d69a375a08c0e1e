"""A party drops packs by its role, or by what was turned.

Warning: T16, the row of the battery behind W23; W44, a new deal for the asking after a look at
the cards: a dropped pack is a misdeal at will.
Null: one chance q, whatever it is, that the party drops a pack before which it stood
ready, and one no smaller in a role that has to choose before the deadline (the pone the
cut, the dealer the packets); and an order that is independent of who drops a pack before
anybody has decided.
Statistic: voids before the closing by public role, of packs that are not the first of a
table nor follow one that the party dropped; paying ranks turned by another dealer among
packs that the party left after the deal and before play.
Evidence: for the roles universal inference; for the orders a mixture of likelihood ratios
over rates above the fair one.
Misses: whoever is late as pone, as slow people honestly are, leaves later in play, drops
for the cards in hand, or never lets the pack be opened; counts of drops alone are told and
are no evidence.

Power: share of 60 clubs of four, the house first and the party second or fourth to appear
and everybody late to two packs in a hundred, in which it is named by the 400th, 800th and
1,600th pack (`python -m tests.long_voids`).  Late to 2 in 5 of the packs that two of the
others deal: 1.00, 1.00, 1.00; to 1 in 5: 0.17, 0.93, 1.00; to 1 in 10: 0.00, 0.03, 0.50.
Leaves whenever it is asked first and another dealer turned a Jack: 0.77, 1.00, 1.00.

Why the roles may be looked at after every pack: let q_r be the true chances, k_r of n_r
packs dropped in role r.  The numerator is the product over packs of the chances that a
Beta(1/2, 1/2) bettor of the pack's role gave, before it, to what then happened; it is
prod_r B(k_r + 1/2, n_r - k_r + 1/2) / B(1/2, 1/2).  Divided by prod_r q_r^k_r
(1 - q_r)^(n_r - k_r) it is a martingale with mean 1, for each factor has mean 1 given the
past, and role and readiness are known before the pack.  The denominator used is the
largest of that likelihood over all q_r of the null, so E is at most this martingale for the
true ones: the mean of E is at most 1 at every stopping time, whatever they are.  It is
assumed that they do not change in time.

Why the orders: whoever is asked first is asked whatever was turned (a test holds this for
every game with a paying rank), so given who left then, the turn-up is still a uniform
card.  A pack whose order was not published counts as another card, and a smaller chance of a
hit only lowers bets on rates above the fair one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.detect._counts import of_rate
from audit.detect._effect import share
from audit.finding import (
    WEIGHTS,
    Detail,
    Hypothesis,
    Idle,
    Silent,
    Verdicts,
    log_threshold,
    share_of_person,
    share_to_come,
)
from audit.law import Law
from audit.plan import PACKETS, Ask
from audit.stats.detectable import least_hits, least_missing, smallest
from audit.stats.evalue import log_mean_exp, rate_atoms
from audit.tally import Arrays, Detector, Table

ROLES = ("as dealer", "as pone", "otherwise")
#: Relative loss taken off so that rounding of the logarithms cannot lift E above the truth.
_GUARD = 1e-12


def busy_roles(law: Law) -> tuple[bool, bool, bool]:
    """Return whether dealer, pone and others choose something in the message that can be late."""
    packets = any(isinstance(step, Ask) and step.name == PACKETS for step in law.plan)
    return packets, True, False


def log_roles(
    packs: NDArray[np.int64], dropped: NDArray[np.int64], busy: Sequence[bool]
) -> NDArray[np.float64]:
    """Return ln E after each look of the cumulative *packs* and *dropped*, (looks, roles).

    *busy* says which roles have to choose something and may be slower for it.
    """
    rows = zip(packs.tolist(), dropped.tolist(), strict=True)
    return np.array([_log_roles(n, k, busy) for n, k in rows], np.float64)


def _log_roles(packs: list[int], dropped: list[int], busy: Sequence[bool]) -> float:
    parts: list[float] = []
    for n, k in zip(packs, dropped, strict=True):
        parts += [math.lgamma(k + 0.5), math.lgamma(n - k + 0.5)]
        parts += [-math.lgamma(n + 1), -math.log(math.pi)]
    for n, k in _pooled(packs, dropped, busy):
        parts += [-part * math.log(part / n) for part in (k, n - k) if part]
    return math.fsum(parts) - _GUARD * math.fsum(abs(p) for p in parts)


def _pooled(packs: list[int], dropped: list[int], busy: Sequence[bool]) -> list[tuple[int, int]]:
    """Return (packs, dropped) of the roles that share a rate where the null is likeliest.

    The rate of the roles that choose nothing is the least: those that choose and dropped a
    smaller share are taken in, the smallest first, as for any simple tree order.
    Source: Robertson, Wright and Dykstra (1988), Order Restricted Statistical Inference, 1.3.
    """
    rows = list(zip(packs, dropped, busy, strict=True))
    n = sum(row[0] for row in rows if not row[2])
    k = sum(row[1] for row in rows if not row[2])
    above = [(row[0], row[1]) for row in rows if row[2] and row[0]]
    above.sort(key=lambda one: Fraction(one[1], one[0]))
    while n and above and above[0][1] * n < k * above[0][0]:
        n, k = n + above[0][0], k + above[0][1]
        above.pop(0)
    return [(n, k), *above]


def order_rates(fair: Fraction) -> tuple[Fraction, ...]:
    """Return the rates that are bet on where packs are left by what was turned."""
    return (2 * fair, 4 * fair, (1 + fair) / 2, Fraction(9, 10))


def log_orders(
    hits: NDArray[np.int64], packs: NDArray[np.int64], fair: Fraction
) -> NDArray[np.float64]:
    """Return ln E after each of the (looks,) cumulative *hits* among *packs* dropped."""
    atoms = rate_atoms(fair, order_rates(fair))
    logs = np.stack([hits * h + (packs - hits) * m for h, m in atoms], axis=-1)
    return log_mean_exp(logs, [Fraction(1, 4)] * 4)


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, got = Verdicts(), tallies["endings"]
    why = ""
    if not int(got["packs"][0]):
        why = "no deal says how it ended"
    elif not table.parties:
        why = "no deal names its parties"
    if why:
        out.silent.append(Silent(code="T16", detector="voids", why=why, untouched=True))
        out.idle.append(Idle(detector="voids", weight=WEIGHTS["misdeals"]))
        return out
    rest = WEIGHTS["misdeals"] * share_to_come(len(table.parties))
    out.idle.append(Idle(detector="voids", weight=rest))
    for m, name in enumerate(table.parties, start=1):
        weight = WEIGHTS["misdeals"] * share_of_person(m) / 2
        judged = {"role": _roles, "turn-up": _orders}
        for by, judge in judged.items():
            found = judge(got, table, m - 1, name, weight)
            if found is not None:
                out.hypotheses.append(found)
                continue
            # Rows that no longer stand as dealt end bets on roles that may have lost.
            ended = by == "role" and bool(got["role"][:, m - 1].any())
            subject = {"party": name, "by": by}
            out.unspoken("voids", weight, subject, untouched=not ended)
    if table.looks.once:
        why = "drops by role are not judged: rows do not stand in the order dealt"
    elif not out.hypotheses:
        why = "no party was at two packs running, and none left one before play"
    if why:
        out.silent.append(Silent(code="T16", detector="voids", why=why, untouched=not out.fallen))
    return out


def _all_drops(got: Arrays, m: int) -> str:
    drops = int(got["drops"][m].sum())
    return f"{drops} packs of the log ended for want of its message"


def _roles(got: Arrays, table: Table, m: int, name: str, weight: Fraction) -> Hypothesis | None:
    counts = got["role"][:, m].cumsum(axis=0)
    packs, dropped = counts[-1, :, 0], counts[-1, :, 1]
    if table.looks.once or not packs.sum():
        return None
    said = ", ".join(
        f"{k} of {n} {role}" for role, n, k in zip(ROLES, packs, dropped, strict=True) if n
    )
    n, k = int(packs.sum()), int(dropped.sum())
    top = int(np.argmax([k / n if n else -1 for n, k in zip(packs, dropped, strict=True)]))
    effect = share(
        f"share of packs dropped {ROLES[top]}", int(dropped[top]), int(packs[top]), k / n, of=3
    )
    return Hypothesis(
        code="T16",
        detector="voids",
        subject={"party": name, "by": "role"},
        weight=weight,
        curve=log_roles(counts[:, :, 0], counts[:, :, 1], busy_roles(table.law)),
        deals=n,
        null="the party drops a pack with one chance in every role, and with no smaller one where"
        " it has to choose before the deadline",
        message=f"party {name} dropped before the closing, of packs before which it stood ready,"
        f" {said}; {_all_drops(got, m)}",
        effect=effect,
        refutes=("drops that do not depend on the role",),
        explains=(
            "a line that was bad for a part of the log in which one role came more often",
            "messages that the house or the network lost",
        ),
    )


def _orders_detail(
    hits: NDArray[np.int64],
    packs: NDArray[np.int64],
    fair: Fraction,
    weight: Fraction,
    rank: str,
) -> Detail:
    """Return the detail of one party; *hits* and *packs* are cumulative, shape (looks,).

    Packs of which the turn-up is not known count as no hit, so that nothing is cleared by them.
    """
    n, k, bar = int(packs[-1]), int(hits[-1]), log_threshold(weight)
    left_out = least_missing(lambda m: bool((log_orders(hits, packs + m, fair) < bar).all()))
    least = least_hits(lambda h, d: log_orders(h, d, fair), packs, bar)
    x = smallest(lambda x: fair + Fraction(x, 100) * (1 - fair), 100, deals=packs, least=least)
    return Detail(
        effect=share(f"rate of {rank} among packs left", k, n, float(fair)),
        share_explaining=left_out / (n + left_out) if left_out else None,
        detectable=None
        if x is None
        else f"a rate of {float(fair + Fraction(x, 100) * (1 - fair)):.3f} would have been flagged"
        f" with probability 0.9 by these {n:,} packs",
    )


def _orders(got: Arrays, table: Table, m: int, name: str, weight: Fraction) -> Hypothesis | None:
    counts = got["order"][:, m].cumsum(axis=0)
    packs, hits = (int(x) for x in counts[-1])
    ranks = ["23456789TJQKA".index(r) for r in table.law.honours]
    paying = sum(c % 13 in ranks for c in table.pack)
    fair, rank = Fraction(paying, len(table.pack)), "".join(table.law.honours)
    # Bets on four times the fair rate want a rate below a quarter.
    if not packs or not table.law.turnup or not 0 < fair < Fraction(1, 4):
        return None
    return Hypothesis(
        code="T16",
        detector="voids",
        subject={"party": name, "by": "turn-up"},
        weight=weight,
        curve=log_orders(counts[:, 1], counts[:, 0], fair),
        counts=of_rate(counts[:, 1], counts[:, 0], fair, order_rates(fair), [Fraction(1, 4)] * 4),
        deals=packs,
        null="the turned card does not depend on who leaves the pack before play",
        message=f"party {name}: another dealer had turned a {rank} in {hits} of {packs} packs that"
        f" it left before play; a fair pack does so once in {1 / fair}; {_all_drops(got, m)}",
        more=partial(_orders_detail, counts[:, 1], counts[:, 0], fair, weight, rank),
        refutes=("an order that does not depend on who leaves",),
        explains=(
            "packs of which only some were opened afterwards",
            "messages that the house or the network lost",
        ),
    )


DETECTOR = Detector(
    id="voids",
    codes=("T16", "W44"),
    title="Packs dropped by role or by what was turned",
    tallies=("endings",),
    judge=_judge,
)
