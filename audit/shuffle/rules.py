"""Rules of a live table that house, seats, relay and verifier hold each other to.

Source: PROTOCOL.md, "Manifest and table", "One pack" and "Cards".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from audit.plan import PACKETS, Ask, Step
from audit.shuffle.canonical import encode
from audit.shuffle.derive import extract
from audit.shuffle.entries import (
    CallEntry,
    Chosen,
    ClosingEntry,
    Discard,
    Signed,
    TableEntry,
    TableManifest,
    check_manifest,
    pone_of,
    read_entry,
    table_hash,
)
from audit.shuffle.framing import frame, same, unframe, whole
from audit.shuffle.lawbook import check_shown, law_hash, steps_in
from audit.shuffle.messages import (
    Bound,
    Face,
    check_signature,
    choice_commitment,
    contribution,
    discard_commitment,
    held,
    missing,
    read_faces,
    read_message,
)
from audit.shuffle.play import Play
from audit.shuffle.refusal import NotVerified


@dataclass(frozen=True, kw_only=True)
class Book:
    """What a table entry binds, read once: manifest, its hash, plan and pack."""

    manifest: TableManifest
    mh: bytes
    plan: tuple[Step, ...]
    pack: tuple[int, ...]

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.manifest.seats)

    def choices(self, dealer: int) -> list[tuple[int, str]]:
        """Return who chooses what blindly in a pack, in the order of the protocol."""
        found = [(pone_of(dealer, self.seats), "cut")]
        if any(isinstance(step, Ask) and step.name == PACKETS for step in self.plan):
            found.append((dealer, PACKETS))
        return found

    def play(self, dealer: int, packets: int) -> Play:
        """Return the course of a pack."""
        return Play(
            plan=self.plan,
            pack=self.pack,
            seats=self.seats,
            dealer=dealer,
            packets=packets,
            trump=self.manifest.options.get("trump", ""),
        )

    def check_choice(self, name: str, value: int) -> None:
        """Refuse a choice that the law leaves nobody."""
        most = self.manifest.pack - self.manifest.min_cut
        if name == "cut" and not self.manifest.min_cut <= value <= most:
            raise NotVerified(
                "cut",
                "depth",
                "is outside the packets",
                f"{self.manifest.min_cut} to {most}",
                str(value),
            )
        if name == PACKETS:
            step = next(s for s in self.plan if isinstance(s, Ask) and s.name == PACKETS)
            if value >= len(step.choices):
                raise NotVerified(
                    "choices", PACKETS, "is no choice of the law", " ".join(step.choices)
                )


def book_of(entry: TableEntry) -> Book:
    """Return the book of a table entry; refuses one that does not hold together."""
    made = entry.manifest
    check_manifest(made)
    law: Mapping[str, Any] = entry.law
    raw = encode(law)
    if law_hash(raw).hex() != made.law:
        raise NotVerified("table", "law", "is not the one that the manifest binds")
    if set(law) != {"id", "pack", "plan", "shown"}:
        raise NotVerified("law", "names", "are others", "id pack plan shown")
    cards = law["pack"]
    if (
        not isinstance(cards, list)
        or not all(isinstance(c, int) and 0 <= c < 78 for c in cards)
        or cards != sorted(set(cards))
        or len(cards) != made.pack
    ):
        raise NotVerified("law", "pack", "is not a rising list of as many cards as the manifest")
    plan = steps_in(law["plan"])
    check_shown(law["shown"], plan)
    if law["id"] != made.game:
        raise NotVerified("law", "id", "is of another game", made.game, str(law["id"]))
    mh = table_hash(made)
    if len(entry.sigs) != len(made.seats):
        raise NotVerified("table", "sigs", "are not one for each seat")
    for seat, sig in enumerate(entry.sigs):
        check_signature(made.seats[seat], frame("sign-manifest", mh), sig, f"manifest, seat {seat}")
    return Book(manifest=made, mh=mh, plan=plan, pack=tuple(cards))


@lru_cache(maxsize=16)
def read_book(raw: bytes) -> Book:
    """Return the book of a table entry's canonical bytes, as `book_of` does."""
    entry = read_entry(raw)
    if not isinstance(entry, TableEntry):
        raise NotVerified("entry", "kind", "is not that of a table", "table", entry.kind)
    return book_of(entry)


def pack_key(
    mh: bytes, call: bytes, closing: bytes, secret: bytes, parts: Sequence[bytes]
) -> bytes:
    """Return the key of the pack: one extract over all bytes in full, in seat order."""
    return extract(frame("seed", mh, call, closing, secret, *parts))


