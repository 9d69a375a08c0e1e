"""The transcript of an opened pack, from a room and the ledger.

Source: PROTOCOL.md, "Transcript".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.ledger.log import Ledger
from audit.service.refusal import Busy
from audit.service.room import Room, Standing
from audit.shuffle.canonical import encode
from audit.shuffle.messages import take_apart
from audit.shuffle.transcript import KINDS, Anchor, Placed, Transcript


@dataclass(frozen=True, kw_only=True)
class Newest:
    """The newest checkpoint with some quorum: its note, size, and when it had the quorum."""

    note: bytes
    size: int
    time: int


def entries_of(standing: Sequence[Standing], number: int) -> dict[str, Standing]:
    """Return the entries of the table itself and of pack *number*, by kind.

    *standing* are all entries of a table in the order of the ledger, those of the newest pack
    last; so a table of many packs is not read through for each of them.
    """
    found: dict[str, Standing] = {}
    for one in standing:
        if one.pack:
            break
        found[one.kind] = one
    for one in reversed(standing):
        if one.pack == number:
            found.setdefault(one.kind, one)
        if one.pack == number and one.kind == "call":
            break
    return found


def transcript(
    room: Room, ledger: Ledger, newest: Newest | None, number: int, anchor: int
) -> bytes:
    """Return the canonical bytes; the size *anchor* is proved too when it is above the call.

    Raises: Conflict while the pack is not opened; Busy without a checkpoint of its quorum.
    """
    pack = room.opened(number)
    if newest is None:
        raise Busy("ledger", "has no checkpoint with its quorum yet")
    wanted = entries_of(room.standing, number)
    placed = [wanted[kind] for kind in KINDS]
    if placed[-1].index >= newest.size:
        raise Busy("ledger", "has no checkpoint over the opening yet")
    messages = [*pack.commits.values(), *pack.opens.values()]
    messages += [item.signed for item in pack.items if item.to is None]
    sizes = {take_apart(signed).head[0] for signed in messages}
    if placed[2].index < anchor <= newest.size:
        sizes.add(anchor)
    sizes.discard(newest.size)
    anchors = tuple(
        Anchor(
            size=size,
            root=ledger.root(size).hex(),
            consistency=tuple(p.hex() for p in ledger.consistency(size, newest.size)),
        )
        for size in sorted(sizes)
        if 0 < size <= newest.size
    )
    return encode(
        Transcript(
            checkpoint=newest.note.hex(),
            anchors=anchors,
            entries=tuple(
                Placed(
                    entry=one.raw.decode("ascii"),
                    index=one.index,
                    path=tuple(p.hex() for p in ledger.inclusion(one.index, newest.size)),
                )
                for one in placed
            ),
            items=tuple(item.signed for item in pack.items),
        )
    )
