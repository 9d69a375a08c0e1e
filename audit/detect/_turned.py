"""What of the weight of a detector about turn-ups stands with E = 1, for nothing was left out."""

from __future__ import annotations

from audit.finding import WEIGHTS, Idle, Verdicts, share_to_come
from audit.tally import Arrays, Table, people


def nothing_untold(turnups: Arrays, table: Table) -> bool:
    """Return whether no deal of the tally `turnups`, and no row, hides turn-up or dealer."""
    return not (turnups["blank"].any() or table.unread)


def to_come(out: Verdicts, detector: str, turnups: Arrays, table: Table) -> None:
    """Let the weight of the dealers who have not appeared stand where no deal may be theirs.

    Whoever leaves the dealer out until the card is to his liking has lost bets in his name.
    """
    if not table.machine and not (turnups["blank"][-1] or table.unread):
        weight = WEIGHTS[detector] * share_to_come(len(people(table)))
        out.idle.append(Idle(detector=detector, weight=weight))
