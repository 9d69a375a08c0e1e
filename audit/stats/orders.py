"""Orders are tables of the numbers below n, each once in a row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def rows(orders: npt.ArrayLike, where: str) -> npt.NDArray[np.int64]:
    """Return *orders* as integers of shape (deals, n).

    Raises:
        ValueError: it is no table, or a row does not hold every number below n once.
    """
    table = np.asarray(orders)
    if table.ndim != 2 or (table.size and table.dtype.kind not in "iu"):
        raise ValueError(
            f"{where}: orders: integers of shape (deals, n) wanted, got {table.dtype} {table.shape}"
        )
    table = table.astype(np.int64)
    if not np.array_equal(
        np.sort(table, axis=1), np.broadcast_to(np.arange(table.shape[1]), table.shape)
    ):
        raise ValueError(
            f"{where}: orders: every number below {table.shape[1]} once in a row wanted, got others"
        )
    return table
