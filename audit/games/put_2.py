"""Put for 2 (the household book, sections 101-102, 104); see `_put.py`."""

from audit.games._put import put

LAW = put(2)
