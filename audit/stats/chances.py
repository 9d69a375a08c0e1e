"""Steps of chances, for a p that is shown beside many trials of different chances."""

from __future__ import annotations

import numpy as np

#: Chances are told within 5 in 100, always upwards.
BINS = np.append(1.05 ** -np.arange(470, 0, -1.0), 1.0)
