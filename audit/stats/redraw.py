"""Hidden cards are drawn again by the million, each sample uniform and without replacement.

One 64-bit word holds the draws of a whole hand: a number below size (size - 1) (size - 2) ...
is its own list of draws, and the shuffle that they steer is followed on paper, without a pack.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from audit.stats.randomise import Sampled

#: The draws of one word make a number below this, so that fewer than one word in 256 falls away.
LARGEST = 1 << 56
#: Blocks double from the first size to the last: an honest log stops in the first.
FIRST, LAST = 64, 1 << 14

Positions = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]


@lru_cache(maxsize=256)
def groups(size: int, drawn: int) -> tuple[tuple[int, ...], ...]:
    """Return the bounds of the draws of one sample, as many in each word as it holds.

    Raises:
        ValueError: more are to be drawn than there are, or size exceeds 256.
    """
    if not 0 < drawn <= size <= 256:
        raise ValueError(f"groups: 0 < drawn <= size <= 256 wanted, got {drawn} of {size}")
    out: list[list[int]] = [[]]
    for bound in range(size, size - drawn, -1):
        if math.prod(out[-1]) * bound > LARGEST:
            out.append([])
        out[-1].append(bound)
    return tuple(map(tuple, out))


def samples(words: Words, size: int, drawn: int) -> Positions:
    """Return *drawn* distinct positions below *size* for each row of *words* that stands.

    Every ordered sample is equally likely where the words are uniform.

    Args:
        words: shape (samples, len(groups(size, drawn))).

    Returns:
        shape (drawn, stands), stands at most the rows of *words*; a row with a word in the
        biased remainder falls away.
    """
    parts = groups(size, drawn)
    stands = np.ones(len(words), np.bool_)
    for word, bounds in zip(words.T, parts, strict=True):
        stands &= word <= np.uint64((1 << 64) - 1 - (1 << 64) % math.prod(bounds))
    kept = words if stands.all() else words[stands]
    place = np.empty((drawn, len(kept)), np.uint8)
    step = 0
    for word, bounds in zip(kept.T, parts, strict=True):
        left = word.copy()
        for bound in bounds:
            rest = left // np.uint64(bound)
            place[step] = (left - rest * np.uint64(bound)).astype(np.uint8)
            place[step] += np.uint8(step)
            left = rest
            step += 1
    # Step i swaps what lies at i with what lies at place[i] and takes it; `lay` is what lay at i.
    lay, out = np.empty_like(place), np.empty_like(place)
    for i in range(drawn):
        lay[i], out[i] = i, place[i]
        for k in range(i):
            np.copyto(lay[i], lay[k], where=place[k] == i)
            np.copyto(out[i], lay[k], where=place[k] == place[i])
    return out


def redraws(seed: int, size: int, drawn: int, block: int = LAST) -> Iterator[Positions]:
    """Yield blocks of samples, shape (drawn, some), from the raw words of PCG64."""
    bits, words = np.random.PCG64(seed), len(groups(size, drawn))
    while True:
        raw = np.asarray(bits.random_raw(block * words), np.uint64)
        yield samples(raw.reshape(block, words), size, drawn)


def stopped_early(
    draw: Callable[[int], npt.NDArray[np.float64]], *, observed: float, enough: int, most: int
) -> Sampled:
    """Return what `randomise.besag_clifford` does, the draws being asked for in blocks.

    Args:
        draw: n to n draws of the statistic, independent of one another and under the null.

    Raises:
        ValueError: enough or most is less than 1.

    Source: Besag and Clifford, Sequential Monte Carlo p-values, Biometrika 78 (1991).
    """
    if enough < 1 or most < 1:
        raise ValueError(
            f"stopped_early: enough and most at least 1 wanted, got {enough} and {most}"
        )
    done = reached = 0
    block = FIRST
    while done < most:
        over = np.flatnonzero(draw(min(block, most - done)) >= observed)
        if reached + len(over) >= enough:
            draws = done + int(over[enough - reached - 1]) + 1
            return Sampled(p=Fraction(enough, draws), draws=draws, reached=enough)
        reached += len(over)
        done += min(block, most - done)
        block = min(2 * block, LAST)
    return Sampled(p=Fraction(reached + 1, most + 1), draws=most, reached=reached)
