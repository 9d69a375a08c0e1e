"""The laws of the games, one file each.  Adding a game is adding a file here."""

from __future__ import annotations

import sys

from audit.family import Family
from audit.law import Law

GAMES = Family(sys.modules[__name__], "LAW", Law)
