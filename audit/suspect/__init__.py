"""Suspicions, one file each: events whose chance in a fair deal is known."""

from __future__ import annotations

import sys

from audit.family import Family
from audit.law import Law
from audit.record import Deal
from audit.suspicion import Suspicion, stored

SUSPECT = Family(sys.modules[__name__], "SUSPICION", Suspicion)


def suspicions(law: Law) -> dict[int, Suspicion]:
    """Return the suspicions that *law* knows, by their number in the family."""
    every = ((k, SUSPECT[name]) for k, name in enumerate(SUSPECT.names))
    return {k: s for k, s in every if s.games(law)}


def trials_of(deal: Deal, law: Law, known: dict[int, Suspicion]) -> bytes:
    """Return the trials of one record as bytes, those of *known* suspicions that read events."""
    return stored({k: s.find(deal, law) for k, s in known.items() if s.find is not None})
