"""Which deals may show hands as they became, not as they were dealt.

Where a game lets hands change before they are played, a club that writes down what was played
writes hands that were picked: after a run, an exchange or a widow the low cards are gone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.count._orders import whole
from audit.record import Batch
from audit.tally import Table


def became(batch: Batch, table: Table, *, claimed: bool = True) -> NDArray[np.bool_]:
    """Return which deals of *batch* do not say that their hands stand as dealt, shape (deals,).

    The whole order of the pack says so, for hands that contradict it were set aside; with
    *claimed* so does a format that claims to show hands as dealt.
    """
    unsaid = np.zeros(len(batch), np.bool_)
    if not table.law.changes or (claimed and table.holds.exposure != "unknown"):
        return unsaid
    return ~whole(batch.order, len(batch), table.pack)
