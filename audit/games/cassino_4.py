"""Cassino for 4; see `_cassino.py`.  Source: household book, sections 110-112."""

from audit.games._cassino import cassino

LAW = cassino(4)
