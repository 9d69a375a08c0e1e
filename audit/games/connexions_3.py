"""Connexions for 3; see `_connexions.py`.  Source: household book, sections 106-107."""

from audit.games._connexions import connexions

LAW = connexions(3)
