"""Dealers with a known fault, one file each, to try the audit on."""

from __future__ import annotations

import sys

from audit.family import Family
from audit.lab._crook import Crook

LAB = Family(sys.modules[__name__], "CROOK", Crook)
