"""What the service refuses: strangers, second messages, late ones, and malformed requests."""

from __future__ import annotations

import socket
import time
from concurrent.futures import Future
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.client.api import Api
from audit.client.refusal import Answered
from audit.client.seat import Seat
from audit.ledger.log import Appended
from audit.ledger.refusal import StoreFailed
from audit.shuffle.entries import EVERYBODY, Limits, Signed
from audit.shuffle.messages import card_request, sign, take_apart
from audit.shuffle.refusal import NotVerified
from audit.wire import (
    Accepted,
    Asking,
    Done,
    Following,
    Items,
    Listening,
    Log,
    Message,
    TableState,
    Taking,
    Tokens,
    Told,
)
from tests.service.rig import House, house, play, seats_at, together


def _sit(made: House, table: Tokens, folder: Path) -> list[Seat]:
    seats = seats_at(made.url, table, folder, wait=0)
    together([seat.sit for seat in seats])
    return seats


def _until(seats: list[Seat], ready: str, made: House, table: Tokens) -> TableState:
    api = Api(made.url)
    for _ in range(100):
        found = api.get(f"/api/tables/{table.table}", TableState)
        if found.stage == ready:
            break
        for seat in seats:
            seat.step(0)
    api.close()
    assert found.stage == ready
    return found


def _called(seat: Seat) -> None:
    while seat.seat.pack is None:
        seat.sync(1)


def _close(seats: list[Seat]) -> None:
    for seat in seats:
        seat.close()


def _refused(api: Api, path: str, body: msgspec.Struct, kind: type) -> Answered:
    with pytest.raises(Answered) as caught:
        api.post(path, body, kind)
    return caught.value


