"""Ways of counting, one file each; a detector names the tallies that it reads."""

from __future__ import annotations

import sys

from audit.family import Family
from audit.tally import Tally

COUNT = Family(sys.modules[__name__], "TALLY", Tally)
