"""Readers of deal logs, one format a file.  Adding a format is adding a file here."""

from __future__ import annotations

import sys

from audit.family import Family
from audit.format import Reader

READERS = Family(sys.modules[__name__], "READER", Reader)
