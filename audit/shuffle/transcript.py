"""The check of a pack from its transcript alone, finished or as far as it went.

Recomputes every hash, checks every signature, proof and commitment, follows the law, and
checks by itself that the order is a permutation.

Source: PROTOCOL.md, "Transcript"; design section 3, P2, P4, P5, P9, P13, P14.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

from audit.checkpoint import check_checkpoint
from audit.merkle import check_consistency
from audit.note import COSIGNATURE, ED25519, Key
from audit.shuffle.canonical import read_as
from audit.shuffle.derive import pack_order, salts
from audit.shuffle.entries import (
    EVERYBODY,
    NOBODY,
    BatchEntry,
    CallEntry,
    ChoicesEntry,
    ClosingEntry,
    EndEntry,
    Entry,
    OpenedEntry,
    RootEntry,
    Signed,
    TableEntry,
    TableManifest,
    dealer_of,
    pone_of,
    read_entry,
)
from audit.shuffle.framing import same, unframe
from audit.shuffle.manifest import Bytes, Hex32, Struct, Whole
from audit.shuffle.messages import (
    Face,
    deal_bytes,
    first_hash,
    house_commitment,
    item_bytes,
    pack_tree,
    read_delivery,
    read_message,
    step_hash,
    take_apart,
)
from audit.shuffle.play import Play
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import (
    Book,
    apply,
    check_chosen,
    check_commits,
    check_discards,
    check_held,
    check_opens,
    in_order,
    pack_key,
    read_book,
)
from audit.shuffle.sampler import check_permutation
from audit.shuffle.tree import check_inclusion, leaf_hash

Head = tuple[int, bytes]
NO_ANCHOR = "agrees with its own ledger; nothing shows when that ledger was made"
NO_WITNESS = "no witness: the order in time is the house's word, and what the seats compared"
LEAST = 3
KINDS = ("table", "batch", "call", "closing", "root", "choices", "end", "opened")


class Placed(Struct, frozen=True, kw_only=True):
    """An entry's canonical text, its index in the ledger, and its inclusion path."""

    entry: str
    index: Whole
    path: tuple[Hex32, ...]


class Anchor(Struct, frozen=True, kw_only=True):
    """An earlier head of the ledger, proved consistent with the checkpoint."""

    size: Whole
    root: Hex32
    consistency: tuple[Hex32, ...]


class Transcript(Struct, frozen=True, kw_only=True):
    """A finished pack, self-contained."""

    kind: Literal["fairdeal-transcript/1"] = "fairdeal-transcript/1"
    checkpoint: Bytes
    anchors: tuple[Anchor, ...]
    entries: tuple[Placed, ...]
    items: tuple[Signed, ...]