def check_commit(book: Book, call: CallEntry, seat: int, payload: bytes) -> None:
    """Refuse a commitment to another number of things than the seat has to choose."""
    wanted = 32 * (1 + sum(s == seat for s, _ in book.choices(call.dealer)))
    if len(payload) != wanted:
        raise NotVerified(
            "commit",
            f"seat {seat}",
            "commits to another number of things",
            str(wanted),
            str(len(payload)),
        )


def check_commits(
    book: Book, call: CallEntry, sl: bytes, th: bytes, closing: ClosingEntry
) -> list[bytes]:
    """Return the payloads of a closing entry that holds every seat once, each signed."""
    if len(closing.commits) != book.seats:
        raise NotVerified(
            "closing",
            "seats",
            "are not exactly those of the manifest",
            str(book.seats),
            str(len(closing.commits)),
        )
    for name, one, other in (("mh", book.mh.hex(), closing.mh), ("pack", call.pack, closing.pack)):
        if one != other:
            raise NotVerified("closing", name, "is another one", str(one), str(other))
    if closing.call != sl.hex():
        raise NotVerified("closing", "call", "is another one", sl.hex(), closing.call)
    payloads: list[bytes] = []
    for seat, signed in enumerate(closing.commits):
        said = read_message(signed, book, closing.pack, seat, "commit", th)
        check_commit(book, call, seat, said.payload)
        payloads.append(said.payload)
    if len({p[:32] for p in payloads}) != len(payloads):
        raise NotVerified("closing", "commits", "hold one commitment twice")
    return payloads


def check_open(
    book: Book, pack: int, seat: int, sl: bytes, cl: bytes, commit: bytes, payload: bytes
) -> bytes:
    """Return the 64 bytes of an opening over this closing that agrees with its *commit*."""
    where = f"open of seat {seat}"
    if len(payload) != 96 or not same(payload[:32], cl):
        raise NotVerified(where, "closing", "is opened over another closing entry")
    if not same(contribution(book.mh, pack, seat, sl, payload[32:]), commit[:32]):
        raise NotVerified(where, "bytes", "are not those committed to")
    return payload[32:]


def check_opens(
    book: Book,
    pack: int,
    sl: bytes,
    cl: bytes,
    payloads: Sequence[bytes],
    opens: Sequence[Signed],
    th: bytes,
) -> list[bytes]:
    """Return the bytes of every seat, each opened over this closing and as committed."""
    if len(opens) != book.seats:
        raise NotVerified("root", "opens", "are not one for each seat")
    parts: list[bytes] = []
    for seat, signed in enumerate(opens):
        payload = read_message(signed, book, pack, seat, "open", th).payload
        parts.append(check_open(book, pack, seat, sl, cl, payloads[seat], payload))
    return parts


def read_chosen(
    book: Book, call: CallEntry, sl: bytes, payloads: Sequence[bytes], raw: bytes
) -> Chosen:
    """Return an opened choice that agrees with its commitment and with the law."""
    mh, number, seat, name, value, nonce = unframe("chosen", raw, 6)
    if not same(mh, book.mh) or whole("chosen", number) != call.pack:
        raise NotVerified("chosen", "pack", "is of another pack or table")
    made = Chosen(
        name=name.decode("ascii", "replace"),
        nonce=nonce.hex(),
        seat=whole("chosen", seat),
        value=whole("chosen", value),
    )
    check_chosen(book, call, sl, payloads, made)
    return made


def check_chosen(
    book: Book, call: CallEntry, sl: bytes, payloads: Sequence[bytes], made: Chosen
) -> None:
    """Refuse a choice that is not this seat's, not the one committed to, or not lawful."""
    wanted = book.choices(call.dealer)
    if (made.seat, made.name) not in wanted or len(made.nonce) != 64:
        raise NotVerified("choices", made.name, "is not this seat's to choose", "", str(made.seat))
    mine = [name for seat, name in wanted if seat == made.seat]
    at = 32 * (1 + mine.index(made.name))
    nonce = bytes.fromhex(made.nonce)
    got = choice_commitment(book.mh, call.pack, made.seat, sl, made.name, made.value, nonce)
    if not same(got, payloads[made.seat][at : at + 32]):
        raise NotVerified("choices", made.name, "is not the one committed to")
    book.check_choice(made.name, made.value)


def check_held(
    book: Book, pack: int, cl: bytes, statement: Signed, opens: Sequence[Signed]
) -> None:
    """Refuse a statement that is not the relay's about exactly these openings."""
    relay = book.manifest.relay
    if relay == "none":
        raise NotVerified("held", "relay", "is in no manifest")
    body = bytes.fromhex(statement.body)
    time = whole("held", unframe("held", body, 5)[4])
    if not same(body, held(book.mh, pack, cl, opens, time)):
        raise NotVerified("held", "openings", "are others than the relay held")
    check_signature(book.manifest.witnesses[relay].key, body, statement.sig, "held")


