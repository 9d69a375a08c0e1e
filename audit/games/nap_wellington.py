"""Nap with Wellington above nap (Foster, "Napoleon", Variations); see `_nap.py`."""

from audit.games._nap import WELLINGTON, higher

LAW = higher("nap_wellington", "Nap with Wellington", WELLINGTON)
