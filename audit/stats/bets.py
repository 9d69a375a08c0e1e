"""The alternatives bet on, fixed before any log is opened; tallies and detectors share them."""

from __future__ import annotations

from fractions import Fraction

#: A later turn-up pays: odds times these.
LATER_ODDS = (2, 4, 8, 16, 64)
#: A place holds the best hand often or seldom: odds times these.
OFTEN = tuple(Fraction(n, 10) for n in (2, 5, 20, 40, 90))
#: Tilts of a hand's strength, in standard deviations of a fair hand.
TILTS = (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0)
#: The best hand reaches tails of at most these chances, odds times `TAIL_ODDS`.
TAILS = (Fraction(1, 5), Fraction(1, 20), Fraction(1, 100))
TAIL_ODDS = (2, 8, 64)
