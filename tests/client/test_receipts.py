"""A house, or a relay, that takes a message and then has not had it: the seat can prove it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.checkpoint import sign_checkpoint
from audit.cli.main import outcome
from audit.client.api import Api
from audit.client.receipts import Breach, Kept, check_dropped, leaves_out
from audit.client.seat import Seat
from audit.games import GAMES
from audit.keyfile import read_private
from audit.note import Signer
from audit.service import room as service_room
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.entries import (
    ClosingEntry,
    Limits,
    Signed,
    UnfinishedEntry,
    VoidEntry,
    read_entry,
)
from audit.shuffle.framing import unframe
from audit.shuffle.house import House
from audit.shuffle.local import Room
from audit.shuffle.messages import (
    check_message_receipt,
    check_signature,
    message,
    receipt,
    sign,
    take_apart,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.relay import Relay
from tests.service.rig import Watch, house, play, seats_at, together
from tests.shuffle.make_table_vectors import seeded

SOON = Limits(commit=1, open=1, choice=2, decide=1)
STEPS = ("commit", "open", "decide")
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\1")
EMPTY = hashlib.sha256(b"").digest()
Spoil = Callable[[Signed | None], Signed | None]


class Spoiling(Api):
    """A connection on which the receipts for messages of one step are changed."""

    def __init__(self, url: str, step: str, spoil: Spoil) -> None:
        super().__init__(url)
        self._step, self._spoil, self._said = step, spoil, ""

    def post(self, path: str, body: msgspec.Struct, kind: type[Any]) -> Any:
        told = super().post(path, body, kind)
        if path.endswith("/messages") and getattr(body, "step", "") == self._step:
            told = msgspec.structs.replace(told, receipt=self._spoil(told.receipt))
        return told

    def follow(self, path: str, body: msgspec.Struct, kind: type[Any]) -> Any:
        told = super().follow(path, body, kind)
        say = getattr(body, "say", None)
        if say is not None and say.step == self._step:
            told = msgspec.structs.replace(told, receipt=self._spoil(told.receipt))
        return told


def another_key(given: Signed | None) -> Signed:
    assert given is not None
    return sign(STRANGER, bytes.fromhex(given.body))


def of_another_message(key: Ed25519PrivateKey) -> Spoil:
    """Return a receipt of the same house for the same seat and pack, not for this message."""

    def spoil(given: Signed | None) -> Signed:
        assert given is not None
        mh, pack, seat, _ = unframe("receipt", bytes.fromhex(given.body), 4)
        numbers = int.from_bytes(pack, "big"), int.from_bytes(seat, "big")
        return sign(key, receipt(mh, *numbers, b"something else"))

    return spoil


def stopped(seats: list[Seat]) -> str:
    """Let every seat play a pack, or to where it stops; return why any of them stopped."""
    found: list[str] = []

    def run(seat: Seat) -> None:
        try:
            seat.run(1)
        except NotVerified as err:
            found.append(str(err))

    together([lambda seat=seat: run(seat) for seat in seats])  # type: ignore[misc]
    for seat in seats:
        seat.close()
    return "\n".join(found)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("how", ["none", "another key", "another message"])
def test_a_message_that_is_taken_with_no_or_a_false_receipt_is_named(
    tmp_path: Path, step: str, how: str
) -> None:
    with house(tmp_path / "house") as made:
        key = read_private(made.settings.key)
        spoil: Spoil = {
            "none": lambda _: None,
            "another key": another_key,
            "another message": of_another_message(key),
        }[how]
        table = made.table("ecarte_foster", 2, limits=SOON)
        seats = seats_at(made.url, table, tmp_path, connect=lambda u: Spoiling(u, step, spoil))
        why = {
            "none": "did not come",
            "another key": "is not that of the key",
            "another message": "is not the one that was sent",
        }[how]
        said = stopped(seats)
    assert f"receipt for the {step}: " in said
    assert why in said


def dropping(step: str, *only: int) -> Callable[..., Signed]:
    """Return a house's way to take messages that signs a receipt and forgets one of *step*.

    The seat is the one given, else the first that sends one.
    """
    plain = service_room.Room.message
    victims = set(only)

    def message(self: service_room.Room, seat: int, kind: str, signed: Signed) -> Signed:
        if kind == step and (not victims or seat in victims):
            victims.add(seat)
            return self._receipt(take_apart(signed).pack, seat, signed)
        return plain(self, seat, kind, signed)

    return message


def dropped(folder: Path) -> tuple[bytes, Breach]:
    """Return the one proof that the seats of a table have written, and what it shows."""
    found = sorted(folder.glob("seat-*/dropped-*.json"))
    assert len(found) == 1
    raw = found[0].read_bytes()
    return raw, check_dropped(raw)


@pytest.mark.parametrize("step", STEPS)
def test_a_house_that_gives_a_receipt_and_drops_the_message_is_proved_to(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_room.Room, "message", dropping(step))
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2, limits=SOON)
        assert f"leaves out the {step}" in stopped(seats_at(made.url, table, tmp_path))
        raw, breach = dropped(tmp_path)
        public, note = made.key.public.hex(), made.hall.newest(0)
        assert note is not None
    assert (breach.who, breach.key, breach.step, breach.pack) == ("house", public, step, 1)
    assert breach.kind == ("void" if step == "commit" else "unfinished")
    the_command_says_so(tmp_path, raw, note.note)
    every_change_is_refused(raw)


def the_command_says_so(folder: Path, raw: bytes, note: bytes) -> None:
    """Verify with the house's checkpoint, with none, and with another ledger's."""
    proof, kept, other = folder / "proof.json", folder / "kept", folder / "other"
    proof.write_bytes(raw)
    kept.write_bytes(note)
    other.write_bytes(sign_checkpoint(Signer("house.example/ledger", STRANGER), 0, EMPTY))
    for more, code in (
        ([], 3),
        (["--checkpoint", str(kept)], 0),
        (["--checkpoint", str(other)], 1),
    ):
        assert outcome(["verify", str(proof), *more]) == code


def every_change_is_refused(raw: bytes) -> None:
    """Refuse a proof in which a digit or letter anywhere is another one."""
    for at in range(0, len(raw), 7):
        if raw[at : at + 1].isalnum():
            other = b"0" if raw[at : at + 1] != b"0" else b"1"
            with pytest.raises(NotVerified):
                check_dropped(raw[:at] + other + raw[at + 1 :])


def test_a_seat_started_again_still_holds_the_receipt_of_what_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_room.Room, "message", dropping("commit"))
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2, limits=SOON)
        seats = seats_at(made.url, table, tmp_path, wait=0)
        # The house takes the first commitment that comes, and forgets it.
        play_until_committed(seats)
        for seat in seats:
            seat.close()
        assert "leaves out the commit" in stopped(seats_at(made.url, table, tmp_path))
        assert dropped(tmp_path)[1].step == "commit"


def play_until_committed(seats: list[Seat]) -> None:
    together([seat.sit for seat in seats])
    for seat in seats:
        while not any(line.get("k") == "receipt" for line in on_disk(seat._journal.folder)):
            seat.step(0)


def on_disk(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a seat's journal."""
    raw = (folder / "seat.jsonl").read_bytes()
    return [msgspec.json.decode(line) for line in raw.splitlines()]


