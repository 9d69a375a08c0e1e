"""How a pack is gathered after a deal, shuffled and cut, deal after deal at one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from audit.lab._crook import Handled, Mask, Orders
from audit.lab._random import Words, falls_below
from audit.law import Law

Row: TypeAlias = NDArray[np.uint8]
RowWords: TypeAlias = NDArray[np.uint64]
#: The pack as gathered, as many words as `at_table` was told -> the pack shuffled.
Shuffle: TypeAlias = Callable[[Row, RowWords], Row]
#: A cut leaves at least so many cards in each packet.
LEAST_CUT = 4


def depth(word: int, size: int) -> int:
    """Return how many cards are lifted, uniform from 4 to size - 4."""
    return LEAST_CUT + ((word * (size - 2 * LEAST_CUT + 1)) >> 64)


def gather(order: Row, dealt: int, words: RowWords) -> Row:
    """Return the pack picked up: the dealt cards as they fell in play, on what was not dealt."""
    played = order[:dealt][np.argsort(words[:dealt], kind="stable")]
    return np.concatenate([played, order[dealt:]])


def riffle(row: Row, words: RowWords, times: int) -> Row:
    """Return *row* after *times* riffles by the model of Gilbert, Shannon and Reeds.

    Each card draws *times* bits, and the pack is dealt apart and laid together by them, the
    way back of so many riffles; source: Bayer and Diaconis (1992), section 2.
    """
    labels = words[: len(row)] >> np.uint64(64 - times) if times else np.zeros(len(row), np.uint64)
    back = np.argsort(labels, kind="stable")
    return np.asarray(row[np.argsort(back)])


def overhand(row: Row, words: RowWords, times: int, chance: int = 1 << 62) -> Row:
    """Return *row* after *times* overhand shuffles: packets are thrown off, the last one on top.

    Between two cards the pack parts with *chance* in 2**64ths, by default a quarter.
    Source: Pemantle, Randomization time for the overhand shuffle (1989).
    """
    size = len(row)
    for k in range(times):
        parts = falls_below(words[k * size : (k + 1) * size - 1], chance)
        row = np.concatenate(np.split(row, np.flatnonzero(parts) + 1)[::-1])
    return row


def at_table(
    law: Law,
    fair: Orders,
    lazy: Mask,
    words: Words,
    shuffle: Shuffle,
    *,
    draws: int,
    cuts: Mask | None = None,
) -> Handled:
    """Return the pack of each deal: gathered from the one before, shuffled and cut.

    The pack is shuffled by *shuffle* with *draws* words in the deals *lazy*, and fairly in the
    others, where *fair* is the result.  Before the first deal it lies in a fair order.
    Where *cuts* is false it is not cut, and everywhere cut where it is None.
    """
    deals, size = fair.shape
    dealt = law.in_hands(law.players[1]) + int(law.turnup)
    gathered, given, orders = (np.empty_like(fair) for _ in range(3))
    cut = np.zeros(deals, np.int16)
    start = np.argsort(words.words(size)).astype(np.uint8)
    last = np.array(sorted(law.pack), np.uint8)[start]
    for i in range(deals):
        mine = words.words(size + 1 + draws)
        gathered[i] = gather(last, dealt, mine[:size])
        given[i] = shuffle(gathered[i], mine[size + 1 :]) if lazy[i] else fair[i]
        if cuts is None or cuts[i]:
            cut[i] = depth(int(mine[size]), size)
        last = orders[i] = np.roll(given[i], -int(cut[i]))
    return Handled(orders=orders, gathered=gathered, given=given, cut=cut)


def deals_below(words: Words, deals: int, dial: int) -> Mask:
    """Return in which of *deals* deals a word falls below the dial."""
    return falls_below(words.words(deals), dial)