@dataclass(frozen=True, kw_only=True)
class TableVerdict:
    """What a transcript shows; `verified` is False without an anchor.

    *table* (hash of the manifest) and *pack* say what was checked: a true transcript of
    another pack is no answer. Before the pack is *opened* all that is there was checked, and
    no cards are told. *dealt* is the order after the cut as card numbers of the
    law's pack; *shown* is who was shown which place, in order.
    """

    opened: bool = True
    verified: bool
    anchor: str
    table: str
    pack: int
    dealt: tuple[int, ...]
    shown: tuple[tuple[int, int], ...]
    decisions: tuple[tuple[int, str], ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Entries:
    table: TableEntry
    batch: BatchEntry
    call: CallEntry
    closing: ClosingEntry | None
    root: RootEntry | None
    choices: ChoicesEntry | None
    end: EndEntry | None
    opened: OpenedEntry | None
    read: tuple[Entry, ...]
    leaves: tuple[bytes, ...]
    raws: tuple[bytes, ...]


def verify_transcript(raw: bytes, anchor: Head | None = None) -> TableVerdict:
    """Check a transcript, against *anchor*: size and root of a ledger head that somebody kept.

    Raises: NotVerified, naming the entry or message and the part.
    """
    told = read_as(raw, Transcript, "transcript")
    raws = tuple(_text(p.entry) for p in told.entries)
    read = tuple(read_entry(r) for r in raws)
    kinds = tuple(e.kind for e in read)
    if len(kinds) < LEAST or kinds != KINDS[: len(kinds)]:
        raise NotVerified(
            "transcript",
            "entries",
            "are not those of one pack in their order",
            " ".join(KINDS),
            " ".join(kinds),
        )
    got = _typed(read, raws)
    size, root = _included(told, got)
    book = read_book(got.raws[0])
    _check_call(book, got)
    steps = _check_steps(book, got)
    order, salt = _check_order(book, got, steps)
    course = _replay(told, book, got, order, salt, steps)
    unopened = _check_end(told, book, got, steps, course)
    heads = _check_anchors(told, got, size, root)
    lines: list[str] = [] if book.manifest.quorum else [NO_WITNESS]
    lines += [f"seat {s} did not open what it laid aside" for s in unopened]
    name = "none"
    if anchor is None:
        lines.insert(0, NO_ANCHOR)
    else:
        _check_anchor(told, heads, anchor)
        name = f"ledger of {anchor[0]} entries, root {anchor[1].hex()}"
    opened = got.opened is not None
    size_of_pack = len(order)
    return TableVerdict(
        opened=opened,
        verified=opened and anchor is not None,
        anchor=name,
        table=book.mh.hex(),
        pack=got.call.pack,
        dealt=tuple(
            book.pack[order[(steps.depth + p) % size_of_pack]] for p in range(size_of_pack)
        ),
        shown=tuple(course.shown) if opened else (),
        decisions=tuple(course.decisions) if opened else (),
        lines=tuple(lines),
    )


def anchor_of(raw: bytes, note: bytes) -> Head:
    """Return size and root of a kept checkpoint, signed by the ledger of this transcript."""
    told = read_as(raw, Transcript, "transcript")
    first = read_entry(_text(told.entries[0].entry)) if told.entries else None
    if not isinstance(first, TableEntry):
        raise NotVerified("transcript", "entries", "do not begin with a table")
    return read_head(note, first.manifest)


def read_head(raw: bytes, made: TableManifest) -> Head:
    """Return size and root of a checkpoint signed and cosigned as the manifest wants it."""
    key = Key(name=made.origin, algorithm=ED25519, public=bytes.fromhex(made.ledger_key))
    witnesses = [
        Key(name=w.name, algorithm=COSIGNATURE, public=bytes.fromhex(w.key)) for w in made.witnesses
    ]
    seen = check_checkpoint(raw, key, witnesses, made.quorum, where="checkpoint")
    return seen.checkpoint.size, seen.checkpoint.root


def _text(text: str) -> bytes:
    return text.encode("ascii", "replace")


def _typed(read: tuple[Entry, ...], raws: tuple[bytes, ...]) -> _Entries:
    rest: list[Entry | None] = [*read[LEAST:], *[None] * (len(KINDS) - len(read))]
    closing, root, choices, end, opened = rest
    return _Entries(
        table=cast(TableEntry, read[0]),
        batch=cast(BatchEntry, read[1]),
        call=cast(CallEntry, read[2]),
        closing=cast(ClosingEntry | None, closing),
        root=cast(RootEntry | None, root),
        choices=cast(ChoicesEntry | None, choices),
        end=cast(EndEntry | None, end),
        opened=cast(OpenedEntry | None, opened),
        read=read,
        leaves=tuple(leaf_hash(r) for r in raws),
        raws=raws,
    )


def _included(told: Transcript, got: _Entries) -> Head:
    size, root = read_head(bytes.fromhex(told.checkpoint), got.table.manifest)
    before = -1
    for placed, raw, kind in zip(told.entries, got.raws, KINDS, strict=False):
        if placed.index <= before:
            raise NotVerified(kind, "index", "is not after the entry before it")
        before = placed.index
        path = [bytes.fromhex(p) for p in placed.path]
        check_inclusion(raw, placed.index, size, path, root, kind)
    return size, root


def _equal(where: str, what: str, wanted: bytes | int, got: str | int) -> None:
    said = wanted.hex() if isinstance(wanted, bytes) else wanted
    if said != got:
        raise NotVerified(where, what, "is another one", str(said), str(got))


def _check_call(book: Book, got: _Entries) -> None:
    mh, call, batch = book.mh, got.call, got.batch
    for name, entry in zip(KINDS[1:], got.read[1:], strict=False):
        _equal(name, "mh", mh, getattr(entry, "mh", ""))
    for name, entry in zip(KINDS[2:], got.read[2:], strict=False):
        _equal(name, "pack", call.pack, getattr(entry, "pack", 0))
    _equal("batch", "size", book.manifest.packs, batch.size)
    _equal("call", "batch", got.leaves[1], call.batch)
    dealer = dealer_of(book.manifest, call.dealt)
    _equal("call", "dealer", dealer, call.dealer)
    _equal("call", "pone", pone_of(dealer, book.seats), call.pone)
    if call.dealt >= call.pack:
        raise NotVerified("call", "dealt", "counts more packs than there were")
    if call.pack == 1:
        _equal("call", "prev", got.leaves[0], call.prev)
    path = [bytes.fromhex(p) for p in call.path]
    commitment, root = bytes.fromhex(call.commitment), bytes.fromhex(batch.root)
    check_inclusion(commitment, call.pack - 1, batch.size, path, root, "call")


@dataclass(kw_only=True)
class _Steps:
    """What the entries up to the choices say; *th* is the transcript hash after them."""

    th: bytes
    parts: list[bytes]
    depth: int = 0
    packets: int = 0


def _check_steps(book: Book, got: _Entries) -> _Steps:
    """Follow closing, openings and choices, as far as they are there."""
    call, number, raws = got.call, got.call.pack, got.raws
    th = step_hash(first_hash(book.mh, number, bytes.fromhex(call.prev)), "call", raws[2])
    steps = _Steps(th=th, parts=[])
    if got.closing is None:
        return steps
    sl, cl = got.leaves[2], got.leaves[3]
    payloads = check_commits(book, call, sl, th, got.closing)
    steps.th = th = step_hash(th, "closing", raws[3])
    if got.root is None:
        return steps
    _equal("root", "closing", cl, got.root.closing)
    steps.parts = check_opens(book, number, sl, cl, payloads, got.root.opens, th)
    if book.manifest.relay != "none":
        if got.root.held == "none":
            raise NotVerified("root", "held", "is missing")
        check_held(book, number, cl, got.root.held, got.root.opens)
    elif got.root.held != "none":
        raise NotVerified("root", "held", "stands where there is no relay")
    if got.choices is None:
        return steps
    _equal("choices", "after", got.leaves[4], got.choices.after)
    wanted = book.choices(call.dealer)
    if [(c.seat, c.name) for c in got.choices.choices] != wanted:
        raise NotVerified("choices", "choices", "are others than the law leaves")
    for made in got.choices.choices:
        check_chosen(book, call, sl, payloads, made)
    values = {c.name: c.value for c in got.choices.choices}
    steps.depth, steps.packets = values["cut"], values.get("packets", 0)
    steps.th = step_hash(step_hash(th, "root", raws[4]), "choices", raws[5])
    return steps


def _check_order(book: Book, got: _Entries, steps: _Steps) -> tuple[list[int], list[bytes]]:
    """Return order and salts, recomputed; empty before the pack is opened."""
    if got.opened is None or got.root is None:
        return [], []
    call, number = got.call, got.call.pack
    secret = bytes.fromhex(got.opened.secret)
    _equal("opened", "secret", house_commitment(book.mh, number, secret), call.commitment)
    key = pack_key(book.mh, got.leaves[2], got.leaves[3], secret, steps.parts)
    size = book.manifest.pack
    order, salt = pack_order(key, size), salts(key, size)
    check_permutation(order, size, "pack")
    _equal("root", "root", pack_tree(book.mh, number, order, salt).root, got.root.root)
    return order, salt


def _as_told(size: int) -> Callable[[Face], None]:
    """Return a check of faces before the opening: one card a leaf, one leaf a card."""
    leaves: dict[int, Face] = {}
    cards: dict[int, int] = {}

    def check(face: Face) -> None:
        fits = face.leaf < size and face.card < size and len(face.salt) == 16
        if not fits or leaves.setdefault(face.leaf, face) != face:
            raise NotVerified("show", "card", "is not the one in the pack")
        if cards.setdefault(face.card, face.leaf) != face.leaf:
            raise NotVerified("show", "card", "lies at two places")

    return check


@dataclass(kw_only=True)
class _Course:
    """What the items came to; *whole* unless they break off before the law is through."""

    th: bytes
    shown: list[tuple[int, int]]
    decisions: list[tuple[int, str]]
    hides: dict[int, tuple[int, bytes]]
    play: Play | None = None
    whole: bool = False


def _replay(
    told: Transcript,
    book: Book,
    got: _Entries,
    order: list[int],
    salt: list[bytes],
    steps: _Steps,
) -> _Course:
    course = _Course(th=steps.th, shown=[], decisions=[], hides={})
    if got.choices is None:
        if told.items:
            raise NotVerified("items", "count", "stand before the choices")
        return course
    play = course.play = book.play(got.call.dealer, steps.packets)
    size, number = book.manifest.pack, got.call.pack
    check = in_order(order, salt) if order else _as_told(size)
    at = 0
    while True:
        moves = play.moves()
        course.shown += moves
        if moves:
            course.th = step_hash(course.th, "deal", deal_bytes(moves))
        for to in sorted({to for _, to in moves if to != NOBODY}):
            where = "delivery to all" if to == EVERYBODY else f"delivery to seat {to}"
            if at == len(told.items):
                if got.end is None:
                    return course
                raise NotVerified(where, "delivery", "is missing")
            item = told.items[at]
            faces = read_delivery(book, item, number, to, course.th)
            at += 1
            places = [p for p, t in moves if t == to]
            if [f.leaf for f in faces] != [(steps.depth + p) % size for p in places]:
                raise NotVerified(where, "leaves", "are not the ones that follow")
            for place, face in zip(places, faces, strict=True):
                try:
                    check(face)
                except NotVerified as err:
                    raise NotVerified(where, "card", err.why) from err
                if to == EVERYBODY:
                    play.learn(place, face.card)
            if to == EVERYBODY:
                course.th = step_hash(course.th, "face", item_bytes(item))
        if play.settle():
            continue
        asked = play.asked
        if play.over and at < len(told.items):
            raise NotVerified("items", "count", "goes on after the deal is over")
        if play.over or asked is None or at == len(told.items):
            course.whole = play.over
            return course
        item = told.items[at]
        said = read_message(item, book, number, asked, "decide", course.th)
        commitment = apply(book, play, steps.depth, said.payload, check)
        if commitment is not None:
            course.hides[at] = (asked, commitment)
        course.decisions.append((asked, _words(said.payload)))
        course.th = step_hash(course.th, "decide", item_bytes(item))
        at += 1


def _check_end(
    told: Transcript,
    book: Book,
    got: _Entries,
    steps: _Steps,
    course: _Course,
) -> list[int]:
    """Check end and opening, as far as they are there; return the seats that opened nothing."""
    if got.end is None:
        return []
    if not course.whole:
        raise NotVerified("items", "decide", "a decision is missing")
    if got.end.items != len(told.items) or not same(bytes.fromhex(got.end.th), course.th):
        raise NotVerified("end", "th", "is not that of the messages", course.th.hex(), got.end.th)
    if got.opened is None:
        return []
    _equal("opened", "end", got.leaves[6], got.opened.end)
    play = course.play
    assert play is not None
    discards = got.opened.discards
    return check_discards(book, got.call.pack, play, course.hides, discards, steps.depth)


def _words(payload: bytes) -> str:
    for label, count in (("answer", 2), ("show", 2), ("hide", 3)):
        try:
            parts = unframe(label, payload, count)
        except NotVerified:
            continue
        if label == "answer":
            return f"{parts[0].decode('ascii', 'replace')}: {parts[1].decode('ascii', 'replace')}"
        return f"{label} {parts[0].decode('ascii', 'replace')}"
    return ""


def _check_anchors(told: Transcript, got: _Entries, size: int, root: bytes) -> dict[int, bytes]:
    heads = {size: root}
    for one in told.anchors:
        proof = [bytes.fromhex(p) for p in one.consistency]
        old = bytes.fromhex(one.root)
        check_consistency(one.size, size, proof, old, root, "anchors")
        heads[one.size] = old
    index = [placed.index for placed in told.entries]
    signed: list[tuple[Signed, int]] = []
    if got.closing is not None:
        signed += [(s, index[2]) for s in got.closing.commits]
    if got.root is not None:
        signed += [(s, index[3]) for s in got.root.opens]
    signed += [(s, index[5]) for s in told.items if _is_message(s)]
    for one_message, after in signed:
        named, said = take_apart(one_message).head
        if named not in heads or not same(heads[named], said):
            raise NotVerified("message", "checkpoint", "is of another ledger than this one")
        if named <= after:
            raise NotVerified("message", "checkpoint", "does not cover the entry answered")
    return heads


def _is_message(signed: Signed) -> bool:
    return bytes.fromhex(signed.body).startswith(b"\x0efairdeal/1/msg")


def _check_anchor(told: Transcript, heads: dict[int, bytes], anchor: Head) -> None:
    size, root = anchor
    if size <= told.entries[2].index:
        raise NotVerified("anchor", "size", "does not cover the call")
    if size not in heads:
        raise NotVerified("anchor", "size", "is none that the transcript proves", "", str(size))
    if not same(heads[size], root):
        raise NotVerified("anchor", "root", "is of another ledger", root.hex(), heads[size].hex())
