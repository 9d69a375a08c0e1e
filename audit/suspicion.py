"""A suspicion: something that a fair deal does with a chance that can be told beforehand.

A *trial* is one event of one deal: under the null its chance, given all that the log shows
to have been fixed before it, is known or bounded.  Trials of one suspicion and subject add up
to one e-process (`count/trials.py`, `detect/suspects.py`), whoever found them: `scan` looks at
whole batches, `find` at one record with its events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from struct import Struct as Layout
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from audit.law import Law
from audit.record import Batch, Deal

if TYPE_CHECKING:
    from audit.tally import Table

#: Numerators and denominators of a stored chance lie below this.
LARGEST = 1 << 32
#: Stands in a stored trial for an outcome that the log does not show.
HIDDEN = 2
#: Sums of chances are kept in units of 1 / UNIT, rounded down trial by trial.
UNIT = 1 << 36
#: A row of `record.TRIAL`.
_ROW = Layout("<HHIII").pack


class Trial(Struct, frozen=True, kw_only=True):
    """One event: *subject* is the place it is about (from 1; 0 is the table or the dealer).

    *chance* is that of a hit under the null, or a bound from above where all odds of the
    suspicion exceed 1.  *shown* is False where the log leaves out how the trial came out:
    then every bet takes its worse outcome, for what stands in a log may follow the cards.
    """

    chance: Fraction
    hit: bool
    subject: int = 0
    shown: bool = True


@dataclass(frozen=True, kw_only=True)
class Scan:
    """Trials of a batch as columns of one length: *row* is the deal in the batch, rising.

    *shown* is None where every trial shows how it came out.
    """

    row: NDArray[np.int64]
    hit: NDArray[np.bool_]
    num: NDArray[np.int64]
    den: NDArray[np.int64]
    subject: NDArray[np.int64]
    shown: NDArray[np.bool_] | None = None


@dataclass(frozen=True, kw_only=True)
class Suspicion:
    """What is looked for, in which games, and what is bet.

    *fields* are the names of `games.md` for what a log must show.  *per* says whose trials
    add up: each `seat`'s, each `dealer`'s, or all of the `table`.  *odds* are the
    alternatives: the odds of a hit times these, with equal weights; None is "always".  Odds
    below 1 want exact chances.  *weight* names a row of `finding.WEIGHTS`, of which *part*
    is this suspicion's.  *mute* says why no log of a game could show it, '' where one could.
    *says* is the fact in words, formatted with who, hits, trials and
    expected.  *again* looks at the same deals in another way, for where the log cannot tell
    which is right: half of the bets are laid on each, so that nobody has to choose.
    """

    id: str
    codes: tuple[str, ...]
    title: str
    games: Callable[[Law], bool]
    fields: tuple[str, ...]
    per: Literal["seat", "dealer", "table"]
    odds: tuple[int | Fraction | None, ...]
    weight: str
    part: Fraction
    null: str
    says: str
    explains: tuple[str, ...]
    mute: Callable[[Law], str] | None = None
    find: Callable[[Deal, Law], Iterable[Trial]] | None = None
    scan: Callable[[Batch, Table], Scan | None] | None = None
    again: Callable[[Batch, Table], Scan | None] | None = None


def rounded_up(chance: Fraction) -> tuple[int, int]:
    """Return a chance that can be stored, as num and den: *chance* itself or a little more.

    A bet at odds above 1 on a chance that is told too large has its mean below 1.
    """
    num, den = chance.numerator, chance.denominator
    if den < LARGEST:
        return num, den
    den = LARGEST - 1
    return -(-chance.numerator * den // chance.denominator), den


def stored(found: Mapping[int, Iterable[Trial]]) -> bytes:
    """Return trials by the number of their suspicion as bytes of `record.TRIAL`."""
    rows = []
    for which, trials in found.items():
        for t in trials:
            num, den = t.chance.as_integer_ratio()
            if 0 < num < den:
                if den >= LARGEST:
                    num, den = rounded_up(t.chance)
                rows.append(_ROW(which, t.subject, t.hit if t.shown else HIDDEN, num, den))
    return b"".join(rows)
