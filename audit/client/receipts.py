"""The receipts that a house signed for what a seat handed in, and what they prove.

A house that has signed a receipt can say neither that the message had not come nor put
another in its place: message, receipt and the entry that leaves the message out are together
a proof against it, which anybody can check who knows the house's key.

Source: PROTOCOL.md, "Receipts, and what is left out"; design section 3, P2, P6; C2SP
tlog-proof for the place of the entry in the ledger.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from audit.checkpoint import check_checkpoint
from audit.client.journal import Journal
from audit.ledger.receipt import Receipt, check_receipt
from audit.note import COSIGNATURE, ED25519, Key
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.entries import (
    ClosingEntry,
    Entry,
    RootEntry,
    Signed,
    TableManifest,
    UnfinishedEntry,
    VoidEntry,
    check_manifest,
    read_entry,
    table_hash,
)
from audit.shuffle.manifest import Bytes, Struct
from audit.shuffle.messages import Message, check_message_receipt, check_signature, take_apart
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import read_missing


class Pair(Struct, frozen=True, kw_only=True):
    """A message of a seat and the house's receipt for it."""

    message: Signed
    receipt: Signed


class Kept(Struct, frozen=True, kw_only=True):
    """The receipts of one pack, as they stand beside its transcript."""

    kind: Literal["fairdeal-receipts/1"] = "fairdeal-receipts/1"
    manifest: TableManifest
    receipts: tuple[Pair, ...]


class Dropped(Struct, frozen=True, kw_only=True):
    """A message, its receipt, and the entry that leaves it out, with its place in the ledger.

    The receipt is the house's, or the relay's for an opening that was handed to it.

    *entry* is the entry's text; *proof* the hex of a C2SP tlog-proof.
    """

    kind: Literal["fairdeal-dropped/1"] = "fairdeal-dropped/1"
    manifest: TableManifest
    message: Signed
    receipt: Signed
    entry: str
    proof: Bytes


@dataclass(frozen=True, kw_only=True)
class Breach:
    """What a `Dropped` shows: *who* left out what it had taken, by the key that signed.

    *who* is the house, or the relay where its own statement calls an opening missing.
    """

    origin: str
    who: Literal["house", "relay"]
    key: str
    mh: bytes
    pack: int
    seat: int
    step: str
    kind: str
    index: int


def leaves_out(said: Message, message: Signed, entry: Entry, *, relayed: bool) -> bool:
    """Whether *entry* stands where *message* had to be in it, or says that it had not come.

    An entry of another table, another pack or another step leaves nothing out.  Where openings
    are handed to a relay (*relayed*) only a void on its word can be held against its receipt.
    A receipt is for what was said, not for one of the many signatures that a seat can put under
    the same bytes: it cannot sign them anew and call the first signature another message.
    """
    if getattr(entry, "mh", "") != said.mh.hex() or getattr(entry, "pack", 0) != said.pack:
        return False
    match said.step, entry:
        case "commit", ClosingEntry():
            return _absent(message, entry.commits)
        case "commit", VoidEntry(stage="commit"):
            # A void publishes all that was contributed, whoever is named.
            return _absent(message, entry.commits) or said.seat in entry.parties
        case "open", RootEntry():
            return not relayed and _absent(message, entry.opens)
        case "open", UnfinishedEntry(stage="open"):
            return not relayed and said.seat in entry.parties
        case "open", VoidEntry(stage="open"):
            return relayed and said.seat in entry.parties
        case "decide", UnfinishedEntry(stage="decide"):
            # The decision would have changed the hash at which the pack is said to stand.
            return said.seat in entry.parties and entry.th == said.th.hex()
    return False


def _absent(message: Signed, told: Sequence[Signed]) -> bool:
    return all(one.body != message.body for one in told)


def receipt_key(made: TableManifest, step: str) -> str:
    """Return the key that signs receipts for a step: openings go to the relay, if there is one."""
    if step == "open" and made.relay != "none":
        return made.witnesses[made.relay].key
    return made.ledger_key


def ledger_keys(made: TableManifest) -> tuple[Key, list[Key]]:
    """Return the keys of the ledger and of the witnesses that a manifest names."""
    key = Key(name=made.origin, algorithm=ED25519, public=bytes.fromhex(made.ledger_key))
    return key, [
        Key(name=w.name, algorithm=COSIGNATURE, public=bytes.fromhex(w.key)) for w in made.witnesses
    ]


