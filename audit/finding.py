"""Findings, silence, and the weights of the flag rule.

Every hypothesis h has one e-process E_h under a fair deal and one weight w_h.
The weights of all that the program could ever say sum to at most 1, so by
Ville's inequality sum w_h E_h reaches 1000 in at most one fair log of a
thousand, however often it is looked at.  What could not bet yet stands with E = 1; what
says nothing for a reason that may follow the cards counts 0, and never has its stake back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from audit.stats.evalue import closed_ebh, holm

THRESHOLD = 1000
#: More hypotheses than these are not searched for further names; no card decides their number.
MOST_NAMED = 2000

#: Part of the version: a share once given never moves; new detectors draw on the reserve.
WEIGHTS: Mapping[str, Fraction] = {
    "turned_honours": Fraction(1, 8),
    "missing_ten": Fraction(1, 16),
    "missing_card": Fraction(1, 16),
    "favoured_seat": Fraction(1, 10),
    "best_hand": Fraction(1, 40),
    "later_turnups": Fraction(1, 16),
    "turned_card": Fraction(1, 16),
    "repeats": Fraction(1, 128),
    "order": Fraction(15, 128),
    "decisions": Fraction(1, 16),
    "misdeals": Fraction(1, 16),
    "events": Fraction(3, 32),
    "reserve": Fraction(5, 32),
}


def share_of_person(m: int) -> Fraction:
    """Return the share of the *m*-th person to appear (m from 1): 1/(m(m+1)), which sums to 1."""
    return Fraction(1, m * (m + 1))


def share_to_come(m: int) -> Fraction:
    """Return the share of all persons after the *m*-th: 1/(m+1)."""
    return Fraction(1, m + 1)


def log_threshold(weight: Fraction) -> float:
    """Return the ln E at which a hypothesis of this weight is flagged."""
    return math.log(THRESHOLD) - math.log(weight)


@dataclass(frozen=True, kw_only=True)
class Detail:
    """What a finding that is shown says beside its evidence.

    *share_explaining* is the least share of the subject's deals that, dealt but
    left out of the log, would keep the weighted evidence under the threshold, or a bound
    from below on it.  *cleared* are the least effects that the log speaks
    against (`detect/_shown.py`).
    """

    effect: Mapping[str, Any] | None = None
    share_explaining: float | None = None
    detectable: str | None = None
    cleared: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class P:
    """A p-value as it is shown, for who fixed the number of deals; None with a *note* why none.

    The *note* says too where it is a bound: then it is no smaller than the p.  *counts* are what
    it follows from, as `detect/_counts.py` has them, where that is not all behind the evidence.
    """

    log10: float | None
    note: str = ""
    counts: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """One detector about one subject, followed over the log.

    *curve* is ln E after each look, float64 of shape (looks,), minus infinity
    where E is 0; it is a supermartingale under the null in *null*.  *more*
    works out the detail, asked only for what a report shows, and *counts* what stands
    behind the evidence after a look, from which anybody can work it out again.  *p* works
    out the p-value where *log10_p* is not told.
    """

    code: str
    detector: str
    subject: Mapping[str, str]
    weight: Fraction
    curve: NDArray[np.float64]
    deals: int
    null: str
    message: str
    effect: Mapping[str, Any] | None = None
    log10_p: float | None = None
    p: Callable[[], P] | None = None
    refutes: Sequence[str] = ("fair",)
    explains: Sequence[str] = ()
    detectable: str | None = None
    more: Callable[[], Detail] | None = None
    counts: Callable[[int], dict[str, Any]] | None = None

    def detail(self) -> Detail:
        """Return effect, explaining share and what would have been seen."""
        if self.more is not None:
            return self.more()
        return Detail(effect=self.effect, detectable=self.detectable)

    def shown_p(self) -> P:
        """Return the p-value as a report shows it."""
        return self.p() if self.p is not None else P(log10=self.log10_p)

    @property
    def final(self) -> float:
        """ln E after the last deal."""
        return float(self.curve[-1]) if len(self.curve) else 0.0

    @property
    def highest(self) -> float:
        """The largest ln E at any look."""
        return float(self.curve.max(initial=-math.inf)) if len(self.curve) else 0.0

    @property
    def flagged(self) -> bool:
        """Whether w E reached the threshold at some look."""
        return self.highest >= log_threshold(self.weight)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A finding without probability: a contradiction, or a ruling."""

    code: str
    detector: str
    kind: Literal["contradiction", "ruling"]
    subject: Mapping[str, str]
    message: str
    deals: int = 1
    explains: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Silent:
    """A detector that this log cannot answer; never shown as a pass.

    With *untouched* its weight stands with E = 1 (`Verdicts.idle`), for nothing that could have
    lowered it was in the log; else the reason may follow the cards, and it counts 0.
    """

    code: str
    detector: str
    why: str
    untouched: bool = False