def test_a_token_alone_gives_no_card_and_no_contribution(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _until(seats, "deal", made, table)
        api, thief = Api(made.url), Ed25519PrivateKey.generate()
        door = f"/api/tables/{table.table}"
        taking = Taking(seat=0, token=table.tokens[0], key="ab" * 32, nonce="cd" * 32)
        assert _refused(api, f"{door}/seats", taking, Done).status in (404, 409)
        mine = seats[0].seat.mine()
        mh = bytes.fromhex(seats[0]._mh)
        ask = sign(thief, card_request(mh, 1, 0, "cards", mine.th, int(time.time())))
        assert _refused(api, f"{door}/cards", Asking(ask=ask), Items).status == 422
        api.close()
        _close(seats)


def test_a_seat_gets_its_own_items_and_public_ones_only(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _until(seats, "deal", made, table)
        api, mh = Api(made.url), bytes.fromhex(seats[0]._mh)
        for number, seat in enumerate(seats):
            ask = sign(
                seat.seat.key, card_request(mh, 1, number, "cards", bytes(32), int(time.time()))
            )
            body = Asking(ask=ask)
            got = api.post(f"/api/tables/{table.table}/cards", body, Items)
            assert {item.to for item in got.items} <= {number, EVERYBODY, 254}
            assert any(item.to == number for item in got.items)
            # A seat that signs for another seat is not that seat.
            other = card_request(mh, 1, 1 - number, "cards", bytes(32), int(time.time()))
            body = Asking(ask=sign(seat.seat.key, other))
            assert _refused(api, f"/api/tables/{table.table}/cards", body, Items).status == 422
            old = card_request(mh, 1, number, "cards", bytes(32), int(time.time()) - 200)
            body = Asking(ask=sign(seat.seat.key, old))
            assert _refused(api, f"/api/tables/{table.table}/cards", body, Items).status == 422
        api.close()
        _close(seats)


def test_a_listening_seat_hears_its_own_items_and_no_others(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        state = _until(seats, "deal", made, table)
        mh, door = bytes.fromhex(seats[0]._mh), f"/api/tables/{table.table}/listen"
        follow, heard = Following(after=0, start=0), []
        for at, seat in enumerate(seats):
            body = card_request(mh, 1, at, "cards", bytes(32), int(time.time()))
            ask = Listening(ask=sign(seat.seat.key, body), log=follow, wait=20)
            listener = Api(made.url)
            told = listener.follow(door, ask, Told)
            assert {item.to for item in told.items} <= {at, EVERYBODY, 254}
            assert any(item.to == at for item in told.items)
            assert told.log is not None
            heard.append((listener, told))
            # A seat that signs for another seat is not that seat.
            other = Listening(ask=sign(seats[1 - at].seat.key, body), log=follow)
            stranger = Api(made.url)
            with pytest.raises(Answered) as caught:
                stranger.follow(door, other, Told)
            assert caught.value.status == 422
            stranger.close()
        # What one seat says is heard by both, once it is durable, in a line of its own.
        pack = made.hall.rooms[table.table].called(1)
        for _ in range(100):
            seats[state.waiting[0]].step(0)
            if any(item.to is None for item in pack.items):
                break
        for listener, before in heard:
            line = listener.next_line(door, Told, 10)
            assert line is not None
            assert line.items[0].number == before.count
            assert line.items[0].to == 254
            listener.close()
        _close(seats)


def test_a_seat_listens_once_however_often_it_asks(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _called(seats[0])
        mh, door = bytes.fromhex(seats[0]._mh), f"/api/tables/{table.table}/listen"
        body = card_request(mh, 1, 0, "cards", bytes(32), int(time.time()))
        ask, log = sign(seats[0].seat.key, body), Following(after=0, start=0)
        listeners = [Api(made.url) for _ in range(3)]
        for api in listeners:
            api.follow(door, Listening(ask=ask, log=log, wait=25), Told)
        _until(seats, "open", made, table)
        # The last of them hears that the pack is closed; the others are told no more.
        *before, last = listeners
        for api in before:
            assert api.next_line(door, Told, 10) is None
            assert not api.following
        line = last.next_line(door, Told, 10)
        assert line is not None
        assert line.log is not None
        last.close()
        for api in before:
            api.close()
        _close(seats)


def test_an_answer_that_is_listened_to_ends_in_its_time(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _called(seats[0])
        mh, door = bytes.fromhex(seats[0]._mh), f"/api/tables/{table.table}/listen"
        body = card_request(mh, 1, 0, "cards", bytes(32), int(time.time()))
        ask, log = sign(seats[0].seat.key, body), Following(after=0, start=0)
        for wait in (0, 1):
            api = Api(made.url)
            api.follow(door, Listening(ask=ask, log=log, wait=wait), Told)
            assert api.next_line(door, Told, 10) is None
            assert not api.following
            api.close()
        _close(seats)


def test_the_same_message_has_the_same_receipt_and_another_is_kept_as_evidence(
    tmp_path: Path,
) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _called(seats[0])
        seats[0].act()
        api, door = Api(made.url), f"/api/tables/{table.table}/messages"
        signed = seats[0].seat.mine().commit
        assert signed is not None
        body = Message(seat=0, step="commit", signed=signed)
        first = api.post(door, body, Accepted)
        made.restart()
        assert api.post(door, body, Accepted) == first
        raw = bytearray.fromhex(signed.body)
        raw[-1] ^= 1
        second = sign(seats[0].seat.key, bytes(raw))
        refused = _refused(api, door, Message(seat=0, step="commit", signed=second), Accepted)
        assert refused.status == 409
        assert refused.problem.refused is not None
        forged = Signed(body=bytes(raw).hex(), sig="00" * 64)
        stranger = _refused(api, door, Message(seat=0, step="commit", signed=forged), Accepted)
        assert (stranger.status, stranger.problem.refused) == (422, None)
        assert len(made.hall.ledger.scan("refused/")) == 1
        api.close()
        _close(seats)


def test_nothing_is_receipted_that_the_store_did_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _called(seats[0])
        signed = seats[0].seat.say_commit(seats[0]._head(), {"cut": 10})
        failing: Future[Appended] = Future()
        failing.set_exception(StoreFailed("store", "is full", final=False))
        monkeypatch.setattr(made.hall.ledger, "submit", lambda *_: failing)
        api, door = Api(made.url), f"/api/tables/{table.table}/messages"
        body = Message(seat=0, step="commit", signed=signed)
        for _ in range(3):
            assert _refused(api, door, body, Accepted).status == 503
        monkeypatch.undo()
        assert _refused(api, door, body, Accepted).status == 503
        made.restart()
        api.post(door, body, Accepted)
        api.close()
        _close(seats)


def test_a_message_over_a_checkpoint_of_another_ledger_is_refused(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _called(seats[0])
        size, _ = seats[0]._head()
        values = {"cut": 10}
        for head in ((size, bytes(32)), (size + 1, bytes(32)), (0, bytes(32))):
            mine = seats[0].seat.mine()
            mine.commit = None
            signed = seats[0].seat.say_commit(head, values)
            assert take_apart(signed).head == head
            api = Api(made.url)
            body = Message(seat=0, step="commit", signed=signed)
            door = f"/api/tables/{table.table}/messages"
            assert _refused(api, door, body, Accepted).problem.what == "checkpoint"
            api.close()
        _close(seats)


@pytest.mark.parametrize(("body", "sig"), [("\n", ""), ("", "\n"), (" ", ""), ("0", "")])
def test_a_line_end_after_hex_does_not_spoil_the_pack(body: str, sig: str, tmp_path: Path) -> None:
    """Readers of hex skip blanks, and no entry could hold such a message."""
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = _sit(made, table, tmp_path)
        _called(seats[0])
        signed = seats[0].seat.say_commit(seats[0]._head(), {"cut": 10})
        spoilt = Signed(body=signed.body + body, sig=signed.sig + sig)
        api, door = Api(made.url), f"/api/tables/{table.table}/messages"
        message = Message(seat=0, step="commit", signed=spoilt)
        assert _refused(api, door, message, Accepted).status == 400
        api.close()
        play(seats)
        assert [seat.ended for seat in seats] == [["opened"], ["opened"]]


def test_a_seat_that_does_not_commit_voids_the_pack_and_two_voids_close_the_table(
    tmp_path: Path,
) -> None:
    with house(tmp_path / "house") as made:
        limits = Limits(commit=1, open=1, choice=1, decide=1)
        table = made.table("ecarte_foster", 2, packs=5, limits=limits)
        seats = _sit(made, table, tmp_path)
        end = time.monotonic() + 20
        while not seats[0].closed and time.monotonic() < end:
            seats[0].step(1)
        assert seats[0].ended == ["void", "void"]
        assert seats[0].closed
        # The three packs that were never called are never to be known.
        assert made.hall.ledger.scan("secret/") == []
        _close(seats)


@pytest.mark.parametrize(("stage", "ends"), [("open", "unfinished"), ("deal", "unfinished")])
def test_a_seat_that_falls_silent_later_leaves_the_pack_unfinished(
    stage: str, ends: str, tmp_path: Path
) -> None:
    with house(tmp_path / "house") as made:
        limits = Limits(commit=1, open=1, choice=1, decide=1)
        table = made.table("ecarte_foster", 2, packs=1, limits=limits)
        seats = _sit(made, table, tmp_path)
        state = _until(seats, stage, made, table)
        stays = seats[1 - state.waiting[0]] if stage == "deal" else seats[1]
        end = time.monotonic() + 20
        while not stays.closed and time.monotonic() < end:
            stays.step(1)
        assert stays.ended == [ends]
        # An unfinished pack is opened all the same: the house's secret is out.
        assert made.hall.ledger.scan("secret/") == []
        _close(seats)


def test_a_table_closes_at_a_seats_signed_wish(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2, packs=9)
        seats = _sit(made, table, tmp_path)
        _called(seats[0])
        seats[0].close_table()
        seats[0].sync(1)
        assert seats[0].closed
        assert seats[0].ended == ["void"]
        _close(seats)


BAD = [
    (b"", 415),
    (b"content-type: application/json\r\ncontent-length: 1\r\n\r\n{", 400),
    (b'content-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}', 400),
    (b"content-type: text/plain\r\ncontent-length: 2\r\n\r\n{}", 415),
]


@pytest.mark.parametrize(("rest", "status"), BAD)
def test_malformed_bodies_are_problem_documents(rest: bytes, status: int, tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        head = b"POST /api/tables HTTP/1.1\r\nhost: h\r\nconnection: close\r\n"
        raw = _raw(made, head + (rest or b"content-length: 0\r\n\r\n"))
    assert raw.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"application/problem+json" in raw


def _raw(made: House, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", made.settings.port), timeout=10) as link:
        link.sendall(data)
        found = b""
        while more := link.recv(65536):
            found += more
    return found


def test_a_long_body_is_cut_off_and_nothing_is_echoed(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        body = b'{"game":"' + b"canary" * 20_000 + b'"}'
        head = b"POST /api/tables HTTP/1.1\r\nhost: h\r\nconnection: close\r\n"
        head += b"content-type: application/json\r\n"
        raw = _raw(made, head + f"content-length: {len(body)}\r\n\r\n".encode() + body)
        assert raw.startswith(b"HTTP/1.1 413 ")
        short = b'{"game":"canary","players":4,"canary":"canary"}'
        raw += _raw(made, head + f"content-length: {len(short)}\r\n\r\n".encode() + short)
    assert b"canary" not in raw


def test_a_peer_that_asks_too_often_is_put_off(tmp_path: Path) -> None:
    with house(tmp_path / "house", rate=20) as made:
        api = Api(made.url)
        found = {_status(api) for _ in range(60)}
        api.close()
    assert found == {200, 429}


def _status(api: Api) -> int:
    try:
        api.raw("/checkpoint")
    except Answered as err:
        return err.status
    return 200


def test_a_server_that_forgets_is_found_out(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2)
        seats = seats_at(made.url, table, tmp_path)
        play(seats)
        view = seats[0]._view
        assert view is not None
        api = Api(made.url)
        told = api.get(f"/api/tables/{table.table}/log", Log, after=0, start=0)
        api.close()
        view.head = (view.start + 1, bytes(32))
        view._last = b""
        with pytest.raises(NotVerified, match="is smaller than before"):
            view.take(told, -1)
