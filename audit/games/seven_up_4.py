"""Seven-Up for 4 players (Foster, "Seven-Up"); see `_seven_up.py`."""

from audit.games._seven_up import seven_up

LAW = seven_up(4)