def check_dropped(raw: bytes, kept: bytes | None = None, where: str = "proof") -> Breach:
    """Return what a proof shows.

    Whose keys these are is the manifest's word, unless a checkpoint *kept* from elsewhere is
    signed by its ledger's key.  Raises: NotVerified where anything in it does not hold.
    """
    proof = read_as(raw, Dropped, where)
    made, message = proof.manifest, proof.message
    check_manifest(made)
    mh, said = table_hash(made), take_apart(message)
    if said.mh != mh or said.seat >= len(made.seats):
        raise NotVerified(where, "message", "is of another table")
    body = bytes.fromhex(message.body)
    check_signature(made.seats[said.seat], body, message.sig, f"{where}: message")
    signer = receipt_key(made, said.step)
    check_message_receipt(signer, proof.receipt, message, f"{where}: receipt")
    key, witnesses = ledger_keys(made)
    if kept is not None:
        check_checkpoint(kept, key, where="checkpoint")
    text = proof.entry.encode("ascii", "replace")
    place = bytes.fromhex(proof.proof)
    index, _ = check_receipt(place, text, key, witnesses, made.quorum, f"{where}: entry")
    entry = read_entry(text)
    if not leaves_out(said, message, entry, relayed=made.relay != "none"):
        raise NotVerified(where, "entry", "does not leave the message out")
    if isinstance(entry, VoidEntry) and entry.stage == "open":
        # The house may have written what the relay never said: its own words are needed.
        if entry.missing == "none":
            raise NotVerified(where, "missing", "is no statement of the relay")
        _, named = read_missing(_Bound(made, mh), said.pack, said.payload[:32], entry.missing)
        if said.seat not in named:
            raise NotVerified(where, "missing", "does not name the seat")
    return Breach(
        origin=made.origin,
        who="house" if signer == made.ledger_key else "relay",
        key=signer,
        mh=mh,
        pack=said.pack,
        seat=said.seat,
        step=said.step,
        kind=entry.kind,
        index=index,
    )


@dataclass(frozen=True)
class _Bound:
    """A manifest and its hash."""

    manifest: TableManifest
    mh: bytes


class Receipts:
    """What a seat holds of the pack in play; in the journal, and in *folder* when it is over."""

    def __init__(self, journal: Journal, folder: Path | None) -> None:
        self._journal, self._folder = journal, folder
        self._pairs: list[Pair] = []

    def begin(self) -> None:
        """Forget the pack before: its receipts stand beside its transcript."""
        self._pairs = []

    def put_back(self, pair: Pair) -> None:
        """Take what the journal holds."""
        self._pairs.append(pair)

    def take(self, made: TableManifest, message: Signed, given: Signed | None) -> None:
        """Check and keep the receipt *given* for a message that was taken.

        Raises: NotVerified where it is none, or is not signed by the house (the relay for an
        opening handed to it) for exactly that message.
        """
        said = take_apart(message)
        where = f"receipt for the {said.step}"
        if given is None:
            raise NotVerified(where, "receipt", "did not come, and the message was taken")
        check_message_receipt(receipt_key(made, said.step), given, message, where)
        pair = Pair(message=message, receipt=given)
        if pair not in self._pairs:
            self._journal.keep(k="receipt", pack=said.pack, message=message, receipt=given)
            self._pairs.append(pair)

    def store(self, made: TableManifest, pack: int) -> None:
        """Write the receipts of a pack that is over beside its transcript."""
        if self._folder is not None and self._pairs:
            kept = Kept(manifest=made, receipts=tuple(self._pairs))
            _write(self._folder / f"pack-{pack}.receipts.json", encode(kept))

    def check(self, made: TableManifest, entry: Entry, text: bytes, place: Receipt) -> None:
        """Refuse an entry that leaves out what the house has a receipt for; keep the proof.

        Raises: NotVerified.
        """
        for pair in self._pairs:
            said = take_apart(pair.message)
            if not leaves_out(said, pair.message, entry, relayed=made.relay != "none"):
                continue
            proof = Dropped(
                manifest=made,
                message=pair.message,
                receipt=pair.receipt,
                entry=text.decode("ascii"),
                proof=place.raw.hex(),
            )
            raw = encode(proof)
            try:
                check_dropped(raw)
            except NotVerified:
                # No proof, but an entry that the seat's own checks refuse by its fault.
                continue
            path = (self._folder or self._journal.folder) / f"dropped-{said.pack}.json"
            _write(path, raw)
            why = f"leaves out the {said.step}, for which there is a signed receipt"
            raise NotVerified(entry.kind, f"seat {said.seat}", f"{why}; the proof is in {path}")


def _write(path: Path, raw: bytes) -> None:
    """Write a whole file or none."""
    temporary = path.with_suffix(".new")
    with temporary.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


__all__ = ["Breach", "Dropped", "Kept", "Pair", "Receipts", "check_dropped", "leaves_out"]
