"""A witness that keeps openings until it has them all, so that silence is blind.

It sees neither the house's secret nor an order.  What it signed for a closing it never
takes back: held or missing, not both.  Kept by whoever runs it before anything is sent.

Source: PROTOCOL.md, "Deadlines, voids and who is believed"; design section 3, P6.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.shuffle.entries import CallEntry, ClosingEntry, RootEntry, Signed
from audit.shuffle.framing import same
from audit.shuffle.messages import (
    Covers,
    check_covers,
    first_hash,
    held,
    missing,
    read_message,
    receipt,
    sign,
    step_hash,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import Book, check_commits, check_open, read_chosen
from audit.shuffle.tree import leaf_hash


@dataclass(kw_only=True)
class Relayed:
    """One pack in the hands of the relay, from its closing entry on."""

    book: Book
    call: CallEntry
    sl: bytes
    cl: bytes
    th: bytes
    payloads: list[bytes]
    deadline: int | None
    opens: dict[int, Signed] = field(default_factory=dict, repr=False)
    choices: dict[tuple[int, str], bytes] = field(default_factory=dict, repr=False)
    statement: Signed | None = None
    holds: bool = False


class Relay:
    """The relay of the packs of any tables whose manifest names its key.

    *covers* knows the ledger's heads; without it an opening may name any.
    """

    def __init__(self, key: Ed25519PrivateKey, covers: Covers | None = None) -> None:
        self._key, self._covers = key, covers
        self.packs: dict[tuple[bytes, int], Relayed] = {}

    def closing(self, book: Book, call_raw: bytes, closing_raw: bytes, time: int | None) -> Relayed:
        """Take a closing entry that stands in the ledger since *time*, checked whole.

        None where that is not known yet; nothing is called missing before `counts_from`.
        """
        from audit.shuffle.entries import read_entry

        call, closing = read_entry(call_raw), read_entry(closing_raw)
        if not isinstance(call, CallEntry) or not isinstance(closing, ClosingEntry):
            raise NotVerified("relay", "entries", "are no call and closing")
        key = (book.mh, call.pack)
        cl, sl = leaf_hash(closing_raw), leaf_hash(call_raw)
        if key in self.packs:
            if not same(self.packs[key].cl, cl):
                raise NotVerified("closing", "entry", "is the second one for this pack")
            return self.packs[key]
        prev = bytes.fromhex(call.prev)
        th = step_hash(first_hash(book.mh, call.pack, prev), "call", call_raw)
        payloads = check_commits(book, call, sl, th, closing)
        self.packs[key] = Relayed(
            book=book,
            call=call,
            sl=sl,
            cl=cl,
            th=step_hash(th, "closing", closing_raw),
            payloads=payloads,
            deadline=None if time is None else time + book.manifest.limits.open,
        )
        return self.packs[key]

    def counts_from(self, mh: bytes, pack: int, time: int) -> None:
        """Count the limit from *time* on, if it was not known before."""
        one = self._one(mh, pack)
        if one.deadline is None:
            one.deadline = time + one.book.manifest.limits.open

    def take(self, mh: bytes, pack: int, seat: int, signed: Signed) -> None:
        """Take the opening of a seat; the first one binds."""
        one = self._one(mh, pack)
        if one.statement is not None and not one.holds:
            raise NotVerified("open", "step", "comes after the statement that it was missing")
        said = read_message(signed, one.book, pack, seat, "open", one.th)
        check_covers(self._covers, said, one.cl)
        check_open(one.book, pack, seat, one.sl, one.cl, one.payloads[seat], said.payload)
        if one.opens.setdefault(seat, signed) != signed:
            raise NotVerified("open", f"seat {seat}", "has opened otherwise before")

    def receipt(self, mh: bytes, pack: int, seat: int) -> Signed:
        """Sign that the opening of a seat was taken, with all its choices.

        An opening that is receipted is never called missing, so without its choices it is
        given no receipt.  Raises: NotVerified.
        """
        one = self._one(mh, pack)
        wanted = {pair for pair in one.book.choices(one.call.dealer) if pair[0] == seat}
        if seat not in one.opens or not wanted <= one.choices.keys():
            raise NotVerified("open", "choices", "are left out")
        return sign(self._key, receipt(mh, pack, seat, bytes.fromhex(one.opens[seat].body)))

    def take_chosen(self, mh: bytes, pack: int, raw: bytes) -> None:
        """Take the opening of a choice, to be given out when the root stands."""
        one = self._one(mh, pack)
        made = read_chosen(one.book, one.call, one.sl, one.payloads, raw)
        one.choices.setdefault((made.seat, made.name), raw)

    def _one(self, mh: bytes, pack: int) -> Relayed:
        if (mh, pack) not in self.packs:
            raise NotVerified("relay", "closing", "of this pack has not come")
        return self.packs[mh, pack]

    def speak(self, mh: bytes, pack: int, now: int) -> Signed | None:
        """Sign that everything is held, or after the deadline what is missing; once."""
        one = self._one(mh, pack)
        if one.statement is not None:
            return one.statement
        wanted = set(one.book.choices(one.call.dealer))
        lacking = {s for s in range(one.book.seats) if s not in one.opens}
        lacking |= {s for s, name in wanted if (s, name) not in one.choices}
        if not lacking:
            opens = [one.opens[s] for s in range(one.book.seats)]
            one.statement = sign(self._key, held(mh, pack, one.cl, opens, now))
            one.holds = True
        elif one.deadline is not None and now > one.deadline:
            seats = sorted(lacking)
            one.statement = sign(self._key, missing(mh, pack, one.cl, now, seats))
        return one.statement

    def opens(self, mh: bytes, pack: int) -> list[Signed]:
        """Return all openings, in seat order, once *held* is signed."""
        one = self._one(mh, pack)
        if not one.holds:
            raise NotVerified("relay", "held", "is not signed")
        return [one.opens[s] for s in range(one.book.seats)]

    def chosen(self, mh: bytes, pack: int, root: RootEntry) -> list[bytes]:
        """Return the openings of choices, once a root over this closing stands in the ledger."""
        one = self._one(mh, pack)
        if not one.holds or root.closing != one.cl.hex():
            raise NotVerified("relay", "root", "does not stand over what was held")
        return [one.choices[key] for key in sorted(one.choices)]
