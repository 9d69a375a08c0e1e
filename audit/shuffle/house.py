"""The house of one live table, as a machine without input or output.

It is fed the table's ledger entries and the seats' messages, and says which entries are due;
whoever runs it appends those and feeds them back.  It holds nothing that cannot be had again
from ledger, messages and sealed secrets, so a restart is the same feeding once more.

Source: PROTOCOL.md, "One pack", "Cards", "Deadlines"; design section 3, P1, P2, P4-P6, P13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.plan import PACKETS
from audit.shuffle.derive import pack_order, salts
from audit.shuffle.entries import (
    EVERYBODY,
    HOUSE,
    NOBODY,
    BatchEntry,
    CallEntry,
    ChoicesEntry,
    Chosen,
    ClosedEntry,
    ClosingEntry,
    Discard,
    EndEntry,
    Entry,
    OpenedEntry,
    RootEntry,
    Signed,
    TableEntry,
    UnfinishedEntry,
    VoidEntry,
    dealer_of,
    pone_of,
    read_entry,
)
from audit.shuffle.messages import (
    Covers,
    Face,
    check_covers,
    deal_bytes,
    delivery,
    first_hash,
    house_commitment,
    item_bytes,
    pack_tree,
    read_message,
    sign,
    step_hash,
    take_apart,
)
from audit.shuffle.play import Play
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import (
    Book,
    apply,
    book_of,
    check_commit,
    check_commits,
    check_discards,
    check_held,
    check_open,
    check_opens,
    in_order,
    pack_key,
    read_chosen,
    read_missing,
)
from audit.shuffle.tree import Tree, leaf_hash

Secrets = Callable[[int], bytes]


@dataclass(kw_only=True)
class Dealt:
    """One item of a pack: a delivery to a seat or to all, or a decision."""

    signed: Signed = field(repr=False)
    to: int | None
    faces: tuple[Face, ...] = field(default=(), repr=False)


@dataclass(kw_only=True)
class Pack:
    """What stands of one pack; stage is commit, open, choice, deal, wait or over."""

    number: int
    call: CallEntry
    sl: bytes
    last: bytes
    th: bytes
    since: int
    stage: str = "commit"
    ended: str = ""
    cl: bytes = b""
    commits: dict[int, Signed] = field(default_factory=dict)
    payloads: list[bytes] = field(default_factory=list)
    opens: dict[int, Signed] = field(default_factory=dict, repr=False)
    held: Signed | None = None
    missing: Signed | None = None
    chosen: dict[str, Chosen] = field(default_factory=dict)
    root: bytes = b""
    order: list[int] = field(default_factory=list, repr=False)
    salts: list[bytes] = field(default_factory=list, repr=False)
    tree: Tree | None = None
    depth: int = 0
    play: Play | None = None
    items: list[Dealt] = field(default_factory=list)
    hides: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    discards: dict[int, Discard] = field(default_factory=dict, repr=False)
    end: bytes = b""


class House:
    """One table as its house runs it. *secrets* gives the 64 bytes of a pack by number.

    *covers* knows the ledger's heads; without it a message may name any.
    """

    def __init__(
        self, key: Ed25519PrivateKey, secrets: Secrets, covers: Covers | None = None
    ) -> None:
        self._key, self._secrets, self._covers = key, secrets, covers
        self.book: Book | None = None
        self.batch: bytes = b""
        self._paths: Tree | None = None
        self.last = b""
        self.packs: dict[int, Pack] = {}
        self.closed = False
        self.closing = False
        self._voids: dict[int, int] = {}

    @property
    def pack(self) -> Pack | None:
        """The pack that is being dealt, or the last one."""
        return self.packs[max(self.packs)] if self.packs else None

    # -- feeding ----------------------------------------------------------------------------

    def feed(self, raw: bytes, time: int) -> None:
        """Take an entry of this table that stands in the ledger since *time*."""
        entry = read_entry(raw)
        match entry:
            case TableEntry():
                self.book = book_of(entry)
                self.last = leaf_hash(raw)
            case BatchEntry():
                self.batch = leaf_hash(raw)
            case CallEntry():
                self._call(entry, raw, time)
            case ClosedEntry():
                self.closed = True
            case OpenedEntry():
                self.packs[entry.pack].stage = "over"
                self.packs[entry.pack].discards = {d.item: d for d in entry.discards}
                if self.packs[entry.pack] is self.pack:
                    self.last = leaf_hash(raw)
            case _:
                self._go_on(entry, raw, time)

    def _call(self, entry: CallEntry, raw: bytes, time: int) -> None:
        book, prev = self._book(), bytes.fromhex(entry.prev)
        sl = leaf_hash(raw)
        th = step_hash(first_hash(book.mh, entry.pack, prev), "call", raw)
        self.packs[entry.pack] = Pack(
            number=entry.pack, call=entry, sl=sl, last=sl, th=th, since=time
        )

    def _go_on(self, entry: Entry, raw: bytes, time: int) -> None:
        pack = self._pack()
        pack.since, leaf = time, leaf_hash(raw)
        match entry:
            case ClosingEntry():
                pack.commits = dict(enumerate(entry.commits))
                pack.payloads = check_commits(self._book(), pack.call, pack.sl, pack.th, entry)
                pack.cl, pack.stage = leaf, "open"
                pack.th = step_hash(pack.th, "closing", raw)
            case RootEntry():
                opens = dict(enumerate(entry.opens))
                # The house that made this entry has derived the order already.
                if pack.tree is None or pack.opens != opens:
                    pack.opens = opens
                    self._derive(pack)
                pack.root, pack.stage = bytes.fromhex(entry.root), "choice"
                pack.th = step_hash(pack.th, "root", raw)
            case ChoicesEntry():
                pack.chosen = {c.name: c for c in entry.choices}
                pack.depth = pack.chosen["cut"].value
                packets = pack.chosen[PACKETS].value if PACKETS in pack.chosen else 0
                pack.play = self._book().play(pack.call.dealer, packets)
                pack.stage = "deal"
                pack.th = step_hash(pack.th, "choices", raw)
                self._deal(pack)
            case EndEntry() | UnfinishedEntry():
                pack.end, pack.stage = leaf, "wait"
                pack.ended = "opened" if isinstance(entry, EndEntry) else "unfinished"
                if isinstance(entry, UnfinishedEntry):
                    self._count(entry.parties)
                self.last = leaf
            case VoidEntry():
                pack.ended, pack.stage = "void", "over"
                self._count(entry.parties)
                self.last = leaf
        pack.last = leaf

    def _count(self, parties: Sequence[int]) -> None:
        for party in parties:
            self._voids[party] = self._voids.get(party, 0) + 1

    def _book(self) -> Book:
        if self.book is None:
            raise NotVerified("table", "entry", "is not in the ledger yet")
        return self.book

    def _pack(self) -> Pack:
        if self.pack is None:
            raise NotVerified("pack", "call", "is not in the ledger yet")
        return self.pack

    # -- messages ---------------------------------------------------------------------------

    def accept(self, signed: Signed, seat: int, step: str) -> None:
        """Take a message of a seat.

        Raises: NotVerified where it does not check, or the step is not due.
        """
        book, pack = self._book(), self._pack()
        wanted = {"commit": "commit", "open": "open", "deal": "decide"}.get(pack.stage)
        if step != wanted:
            raise NotVerified(step, "step", "is not due", str(wanted), step)
        said = read_message(signed, book, pack.number, seat, step, pack.th)
        check_covers(self._covers, said, pack.last)
        stands = {"commit": pack.commits, "open": pack.opens}.get(step, {}).get(seat, signed)
        if stands != signed:
            raise NotVerified(step, f"seat {seat}", "has sent another message for this step")
        if step == "commit":
            check_commit(book, pack.call, seat, said.payload)
            others = [take_apart(c).payload for s, c in pack.commits.items() if s != seat]
            if said.payload[:32] in [other[:32] for other in others]:
                raise NotVerified(step, f"seat {seat}", "sends the commitment of another seat")
            pack.commits[seat] = signed
        elif step == "open":
            if book.manifest.relay != "none":
                raise NotVerified("open", "relay", "openings go to the relay")
            commit = pack.payloads[seat]
            check_open(book, pack.number, seat, pack.sl, pack.cl, commit, said.payload)
            pack.opens[seat] = signed
        else:
            self._decide(pack, signed, seat, said.payload)

    def accept_held(self, statement: Signed, opens: Sequence[Signed]) -> None:
        """Take the relay's statement and all openings together."""
        book, pack = self._book(), self._pack()
        if pack.stage != "open" or pack.missing is not None:
            raise NotVerified("held", "step", "is not due")
        check_opens(book, pack.number, pack.sl, pack.cl, pack.payloads, opens, pack.th)
        check_held(book, pack.number, pack.cl, statement, opens)
        pack.held, pack.opens = statement, dict(enumerate(opens))

    def accept_missing(self, statement: Signed) -> None:
        """Take the relay's statement that openings had not come."""
        pack = self._pack()
        if pack.stage != "open" or pack.held is not None:
            raise NotVerified("missing", "step", "is not due")
        read_missing(self._book(), pack.number, pack.cl, statement)
        pack.missing = statement

    def accept_chosen(self, raw: bytes) -> None:
        """Take an opened choice; its commitment authenticates it."""
        book, pack = self._book(), self._pack()
        if pack.stage != "choice":
            raise NotVerified("chosen", "step", "is not due")
        made = read_chosen(book, pack.call, pack.sl, pack.payloads, raw)
        pack.chosen[made.name] = made

    def accept_discard(self, discard: Discard, number: int | None = None) -> None:
        """Take the opening of a hidden pick of pack *number* (the last one) when it is dealt."""
        self.accept_discards([discard], number)

    def accept_discards(self, discards: Sequence[Discard], number: int | None = None) -> None:
        """Take openings of hidden picks, all or none."""
        book, pack = self._book(), self._pack() if number is None else self.packs.get(number)
        if pack is None or pack.stage == "over":
            raise NotVerified("discard", "pack", "does not wait for openings", "", str(number))
        if pack.play is None or not pack.play.over:
            raise NotVerified("discard", "step", "is not due before the end")
        found = pack.discards | {one.item: one for one in discards}
        check_discards(book, pack.number, pack.play, pack.hides, (*found.values(),), pack.depth)
        pack.discards = found

    # -- dealing ----------------------------------------------------------------------------

    def _derive(self, pack: Pack) -> None:
        book = self._book()
        parts = [self._opened(pack, seat) for seat in range(book.seats)]
        secret = self._secrets(pack.number)
        key = pack_key(book.mh, pack.sl, pack.cl, secret, parts)
        size = book.manifest.pack
        pack.order, pack.salts = pack_order(key, size), salts(key, size)
        pack.tree = pack_tree(book.mh, pack.number, pack.order, pack.salts)

    def _opened(self, pack: Pack, seat: int) -> bytes:
        th = pack.th
        said = read_message(pack.opens[seat], self._book(), pack.number, seat, "open", th)
        return said.payload[32:]

    def _face(self, pack: Pack, leaf: int) -> Face:
        return Face(leaf=leaf, card=pack.order[leaf], salt=pack.salts[leaf])

    def _deal(self, pack: Pack) -> None:
        book, play = self._book(), pack.play
        assert play is not None
        size = book.manifest.pack
        while True:
            moves = play.moves()
            if moves:
                pack.th = step_hash(pack.th, "deal", deal_bytes(moves))
            for to in sorted({to for _, to in moves if to != NOBODY}):
                leaves = [(pack.depth + p) % size for p, t in moves if t == to]
                faces = tuple(self._face(pack, leaf) for leaf in leaves)
                body = delivery(book.mh, pack.number, to, pack.th, faces)
                item = sign(self._key, body)
                pack.items.append(Dealt(signed=item, to=to, faces=faces))
                if to == EVERYBODY:
                    pack.th = step_hash(pack.th, "face", item_bytes(item))
                    for p, t in moves:
                        if t == to:
                            play.learn(p, pack.order[(pack.depth + p) % size])
            if not play.settle():
                return

    def _decide(self, pack: Pack, signed: Signed, seat: int, payload: bytes) -> None:
        play = pack.play
        assert play is not None
        if play.asked != seat:
            raise NotVerified("decide", "seat", "is not asked now", str(play.asked), str(seat))
        check = in_order(pack.order, pack.salts)
        commitment = apply(self._book(), play, pack.depth, payload, check)
        if commitment is not None:
            pack.hides[len(pack.items)] = (seat, commitment)
        pack.items.append(Dealt(signed=signed, to=None))
        pack.th = step_hash(pack.th, "decide", item_bytes(signed))
        self._deal(pack)

    # -- what is due ------------------------------------------------------------------------

    def due(self, now: int) -> list[Entry]:
        """Return the entries that are due at *now*, to be appended together."""
        if self.book is None or self.closed:
            return []
        mh, made, pack = self.book.mh.hex(), self.book.manifest, self.pack
        if not self.batch:
            root = self._tree().root.hex()
            return [BatchEntry(mh=mh, root=root, size=made.packs)]
        if pack is None:
            return [self._next_call(1)]
        match pack.stage:
            case "commit":
                return self._due_commit(pack, now)
            case "open":
                return self._due_open(pack, now)
            case "choice":
                return self._due_choice(pack, now)
            case "deal":
                return self._due_deal(pack, now)
            case "wait" if made.opening == "pack" or pack.ended == "unfinished":
                return self._due_opened([pack], now)
        if self._done(pack, now):
            unopened = [p for p in self.packs.values() if p.stage == "wait"]
            if unopened:
                return self._due_opened(unopened, now)
            return [self._close()]
        return [self._next_call(pack.number + 1)]

    def _done(self, pack: Pack, now: int) -> bool:
        made = self._book().manifest
        tired = max(self._voids.values(), default=0) >= made.voids
        late = now >= made.last_opening
        return self.closing or tired or late or pack.number == made.packs

    def _tree(self) -> Tree:
        if self._paths is None:
            book = self._book()
            packs = range(1, book.manifest.packs + 1)
            self._paths = Tree([house_commitment(book.mh, k, self._secrets(k)) for k in packs])
        return self._paths

    def _next_call(self, number: int) -> CallEntry:
        book = self._book()
        dealt = sum(p.ended != "void" for p in self.packs.values())
        dealer = dealer_of(book.manifest, dealt)
        commitment = house_commitment(book.mh, number, self._secrets(number))
        return CallEntry(
            mh=book.mh.hex(),
            pack=number,
            batch=self.batch.hex(),
            commitment=commitment.hex(),
            path=tuple(p.hex() for p in self._tree().path(number - 1)),
            dealer=dealer,
            dealt=dealt,
            pone=pone_of(dealer, book.seats),
            prev=self.last.hex(),
        )

    def _due_commit(self, pack: Pack, now: int) -> list[Entry]:
        book = self._book()
        commits = tuple(pack.commits[s] for s in sorted(pack.commits))
        if len(commits) == book.seats:
            return [
                ClosingEntry(
                    mh=book.mh.hex(), pack=pack.number, call=pack.sl.hex(), commits=commits
                )
            ]
        deadline = pack.since + book.manifest.limits.commit
        if now <= deadline and not self.closing:
            return []
        absent = tuple(s for s in range(book.seats) if s not in pack.commits)
        # A table closed at somebody's wish is the house's void, not that of seats in good time.
        parties = absent if now > deadline else (HOUSE,)
        return [self._void(pack, "commit", parties, deadline, commits)]

    def _void(
        self,
        pack: Pack,
        stage: Any,
        parties: tuple[int, ...],
        deadline: int,
        commits: tuple[Signed, ...],
    ) -> VoidEntry:
        return VoidEntry(
            mh=self._book().mh.hex(),
            pack=pack.number,
            after=pack.last.hex(),
            stage=stage,
            parties=parties,
            deadline=deadline,
            commits=commits,
            missing=pack.missing or "none",
            secret=self._secrets(pack.number).hex(),
        )

    def _due_open(self, pack: Pack, now: int) -> list[Entry]:
        book = self._book()
        if len(pack.opens) == book.seats and (pack.held or book.manifest.relay == "none"):
            self._derive(pack)
            assert pack.tree is not None
            return [
                RootEntry(
                    mh=book.mh.hex(),
                    pack=pack.number,
                    closing=pack.cl.hex(),
                    held=pack.held or "none",
                    opens=tuple(pack.opens[s] for s in range(book.seats)),
                    root=pack.tree.root.hex(),
                )
            ]
        deadline = pack.since + book.manifest.limits.open
        if book.manifest.relay != "none":
            if pack.missing is None:
                return []
            time, seats = read_missing(book, pack.number, pack.cl, pack.missing)
            return [self._void(pack, "open", seats, time, tuple(pack.commits.values()))]
        if now <= deadline:
            return []
        absent = tuple(s for s in range(book.seats) if s not in pack.opens)
        return [self._unfinished(pack, "open", (*absent, HOUSE), deadline)]

    def _unfinished(
        self, pack: Pack, stage: Any, parties: tuple[int, ...], deadline: int
    ) -> UnfinishedEntry:
        return UnfinishedEntry(
            mh=self._book().mh.hex(),
            pack=pack.number,
            after=pack.last.hex(),
            stage=stage,
            parties=parties,
            deadline=deadline,
            items=len(pack.items),
            th=pack.th.hex(),
        )

    def _due_choice(self, pack: Pack, now: int) -> list[Entry]:
        book = self._book()
        wanted = book.choices(pack.call.dealer)
        if all(name in pack.chosen for _, name in wanted):
            return [
                ChoicesEntry(
                    mh=book.mh.hex(),
                    pack=pack.number,
                    after=pack.last.hex(),
                    choices=tuple(pack.chosen[name] for _, name in wanted),
                )
            ]
        deadline = pack.since + book.manifest.limits.choice
        if now <= deadline:
            return []
        absent = tuple(sorted({s for s, name in wanted if name not in pack.chosen}))
        if book.manifest.relay != "none":
            # The relay held them before the root; that they are not here is no seat's doing.
            absent = (HOUSE,)
        return [self._unfinished(pack, "choice", absent, deadline)]

    def _due_deal(self, pack: Pack, now: int) -> list[Entry]:
        book, play = self._book(), pack.play
        assert play is not None
        if play.over:
            return [
                EndEntry(
                    mh=book.mh.hex(),
                    pack=pack.number,
                    items=len(pack.items),
                    th=pack.th.hex(),
                )
            ]
        deadline = pack.since + book.manifest.limits.decide
        if now <= deadline or play.asked is None:
            return []
        return [self._unfinished(pack, "decide", (play.asked,), deadline)]

    def touch(self, now: int) -> None:
        """Begin the clock of the next decision: the last item came at *now*."""
        self._pack().since = now

    def _due_opened(self, packs: Sequence[Pack], now: int) -> list[Entry]:
        book = self._book()
        waiting = any(set(p.hides) - set(p.discards) for p in packs)
        if waiting and now <= packs[-1].since + book.manifest.limits.decide:
            return []
        return [
            OpenedEntry(
                mh=book.mh.hex(),
                pack=pack.number,
                end=pack.end.hex(),
                secret=self._secrets(pack.number).hex(),
                discards=tuple(pack.discards[i] for i in sorted(pack.discards)),
            )
            for pack in packs
        ]

    def _close(self) -> ClosedEntry:
        ends = [p.ended for p in self.packs.values()]
        return ClosedEntry(
            mh=self._book().mh.hex(),
            last=self.last.hex(),
            packs=len(ends),
            opened=ends.count("opened"),
            void=ends.count("void"),
            unfinished=ends.count("unfinished"),
        )
