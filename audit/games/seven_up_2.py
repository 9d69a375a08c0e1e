"""Seven-Up for 2 players (Foster, "Seven-Up"); see `_seven_up.py`."""

from audit.games._seven_up import seven_up

LAW = seven_up(2)
