"""What the old books warn of, as data: the 106 rows W01-W106.

    warnings.json --load--> (BookWarning, ...) --get("W13")--> BookWarning

A warning tells what a book says (`claim`), what a log of the deals would show
(`shows`) and how often a fair deal shows it (`null`). It is about a
circumstance, never about a person.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, cast

from audit.errors import UnknownName

Kind = Literal["cheat", "odds", "dispute"]

VOCABULARY: tuple[str, ...] = (
    "pack_id", "pack_size", "pack_order", "gathered_order", "shuffle", "cut", "order_after_cut",
    "deal_seq", "packet_plan", "counts", "turnup", "exchange", "widow", "draw", "bids", "look",
    "plays", "tricks", "claims", "score", "pool", "payments", "found_faced", "irregularity",
    "remarks",
)  # fmt: skip
"""The fields of a deal log that a warning can ask for."""


@dataclass(frozen=True, slots=True)
class BookWarning:
    """One warning of the books."""

    code: str
    """`W01` to `W106`."""
    games: tuple[str, ...]
    """Families: each stands for every game id that starts with it."""
    seeds: tuple[str, ...]
    """The books it is found in: F0, F2, F3, E4."""
    place: str
    """The chapter or section in the book, if noted."""
    kind: Kind
    """cheat: a method of deception; odds: a figure; dispute: a disputed point or its rule."""
    inferred: bool
    """The rule is the book's, the way it could be abused is our inference."""
    claim: str
    shows: str
    null: str
    """Under a fair shuffle and honest play; 0: cannot happen; n.c.: needs a model of behaviour."""
    fields: tuple[str, ...]
    """Members of `VOCABULARY` a log must have for the warning to be looked into."""


@cache
def load() -> tuple[BookWarning, ...]:
    """Return all warnings in the order of their codes."""
    text = resources.files(__name__).joinpath("warnings.json").read_text(encoding="utf-8")
    return tuple(
        BookWarning(
            code=row["code"],
            games=tuple(row["games"]),
            seeds=tuple(row["seeds"]),
            place=row["place"],
            kind=cast(Kind, row["kind"]),
            inferred=row["inferred"],
            claim=row["claim"],
            shows=row["shows"],
            null=row["null"],
            fields=tuple(row["fields"]),
        )
        for row in json.loads(text)
    )


@cache
def _by_code() -> dict[str, BookWarning]:
    return {warning.code: warning for warning in load()}


def get(code: str) -> BookWarning:
    """Return the warning of that code; raise UnknownName if there is none."""
    try:
        return _by_code()[code]
    except KeyError:
        raise UnknownName("warning", code, tuple(_by_code())) from None
