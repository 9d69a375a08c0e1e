"""Rulings on what passes from one deal of a table to the next, once the order of rows is known."""

from __future__ import annotations

from typing import Any

from audit.errors import printable
from audit.finding import Statement
from audit.referee._docket import Found
from audit.referee.series import Series

#: What besides a breach explains any ruling.
OR_A_SLIP = ("a slip in recording", "a rule of the house that differs")
#: What besides a slip in recording or a rule of the house would explain a breach of a kind.
EXPLAINS = {
    "dealer": "a deal, a misdeal or a change of places that was not written down",
    "cut": "places that were changed after the cut",
    "pool": "a deal, or a payment to or from the pool, that was not written down",
    "score": "a deal that was not written down, or a score that was put right by agreement",
    "end": "a game that was agreed to go further",
    "plan": "packets that were written down wrongly",
}


def across(series: Series, *, as_dealt: bool, hide: bool, most: int) -> tuple[list[Statement], Any]:
    """Return the rulings on one log, at most *most*, and what its row of the report says of them.

    *as_dealt*: whether rows stand in the order of dealing; with *hide* lines stand for numbers.
    """
    found = series.finish(as_dealt=as_dealt)
    told = {
        "followed": series.followed,
        "rulings": len(found),
        "unjudged": {why: n for why, n in sorted(series.unjudged.items()) if n},
    }
    return [_statement(one, hide=hide) for one in found[: max(0, most)]], told


def _statement(found: Found, *, hide: bool) -> Statement:
    deal, ruling = found.deal, found.ruling
    line = f"line {deal.line}"
    where = line if hide else printable(deal.number or line)
    at = line if hide else f"{where} of table {printable(deal.table or '')}"
    after = "the deal before" if hide else f"deal {printable(found.before)}"
    seat = f", seat {ruling.seat}" if ruling.seat else ""
    return Statement(
        code=ruling.code,
        detector="referee",
        kind="ruling",
        subject={"deal": where},
        message=f"deal {at}, after {after}{seat}: {ruling.what}; {ruling.law}: {ruling.remedy}",
        explains=(*OR_A_SLIP, EXPLAINS[found.kind]),
    )
