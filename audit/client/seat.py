"""A seat at a dealing service: its own key, its own bytes, every check made at once.

    seat = Seat(Api(url), table, 2, token, Journal(path), Auto())
    seat.run()

What is signed is on disk before it is sent and is sent again verbatim; a checkpoint that does
not extend the last one stops everything.  At the end of each pack the transcript is verified
against the checkpoint that this seat kept, and stored beside the journal.

Source: PROTOCOL.md, "What a client keeps and refuses"; design section 3, P5, P8, P12.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.client import box
from audit.client.api import Api
from audit.client.early import Early
from audit.client.journal import Journal
from audit.client.log import View
from audit.client.player import Player
from audit.client.receipts import Pair, Receipts
from audit.client.refusal import Answered, Unreachable
from audit.ledger.receipt import Receipt
from audit.plan import Question
from audit.shuffle.canonical import encode
from audit.shuffle.entries import (
    EVERYBODY,
    BatchEntry,
    CallEntry,
    Entry,
    OpenedEntry,
    Signed,
    TableEntry,
    TableManifest,
    read_entry,
    table_hash,
)
from audit.shuffle.messages import card_request, public_hex, sign
from audit.shuffle.refusal import NotVerified
from audit.shuffle.seat import Mine, SeatAtTable, Standing
from audit.shuffle.transcript import verify_transcript
from audit.wire import (
    Accepted,
    Asking,
    Boxed,
    BoxKey,
    Choices,
    Discards,
    Done,
    Draft,
    Following,
    Item,
    Items,
    Listening,
    Log,
    Message,
    Opening,
    Signature,
    Taking,
    Told,
)

PATIENCE = 60.0
WAIT = 20


class Seat:
    """Seat *number* of *table*; *relay* is the relay's own address where there is one."""

    def __init__(
        self,
        api: Api,
        table: str,
        number: int,
        token: str,
        journal: Journal,
        player: Player,
        *,
        folder: Path | None = None,
        relay: Api | None = None,
        clock: Callable[[], float] = time.time,
        wait: int = WAIT,
    ) -> None:
        self._api, self._table, self._token = api, table, token
        self._journal, self._player, self._folder = journal, player, folder
        self._receipts = Receipts(journal, folder)
        self._early = Early(journal)
        self._relay, self._clock, self._wait = relay, clock, wait
        self._door = f"/api/tables/{table}"
        self._mh = self._sig = ""
        self._next = 0
        self._item = self._heard = 0
        self._coming: list[Item] = []
        self._given: tuple[int, bytes] = (0, b"")
        self._sent: set[tuple[int, str]] = set()
        self._kept: list[dict[str, Any]] = []
        self._call: dict[str, Any] | None = None
        self._toopen: list[int] = []
        self._view: View | None = None
        self.closed = False
        self.verified: list[int] = []
        self.ended: list[str] = []
        self.seat = self._restore(number)

    # -- what was kept ------------------------------------------------------------------------

    def _restore(self, number: int) -> SeatAtTable:
        lines = self._journal.lines
        if not lines:
            key = Ed25519PrivateKey.from_private_bytes(os.urandom(32))
            seat = SeatAtTable(number, key)
            self._journal.add(
                k="key",
                key=key.private_bytes_raw().hex(),
                nonce=seat.nonce.hex(),
                table=self._table,
                seat=number,
            )
            return seat
        first = lines[0]
        if first.get("table") != self._table or first.get("seat") != number:
            raise NotVerified("state", "table", "is another table's or seat's")
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(first["key"]))
        seat = SeatAtTable(number, key)
        seat.nonce = bytes.fromhex(first["nonce"])
        signed = [line for line in lines if line["k"] == "sig"]
        self._mh = signed[-1]["mh"] if signed else ""
        self._sig = signed[-1]["sig"] if signed else ""
        calls = [n for n, line in enumerate(lines) if line["k"] == "call"]
        if calls:
            self._call, self._kept = lines[calls[-1]], lines[calls[-1] + 1 :]
            done = {line["pack"] for line in self._kept if line["k"] == "done"}
            self._toopen = [n for n in self._call["toopen"] if n not in done]
            self._journal.replace([first, *signed[-1:], self._call, *self._kept])
        return seat

    def _kept_head(self) -> tuple[int, bytes] | None:
        heads = [line["head"] for line in self._journal.lines if "head" in line]
        return (heads[-1][0], bytes.fromhex(heads[-1][1])) if heads else None

    def _head(self) -> tuple[int, bytes]:
        if self._view is None or self._view.head is None:
            raise NotVerified("seat", "checkpoint", "has not come yet")
        return self._view.head

    def _note(self, kind: str, **line: object) -> None:
        size, root = self._head()
        self._journal.add(k=kind, head=[size, root.hex()], **line)

    # -- sitting down -------------------------------------------------------------------------

    def sit(self) -> None:
        """Take the seat and sign the manifest, after checking what it says of this seat."""
        seat = self.seat
        if self._mh:
            # It may have been stopped before its signature was sent.
            body = Signature(seat=seat.number, token=self._token, sig=self._sig)
            self._send(f"{self._door}/signatures", body, Done)
            return
        self._send(
            f"{self._door}/seats",
            Taking(
                seat=seat.number,
                token=self._token,
                key=public_hex(seat.key),
                nonce=seat.nonce.hex(),
            ),
            Done,
        )
        draft = self._draft()
        law = msgspec.json.decode(draft.law)
        mh = table_hash(draft.manifest)
        entry = TableEntry(law=law, manifest=draft.manifest, sigs=())
        if draft.manifest.table != self._table:
            raise NotVerified("manifest", "table", "is another one")
        if draft.manifest.relay != "none" and self._relay is None:
            # Signed, the seat would stand as the one whose opening was missing.
            raise NotVerified("relay", "address", "is not known; give it with --relay")
        sig = seat.sign_manifest(entry, mh)
        self._journal.add(k="sig", mh=mh.hex(), sig=sig)
        self._mh, self._sig = mh.hex(), sig
        body = Signature(seat=seat.number, token=self._token, sig=sig)
        self._send(f"{self._door}/signatures", body, Done)

    def _draft(self) -> Draft:
        until = self._clock() + PATIENCE
        while True:
            try:
                return self._api.get(f"{self._door}/manifest", Draft, wait=self._wait)
            except Unreachable:
                if self._clock() > until:
                    raise
                time.sleep(0.05)
            except Answered as err:
                if err.status == 409:
                    # The other seats are not taken yet, however long that lasts.
                    until = self._clock() + PATIENCE
                elif err.status not in (429, 503) or self._clock() > until:
                    raise
                time.sleep(0.05)

    def _send(self, path: str, body: msgspec.Struct, kind: type[Any]) -> Any:
        """Send again, verbatim, until there is an answer; None where it is not due (any more).

        Raises: NotStored where what is to be said may not be on disk.
        """
        self._journal.check()
        until = self._clock() + PATIENCE
        while True:
            try:
                return self._api.post(path, body, kind)
            except (Unreachable, Answered) as err:
                if not self._again(err, until):
                    return None
            time.sleep(0.05)

    def _again(self, err: Unreachable | Answered, until: float) -> bool:
        """Whether to ask again, False where it is not due (any more); else raise *err*."""
        if isinstance(err, Answered):
            if err.status == 409 and err.problem.refused is None:
                return False
            if err.status not in (429, 503):
                raise err
        if self._clock() > until:
            raise err
        return True

    def _fetch(self, path: str, anchor: int) -> bytes:
        """Return what stands at *path*, asked for until it is there."""
        until = self._clock() + PATIENCE
        while True:
            try:
                return self._api.raw(path, anchor=anchor)
            except (Unreachable, Answered) as err:
                again = isinstance(err, Unreachable) or err.status in (429, 503)
                if not again or self._clock() > until:
                    raise
            time.sleep(0.05)

    # -- the log ------------------------------------------------------------------------------

    def sync(self, wait: int) -> bool:
        """Take what is new in the log; return whether there was something."""
        until = self._clock() + PATIENCE
        start = 0 if self._view is None else self._view.start
        # What is being listened to goes on from an older place: it is begun again.
        self._heard = 0
        while True:
            try:
                told = self._api.get(
                    f"{self._door}/log", Log, after=self._next, start=start, wait=wait
                )
                break
            except (Unreachable, Answered) as err:
                again = isinstance(err, Unreachable) or err.status in (409, 429, 503)
                if not again or self._clock() > until:
                    raise
                time.sleep(0.05)
        if self._view is None:
            if not told.entries:
                return False
            made = self._first(told)
            kept = self._kept_head()
            self._view = View.of(made, kept)
            if kept is not None:
                # The proof has to start at the size that was kept.
                return self.sync(0)
        return self._take_log(told)

    def _take_log(self, told: Log) -> bool:
        """Take an answer's entries in order; return whether there were any."""
        assert self._view is not None
        found = self._view.take(told, self._next - 1)
        for (index, raw), one in zip(found, told.entries, strict=True):
            self._next = index + 1
            entry = read_entry(raw)
            if self.seat.book is not None:
                path = tuple(bytes.fromhex(step) for step in one.path)
                place = Receipt(index=index, path=path, checkpoint=bytes.fromhex(told.checkpoint))
                self._receipts.check(self.seat.book.manifest, entry, raw, place)
            self._feed(index, raw, entry)
            if self.seat.book is not None:
                self._early.check(self.seat.book.manifest, entry, index, raw)
        if self.seat.book is not None:
            self._early.see(self._view, self.seat.book.manifest)
        return bool(found)

    def _first(self, told: Log) -> TableManifest:
        """Return the manifest of the table entry, which has to be the one that was signed."""
        entry = read_entry(told.entries[0].entry.encode("ascii", "replace"))
        if not isinstance(entry, TableEntry) or table_hash(entry.manifest).hex() != self._mh:
            raise NotVerified("table", "manifest", "is not the one that this seat signed")
        return entry.manifest

    def _feed(self, index: int, raw: bytes, entry: Entry) -> None:
        seat, call = self.seat, self._call
        if isinstance(entry, TableEntry | BatchEntry):
            seat.feed(raw)
            return
        if call is not None:
            # Packs that ended before the restart were checked then.
            if index < call["index"]:
                return
            seat.resume(msgspec.convert(call["standing"], Standing))
            self._call = None
            seat.feed(raw)
            self._remember(seat.mine())
            return
        if isinstance(entry, CallEntry):
            standing = msgspec.to_builtins(seat.standing())
            seat.feed(raw)
            self._note("call", pack=entry.pack, index=index, standing=standing, toopen=self._toopen)
            self._item, self._coming = 0, []
            self._receipts.begin()
            return
        if entry.kind in ("end", "unfinished"):
            self._catch_up(seat.mine())
        seat.feed(raw)
        if isinstance(entry, OpenedEntry):
            self._toopen.append(entry.pack)
        if entry.kind in ("end", "void", "unfinished"):
            self.ended.append(seat.mine().ended)
            assert seat.book is not None
            self._receipts.store(seat.book.manifest, seat.mine().number)
            self._player.told(f"pack {seat.mine().number}: {entry.kind}")
        if entry.kind == "closed":
            self.closed = True

    def _remember(self, mine: Mine) -> None:
        """Put back what this seat had said of the pack in play."""
        for line in self._kept:
            match line["k"]:
                case "commit":
                    mine.data = bytes.fromhex(line["data"])
                    mine.choices = {
                        name: (value, bytes.fromhex(nonce))
                        for name, (value, nonce) in line["choices"].items()
                    }
                    mine.commit = msgspec.convert(line["signed"], Signed)
                case "open":
                    mine.open = msgspec.convert(line["signed"], Signed)
                case "receipt":
                    pair = {"message": line["message"], "receipt": line["receipt"]}
                    self._receipts.put_back(msgspec.convert(pair, Pair))
                case "decide":
                    signed = msgspec.convert(line["signed"], Signed)
                    mine.decided = (bytes.fromhex(line["th"]), signed)
                    if line["hide"]:
                        nonce, leaves = line["hide"]
                        mine.hides[line["item"]] = (bytes.fromhex(nonce), tuple(leaves))
        self._kept = []

    # -- what this seat says ------------------------------------------------------------------

    def act(self) -> bool:
        """Say what is due; return whether something was said or came."""
        moved = self._verify()
        mine = self.seat.pack
        if mine is None or mine.ended:
            return moved
        if not mine.cl:
            return self._commit(mine) or moved
        if not mine.root:
            return self._open(mine) or moved
        if mine.play is None:
            return self._choose(mine) or moved
        if not mine.play.over:
            return self._cards(mine) or moved
        return self._discard(mine) or moved

    def _said(self, mine: Mine, step: str, *, taken: bool) -> bool:
        """Note that a message need not be sent again if it was *taken*; return that.

        One that was not due is said again after the next look at the log, if it still is.
        """
        if taken:
            self._sent.add((mine.number, step))
        return taken

    def _commit(self, mine: Mine) -> bool:
        if (mine.number, "commit") in self._sent:
            return False
        book = self.seat.book
        assert book is not None
        if mine.commit is None:
            values = {
                name: self._player.choose(book, name)
                for at, name in book.choices(mine.call.dealer)
                if at == self.seat.number
            }
            signed = self.seat.say_commit(self._head(), values)
            choices = {n: [value, nonce.hex()] for n, (value, nonce) in mine.choices.items()}
            self._note(
                "commit", pack=mine.number, data=mine.data.hex(), choices=choices, signed=signed
            )
        assert mine.commit is not None
        return self._said(mine, "commit", taken=self._message("commit", mine.commit))

    def _message(self, step: Literal["commit", "open", "decide"], signed: Signed) -> bool:
        """Send a message; return whether it was taken, which it is not where it is not due."""
        body = Message(seat=self.seat.number, step=step, signed=signed)
        if step == "commit":
            # The first that is said of a pack goes with the wish to hear of it.
            return self._listen_from(self.seat.mine(), self._wait, body) is not None
        told: Accepted | None = self._send(f"{self._door}/messages", body, Accepted)
        if told is not None:
            self._receipted(signed, told.receipt)
        return told is not None

    def _receipted(self, message: Signed, receipt: Signed | None) -> None:
        """Check and keep the receipt of the house, or of the relay.  Raises: NotVerified."""
        assert self.seat.book is not None
        self._receipts.take(self.seat.book.manifest, message, receipt)

    def _open(self, mine: Mine) -> bool:
        if (mine.number, "open") in self._sent:
            return False
        if mine.open is None:
            signed = self.seat.say_open(self._head())
            self._note("open", pack=mine.number, cl=mine.cl.hex(), signed=signed)
        assert mine.open is not None
        book = self.seat.book
        assert book is not None
        if book.manifest.relay == "none":
            taken = self._message("open", mine.open)
        else:
            self._hand_over(mine, book.manifest, mine.open)
            taken = True
        return self._said(mine, "open", taken=taken)

    def _hand_over(self, mine: Mine, made: TableManifest, signed: Signed) -> None:
        """Give opening and choices to the relay, sealed to the key in the manifest.

        Returns when they were taken, or when the pack went on without them.
        """
        self._journal.check()
        if self._relay is None or made.relay == "none":
            raise NotVerified("relay", "address", "is not known; give it with --relay")
        opening = Opening(signed=signed, chosen=tuple(c.hex() for c in self.seat.say_chosen()))
        bound = f"{self._mh}|{mine.number}".encode()
        until = self._clock() + PATIENCE
        while True:
            try:
                # A relay that was started again has another key.
                told = self._relay.get("/relay/key", BoxKey)
                public = box.read_announced(told.key, made.witnesses[made.relay].key)
                sealed = box.seal(public, encode(opening), bound).hex()
                body = Boxed(table=self._table, pack=mine.number, seat=self.seat.number, box=sealed)
                told_open = self._relay.post("/relay/open", body, Accepted)
                self._receipted(signed, told_open.receipt)
                return
            except Unreachable:
                if self._clock() > until:
                    raise
            except Answered as err:
                # The relay may not have seen the closing yet, or have changed its key just now.
                again = err.status in (409, 429, 503) or err.problem.where == "box"
                if not again or self._clock() > until:
                    raise
            self.sync(0)
            if mine.root or mine.ended:
                return
            time.sleep(0.05)

    def _choose(self, mine: Mine) -> bool:
        book = self.seat.book
        assert book is not None
        if book.manifest.relay != "none" or (mine.number, "chosen") in self._sent:
            return False
        raws = self.seat.say_chosen()
        if not raws:
            return False
        body = Choices(chosen=tuple(raw.hex() for raw in raws))
        told: Done | None = self._send(f"{self._door}/chosen", body, Done)
        return self._said(mine, "chosen", taken=told is not None)

    def _ask(self, step: str, mine: Mine) -> Signed:
        mh = bytes.fromhex(self._mh)
        now = int(self._clock())
        body = card_request(mh, mine.number, self.seat.number, step, mine.th, now)
        return sign(self.seat.key, body)

    def _cards(self, mine: Mine) -> bool:
        """Answer when this seat is asked, once."""
        step = f"decide {mine.th.hex()}"
        question = self.seat.question()
        if question is None or (mine.number, step) in self._sent:
            return False
        self._decide(mine, question)
        assert mine.decided is not None
        return self._said(mine, step, taken=self._message("decide", mine.decided[1]))

    # -- what this seat hears -----------------------------------------------------------------

    def _listen(self, wait: int) -> bool:
        """Take what comes in *wait* seconds; return whether there was something."""
        mine = self.seat.pack
        if mine is None:
            return self.sync(wait)
        if not self._api.following or self._heard != mine.number:
            return bool(self._listen_from(mine, wait))
        try:
            told = self._api.next_line(self._door, Told, wait)
        except Unreachable:
            # The next step listens again from where this one broke off.
            return False
        return told is not None and self._hear(mine, told)

    def _listen_from(self, mine: Mine, wait: int, say: Message | None = None) -> bool | None:
        """Begin to listen; return whether there was something, None if *say* was not due."""
        assert self._view is not None
        log = Following(after=self._next, start=self._view.start)
        until = self._clock() + PATIENCE
        while True:
            ask = self._ask("cards", mine)
            body = Listening(
                ask=ask, after=self._item, wait=wait, log=log, say=say, transcript=True
            )
            try:
                told = self._api.follow(f"{self._door}/listen", body, Told)
                break
            except (Unreachable, Answered) as err:
                if not self._again(err, until):
                    return None
            time.sleep(0.05)
        self._heard = mine.number
        if say is not None:
            self._receipted(say.signed, told.receipt)
        return self._hear(mine, told)

    def _hear(self, mine: Mine, told: Told) -> bool:
        """Take items and entries, each where it belongs between the others."""
        self._coming += told.items
        self._item = max(self._item, told.count)
        entered = told.log is not None and self._take_log(told.log)
        if told.transcript is not None:
            self._given = (mine.number, told.transcript.encode("ascii", "replace"))
        # An entry may have been that of the next pack, which has no items yet.
        if mine is self.seat.pack:
            self._take_coming(mine)
        return bool(told.items) or entered

    def _take_coming(self, mine: Mine) -> None:
        """Take the items that have come, once the entry before them has come too."""
        if mine.play is not None:
            coming, self._coming = self._coming, []
            for item in coming:
                self._take(mine, item)

    def _catch_up(self, mine: Mine) -> None:
        """Take the items that are still to come before the entry that ends the pack."""
        self._take_coming(mine)
        while mine.play is not None and not mine.play.over:
            body = Asking(ask=self._ask("cards", mine), after=self._item)
            told: Items | None = self._send(f"{self._door}/cards", body, Items)
            if told is None or told.count <= self._item:
                return
            for item in told.items:
                self._take(mine, item)
            self._item = max(self._item, told.count)
        if mine.play is not None:
            self._discard(mine)

    def _take(self, mine: Mine, item: Item) -> None:
        paths = {one.leaf: [bytes.fromhex(p) for p in one.path] for one in item.leaves}
        if item.to in (self.seat.number, EVERYBODY):
            faces = self.seat.receive(item.signed, list(paths.values()))
            whom = "all" if item.to == EVERYBODY else "you"
            self._player.told(f"to {whom}: {self._names([f.card for f in faces])}")
        else:
            self.seat.follow(item.signed, dict(paths))

    def _names(self, cards: list[int]) -> str:
        from audit.cards import show

        book = self.seat.book
        assert book is not None
        return show([book.pack[c] for c in cards])

    def _decide(self, mine: Mine, question: Question) -> None:
        if mine.decided is None or mine.decided[0] != mine.th:
            book = self.seat.book
            assert book is not None
            hand = {p: book.pack[f.card] for p, f in mine.faces.items()}
            answer = self._player.decide(book, question, hand)
            head = self._head()
            if isinstance(answer, str):
                signed = self.seat.say_answer(head, answer)
            elif question.hidden:
                signed = self.seat.say_hide(head, answer)
            else:
                signed = self.seat.say_show(head, answer)
            hide: object = None
            if mine.items in mine.hides:
                nonce, leaves = mine.hides[mine.items]
                hide = [nonce.hex(), list(leaves)]
            self._note(
                "decide",
                pack=mine.number,
                th=mine.th.hex(),
                item=mine.items,
                signed=signed,
                hide=hide,
            )

    def _discard(self, mine: Mine) -> bool:
        if not mine.hides or (mine.number, "discard") in self._sent:
            return False
        body = Discards(pack=mine.number, discards=tuple(self.seat.say_discards()))
        told: Done | None = self._send(f"{self._door}/discards", body, Done)
        return self._said(mine, "discard", taken=told is not None)

    # -- afterwards ---------------------------------------------------------------------------

    def _verify(self) -> bool:
        """Fetch and check the transcript of every pack that was opened."""
        moved = bool(self._toopen)
        while self._toopen:
            number = self._toopen[0]
            if self.seat.standing().ended[number - 1] != "opened":
                self._toopen.pop(0)
                continue
            head = self._head()
            if self._given[0] == number:
                raw, self._given = self._given[1], (0, b"")
            else:
                raw = self._fetch(f"{self._door}/packs/{number}/transcript", head[0])
            verdict = verify_transcript(raw, head)
            if not verdict.verified:
                raise NotVerified("transcript", "anchor", "is not the checkpoint that was kept")
            if self._folder is not None:
                path = self._folder / f"pack-{number}.json"
                temporary = path.with_suffix(".new")
                temporary.write_bytes(raw)
                os.replace(temporary, path)
            self._note("done", pack=number)
            self._toopen.pop(0)
            self.verified.append(number)
            self._player.told(f"pack {number}: verified against {verdict.anchor}")
        return moved

    def close_table(self) -> None:
        """Ask for the table to be closed after this pack."""
        mine = self.seat.mine()
        body = Asking(ask=self._ask("close", mine))
        self._send(f"{self._door}/close", body, Done)

    def close(self) -> None:
        """Stand up: give connections and journal back."""
        self._api.close()
        if self._relay is not None:
            self._relay.close()
        self._journal.close()

    def step(self, wait: int) -> bool:
        """Say what is due, or take what is new; return whether anything happened."""
        fresh = self._view is None
        moved = fresh and self.sync(wait)
        while self.act():
            moved = True
        if not self.closed and (fresh or not moved):
            heard = self._listen(0 if moved else wait)
            moved = heard or moved
            while heard and self.act():
                pass
        return moved

    def run(self, packs: int = 0) -> None:
        """Play until the table is closed, or *packs* packs were verified."""
        self.sit()
        while not self.closed and (not packs or len(self.verified) < packs):
            self.step(self._wait)
