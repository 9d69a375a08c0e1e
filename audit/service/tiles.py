"""The ledger as tiles: 256 hashes or entries each, by the paths of C2SP tlog-tiles."""

from __future__ import annotations

import re

from audit.ledger.export import WIDTH, tile_path
from audit.ledger.log import Ledger
from audit.service.refusal import Unknown

_TILE = re.compile(
    r"(?P<row>[0-9]|entries)/(?P<high>(?:x[0-9]{3}/){0,4})(?P<low>[0-9]{3})(?:\.p/(?P<w>[0-9]{1,3}))?"
)


def tile(ledger: Ledger, path: str) -> bytes:
    """Return the bytes of a tile, full or partial.  Raises: Unknown."""
    found = _TILE.fullmatch(path)
    if found is None:
        raise Unknown("tile", "path")
    number = int("".join(re.findall("[0-9]{3}", found["high"] + found["low"])))
    width = int(found["w"]) if found["w"] else WIDTH
    row = found["row"]
    # Every tile has one path: no leading zero group, no partial of full width.
    if not 1 <= width <= WIDTH or tile_path(row, number, width) != f"tile/{path}":
        raise Unknown("tile", "path")
    size, first = ledger.size, number * WIDTH
    if row == "entries":
        if first + width > size:
            raise Unknown("tile", "entries")
        found_entries = ledger.entries(first, first + width)
        return b"".join(len(one).to_bytes(2, "big") + one for one in found_entries)
    level = 8 * int(row)
    if (first + width) << level > size:
        raise Unknown("tile", "hashes")
    return ledger.nodes(level, first, first + width)
