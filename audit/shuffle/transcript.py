"""The check of a finished pack, from its bytes alone.

Recomputes every hash, checks every signature, replays the moves with the law that it is
handed, and checks by itself that the order is a permutation.

Source: design section 3, P2, P4, P9, P13, P14.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.shuffle.canonical import encode, read, read_as
from audit.shuffle.entries import (
    BatchEntry,
    CallEntry,
    ClosingEntry,
    CutEntry,
    EndEntry,
    Ledger,
    ManifestEntry,
    RootEntry,
    TableManifest,
    Transcript,
)
from audit.shuffle.framing import frame, same, unframe
from audit.shuffle.messages import (
    card_leaves,
    check_signature,
    contribution,
    cut_commitment,
    first_hash,
    house_commitment,
    pack_key,
    read_delivery,
    read_message,
    step_hash,
    table_hash,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import (
    EVERYBODY,
    Decision,
    NextMoves,
    cards_for,
    check_closing,
    check_depth,
    check_places,
    deal_moves,
    recipients,
)
from audit.shuffle.sampler import check_permutation
from audit.shuffle.tree import Tree, leaf_hash

NO_ANCHOR = "agrees with its own ledger; nothing shows when that ledger was made"
NO_WITNESS = "no witness: the order in time is the house's word, and what the seats compared"
ENTRIES = ("manifest", "batch", "call", "closing", "root", "cut", "end")


@dataclass(frozen=True)
class TableVerdict:
    """What the transcript shows; `verified` is False without an anchor."""

    verified: bool
    anchor: str
    dealt: tuple[int, ...]
    decisions: tuple[Decision, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Bound:
    manifest: TableManifest
    cards: list[int]
    salts: list[bytes]
    depth: int
    th: bytes
    heads: list[tuple[int, bytes]]


def verify_transcript(
    raw: bytes, next_moves: NextMoves, anchor: tuple[int, bytes] | None = None
) -> TableVerdict:
    """Check a transcript, against *anchor*: size and root of the ledger that somebody kept.

    The anchor has to cover the call (size 3 or more), for a smaller one does not hold the seal.

    Raises: NotVerified, naming the entry or message and the part.
    """
    told = read_as(raw, Transcript, "transcript")
    entries = [text.encode("ascii") for text in told.ledger]
    kinds = [_kind(entry) for entry in entries]
    for kind in ENTRIES:
        if kinds.count(kind) > 1:
            raise NotVerified("ledger", kind, "stands twice for one pack")
    if tuple(kinds) != ENTRIES:
        raise NotVerified(
            "ledger", "entries", "are not those of one pack", " ".join(ENTRIES), " ".join(kinds)
        )
    _check_anchor(entries, anchor)
    bound = _check_entries(entries)
    th, decisions = _replay(told, bound, next_moves)
    end = read_as(entries[6], EndEntry, "end")
    if not same(bytes.fromhex(end.th), th) or end.items != len(told.items):
        raise NotVerified("end", "th", "is not that of the messages", th.hex(), end.th)
    _check_heads(entries, bound.heads)
    dealt = tuple(bound.cards[bound.depth :] + bound.cards[: bound.depth])
    lines = [NO_WITNESS] if anchor else [NO_ANCHOR, NO_WITNESS]
    name = f"ledger of {anchor[0]} entries, root {anchor[1].hex()}" if anchor else "none"
    return TableVerdict(anchor is not None, name, dealt, tuple(decisions), tuple(lines))


def _kind(entry: bytes) -> str:
    value = read(entry, "ledger")
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else "unknown"


def _check_anchor(entries: list[bytes], anchor: tuple[int, bytes] | None) -> None:
    if anchor is None:
        return
    size, root = anchor
    if not 3 <= size <= len(entries):
        raise NotVerified(
            "anchor", "size", "does not cover the call", f"3 to {len(entries)}", str(size)
        )
    got = Tree(entries[:size]).root
    if not same(got, root):
        raise NotVerified("anchor", "root", "is of another ledger", root.hex(), got.hex())


def _equal(where: str, what: str, wanted: bytes | int, got: str | int) -> None:
    said = wanted.hex() if isinstance(wanted, bytes) else wanted
    if said != got:
        raise NotVerified(where, what, "is another one", str(said), str(got))


def _check_entries(entries: list[bytes]) -> _Bound:
    first = read_as(entries[0], ManifestEntry, "manifest")
    made = first.manifest
    mh = table_hash(made)
    seats = len(made.seats)
    if len({*made.seats, made.ledger_key}) != seats + 1:
        raise NotVerified("manifest", "seats", "share a key")
    if len(first.sigs) != seats or len(made.seat_nonces) != seats:
        raise NotVerified("manifest", "sigs", "are not one for each seat")
    if max(made.pone, made.dealer) >= seats:
        raise NotVerified("manifest", "pone", "is no seat of the table")
    for seat, sig in enumerate(first.sigs):
        check_signature(made.seats[seat], frame("sign-manifest", mh), sig, f"manifest, seat {seat}")
    batch = read_as(entries[1], BatchEntry, "batch")
    call = read_as(entries[2], CallEntry, "call")
    closing = read_as(entries[3], ClosingEntry, "closing")
    root = read_as(entries[4], RootEntry, "root")
    cut = read_as(entries[5], CutEntry, "cut")
    end = read_as(entries[6], EndEntry, "end")
    hashes = (batch.mh, call.mh, closing.mh, root.mh, cut.mh, end.mh)
    for name, said in zip(ENTRIES[1:], hashes, strict=True):
        _equal(name, "mh", mh, said)
    packs = (call.pack, closing.pack, root.pack, cut.pack, end.pack)
    for name, number in zip(ENTRIES[2:], packs, strict=True):
        _equal(name, "pack", 1, number)
    prev = leaf_hash(entries[0])
    _equal("call", "prev", prev, call.prev)
    _equal("call", "dealer", made.dealer, call.dealer)
    _equal("call", "pone", made.pone, call.pone)
    _equal("batch", "root", Tree([bytes.fromhex(call.commitment)]).root, batch.root)
    secret = bytes.fromhex(end.secret)
    _equal("end", "secret", house_commitment(mh, secret), call.commitment)
    sl, cl = leaf_hash(entries[2]), leaf_hash(entries[3])
    before = step_hash(first_hash(mh, prev), "call", entries[2])
    payloads = check_closing(made, closing, sl, before)
    after = step_hash(before, "closing", entries[3])
    _equal("root", "closing", cl, root.closing)
    parts = _openings(made, root, payloads, sl, cl, after)
    cards, salt, leaves = card_leaves(mh, pack_key(mh, sl, cl, secret, parts), made.pack)
    check_permutation(cards, made.pack, "pack")
    _equal("root", "root", Tree(leaves).root, root.root)
    _equal("cut", "after", leaf_hash(entries[4]), cut.after)
    wanted = payloads[made.pone][32:]
    if not same(wanted, cut_commitment(mh, made.pone, sl, cut.depth, bytes.fromhex(cut.nonce))):
        raise NotVerified("cut", "depth", "is not the one that the pone committed to")
    check_depth(made, cut.depth)
    th = step_hash(step_hash(after, "root", entries[4]), "cut", entries[5])
    heads = [read_message(s, made, n, "commit", before)[:2] for n, s in enumerate(closing.commits)]
    heads += [read_message(s, made, n, "open", after)[:2] for n, s in enumerate(root.opens)]
    return _Bound(made, cards, salt, cut.depth, th, heads)


def _openings(
    made: TableManifest, root: RootEntry, payloads: list[bytes], sl: bytes, cl: bytes, th: bytes
) -> list[bytes]:
    if len(root.opens) != len(made.seats):
        raise NotVerified("root", "opens", "are not one for each seat")
    mh = table_hash(made)
    parts: list[bytes] = []
    for seat, signed in enumerate(root.opens):
        where = f"open of seat {seat}"
        payload = read_message(signed, made, seat, "open", th)[2]
        if len(payload) != 96 or not same(payload[:32], cl):
            raise NotVerified(where, "closing", "is opened over another closing entry")
        if not same(contribution(mh, seat, sl, payload[32:]), payloads[seat][:32]):
            raise NotVerified(where, "bytes", "are not those committed to")
        parts.append(payload[32:])
    return parts


def _replay(told: Transcript, bound: _Bound, next_moves: NextMoves) -> tuple[bytes, list[Decision]]:
    made, th = bound.manifest, bound.th
    decisions: list[Decision] = []
    given: set[int] = set()
    at = 0
    while True:
        moves = list(next_moves(tuple(decisions)))
        for place, to in moves:
            if place in given or not 0 <= place < made.pack:
                raise NotVerified(
                    "law", "place", "is dealt twice or is not in the pack", "", str(place)
                )
            if to != EVERYBODY and not 0 <= to < len(made.seats):
                raise NotVerified("law", "seat", "is not at the table", "", str(to))
            given.add(place)
        th = step_hash(th, "deal", deal_moves(moves))
        for to in recipients(moves):
            if at == len(told.items):
                raise NotVerified(f"delivery to {to}", "delivery", "is missing")
            item = told.items[at]
            at += 1
            cards = read_delivery(made, item, to, th)
            check_places(cards, cards_for(moves, to, bound.depth, made.pack), to)
            for leaf, card, salt in cards:
                if card != bound.cards[leaf] or not same(salt, bound.salts[leaf]):
                    raise NotVerified(
                        f"delivery to {to}",
                        "card",
                        "is not the one in the pack",
                        str(bound.cards[leaf]),
                        str(card),
                    )
            if to == EVERYBODY:
                th = step_hash(th, "face", encode(item))
        if at == len(told.items):
            return th, decisions
        item = told.items[at]
        at += 1
        parts = unframe("msg", bytes.fromhex(item.body), 8)
        seat = int.from_bytes(parts[2], "big")
        if seat >= len(made.seats):
            raise NotVerified("decide", "seat", "is not at the table", "", str(seat))
        size, root, payload = read_message(item, made, seat, "decide", th)
        bound.heads.append((size, root))
        (code,) = unframe("code", payload, 1)
        if not code.isascii():
            raise NotVerified("decide", "code", "is not ASCII")
        th = step_hash(th, "decide", encode(item))
        decisions.append((seat, code.decode("ascii")))


def _check_heads(entries: list[bytes], heads: list[tuple[int, bytes]]) -> None:
    ledger = Ledger(entries)
    for size, root in heads:
        if not 3 <= size <= len(entries) or not same(ledger.head(size)[1], root):
            raise NotVerified("message", "checkpoint", "is of another ledger than this one")
