"""One player's side of a live table: own key, own bytes, and checks of all that comes.

Trusts nobody.  Entries are fed to it in order once their inclusion in a checkpoint of the
manifest's quorum was checked; what it returns is to be stored before it is sent, and sent
again verbatim.

Source: PROTOCOL.md, "What a client keeps and refuses"; design section 3, P2, P4, P5, P12, P13.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.plan import Question
from audit.shuffle.canonical import encode
from audit.shuffle.derive import SECRET_BYTES
from audit.shuffle.endings import check_opened, check_secret, check_unfinished, check_void
from audit.shuffle.entries import (
    EVERYBODY,
    NOBODY,
    BatchEntry,
    CallEntry,
    ChoicesEntry,
    ClosedEntry,
    ClosingEntry,
    Discard,
    EndEntry,
    OpenedEntry,
    RootEntry,
    Signed,
    TableEntry,
    UnfinishedEntry,
    VoidEntry,
    check_manifest,
    dealer_of,
    pone_of,
    read_entry,
    table_hash,
)
from audit.shuffle.framing import frame, same
from audit.shuffle.lawbook import law_hash
from audit.shuffle.manifest import Struct
from audit.shuffle.messages import (
    Face,
    answer_payload,
    card_leaf,
    choice_commitment,
    chosen,
    contribution,
    deal_bytes,
    discard_commitment,
    first_hash,
    hide_payload,
    item_bytes,
    message,
    public_hex,
    read_delivery,
    read_message,
    show_payload,
    sign,
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
    check_held,
    check_opens,
    read_book,
)
from audit.shuffle.secret import Draw
from audit.shuffle.tree import check_inclusion, leaf_hash

Head = tuple[int, bytes]
Paths = dict[int, Sequence[bytes]]


@dataclass(kw_only=True)
class Mine:
    """What a seat holds of one pack; the bytes are secret until they are opened."""

    number: int
    call: CallEntry
    sl: bytes
    last: bytes
    th: bytes
    data: bytes = field(default=b"", repr=False)
    choices: dict[str, tuple[int, bytes]] = field(default_factory=dict, repr=False)
    commit: Signed | None = None
    open: Signed | None = field(default=None, repr=False)
    payloads: list[bytes] = field(default_factory=list)
    cl: bytes = b""
    root: bytes = b""
    depth: int = 0
    play: Play | None = None
    due: list[tuple[int, int]] = field(default_factory=list)
    faces: dict[int, Face] = field(default_factory=dict, repr=False)
    items: int = 0
    hides: dict[int, tuple[bytes, tuple[int, ...]]] = field(default_factory=dict, repr=False)
    decided: tuple[bytes, Signed] | None = None
    ended: str = ""


class Standing(Struct, frozen=True, kw_only=True):
    """A seat's memory of the packs before this one; *unopened* has pack, end and commitment."""

    prev: str
    dealt: int
    ended: tuple[str, ...]
    unopened: tuple[tuple[int, str, str], ...]


