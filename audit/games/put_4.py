"""Put for 4 (the household book, sections 101, 103-104); see `_put.py`."""

from audit.games._put import put

LAW = put(4)
