"""Faults that the counts can show, one file each."""

from __future__ import annotations

import sys

from audit.family import Family
from audit.tally import Detector

DETECT = Family(sys.modules[__name__], "DETECTOR", Detector)
