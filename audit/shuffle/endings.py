"""What the entry that ends a pack must say for an honest seat to accept it.

Source: PROTOCOL.md, "One pack" and "Deadlines, voids and who is believed"; design
section 3, P6.
"""

from __future__ import annotations

from audit.shuffle.entries import HOUSE, OpenedEntry, UnfinishedEntry, VoidEntry
from audit.shuffle.messages import house_commitment, read_message, take_apart
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import Book, read_missing


def check_void(book: Book, entry: VoidEntry, *, cl: bytes, th: bytes, rooted: bool) -> None:
    """Refuse a void that is not free: after the root, or after the closing without the relay.

    *cl* is the leaf of the closing, empty before it; *th* the transcript hash so far.
    """
    if rooted:
        raise NotVerified("void", "stage", "comes after the root")
    _check_parties(book, "void", entry.parties)
    if not cl:
        if entry.stage != "commit" or entry.missing != "none":
            raise NotVerified("void", "stage", "is later than the pack", "commit", entry.stage)
        seats = [take_apart(one).seat for one in entry.commits]
        if seats != sorted(set(seats)) or set(seats) & set(entry.parties):
            raise NotVerified("void", "commits", "hold one of a seat that is named as missing")
        for seat, one in zip(seats, entry.commits, strict=True):
            read_message(one, book, entry.pack, seat, "commit", th)
        return
    if entry.missing == "none":
        raise NotVerified("void", "missing", "comes after the closing")
    if entry.stage != "open":
        raise NotVerified("void", "stage", "is over", "open", entry.stage)
    time, seats_missing = read_missing(book, entry.pack, cl, entry.missing)
    if entry.parties != seats_missing or entry.deadline != time:
        raise NotVerified("void", "parties", "are others than the relay says")


def check_unfinished(
    book: Book, entry: UnfinishedEntry, *, dealer: int, stage: str, asked: int | None, items: int
) -> None:
    """Refuse an unfinished end at another stage, or one that blames a seat nobody asked.

    *dealer* is that of the call; *stage*, *asked* and *items* are what the seat knows itself.
    A relay that held the openings holds the choices as well, so that after the root nobody but
    the house can have stopped the pack, which knows the order then.
    """
    _check_parties(book, "unfinished", entry.parties)
    if entry.stage != stage:
        raise NotVerified("unfinished", "stage", "is another one", stage, entry.stage)
    if stage == "open" and book.manifest.relay != "none":
        raise NotVerified("unfinished", "stage", "is the relay's to say")
    if stage == "open" and entry.parties[-1] != HOUSE:
        raise NotVerified("unfinished", "parties", "leave out the house")
    if stage == "choice":
        relayed = book.manifest.relay != "none"
        may = {HOUSE} if relayed else {seat for seat, _ in book.choices(dealer)}
        if not set(entry.parties) <= may:
            raise NotVerified("unfinished", "parties", "had nothing to choose, or had handed it in")
    if stage == "decide" and entry.items == items and entry.parties != (asked,):
        raise NotVerified("unfinished", "parties", "are not the seat that was asked", str(asked))


def _check_parties(book: Book, where: str, parties: tuple[int, ...]) -> None:
    known = all(p < book.seats or p == HOUSE for p in parties)
    if not known or parties != tuple(sorted(set(parties))):
        raise NotVerified(where, "parties", "are no list of seats and house")


def check_opened(book: Book, entry: OpenedEntry, *, end: bytes, commitment: str) -> None:
    """Refuse an opening of another secret than the sealed one, or after another end."""
    if entry.end != end.hex():
        raise NotVerified("opened", "end", "is another one", end.hex(), entry.end)
    check_secret(book, entry.pack, entry.secret, commitment)


def check_secret(book: Book, pack: int, secret: str, commitment: str) -> None:
    """Refuse a secret that is not the one in the call."""
    if house_commitment(book.mh, pack, bytes.fromhex(secret)).hex() != commitment:
        raise NotVerified("opened", "secret", "is not the one that was sealed")
