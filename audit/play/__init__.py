"""Players of the laboratory, one file each."""

from __future__ import annotations

import sys

from audit.family import Family
from audit.play._player import Player

PLAY = Family(sys.modules[__name__], "PLAYER", Player)
