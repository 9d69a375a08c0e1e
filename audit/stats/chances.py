"""Steps of chances, by which trials of many different chances are kept in few numbers."""

from __future__ import annotations

import numpy as np

#: A chance is kept as the step at or above it, at most 5 in 100 more.
BINS = np.append(1.05 ** -np.arange(470, 0, -1.0), 1.0)