def test_receipts_of_an_honest_pack_stand_beside_its_transcript(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("seven_up_4", 4, packs=2)
        play(seats_at(made.url, table, tmp_path))
        public = made.key.public.hex()
    for number in range(4):
        for pack in (1, 2):
            path = tmp_path / f"seat-{number}" / f"pack-{pack}.receipts.json"
            kept = read_as(path.read_bytes(), Kept, "receipts")
            steps = [take_apart(pair.message).step for pair in kept.receipts]
            assert steps[:2] == ["commit", "open"]
            assert set(steps[2:]) <= {"decide"}
            for pair in kept.receipts:
                assert take_apart(pair.message).pack == pack
                check_message_receipt(public, pair.receipt, pair.message, "receipt")
    assert not list(tmp_path.glob("seat-*/dropped-*"))


def late(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody's message of *step* be sent but the first seat's."""
    plain: dict[str, Any] = {"commit": Seat._commit, "open": Seat._open, "decide": Seat._cards}

    def silent(self: Seat, mine: Any) -> bool:
        return bool(plain[step](self, mine)) if self.seat.number == 0 else False

    names = {"commit": "_commit", "open": "_open", "decide": "_cards"}
    monkeypatch.setattr(Seat, names[step], silent)


@pytest.mark.parametrize("step", ["commit", "open"])
def test_a_house_that_names_who_was_silent_is_not_accused_by_who_spoke(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    late(step, monkeypatch)
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2, limits=SOON)
        seats = seats_at(made.url, table, tmp_path)
        play(seats)
    assert [seat.ended for seat in seats] == [["void" if step == "commit" else "unfinished"]] * 2
    assert not list(tmp_path.glob("seat-*/dropped-*"))


def test_a_proof_needs_an_entry_of_the_step_and_the_moment() -> None:
    """A seat cannot make a proof of an entry that stands where nothing had to be."""
    body = {"mh": "ab" * 32, "pack": 1, "after": "00" * 32, "deadline": 5, "secret": "00" * 64}
    void = VoidEntry(**body, stage="commit", parties=(0,), commits=())  # type: ignore[arg-type]
    body.pop("secret")
    stopped = UnfinishedEntry(
        **body,  # type: ignore[arg-type]
        stage="decide",
        parties=(0,),
        items=3,
        th="cd" * 32,
    )
    key = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\2")

    def said(step: str, th: str, *, pack: int = 1, seat: int = 0) -> Signed:
        head = (1, bytes(32))
        raw = message(bytes.fromhex("ab" * 32), pack, seat, step, bytes.fromhex(th), head, b"x")
        return sign(key, raw)

    def out(one: Signed, entry: Any, *, relayed: bool = False) -> bool:
        return leaves_out(take_apart(one), one, entry, relayed=relayed)

    assert out(said("commit", "cd" * 32), void)
    assert not out(said("commit", "cd" * 32, pack=2), void)
    assert not out(said("open", "cd" * 32), void)
    mine = said("commit", "cd" * 32, seat=1)
    assert out(mine, void)
    assert not out(mine, msgspec.structs.replace(void, commits=(mine,)))
    assert out(said("decide", "cd" * 32), stopped)
    # It was decided, and the pack had gone on to where the next decision was not.
    assert not out(said("decide", "ce" * 32), stopped)
    assert not out(said("decide", "cd" * 32, seat=1), stopped)
    # What the house writes of openings that went to a relay is no word of the relay's.
    opening, silent = said("open", "cd" * 32), msgspec.structs.replace(stopped, stage="open")
    assert out(opening, silent)
    assert not out(opening, silent, relayed=True)


def at_a_relay(
    folder: Path, monkeypatch: pytest.MonkeyPatch, victim: int, alarm: str
) -> tuple[bytes, Breach, str]:
    """Play a pack with a relay that takes an opening, forgets it and calls it missing."""
    plain = Relay.speak

    def speak(self: Relay, mh: bytes, pack: int, now: int) -> Signed | None:
        self.packs[mh, pack].opens.pop(victim, None)
        return plain(self, mh, pack, now)

    monkeypatch.setattr(Relay, "speak", speak)
    watch = Watch(folder / "witness", relay=True)
    with house(folder / "house", witnesses=(watch.key,), quorum=1) as made:
        watch.start(made)
        try:
            table = made.table("seven_up_2", 2, relay=0, limits=SOON)
            seats = seats_at(made.url, table, folder, relay=watch.url, wait=1)
            assert alarm in stopped(seats)
        finally:
            watch.stop()
    return *dropped(folder), watch.key.public.hex()


def test_a_relay_that_calls_missing_what_it_has_a_receipt_for_is_proved_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, breach, public = at_a_relay(tmp_path, monkeypatch, 0, "leaves out the open")
    assert (breach.who, breach.key, breach.step, breach.kind) == ("relay", public, "open", "void")
    every_change_is_refused(raw)


def test_the_house_alone_cannot_make_a_proof_against_the_relay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The void names a seat that the relay's own statement does not name."""
    plain = House._void

    def void(self: House, pack: Any, stage: Any, parties: Any, *rest: Any) -> VoidEntry:
        return plain(self, pack, stage, (0, 1) if stage == "open" else parties, *rest)

    monkeypatch.setattr(House, "_void", void)
    raw, breach, _ = at_a_relay(tmp_path, monkeypatch, 1, "are others than the relay says")
    assert breach.seat == 1
    pairs = [line for line in on_disk(tmp_path / "seat-0") if line["k"] == "receipt"]
    mine = pairs[-1]
    assert take_apart(msgspec.convert(mine["message"], Signed)).step == "open"
    proof = msgspec.json.decode(raw) | {name: mine[name] for name in ("message", "receipt")}
    with pytest.raises(NotVerified, match="does not name the seat"):
        check_dropped(encode(proof))


def signed_anew(key: Ed25519PrivateKey, body: bytes, nonce: int) -> Signed:
    """Return another signature under *body* that verifies: RFC 8032, 5.1.6, with any *nonce*."""
    prime, order = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
    d = -121665 * pow(121666, -1, prime) % prime
    y = 4 * pow(5, -1, prime) % prime
    square = (y * y - 1) * pow(d * y * y + 1, -1, prime) % prime
    x = pow(square, (prime + 3) // 8, prime)
    x = x if x * x % prime == square else x * pow(2, (prime - 1) // 4, prime) % prime
    base = (x if x % 2 == 0 else prime - x, y)

    def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        both = d * a[0] * b[0] * a[1] * b[1]
        over = (a[0] * b[1] + b[0] * a[1]) * pow(1 + both, -1, prime)
        return over % prime, (a[1] * b[1] + a[0] * b[0]) * pow(1 - both, -1, prime) % prime

    point, power = (0, 1), base
    for bit in range(nonce.bit_length()):
        point = add(point, power) if nonce >> bit & 1 else point
        power = add(power, power)
    start = (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")
    wide = bytearray(hashlib.sha512(key.private_bytes_raw()).digest()[:32])
    wide[0] &= 248
    wide[31] = wide[31] & 127 | 64
    asked = hashlib.sha512(start + key.public_key().public_bytes_raw() + body).digest()
    rest = nonce + int.from_bytes(asked, "little") * int.from_bytes(wide, "little")
    return Signed(body=body.hex(), sig=(start + (rest % order).to_bytes(32, "little")).hex())


def test_a_seat_cannot_sign_its_message_anew_and_say_that_it_was_left_out() -> None:
    """The house's receipt is for the bytes; two signatures under them are one message."""
    room = Room(GAMES["seven_up_2"], 2, draw=seeded("anew"))
    head, mine = room.ledger.head(), room.seats[0]
    said = mine.say_commit(head, {"cut": 10})
    room.house.accept(said, 0, "commit")
    room.house.accept(room.seats[1].say_commit(head, {"cut": 10}), 1, "commit")
    room.go_on()
    body = bytes.fromhex(said.body)
    other = signed_anew(mine.key, body, 12345)
    assert other != said
    public = mine.key.public_key().public_bytes_raw().hex()
    for one in (said, other):
        check_signature(public, body, one.sig, "message")
    closing = read_entry(room.ledger.entries[-1])
    assert isinstance(closing, ClosingEntry)
    assert said in closing.commits
    void = VoidEntry(
        mh=closing.mh,
        pack=1,
        after="00" * 32,
        deadline=5,
        secret="00" * 64,
        stage="commit",
        parties=(1,),
        commits=(said,),
    )
    for one in (said, other):
        for entry in (closing, void):
            assert not leaves_out(take_apart(one), one, entry, relayed=False)
    parties = msgspec.structs.replace(closing, commits=closing.commits[1:])
    assert leaves_out(take_apart(other), other, parties, relayed=False)


def test_the_relay_gives_no_receipt_for_an_opening_without_its_choices() -> None:
    """A seat could else be called missing for its choice and show a receipt for the opening."""
    room = Room(GAMES["seven_up_2"], 2, relay=True, draw=seeded("receipts"))
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_commit(head, {"cut": 10}), seat.number, "commit")
    room.go_on()
    pone = room.pack.call.pone
    signed = room.seats[pone].say_open(room.ledger.head())
    relay, book = room.relay, room.house.book
    assert relay is not None
    assert book is not None
    mh = book.mh
    call, closing = room.ledger.entries[-2:]
    relay.closing(book, call, closing, 0)
    relay.take(mh, 1, pone, signed)
    with pytest.raises(NotVerified, match="are left out"):
        relay.receipt(mh, 1, pone)
    for raw in room.seats[pone].say_chosen():
        relay.take_chosen(mh, 1, raw)
    given = relay.receipt(mh, 1, pone)
    check_message_receipt(book.manifest.witnesses[0].key, given, signed, "receipt")
