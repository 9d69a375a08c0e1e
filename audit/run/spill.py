"""Blocks of checked deals on disk, written once and read as often as is needed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from audit.columns import Columns, Ragged

_TEXTS = ("table", "number", "time", "turnups", "runs", "trials")
_ARRAYS = tuple(f.name for f in fields(Columns) if f.name not in (*_TEXTS, "kinds", "names"))


@dataclass(frozen=True, kw_only=True)
class Block:
    """One file of *deals* deals, the first of which is record *start* of all good ones."""

    path: Path
    start: int
    deals: int
    input: int
    kinds: tuple[tuple[str, str], ...]


def write(path: Path, columns: Columns, *, start: int, of_input: int) -> Block:
    """Write *columns* to *path* and return how to find them again."""
    with path.open("wb") as out:
        for name in _ARRAYS:
            np.save(out, np.ascontiguousarray(getattr(columns, name)), allow_pickle=False)
        for name in _TEXTS:
            texts = getattr(columns, name)
            np.save(out, texts.at, allow_pickle=False)
            np.save(out, texts.data, allow_pickle=False)
    return Block(path=path, start=start, deals=len(columns), input=of_input, kinds=columns.kinds)


def read(block: Block, names: tuple[str, ...] = ()) -> Columns:
    """Return the columns of *block*, whose dealers index *names*."""
    got: dict[str, Any] = {"kinds": block.kinds, "names": names}
    with block.path.open("rb") as file:
        for name in _ARRAYS:
            got[name] = np.load(file, allow_pickle=False)
        for name in _TEXTS:
            at = np.load(file, allow_pickle=False)
            got[name] = Ragged(at=at, data=np.load(file, allow_pickle=False))
    return Columns(**got)
