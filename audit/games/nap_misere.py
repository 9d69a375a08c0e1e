"""Nap with a misere between three and four (Foster, "Napoleon", Bidding); see `_nap.py`."""

from audit.games._nap import MISERE, higher

LAW = higher("nap_misere", "Nap with misere", MISERE)
