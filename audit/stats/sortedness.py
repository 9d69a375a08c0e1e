"""Groups that all obey one hidden order were sorted, and the chance of it by luck is bounded.

Entry ``adjacent[a, b]`` counts how often a stood directly before b.
"""

from collections.abc import Mapping
from math import lgamma

import numpy as np
import numpy.typing as npt


def consistent(adjacent: npt.NDArray[np.int64]) -> bool:
    """Whether some strict total order puts a before b wherever a stood before b.

    Such an order exists exactly when the arrows make no cycle; a card before itself is a cycle.

    Raises:
        ValueError: the matrix is not square.
    """
    arrows = np.asarray(adjacent) > 0
    if arrows.ndim != 2 or arrows.shape[0] != arrows.shape[1]:
        raise ValueError(f"consistent: a square matrix wanted, got shape {arrows.shape}")
    left = np.ones(arrows.shape[0], dtype=np.bool_)
    while left.any():
        free = left & ~arrows[left].any(axis=0)
        if not free.any():
            return False
        left &= ~free
    return True


def log_chance(*, pack: int, groups: Mapping[int, int]) -> float:
    """ln of a bound on the chance that fair groups all agree with some order of ``pack`` cards.

    ``groups`` maps a group's size to how many groups have it.  One given order is obeyed
    with chance prod 1 / size!; there are pack! orders, hence pack! / prod size!, at most 1.
    Assumes each group is in uniform order given its cards and the other groups.

    Raises:
        ValueError: a size lies outside [0, pack] or a number of groups is negative.
    """
    total = lgamma(pack + 1)
    for size, rows in groups.items():
        if not 0 <= size <= pack or rows < 0:
            raise ValueError(
                f"log_chance: size in [0, {pack}] and rows >= 0 wanted, got {size} and {rows}"
            )
        total -= rows * lgamma(size + 1)
    return min(0.0, total)
