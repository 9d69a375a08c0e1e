"""Euchre for 4 players (household book, section 120); see `_euchre.py`."""

from audit.games._euchre import euchre

LAW = euchre(4)