def read_missing(
    book: Bound, pack: int, cl: bytes, statement: Signed
) -> tuple[int, tuple[int, ...]]:
    """Return time and seats of the relay's statement about this closing."""
    relay = book.manifest.relay
    if relay == "none":
        raise NotVerified("missing", "relay", "is in no manifest")
    body = bytes.fromhex(statement.body)
    seats_in_all = len(book.manifest.seats)
    for count in range(1, seats_in_all + 1):
        if len(body) == len(missing(book.mh, pack, cl, 0, range(count))):
            parts = unframe("missing", body, 4 + count)
            time = whole("missing", parts[3])
            seats = tuple(whole("missing", p) for p in parts[4:])
            break
    else:
        raise NotVerified("missing", "seats", "are no list of seats")
    if seats != tuple(sorted(set(seats))) or seats[-1] >= seats_in_all:
        raise NotVerified("missing", "seats", "are no list of seats")
    if not same(body, missing(book.mh, pack, cl, time, seats)):
        raise NotVerified("missing", "closing", "is another one")
    check_signature(book.manifest.witnesses[relay].key, body, statement.sig, "missing")
    return time, seats


def apply(
    book: Book,
    play: Play,
    depth: int,
    payload: bytes,
    check: Callable[[Face], None],
    hidden: Sequence[int] | None = None,
) -> bytes | None:
    """Let a decision go its course; return the commitment of a hidden pick, else None.

    *check* refuses a face that is not in the pack; *hidden* are the places of a hidden
    pick, where they are known.

    Raises: NotVerified where the law allows no such decision.
    """
    size = book.manifest.pack
    if payload.startswith(frame("answer")):
        name, text = unframe("answer", payload, 2)
        play.answer(name.decode("ascii", "replace"), text.decode("ascii", "replace"))
        return None
    if payload.startswith(frame("show")):
        zone, raw = unframe("show", payload, 2)
        faces = read_faces(raw, "show")
        for face in faces:
            check(face)
        places = {(face.leaf - depth) % size: face.card for face in faces}
        if len(places) != len(faces):
            raise NotVerified("show", "cards", "hold one twice")
        play.show(zone.decode("ascii", "replace"), places)
        return None
    zone, count, commitment = unframe("hide", payload, 3)
    if len(commitment) != 32:
        raise NotVerified("hide", "commitment", "has not 32 bytes")
    play.hide(zone.decode("ascii", "replace"), whole("hide", count), hidden)
    return commitment


def check_discards(
    book: Book,
    pack: int,
    play: Play,
    hides: Mapping[int, tuple[int, bytes]],
    discards: Sequence[Discard],
    depth: int,
) -> list[int]:
    """Hold opened picks to the pack that *play* has followed; return the seats that opened none.

    *hides* has seat and commitment of every hidden pick by item number.

    Raises: NotVerified for an opening that is not the pick committed to, or of cards that were
    not in that hand, were shown later, or are opened twice.
    """
    opened = {d.item: d for d in discards}
    if len(opened) != len(discards):
        raise NotVerified("opened", "discards", "open one item twice")
    if not set(opened) <= set(hides):
        raise NotVerified("opened", "discards", "open an item that hid nothing")
    size = book.manifest.pack
    gone: set[int] = set()
    missing: list[int] = []
    for item, hidden in zip(sorted(hides), play.hidden, strict=True):
        seat, commitment = hides[item]
        if item not in opened:
            missing.append(seat)
            continue
        discard = opened[item]
        if any(leaf >= size for leaf in discard.leaves):
            raise NotVerified("opened", "discards", "hold a leaf outside the pack")
        nonce = bytes.fromhex(discard.nonce)
        mine = discard_commitment(book.mh, pack, seat, nonce, discard.leaves)
        if not same(mine, commitment):
            raise NotVerified("opened", "discards", "are not those committed to")
        places = {(leaf - depth) % size for leaf in discard.leaves}
        if not len(discard.leaves) == len(places) == hidden.cards or places & gone:
            raise NotVerified("opened", "discards", "hold one card twice, or too few")
        if not places <= hidden.may:
            raise NotVerified("opened", "discards", "were not in that hand")
        gone |= places
    return missing


def in_order(order: Sequence[int], salt: Sequence[bytes]) -> Callable[[Face], None]:
    """Return a check of faces against the whole order."""

    def check(face: Face) -> None:
        if (
            not 0 <= face.leaf < len(order)
            or order[face.leaf] != face.card
            or not same(salt[face.leaf], face.salt)
        ):
            raise NotVerified("show", "card", "is not the one in the pack")

    return check