@dataclass(frozen=True, kw_only=True)
class Idle:
    """A weight that stands with E = 1: no bet of it was laid yet, or left out of the log.

    Without a *subject* it is all that the detector can ever say, or what is left of it.
    """

    detector: str
    weight: Fraction
    subject: Mapping[str, str] = field(default_factory=dict)


@dataclass(kw_only=True)
class Verdicts:
    """What all detectors said of one audit.

    What is neither a hypothesis nor *idle* counts 0, for a detector that may fall silent once
    it has lost must not have its stake back.  Whoever forgets to name something idle
    understates the evidence, and never overstates it.  *fallen* is how many hypotheses count 0.
    """

    hypotheses: list[Hypothesis] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    silent: list[Silent] = field(default_factory=list)
    pictures: list[dict[str, Any]] = field(default_factory=list)
    idle: list[Idle] = field(default_factory=list)
    fallen: int = 0

    def unspoken(
        self, detector: str, weight: Fraction, subject: Mapping[str, str], *, untouched: bool
    ) -> None:
        """Note a hypothesis that says nothing: idle where *untouched*, else it counts 0."""
        if untouched:
            self.idle.append(Idle(detector=detector, weight=weight, subject=subject))
        else:
            self.fallen += 1

    @property
    def standing(self) -> Fraction:
        """The weight that stands with E = 1: what is idle, and the reserve."""
        return sum((i.weight for i in self.idle), start=WEIGHTS["reserve"])


def also_named(hypotheses: Sequence[Hypothesis], fallen: int = 0) -> frozenset[int]:
    """Return which hypotheses closed e-BH names beside those that are flagged, by index.

    It reads E after the last deal, an e-value, of all hypotheses, 0 of those that have
    *fallen* silent, so that the expected share of wrong names is at most one in a thousand.
    Nothing is named where no audit is flagged, and naming flags nothing.
    """
    if not 0 < len(hypotheses) + fallen <= MOST_NAMED:
        return frozenset()
    logs = [h.final for h in hypotheses] + [-math.inf] * fallen
    found = closed_ebh(logs, alpha=Fraction(1, THRESHOLD))
    return frozenset(i for i in found if i < len(hypotheses) and not hypotheses[i].flagged)


def adjusted(shown: Sequence[P], others: int) -> list[float | None]:
    """Return log10 of Holm's adjusted p for each of *shown*, None where there is none.

    Hypotheses without one, and *others* beside these, count as tests whose p is 1: which of
    them show a p may depend on the cards.
    """
    logs = [0.0 if p.log10 is None else p.log10 * math.log(10) for p in shown]
    found = holm([*logs, *([0.0] * others)])
    ten = math.log(10)
    return [None if p.log10 is None else q / ten for p, q in zip(shown, found, strict=False)]


def shares(
    hypotheses: Sequence[Hypothesis], standing: Fraction
) -> tuple[float, list[tuple[Hypothesis, float]]]:
    """Return how the evidence after the last deal is shared among the suspicions.

    The weighted sum is the wealth of one bettor who spread his stake over all suspicions
    before the first card: w_h E_h / sum w E is where his wealth lies now, and his belief had
    the weights been his belief beforehand.  First comes the share of the weight *standing*
    with E = 1, then those of the hypotheses, largest first; all of them sum to 1.
    """
    logs = [h.final + math.log(h.weight) for h in hypotheses]
    rest = math.log(standing) if standing else -math.inf
    top = max([rest, *logs])
    if not math.isfinite(top):
        return 1.0, []
    total = math.fsum(math.exp(x - top) for x in (rest, *logs))
    found = [(h, math.exp(x - top) / total) for h, x in zip(hypotheses, logs, strict=True)]
    return math.exp(rest - top) / total, sorted(found, key=lambda one: -one[1])


def weighted_sum(
    hypotheses: Sequence[Hypothesis], looks: int, standing: Fraction = WEIGHTS["reserve"]
) -> NDArray[np.float64]:
    """Return ln sum w_h E_h at each look, shape (looks,).

    The weight *standing* counts with E = 1; what is left of the whole weight has fallen silent
    and counts 0.
    """
    spent = sum((h.weight for h in hypotheses), start=standing)
    if spent > 1:
        raise AssertionError(f"weights sum to {spent}")
    rows = [np.full(looks, math.log(standing) if standing else -np.inf)]
    rows += [h.curve + math.log(h.weight) for h in hypotheses]
    table = np.vstack(rows)
    top = table.max(axis=0)
    return np.asarray(top + np.log(np.exp(table - top).sum(axis=0)))