class SeatAtTable:
    """Seat *number* of one table. *draw* is the operating system's randomness."""

    def __init__(self, number: int, key: Ed25519PrivateKey, draw: Draw = os.urandom) -> None:
        self.number, self.key, self._draw = number, key, draw
        self.nonce = draw(32)
        self.book: Book | None = None
        self._batch: tuple[bytes, BatchEntry] | None = None
        self._prev = b""
        self._dealt = 0
        self._unopened: dict[int, tuple[bytes, str]] = {}
        self._ended: list[str] = []
        self._closed_table = False
        self.pack: Mine | None = None
        self.packs: dict[int, Mine] = {}

    # -- the table --------------------------------------------------------------------------

    def sign_manifest(self, entry: TableEntry, mh: bytes) -> str:
        """Return the signature under a manifest that names this key and nonce for this seat."""
        made = entry.manifest
        if not same(mh, table_hash(made)):
            raise NotVerified("manifest", "hash", "is of another manifest")
        check_manifest(made)
        if law_hash(encode(entry.law)).hex() != made.law:
            raise NotVerified("table", "law", "is not the one that the manifest binds")
        if made.seats[self.number] != public_hex(self.key):
            raise NotVerified("manifest", f"seat {self.number}", "is another key")
        if made.seat_nonces[self.number] != self.nonce.hex():
            raise NotVerified("manifest", "seat_nonces", "hold another nonce for this seat")
        return self.key.sign(frame("sign-manifest", mh)).hex()

    def _book(self) -> Book:
        if self.book is None:
            raise NotVerified("table", "entry", "has not come yet")
        return self.book

    def mine(self) -> Mine:
        """Return what is held of the pack in play."""
        if self.pack is None:
            raise NotVerified("pack", "call", "has not come yet")
        return self.pack

    def standing(self) -> Standing:
        """Return what has to be kept between two packs, so that a restart goes on there."""
        return Standing(
            prev=self._prev.hex(),
            dealt=self._dealt,
            ended=tuple(self._ended),
            unopened=tuple((k, end.hex(), c) for k, (end, c) in self._unopened.items()),
        )

    def resume(self, kept: Standing) -> None:
        """Go on between two packs as `standing` said; table and batch have been fed."""
        self._prev, self._dealt = bytes.fromhex(kept.prev), kept.dealt
        self._ended = list(kept.ended)
        self._unopened = {k: (bytes.fromhex(end), c) for k, end, c in kept.unopened}

    # -- entries ----------------------------------------------------------------------------

    def feed(self, raw: bytes) -> None:
        """Take the next entry of this table.

        Raises: NotVerified for anything that is not what had to come.
        """
        entry, leaf = read_entry(raw), leaf_hash(raw)
        if isinstance(entry, TableEntry):
            if self.book is not None:
                raise NotVerified("table", "entry", "stands twice")
            book = read_book(raw)
            if book.manifest.seats[self.number] != public_hex(self.key):
                raise NotVerified("manifest", f"seat {self.number}", "is another key")
            self.book, self._prev = book, leaf
            return
        if entry.mh != self._book().mh.hex():
            raise NotVerified(entry.kind, "mh", "is of another table")
        if self._closed_table:
            raise NotVerified(entry.kind, "entry", "comes after the table was closed")
        match entry:
            case BatchEntry():
                if self._batch is not None:
                    raise NotVerified("batch", "entry", "stands twice")
                if entry.size != self._book().manifest.packs:
                    raise NotVerified("batch", "size", "is not that of the manifest")
                self._batch = (leaf, entry)
            case CallEntry():
                self._called(entry, raw)
            case OpenedEntry():
                self._opened(entry, leaf)
            case ClosedEntry():
                self._close(entry)
            case _:
                if getattr(entry, "pack", 0) != self.mine().number:
                    raise NotVerified(entry.kind, "pack", "is another one")
                self._go_on(entry, raw, leaf)

    def _called(self, entry: CallEntry, raw: bytes) -> None:
        book = self._book()
        if self._batch is None:
            raise NotVerified("call", "batch", "stands before its batch")
        leaf, batch = self._batch
        number = len(self._ended) + 1
        if self.pack is not None and not self.pack.ended:
            raise NotVerified("call", "pack", "is called before the last one ended")
        if number - 1 in self._unopened:
            at_once = book.manifest.opening == "pack" or self._ended[-1] == "unfinished"
            if at_once:
                raise NotVerified("call", "pack", "is called before the last one was opened")
        dealer = dealer_of(book.manifest, self._dealt)
        for name, wanted, got in (
            ("pack", number, entry.pack),
            ("batch", leaf.hex(), entry.batch),
            ("dealt", self._dealt, entry.dealt),
            ("dealer", dealer, entry.dealer),
            ("pone", pone_of(dealer, book.seats), entry.pone),
            ("prev", self._prev.hex(), entry.prev),
        ):
            if wanted != got:
                raise NotVerified("call", name, "is another one", str(wanted), str(got))
        path = [bytes.fromhex(p) for p in entry.path]
        commitment = bytes.fromhex(entry.commitment)
        root = bytes.fromhex(batch.root)
        check_inclusion(commitment, number - 1, batch.size, path, root, "call")
        th = first_hash(book.mh, number, bytes.fromhex(entry.prev))
        self.pack = Mine(
            number=number,
            call=entry,
            sl=leaf_hash(raw),
            last=leaf_hash(raw),
            th=step_hash(th, "call", raw),
        )
        self.packs[number] = self.pack

    def _go_on(self, entry: Any, raw: bytes, leaf: bytes) -> None:
        book, pack = self._book(), self.mine()
        if pack.ended:
            raise NotVerified(entry.kind, "entry", "comes after the end of the pack")
        after = getattr(entry, "after", pack.last.hex())
        if after != pack.last.hex():
            raise NotVerified(entry.kind, "after", "is another one", pack.last.hex(), after)
        match entry:
            case ClosingEntry():
                self._closed(pack, entry, leaf)
                pack.th = step_hash(pack.th, "closing", raw)
            case RootEntry():
                self._rooted(book, pack, entry)
                pack.th = step_hash(pack.th, "root", raw)
            case ChoicesEntry():
                self._chosen(book, pack, entry, raw)
            case EndEntry():
                if pack.play is None or not pack.play.over:
                    raise NotVerified("end", "items", "comes before the deal is over")
                if entry.items != pack.items or not same(bytes.fromhex(entry.th), pack.th):
                    raise NotVerified("end", "th", "is not that of the messages")
                self._ends(pack, "opened", leaf)
            case UnfinishedEntry():
                play = pack.play
                stage = "decide" if play else "choice" if pack.root else "open" if pack.cl else ""
                asked = play.asked if play else None
                check_unfinished(
                    book,
                    entry,
                    dealer=pack.call.dealer,
                    stage=stage,
                    asked=asked,
                    items=pack.items,
                )
                self._ends(pack, "unfinished", leaf)
            case VoidEntry():
                check_void(book, entry, cl=pack.cl, th=pack.th, rooted=bool(pack.root))
                check_secret(book, pack.number, entry.secret, pack.call.commitment)
                self._ends(pack, "void", leaf)
        pack.last = leaf

    def _ends(self, pack: Mine, how: str, leaf: bytes) -> None:
        pack.ended = how
        self._ended.append(how)
        self._prev = leaf
        self._dealt += how != "void"
        if how != "void":
            self._unopened[pack.number] = (leaf, pack.call.commitment)

    def _opened(self, entry: OpenedEntry, leaf: bytes) -> None:
        if entry.pack not in self._unopened:
            raise NotVerified("opened", "pack", "is none that waits to be opened")
        end, commitment = self._unopened[entry.pack]
        check_opened(self._book(), entry, end=end, commitment=commitment)
        del self._unopened[entry.pack]
        if entry.pack == self.mine().number:
            self._prev = leaf

    def _close(self, entry: ClosedEntry) -> None:
        ends = self._ended
        if self._unopened or self.mine().number != len(ends):
            raise NotVerified("closed", "packs", "are not all ended and opened")
        for name, wanted, got in (
            ("packs", len(ends), entry.packs),
            ("opened", ends.count("opened"), entry.opened),
            ("void", ends.count("void"), entry.void),
            ("unfinished", ends.count("unfinished"), entry.unfinished),
            ("last", self._prev.hex(), entry.last),
        ):
            if wanted != got:
                raise NotVerified("closed", name, "is another one", str(wanted), str(got))
        self._closed_table = True

    def _closed(self, pack: Mine, entry: ClosingEntry, leaf: bytes) -> None:
        if pack.cl:
            raise NotVerified("closing", "entry", "is the second one for this pack")
        book = self._book()
        payloads = check_commits(book, pack.call, pack.sl, pack.th, entry)
        if pack.commit is None or entry.commits[self.number] != pack.commit:
            raise NotVerified("closing", f"seat {self.number}", "is not what this seat sent")
        pack.payloads, pack.cl = payloads, leaf

    def _rooted(self, book: Book, pack: Mine, entry: RootEntry) -> None:
        if pack.root:
            raise NotVerified("root", "entry", "is the second one for this pack")
        if entry.closing != pack.cl.hex():
            raise NotVerified("root", "closing", "is another one")
        check_opens(book, pack.number, pack.sl, pack.cl, pack.payloads, entry.opens, pack.th)
        if entry.opens[self.number] != pack.open:
            raise NotVerified("root", f"seat {self.number}", "is not what this seat opened")
        if book.manifest.relay == "none" and entry.held != "none":
            raise NotVerified("root", "held", "stands where there is no relay")
        if book.manifest.relay != "none":
            if entry.held == "none":
                raise NotVerified("root", "held", "is missing")
            check_held(book, pack.number, pack.cl, entry.held, entry.opens)
        pack.root = bytes.fromhex(entry.root)

    def _chosen(self, book: Book, pack: Mine, entry: ChoicesEntry, raw: bytes) -> None:
        if not pack.root or pack.play is not None:
            raise NotVerified("choices", "entry", "does not follow the root")
        wanted = book.choices(pack.call.dealer)
        if [(c.seat, c.name) for c in entry.choices] != wanted:
            raise NotVerified("choices", "choices", "are others than the law leaves")
        for made in entry.choices:
            check_chosen(book, pack.call, pack.sl, pack.payloads, made)
        values = {c.name: c.value for c in entry.choices}
        pack.depth = values["cut"]
        pack.play = book.play(pack.call.dealer, values.get("packets", 0))
        pack.th = step_hash(pack.th, "choices", raw)
        self._next(pack)

    # -- cards ------------------------------------------------------------------------------

    def _next(self, pack: Mine) -> None:
        play = pack.play
        assert play is not None
        while True:
            moves = play.moves()
            if moves:
                pack.th = step_hash(pack.th, "deal", deal_bytes(moves))
            pack.due = [(p, to) for p, to in moves if to != NOBODY]
            # Cards of others are delivered to them; their items count all the same.
            others = {to for _, to in pack.due} - {self.number, EVERYBODY}
            pack.items += len(others)
            pack.due = [(p, to) for p, to in pack.due if to in (self.number, EVERYBODY)]
            if pack.due or not play.settle():
                return

    def waits_for_cards(self) -> bool:
        """Whether a delivery to this seat or to all is due."""
        return bool(self.mine().due)

    def receive(self, item: Signed, paths: Sequence[Sequence[bytes]]) -> list[Face]:
        """Check a delivery at once: signature, places by law, inclusion of each card."""
        book, pack = self._book(), self.mine()
        play, size = pack.play, book.manifest.pack
        if play is None or not pack.due:
            raise NotVerified("delivery", "step", "is not due")
        to = min(t for _, t in pack.due)
        where = "delivery to all" if to == EVERYBODY else f"delivery to seat {to}"
        faces = read_delivery(book, item, pack.number, to, pack.th)
        places = [p for p, t in pack.due if t == to]
        wanted = [(pack.depth + p) % size for p in places]
        if [f.leaf for f in faces] != wanted:
            raise NotVerified(where, "leaves", "are not the ones that follow")
        if len(paths) != len(faces):
            raise NotVerified(where, "paths", "are not one for each card")
        for face, path in zip(faces, paths, strict=True):
            self._check_face(face, path, where)
        for place, face in zip(places, faces, strict=True):
            pack.faces[place] = face
            if to == EVERYBODY:
                play.learn(place, face.card)
        if to == EVERYBODY:
            pack.th = step_hash(pack.th, "face", item_bytes(item))
        pack.items += 1
        pack.due = [(p, t) for p, t in pack.due if t != to]
        if not pack.due and play.settle():
            self._next(pack)
        return faces

    def _check_face(self, face: Face, path: Sequence[bytes], where: str) -> None:
        book, pack = self._book(), self.mine()
        leaf = card_leaf(book.mh, pack.number, face)
        check_inclusion(leaf, face.leaf, book.manifest.pack, path, pack.root, where)

    def follow(self, item: Signed, paths: Paths) -> None:
        """Take a decision of any seat; *paths* lead from the leaves of shown cards to the root."""
        book, pack = self._book(), self.mine()
        play = pack.play
        if play is None or pack.due or play.asked is None:
            raise NotVerified("decide", "step", "is not due")
        said = read_message(item, book, pack.number, play.asked, "decide", pack.th)

        def check(face: Face) -> None:
            self._check_face(face, paths.get(face.leaf, ()), "show")

        hidden: list[int] | None = None
        if play.asked == self.number and pack.items in pack.hides:
            leaves = pack.hides[pack.items][1]
            hidden = [(leaf - pack.depth) % book.manifest.pack for leaf in leaves]
        apply(book, play, pack.depth, said.payload, check, hidden)
        pack.items += 1
        pack.th = step_hash(pack.th, "decide", item_bytes(item))
        self._next(pack)

    # -- what this seat says ----------------------------------------------------------------

    def say_commit(self, head: Head, values: dict[str, int]) -> Signed:
        """Commit to 64 fresh bytes and to the blind choices *values* that are this seat's."""
        book, pack = self._book(), self.mine()
        if pack.commit is not None:
            return pack.commit
        pack.data = self._draw(SECRET_BYTES)
        payload = contribution(book.mh, pack.number, self.number, pack.sl, pack.data)
        for seat, name in book.choices(pack.call.dealer):
            if seat != self.number:
                continue
            if name not in values:
                raise NotVerified("choices", name, "is this seat's to choose")
            book.check_choice(name, values[name])
            nonce = self._draw(32)
            pack.choices[name] = (values[name], nonce)
            payload += choice_commitment(
                book.mh, pack.number, self.number, pack.sl, name, values[name], nonce
            )
        pack.commit = self._say("commit", head, payload)
        return pack.commit

    def say_open(self, head: Head) -> Signed:
        """Open over the closing entry, once and for ever."""
        pack = self.mine()
        if not pack.cl:
            raise NotVerified("open", "closing", "has not come yet")
        if pack.open is None:
            pack.open = self._say("open", head, pack.cl + pack.data)
        return pack.open

    def say_chosen(self) -> list[bytes]:
        """Return the openings of this seat's choices; with a relay, at once after the opening."""
        book, pack = self._book(), self.mine()
        if pack.open is None or (book.manifest.relay == "none" and not pack.root):
            raise NotVerified("chosen", "root", "does not bind the order yet")
        return [
            chosen(book.mh, pack.number, self.number, name, value, nonce)
            for name, (value, nonce) in pack.choices.items()
        ]

    def question(self) -> Question | None:
        """Return what this seat is asked now, None when it is another's turn."""
        pack = self.pack
        if pack is None or pack.play is None or pack.due or pack.play.asked != self.number:
            return None
        return pack.play.question

    def say_answer(self, head: Head, text: str) -> Signed:
        """Sign an answer to the question that stands."""
        question = self._asked()
        return self._decide(head, answer_payload(question.name, text))

    def say_show(self, head: Head, places: Sequence[int]) -> Signed:
        """Sign the cards of these places of the hand, shown to all."""
        zone = self._asked().name.removeprefix("pick ")
        return self._decide(head, show_payload(zone, [self.mine().faces[p] for p in places]))

    def say_hide(self, head: Head, places: Sequence[int]) -> Signed:
        """Sign a hidden pick of these places; what was picked is opened at the end."""
        book, pack = self._book(), self.mine()
        zone = self._asked().name.removeprefix("pick ")
        leaves = tuple((pack.depth + p) % book.manifest.pack for p in places)
        if pack.items in pack.hides:
            nonce, stands = pack.hides[pack.items]
            if leaves != stands:
                raise NotVerified("decide", "step", "was decided otherwise before")
        else:
            nonce = self._draw(32)
        commitment = discard_commitment(book.mh, pack.number, self.number, nonce, leaves)
        pack.hides[pack.items] = (nonce, leaves)
        return self._decide(head, hide_payload(zone, len(places), commitment))

    def say_discards(self, number: int | None = None) -> list[Discard]:
        """Open every hidden pick of this seat in pack *number* (the last one) when it is over."""
        pack = self.mine() if number is None else self.packs[number]
        if pack.play is None or not pack.play.over:
            raise NotVerified("discard", "step", "is not due before the end")
        return [
            Discard(item=item, leaves=leaves, nonce=nonce.hex())
            for item, (nonce, leaves) in sorted(pack.hides.items())
        ]

    def _asked(self) -> Question:
        question = self.question()
        if question is None:
            raise NotVerified("decide", "seat", "is not asked now")
        return question

    def _decide(self, head: Head, payload: bytes) -> Signed:
        """Sign one decision for one moment, and give the same bytes when asked again."""
        pack = self.mine()
        if pack.decided is not None and pack.decided[0] == pack.th:
            if take_apart(pack.decided[1]).payload != payload:
                raise NotVerified("decide", "step", "was decided otherwise before")
            return pack.decided[1]
        said = self._say("decide", head, payload)
        pack.decided = (pack.th, said)
        return said

    def _say(self, step: str, head: Head, payload: bytes) -> Signed:
        book, pack = self._book(), self.mine()
        body = message(book.mh, pack.number, self.number, step, pack.th, head, payload)
        return sign(self.key, body)
