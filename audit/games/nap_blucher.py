"""Nap with Wellington and Blucher (Foster, "Napoleon", Variations); see `_nap.py`."""

from audit.games._nap import BLUCHER, higher

LAW = higher("nap_blucher", "Nap with Wellington and Blucher", BLUCHER)
