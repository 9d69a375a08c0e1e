"""The ledger: entries in, receipts out.

One thread writes. It takes what has queued, at most 256 calls, appends their leaves, signs
one checkpoint, commits once and only then answers everybody. When the store fails for good,
the ledger serves what is durable and appends nothing more.

With PostgreSQL several processes may have one ledger open; each takes its turn under the
store's lock and first follows what the others have written. Who has made a claim writes only
while it stands, which is looked at in the turn itself: a process that was taken for dead, and
was replaced, writes nothing more when it wakes.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from audit.checkpoint import (
    check_checkpoint,
    check_witnesses,
    read_text,
    sign_checkpoint,
)
from audit.errors import FairdealError, NotVerified, UsageError
from audit.ledger.receipt import Receipt
from audit.ledger.refusal import Exists, StoreFailed, Superseded
from audit.ledger.store import Batch, Cosignature, Identity, Store, check_key, check_sizes
from audit.ledger.tree import Tree
from audit.merkle import EMPTY_ROOT, leaf_hash
from audit.note import Key, Note, Signer, check_line, read_line, read_note

MAX_CALLS = 256
CHUNK = 16_384
CLOCK_SLACK = 300
RECENT = 16


@dataclass(frozen=True, kw_only=True)
class Appended:
    """Where the first entry of a call stands, and the checkpoint that holds all of them.

    *size* is the checkpoint's.
    """

    first: int
    checkpoint: bytes
    size: int


@dataclass(frozen=True, kw_only=True)
class _Call:
    entries: tuple[bytes, ...]
    puts: Mapping[str, bytes]
    deletes: frozenset[str]
    unless: tuple[str, ...]
    cosignature: Cosignature | None
    answer: Future[Appended]


def new_identity(signer: Signer) -> tuple[Identity, bytes]:
    """Return what a new store is created with: its identity, and the empty checkpoint."""
    return Identity(key=signer.key.text), sign_checkpoint(signer, 0, EMPTY_ROOT)


class Ledger:
    """One open ledger.  Every method may be called from any thread."""

    def __init__(
        self,
        store: Store,
        signer: Signer,
        witnesses: Sequence[Key] = (),
        clock: Callable[[], float] = time.time,
        claims: Mapping[str, bytes] | None = None,
    ) -> None:
        """Take over *store*, which `close` and a refusal close; *clock* gives seconds since 1970.

        Writes only while every key of *claims* has its value.

        Raises: NotVerified when the store is another key's, or its newest checkpoint is not
        that of its entries.
        """
        self._store, self._signer, self._clock = store, signer, clock
        self._witnesses = tuple(witnesses)
        self._tree, self._growing = Tree(), threading.Lock()
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        # The last checkpoint whose root was found to be that of the tree.
        self._agreed = b""
        # The last checkpoints that this process signed and stored, by size.
        self._notes: dict[int, bytes] = {}
        self._failure: FairdealError | None = None
        self._claims = dict(claims or {})
        try:
            self._check_store()
        except BaseException:
            store.close()
            raise
        self._thread = threading.Thread(target=self._write, name="ledger", daemon=True)
        self._thread.start()

    def _check_store(self) -> None:
        check_witnesses(self.key, self._witnesses)
        where, said = self._store.where, self._store.identity.key
        if said != self.key.text:
            raise NotVerified(where, "key", "is another ledger's", said, self.key.text)
        before = self._store.size()
        newest = check_checkpoint(self.checkpoint(), self.key, where=where).checkpoint
        # Another process may append between these lines, so the size is taken twice.
        if not before <= newest.size <= self._store.size():
            raise NotVerified(where, "entries", "are not as many as the checkpoint says")
        self._follow(newest.size)

    @property
    def key(self) -> Key:
        """The public key under which the checkpoints are signed."""
        return self._signer.key

    @property
    def failure(self) -> FairdealError | None:
        """Why nothing more is appended; None while all is well."""
        return self._failure

    def append(
        self,
        entries: Sequence[bytes],
        puts: Mapping[str, bytes] | Sequence[tuple[str, bytes]] = (),
        deletes: Sequence[str] = (),
        unless: Sequence[str] = (),
    ) -> Appended:
        """Append *entries*, adjacent and all or none, with changes of the state.

        *unless* names keys of *puts* that must have no value yet: of all calls that create
        one of them, the first binds. Durable when this returns.
        Raises: Exists, with nothing written; StoreFailed, the outcome being unknown.
        """
        return self.submit(entries, puts, deletes, unless).result()

    def submit(
        self,
        entries: Sequence[bytes],
        puts: Mapping[str, bytes] | Sequence[tuple[str, bytes]] = (),
        deletes: Sequence[str] = (),
        unless: Sequence[str] = (),
    ) -> Future[Appended]:
        """Do as `append` does, and return at once with the answer to wait for."""
        values = {check_key(key): bytes(value) for key, value in dict(puts).items()}
        gone = frozenset(check_key(key) for key in deletes)
        body = tuple(bytes(entry) for entry in entries)
        check_sizes(body, values.values())
        if not values.keys() >= set(unless):
            raise UsageError("ledger", "unless", "names a key that the call does not put")
        if values.keys() & gone:
            raise UsageError("ledger", "deletes", "names a key that the call puts")
        return self._queue(body, values, gone, tuple(unless), None)

    def put_once(self, key: str, value: bytes) -> bytes:
        """Return the value that *key* has from now on: *value*, or the one that stood."""
        try:
            self.append((), {key: value}, unless=(key,))
        except Exists as standing:
            return standing.value
        return value

    def claim(self, key: str, value: bytes) -> None:
        """Put *value* under *key*, and from now on write only while it stands there.

        Whatever another process had under way is durable or lost when this returns: what is
        read from now on is all that there will be of it. Raises: StoreFailed.
        """
        self.append((), {key: value})
        self._claims = {**self._claims, key: value}

    def get(self, key: str) -> bytes | None:
        """Return the value of *key*, None if it has none."""
        return self._store.get(check_key(key))

    def scan(self, prefix: str) -> list[tuple[str, bytes]]:
        """Return the keys that begin with *prefix* and their values, in order of bytes."""
        return self._store.scan(prefix)

    def checkpoint(self, size: int | None = None) -> bytes:
        """Return the signed checkpoint of *size*, the newest if None.

        Raises: IndexError when none was ever signed for that size.
        """
        # One that was signed for a size stays; the newest is another one tomorrow.
        note = None if size is None else self._notes.get(size)
        if note is None:
            note = self._store.checkpoint(size)
        if note is None:
            raise IndexError(f"no checkpoint of size {size}")
        return note

    @property
    def size(self) -> int:
        """The number of entries under the newest checkpoint."""
        return self._size(self.checkpoint())

    def entry(self, index: int) -> bytes:
        """Return one entry.  Raises: IndexError."""
        if not 0 <= index < self.size:
            raise IndexError(f"entry {index} of {self.size}")
        return self._store.entries(index, index + 1)[0]

    def entries(self, first: int, end: int) -> list[bytes]:
        """Return entries *first* to *end* (not included).  Raises: IndexError."""
        if not 0 <= first <= end <= self.size:
            raise IndexError(f"entries {first} to {end} of {self.size}")
        return self._store.entries(first, end)

    def root(self, size: int) -> bytes:
        """Return the root of the first *size* entries, 32 bytes.  Raises: IndexError."""
        return self._reach(size).root(size)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the path of entry *index* in the tree of *size*.  Raises: IndexError."""
        return self._reach(size).inclusion(index, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that size *new* extends size *old* >= 1.  Raises: IndexError."""
        return self._reach(new).consistency(old, new)

    def nodes(self, level: int, first: int, end: int) -> bytes:
        """Return hashes *first* to *end* (not included) of full subtrees of 2**level leaves.

        Raises: IndexError when one of them is not there.
        """
        return self._reach(end << level).nodes(level, first, end)

    def receipt(self, index: int, quorum: int = 0) -> bytes:
        """Return the receipt of entry *index* under the newest checkpoint with *quorum*.

        Raises: IndexError when no such checkpoint holds the entry yet.
        """
        note = self.cosigned(quorum)
        if note is None or not 0 <= index < self._size(note):
            raise IndexError(f"entry {index} is under no checkpoint with {quorum} witnesses")
        path = self.inclusion(index, self._size(note))
        return Receipt(index=index, path=tuple(path), checkpoint=note).raw

    def add_cosignature(self, line: str, size: int | None = None) -> int:
        """Check and keep a witness's *line* under the checkpoint of *size*; return the size.

        Without *size* the line is tried on the newest 16 checkpoints. A witness's first line
        for a size stands. Raises: NotVerified; IndexError for a size without checkpoint.
        """
        at, answer = self._cosign(line, size)
        answer.result()
        return at

    def submit_cosignature(self, line: str, size: int) -> Future[Appended]:
        """Do as `add_cosignature` does, and return at once with the answer to wait for."""
        return self._cosign(line, size)[1]

    def _cosign(self, line: str, size: int | None) -> tuple[int, Future[Appended]]:
        where = "cosignature"
        read = read_line(line, where)
        known = [w for w in self._witnesses if (w.name, w.id) == (read.name, read.key_id)]
        if not known:
            raise NotVerified(where, "witness", "is not one of this ledger", "", read.name)
        notes = self._recent() if size is None else [(size, self.checkpoint(size))]
        refusal: NotVerified | None = None
        for at, raw in notes:
            try:
                when = check_line(read_note(raw, where).text, read, known[0], where)
            except NotVerified as err:
                refusal = err
                continue
            if when > self._clock() + CLOCK_SLACK:
                raise NotVerified(where, "time", "lies in the future")
            kept = Cosignature(size=at, public=known[0].public, line=line)
            return at, self._queue((), {}, frozenset(), (), kept)
        raise refusal or NotVerified(where, "checkpoint", "is missing")

    def cosigned(self, quorum: int) -> bytes | None:
        """Return the newest checkpoint with *quorum* or more witnesses' lines, all of them.

        None when there is none yet; every checkpoint has 0.
        """
        keys = [w.public for w in self._witnesses]
        if quorum > len(keys):
            return None
        if quorum > 0:
            size = self._store.cosigned(keys, quorum)
            if size is None:
                return None
            note = read_note(self.checkpoint(size), self._store.where)
        else:
            note = read_note(self.checkpoint(), self._store.where)
            size = read_text(note.text, self._store.where).size
        lines = {c.public: c.line for c in self._store.cosignatures(size, size + 1)}
        more = tuple(read_line(lines[k], "cosignature") for k in keys if k in lines)
        return Note(text=note.text, lines=note.lines + more).raw

    def close(self) -> None:
        """Finish what has queued, and give the store back."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._calls.put(None)
        self._thread.join()
        self._store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _size(self, note: bytes) -> int:
        return read_text(read_note(note, self._store.where).text, self._store.where).size

    def _recent(self) -> list[tuple[int, bytes]]:
        found = [(self.size, self.checkpoint())]
        low = max(0, found[0][0] - MAX_CALLS * RECENT)
        found += reversed(self._store.checkpoints(low, found[0][0]))
        return found[:RECENT]

    def _reach(self, size: int) -> Tree:
        """Return the tree, grown to *size* at least if the ledger has that many entries."""
        if size > self._tree.size:
            if size > self.size:
                raise IndexError(f"size {size} of a ledger of {self.size}")
            self._follow(self.size)
        return self._tree

    def _follow(self, size: int, note: bytes | None = None) -> None:
        """Read leaves up to *size*, and compare the root with its checkpoint in the store.

        *note* is that checkpoint if it has just been read.
        """
        with self._growing:
            grown = self._tree.size < size
            while self._tree.size < size:
                first = self._tree.size
                leaves = self._store.leaves(first, min(first + CHUNK, size))
                if not leaves:
                    raise StoreFailed(self._store.where, f"entry {first} is missing", final=True)
                self._tree.extend(leaves)
        # What the store holds now, not what it was given: it may have been put back.
        where = self._store.where
        note = self._store.checkpoint(size) if note is None else note
        if note is None:
            raise IndexError(f"no checkpoint of size {size}")
        if note == self._agreed:
            return
        if grown:
            at = check_checkpoint(note, self.key, where=where).checkpoint
        else:
            at = read_text(read_note(note, where).text, where)
        if (at.size, at.root) != (size, self._tree.root(size)):
            raise NotVerified(where, "root", "is not that of the entries")
        self._agreed = note

    def _queue(
        self,
        entries: tuple[bytes, ...],
        puts: Mapping[str, bytes],
        deletes: frozenset[str],
        unless: tuple[str, ...],
        cosignature: Cosignature | None,
    ) -> Future[Appended]:
        answer: Future[Appended] = Future()
        call = _Call(
            entries=entries,
            puts=puts,
            deletes=deletes,
            unless=unless,
            cosignature=cosignature,
            answer=answer,
        )
        with self._gate:
            if self._closed:
                raise StoreFailed(self._store.where, "the ledger was closed", final=True)
            if self._failure is not None:
                raise self._stopped()
            self._calls.put(call)
        return answer

    def _stopped(self) -> StoreFailed:
        why = f"nothing more is appended since: {self._failure}"
        return StoreFailed(self._store.where, why, final=True)

    def _write(self) -> None:
        going = True
        while going:
            group = [self._calls.get()]
            while len(group) < MAX_CALLS and group[-1] is not None:
                try:
                    group.append(self._calls.get_nowait())
                except queue.Empty:
                    break
            going = group[-1] is not None
            # A caller may have given up waiting before its turn came: nothing is written.
            calls = [c for c in group if c and c.answer.set_running_or_notify_cancel()]
            if calls:
                self._serve(calls)

    def _serve(self, calls: Sequence[_Call]) -> None:
        failure: FairdealError
        try:
            if self._failure is not None:
                raise self._stopped()
            answers = self._commit(calls)
        except StoreFailed as err:
            failure = err
        except FairdealError as err:
            failure = StoreFailed(self._store.where, str(err), final=True)
        except Exception as err:
            # Whatever it was, what stands in the store is no longer sure.
            failure = StoreFailed(self._store.where, type(err).__name__, final=True)
            failure.__cause__ = err
        else:
            for call, answer in zip(calls, answers, strict=True):
                if isinstance(answer, Exists):
                    call.answer.set_exception(answer)
                else:
                    call.answer.set_result(answer)
            return
        if failure.final and self._failure is None:
            self._failure = failure
        with contextlib.suppress(FairdealError):
            self._store.rollback()
        for call in calls:
            call.answer.set_exception(failure)

    def _commit(self, calls: Sequence[_Call]) -> list[Appended | Exists]:
        first, stood = self._store.begin()
        self._follow(first, stood)
        if self._tree.size != first:
            # A server put back, or replaced by one that lags: to go on would be a fork.
            raise StoreFailed(self._store.where, "entries that stood are lost", final=True)
        claims = self._claims
        asked = sorted({key for call in calls for key in call.unless} | claims.keys())
        state = self._store.standing(asked) if asked else {}
        if any(state.get(key) != value for key, value in claims.items()):
            raise Superseded(self._store.where)
        entries: list[bytes] = []
        cosignatures: list[Cosignature] = []
        places: list[int | Exists] = []
        changed: dict[str, bytes | None] = {}
        for call in calls:
            values = [(key, changed.get(key, state.get(key))) for key in call.unless]
            standing = [(key, value) for key, value in values if value is not None]
            if standing:
                places.append(Exists(*standing[0]))
                continue
            places.append(first + len(entries))
            entries += call.entries
            changed.update(call.puts)
            changed.update(dict.fromkeys(call.deletes))
            if call.cosignature is not None:
                cosignatures.append(call.cosignature)
        leaves = [leaf_hash(entry) for entry in entries]
        note = None
        if entries:
            root = self._tree.root_with(leaves)
            note = sign_checkpoint(self._signer, first + len(entries), root)
        batch = Batch(
            first=first,
            entries=entries,
            leaves=leaves,
            checkpoint=note,
            puts=[(k, v) for k, v in changed.items() if v is not None],
            deletes=[k for k, v in changed.items() if v is None],
            cosignatures=cosignatures,
        )
        if entries or changed or cosignatures:
            self._store.commit(batch)
        else:
            self._store.rollback()
        with self._growing:
            # A reader may have followed the commit already.
            if self._tree.size == first:
                self._tree.extend(leaves)
        if note is not None:
            self._agreed = note
            if len(self._notes) >= RECENT:
                del self._notes[next(iter(self._notes))]
            self._notes[first + len(entries)] = note
        at, size = note or stood or self.checkpoint(), first + len(entries)
        return [
            p if isinstance(p, Exists) else Appended(first=p, checkpoint=at, size=size)
            for p in places
        ]
