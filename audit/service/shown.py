"""What a seat may see of a pack, with the paths that prove it; made and written once for all.

Source: PROTOCOL.md, "Messages"; design section 3, P5.
"""

from __future__ import annotations

import msgspec

from audit.shuffle.entries import EVERYBODY
from audit.shuffle.framing import frame, unframe
from audit.shuffle.house import Dealt, Pack
from audit.shuffle.messages import read_faces, take_apart
from audit.wire import Item, Leaf

#: The one to whom an item of nobody's hand goes on the wire.
NOBODY = 254
_SHOW = frame("show")


class Shown:
    """The items of one table's packs as seats are told them."""

    def __init__(self) -> None:
        self._carried: dict[tuple[int, int], Item] = {}
        self._written: dict[tuple[int, int], bytes] = {}
        # Inclusion paths of all cards of one pack, in hex: most of them are told to somebody.
        self._leaf_paths: dict[int, list[tuple[str, ...]]] = {}

    def items(self, pack: Pack, seat: int, after: int) -> list[Item]:
        """Return the items of a pack from number *after* on that *seat* may see."""
        return [self._item(pack, n) for n in _seen(pack, seat, after)]

    def written(self, pack: Pack, seat: int, after: int) -> list[bytes]:
        """Return the same, each as JSON."""
        found: list[bytes] = []
        for n in _seen(pack, seat, after):
            key = (pack.number, n)
            if key not in self._written:
                self._written[key] = msgspec.json.encode(self._item(pack, n))
            found.append(self._written[key])
        return found

    def _item(self, pack: Pack, number: int) -> Item:
        key = (pack.number, number)
        if key not in self._carried:
            dealt = pack.items[number]
            tree = pack.tree
            if tree is not None and pack.number not in self._leaf_paths:
                self._leaf_paths = {pack.number: tree.hex_paths(0, tree.size - 1)}
            found = self._leaf_paths.get(pack.number, [])
            paths = tuple(Leaf(leaf=n, path=found[n] if found else ()) for n in _leaves(dealt))
            to = NOBODY if dealt.to is None else dealt.to
            self._carried[key] = Item(number=number, to=to, signed=dealt.signed, leaves=paths)
        return self._carried[key]


def _seen(pack: Pack, seat: int, after: int) -> list[int]:
    items = pack.items
    return [n for n in range(after, len(items)) if items[n].to in (None, EVERYBODY, seat)]


def _leaves(dealt: Dealt) -> list[int]:
    """Return the leaves of the cards that an item shows."""
    if dealt.to is not None:
        return [face.leaf for face in dealt.faces]
    payload = take_apart(dealt.signed).payload
    if not payload.startswith(_SHOW):
        return []
    return [face.leaf for face in read_faces(unframe("show", payload, 2)[1], "show")]
