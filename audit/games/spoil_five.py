"""Spoil Five, for two to ten players (Foster, "Spoil Five"); see `_spoil_five.py`."""

from audit.games._spoil_five import spoil_five
from audit.rules.spoil_five import SpoilFive

LAW = spoil_five("spoil_five", "Spoil Five", "Spoil Five", SpoilFive(), players=(2, 10))
