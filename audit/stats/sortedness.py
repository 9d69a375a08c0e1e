"""Groups that all obey one hidden order were sorted, and the chance of it by luck is bounded.

Entry ``adjacent[a, b]`` counts how often a stood directly before b.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import lgamma, log

import numpy as np
import numpy.typing as npt

#: What chance may not do more often than this is said of the storage.
RARE = 1e-9


@dataclass(frozen=True, kw_only=True)
class Sorting:
    """Whether groups of cards follow one hidden order.

    *order* is such an order of the cards that stand in the groups, None where
    there is none; *rows* counts the groups of two cards or more, *log_chance* bounds
    ln of the chance that fair groups follow any order at all.
    """

    order: tuple[int, ...] | None
    rows: int
    log_chance: float

    @property
    def stands(self) -> bool:
        """Whether the groups stand sorted, and chance would do it with less than 1e-9."""
        return self.order is not None and self.log_chance < log(RARE)

    @property
    def refuted(self) -> bool:
        """Whether the groups follow no order, where fair ones would follow none either."""
        return self.order is None and self.log_chance < log(RARE)


def sorting(adjacent: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]) -> Sorting:
    """Return what *adjacent*, shape (cards, cards), shows of groups of which `sizes[k]` have k.

    Assumes each group is in uniform order given its cards and the other groups.
    """
    arrows = np.asarray(adjacent) > 0
    cards = int((arrows.any(axis=0) | arrows.any(axis=1)).sum())
    groups = {k: int(n) for k, n in enumerate(sizes) if k > 1 and n}
    return Sorting(
        order=total_order(adjacent),
        rows=sum(groups.values()),
        log_chance=log_chance(pack=cards, groups=groups) if groups else 0.0,
    )


def total_order(adjacent: npt.NDArray[np.int64]) -> tuple[int, ...] | None:
    """Return an order that puts a before b wherever a stood before b, or None.

    It holds the cards that stand beside another one, the least first where
    several may come next.  There is one exactly when the arrows make no cycle;
    a card before itself is a cycle.

    Raises:
        ValueError: the matrix is not square.
    """
    arrows = np.asarray(adjacent) > 0
    if arrows.ndim != 2 or arrows.shape[0] != arrows.shape[1]:
        raise ValueError(f"total_order: a square matrix wanted, got shape {arrows.shape}")
    left: npt.NDArray[np.bool_] = np.logical_or(arrows.any(axis=0), arrows.any(axis=1))
    order: list[int] = []
    while left.any():
        free = left & ~arrows[left].any(axis=0)
        if not free.any():
            return None
        card = int(free.argmax())
        order.append(card)
        left[card] = False
    return tuple(order)


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
