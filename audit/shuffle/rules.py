"""What may follow at a live table: who gets which place, and what each step has to hold.

House, seats and verifiers ask the same functions; none of them knows a game.  Places are
counted from 0, the top card, in the dealt pack; leaves in the uncut one.

Source: design section 3, P1, P2, P4, P13; PROTOCOL.md, "Live table".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from audit.shuffle.canonical import read_as
from audit.shuffle.entries import BatchEntry, CallEntry, ClosingEntry, Ledger, TableManifest
from audit.shuffle.framing import frame, same
from audit.shuffle.messages import read_message, table_hash
from audit.shuffle.refusal import NotVerified
from audit.shuffle.tree import Tree, leaf_hash

EVERYBODY = 255
Decision = tuple[int, str]
Move = tuple[int, int]
NextMoves = Callable[[Sequence[Decision]], Sequence[Move]]


def check_depth(manifest: TableManifest, depth: int) -> None:
    """Refuse a depth that leaves fewer cards in a packet than the manifest says."""
    most = manifest.pack - manifest.min_cut
    if not manifest.min_cut <= depth <= most:
        raise NotVerified(
            "cut", "depth", "is outside the packets", f"{manifest.min_cut} to {most}", str(depth)
        )


def deal_moves(moves: Sequence[Move]) -> bytes:
    """Return the public bytes of which places go to whom."""
    return frame("deal", *(n for move in moves for n in move))


def recipients(moves: Sequence[Move]) -> list[int]:
    """Return who gets cards, seats in order, then the table face up."""
    return sorted({seat for _, seat in moves})


def cards_for(moves: Sequence[Move], seat: int, depth: int, size: int) -> list[int]:
    """Return the leaves (uncut places) that go to *seat*: dealt p is uncut (depth + p) mod size."""
    return [(depth + place) % size for place, to in moves if to == seat]


def check_call(manifest: TableManifest, ledger: Ledger) -> None:
    """Refuse a call that does not stand on the sealed batch, the manifest and its seats."""
    mh = table_hash(manifest).hex()
    batch = read_as(ledger.entries[1], BatchEntry, "batch")
    call = read_as(ledger.entries[2], CallEntry, "call")
    if (batch.mh, call.mh, call.pack) != (mh, mh, 1):
        raise NotVerified("call", "mh", "is bound to another table or pack")
    if Tree([bytes.fromhex(call.commitment)]).root.hex() != batch.root:
        raise NotVerified("call", "commitment", "is not in the batch")
    if (call.dealer, call.pone) != (manifest.dealer, manifest.pone):
        raise NotVerified("call", "pone", "is not the one of the manifest")
    if call.prev != leaf_hash(ledger.entries[0]).hex():
        raise NotVerified("call", "prev", "is another entry")


def check_closing(
    manifest: TableManifest, closing: ClosingEntry, call: bytes, th: bytes
) -> list[bytes]:
    """Return the payloads of a closing entry that holds every seat once, each signed."""
    if len(closing.commits) != len(manifest.seats):
        raise NotVerified(
            "closing",
            "seats",
            "are not exactly those of the manifest",
            str(len(manifest.seats)),
            str(len(closing.commits)),
        )
    if not same(bytes.fromhex(closing.call), call):
        raise NotVerified("closing", "call", "is another one")
    payloads: list[bytes] = []
    for seat, signed in enumerate(closing.commits):
        payload = read_message(signed, manifest, seat, "commit", th)[2]
        if len(payload) != (64 if seat == manifest.pone else 32):
            raise NotVerified("closing", f"seat {seat}", "commits to another number of things")
        payloads.append(payload)
    return payloads


def check_places(cards: Sequence[tuple[int, int, bytes]], leaves: Sequence[int], to: int) -> None:
    """Refuse a delivery of other places than law and decisions name."""
    got = [leaf for leaf, _, _ in cards]
    if got != list(leaves):
        raise NotVerified(
            f"delivery to {to}",
            "leaves",
            "are not the ones that follow",
            str(list(leaves)),
            str(got),
        )
