"""A ledger as a deal log: one canonical entry a line, one deal for each pack called.

Keys, never names.  The order of a pack is recomputed wherever the ledger holds everything
that made it, also of packs that were dropped.  What does not check is a flaw of its pack.
Proofs and the messages of play are `fairdeal verify`'s and `fairdeal fsck`'s.

Source: PROTOCOL.md, "Manifest and table", "One pack".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from audit.format import Reader, Stream, lines
from audit.record import Deal, Ended, Flaw, Holds, Other, Record
from audit.shuffle.derive import pack_order, salts
from audit.shuffle.endings import check_secret, check_unfinished
from audit.shuffle.entries import (
    EVERYBODY,
    HOUSE,
    NOBODY,
    BatchEntry,
    CallEntry,
    ChoicesEntry,
    ClosedEntry,
    ClosingEntry,
    EndEntry,
    Entry,
    OpenedEntry,
    RootEntry,
    TableEntry,
    UnfinishedEntry,
    VoidEntry,
    dealer_of,
    pone_of,
    read_entry,
)
from audit.shuffle.messages import first_hash, pack_tree, step_hash
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import (
    Book,
    book_of,
    check_chosen,
    check_commits,
    check_opens,
    pack_key,
)
from audit.shuffle.sampler import check_permutation
from audit.shuffle.tree import leaf_hash

#: So many hexadecimal digits name a table or a key.
SHORT = 16


@dataclass(kw_only=True)
class _Pack:
    """What the ledger holds of one pack; *raws* are the entries' bytes by kind."""

    book: Book
    line: int
    call: CallEntry
    raws: dict[str, bytes]
    closing: ClosingEntry | None = None
    root: RootEntry | None = None
    choices: ChoicesEntry | None = None
    ended: EndEntry | VoidEntry | UnfinishedEntry | None = None
    opened: OpenedEntry | None = None
    wrong: tuple[str, str] | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more of this pack can follow."""
        return self.opened is not None or isinstance(self.ended, VoidEntry)


@dataclass(kw_only=True)
class _Tables:
    """The tables met so far by hash, and the packs not given out yet in order of their calls."""

    books: dict[str, Book] = field(default_factory=dict)
    packs: dict[tuple[str, int], _Pack] = field(default_factory=dict)
    called: set[tuple[str, int]] = field(default_factory=set)

    def take(self, entry: Entry, raw: bytes, line: int) -> None:
        """Keep an entry. Raises: NotVerified where it belongs to no pack, or stands twice."""
        match entry:
            case TableEntry():
                book = book_of(entry)
                if self.books.setdefault(book.mh.hex(), book) is not book:
                    raise NotVerified("table", "entry", "stands twice")
                return
            case BatchEntry() | ClosedEntry():
                return
            case CallEntry():
                self._call(entry, raw, line)
                return
        pack = self.packs.get((entry.mh, entry.pack))
        if pack is None:
            raise NotVerified(entry.kind, "pack", "was not called, or was over before")
        name = "ended" if isinstance(entry, EndEntry | VoidEntry | UnfinishedEntry) else entry.kind
        if getattr(pack, name) is not None:
            raise NotVerified(entry.kind, "entry", "stands twice")
        setattr(pack, name, entry)
        pack.raws[entry.kind] = raw

    def _call(self, entry: CallEntry, raw: bytes, line: int) -> None:
        book = self.books.get(entry.mh)
        if book is None:
            raise NotVerified("call", "mh", "is of no table before it")
        if (entry.mh, entry.pack) in self.called:
            raise NotVerified("call", "pack", "stands twice")
        dealer = dealer_of(book.manifest, entry.dealt)
        if entry.dealer != dealer or entry.pone != pone_of(dealer, book.seats):
            raise NotVerified("call", "dealer", "is another one", str(dealer), str(entry.dealer))
        self.called.add((entry.mh, entry.pack))
        made = _Pack(book=book, line=line, call=entry, raws={"call": raw})
        self.packs[entry.mh, entry.pack] = made

    def give(self, *, rest: bool) -> Iterator[Record]:
        """Give out packs in the order of their calls: those before the first open one, or all."""
        for key in list(self.packs):
            pack = self.packs[key]
            if not (rest or pack.over):
                return
            del self.packs[key]
            yield _record(pack)


def order_of(pack: _Pack) -> bytes | None:
    """Return the dealt order as card numbers, None where the ledger does not hold all of it.

    Raises: NotVerified where what it holds does not agree.
    """
    book, call, number = pack.book, pack.call, pack.call.pack
    secret = pack.opened.secret if pack.opened else None
    if isinstance(pack.ended, VoidEntry):
        secret = pack.ended.secret
    if secret is not None:
        check_secret(book, number, secret, call.commitment)
    closing, root, choices = pack.closing, pack.root, pack.choices
    if closing is None:
        return None
    sl, cl = leaf_hash(pack.raws["call"]), leaf_hash(pack.raws["closing"])
    th = step_hash(first_hash(book.mh, number, bytes.fromhex(call.prev)), "call", pack.raws["call"])
    payloads = check_commits(book, call, sl, th, closing)
    if root is None:
        return None
    th = step_hash(th, "closing", pack.raws["closing"])
    parts = check_opens(book, number, sl, cl, payloads, root.opens, th)
    if choices is None or secret is None:
        return None
    if [(c.seat, c.name) for c in choices.choices] != book.choices(call.dealer):
        raise NotVerified("choices", "choices", "are others than the law leaves")
    for chosen in choices.choices:
        check_chosen(book, call, sl, payloads, chosen)
    size = book.manifest.pack
    key = pack_key(book.mh, sl, cl, bytes.fromhex(secret), parts)
    order, salt = pack_order(key, size), salts(key, size)
    check_permutation(order, size, "pack")
    if pack_tree(book.mh, number, order, salt).root.hex() != root.root:
        raise NotVerified("root", "root", "is another one than that of the opened secrets")
    depth = choices.choices[0].value
    return bytes(book.pack[order[(depth + p) % size]] for p in range(size))


def _record(pack: _Pack) -> Record:
    try:
        order = order_of(pack)
        ended = _ended(pack, order)
        by = _parties(pack)
    except NotVerified as err:
        return Flaw(line=pack.line, field=f"{err.where} {err.what}", why=err.why)
    made = pack.book.manifest
    return Deal(
        game=made.game,
        line=pack.line,
        table=pack.call.mh[:SHORT],
        number=str(pack.call.pack),
        # The ledger is its own clock: entries stand in the order in which they were made.
        time=f"entry {pack.line - 1:012}",
        options=dict(made.options),
        players=pack.book.seats,
        dealer_seat=pack.call.dealer + 1,
        dealt_by="machine",
        order_after_cut=order,
        ended=ended,
        ended_by=by,
        parties=tuple(key[:SHORT] for key in (made.ledger_key, *made.seats)),
    )


def _parties(pack: _Pack) -> tuple[int, ...]:
    if not isinstance(pack.ended, VoidEntry | UnfinishedEntry):
        return ()
    seats = pack.book.seats
    if any(p >= seats and p != HOUSE for p in pack.ended.parties):
        raise NotVerified(pack.ended.kind, "parties", "are no list of seats and house")
    return tuple(sorted({0 if p == HOUSE else p + 1 for p in pack.ended.parties}))


def _ended(pack: _Pack, order: bytes | None) -> Ended:
    end = pack.ended
    if isinstance(end, VoidEntry):
        if pack.root is not None or (end.stage == "commit") != (pack.closing is None):
            raise NotVerified("void", "stage", "is not the one that the pack is in")
        return "void" if pack.closing is None else "void after closing"
    if isinstance(end, UnfinishedEntry):
        stage = "decide" if pack.choices else "choice" if pack.root else "open"
        dealer = pack.call.dealer
        check_unfinished(pack.book, end, dealer=dealer, stage=stage, asked=None, items=-1)
        if end.stage != "decide" or end.items > _before_play(pack, order):
            return "unfinished"
        return "unfinished before play"
    if pack.opened is not None:
        return "opened"
    # Played out and not opened yet; a pack without an end may still be in play.
    return "unfinished" if isinstance(end, EndEntry) else ""


def _before_play(pack: _Pack, order: bytes | None) -> int:
    """Return how many items stand before the first decision of the pack.

    Where the order is not known the first turn-up is not either; as many are delivered.
    """
    assert pack.choices is not None
    values = {c.name: c.value for c in pack.choices.choices}
    play = pack.book.play(pack.call.dealer, values.get("packets", 0))
    shown, items = order or bytes(pack.book.pack), 0
    while True:
        moves = play.moves()
        for place, to in moves:
            if to == EVERYBODY:
                play.learn(place, pack.book.pack.index(shown[place]))
        items += len({to for _, to in moves if to != NOBODY})
        if not play.settle():
            return items


def _read(stream: Stream, name: str) -> Iterator[Record]:
    tables = _Tables()
    for number, raw in lines(stream):
        if isinstance(raw, Flaw):
            yield raw
        elif raw.strip():
            try:
                tables.take(read_entry(raw), raw, number)
            except NotVerified as err:
                if (err.where, err.what) == ("entry", "kind"):
                    yield Other(line=number, kind="an entry of no live table")
                else:
                    yield Flaw(line=number, field=f"{err.where} {err.what}", why=err.why)
        yield from tables.give(rest=False)
    yield from tables.give(rest=True)


def _sniff(head: bytes, name: str) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    return first.startswith(b'{"') and b'"kind":"table"' in first and b'"manifest":{' in first


READER = Reader(
    id="ledger",
    title="Entries of a ledger of live tables, one a line",
    suffixes=(".ledger",),
    game="",
    holds=Holds(order="dealt", widow_order="dealt", exposure="dealt", numbered=True),
    sniff=_sniff,
    read=_read,
)
