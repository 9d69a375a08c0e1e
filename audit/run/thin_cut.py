"""Cuts that leave fewer cards in a packet than the law asks for: rulings, no probability.

Warning: W102, at least four cards, or as many as there are players, in each packet of the cut.
Where the log says that nothing was cut, this says nothing: that is a misdeal or a custom.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from audit.columns import Columns
from audit.law import Law

#: The book's warning is of four cards or as many as there are players, not of Écarté's two.
WARNED = 4


def thin(columns: Columns, law: Law) -> Iterator[tuple[int, str, str, str]]:
    """Yield line, number, what is wrong and its code of each deal whose cut was too thin.

    Deals whose cut or, where the law counts by them, whose players are not known are left out.
    """
    if law.cut_least is None and not law.cut_by_players:
        return
    size = len(law.pack)
    code = "W102" if law.cut_by_players or law.cut_least == WARNED else "LAW"
    for row in np.flatnonzero((columns.cut > 0) & (columns.cut < size)):
        players, cut = int(columns.players[row]), int(columns.cut[row])
        least = law.least_cut(players) if players > 0 or not law.cut_by_players else None
        left = min(cut, size - cut)
        if least is not None and left < least:
            deal = columns.deal(int(row))
            why = f"the cut left {left} cards in a packet, wanted {least} at least"
            source = f"{law.source.book}, {law.source.section}"
            yield deal.line, deal.number or "", f"{why}; {source}: the pack is cut again", code
