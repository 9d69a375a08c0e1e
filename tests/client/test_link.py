"""Answers as a stranger might send them: in any pieces, cut off, or no answers at all."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from audit.client.api import Api
from audit.client.link import Garbled, Link
from audit.client.refusal import Unreachable
from audit.wire import Done

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n"
ANSWERS = [
    HEAD + b"content-length: 5\r\n\r\nhello",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
    HEAD + b"transfer-encoding: chunked\r\n\r\n05 \r\nhello\r\n0\r\nlast: field\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n" + HEAD + b"content-length: 5\r\n\r\nhello",
    HEAD + b"connection: close\r\n\r\nhello",
]


@contextmanager
def answering(parts: list[bytes]) -> Iterator[Link]:
    """Give a link to somebody who sends *parts*, one at a time, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def answer() -> None:
            other, _ = door.accept()
            with other:
                other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                other.recv(65536)
                for part in parts:
                    other.sendall(part)

        thread = threading.Thread(target=answer)
        thread.start()
        link = Link("127.0.0.1", door.getsockname()[1], tls=None, seconds=5, name="h")
        try:
            link.ask("POST", "/x", b"{}")
            yield link
        finally:
            link.close()
            thread.join()


def _read(link: Link) -> tuple[int, bytes]:
    return link.head(), link.whole()


@pytest.mark.parametrize("raw", ANSWERS)
def test_an_answer_is_the_same_in_any_two_pieces(raw: bytes) -> None:
    for at in range(0, len(raw) + 1, 3):
        with answering([raw[:at], raw[at:]]) as link:
            assert link.head() == 200
            assert link.whole() == b"hello"
            assert link.closing == (b"connection: close" in raw)


def test_an_answer_comes_byte_by_byte() -> None:
    for raw in ANSWERS:
        with answering([raw[n : n + 1] for n in range(len(raw))]) as link:
            assert link.head() == 200
            assert link.whole() == b"hello"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"hello\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        HEAD + b"content-length: 5\r\n\r\nhell",
        HEAD + b"content-length: -5\r\n\r\nhello",
        HEAD + b"content-length: 5 \x00\r\n\r\nhello",
        HEAD + b"transfer-encoding: gzip\r\n\r\nhello",
        HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
        HEAD + b"transfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
        HEAD + b"transfer-encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n",
        HEAD + b"transfer-encoding: chunked\r\n\r\nffffffff\r\nhello\r\n0\r\n\r\n",
        HEAD + b"no field\r\n\r\n",
        HEAD + b"x: " + b"y" * 200_000,
        HEAD + b"transfer-encoding: chunked\r\n\r\n1" + b"0" * 200_000,
    ],
)
def test_what_is_no_whole_answer_is_refused(raw: bytes) -> None:
    with answering([raw]) as link, pytest.raises((Garbled, ConnectionError)):
        _read(link)


@pytest.mark.parametrize("target", ["/a b", "/a\r\nx: y", "a", "/é", ""])
def test_a_path_cannot_hold_a_second_field(target: str) -> None:
    with answering([ANSWERS[0]]) as link, pytest.raises(Garbled):
        link.ask("GET", target, None)


def test_nothing_in_time_is_not_the_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        link = Link("127.0.0.1", door.getsockname()[1], tls=None, seconds=5, name="h")
        other, _ = door.accept()
        with other:
            link.ask("GET", "/", None)
            other.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
            assert link.head() == 200
            assert link.piece(0) is None
            other.sendall(b"2\r\nhe\r\n")
            assert link.piece(5) == b"he"
            assert link.piece(0) is None
            other.sendall(b"0\r\n\r\n")
            assert link.piece(5) == b""
            assert link.piece(5) == b""
        link.close()


@contextmanager
def dripping(start: bytes, drop: bytes) -> Iterator[int]:
    """Give the port of somebody who sends *start* and then *drop* after *drop*, without end."""
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(0.05)
        others: list[socket.socket] = []

        def drip() -> None:
            while not stop.is_set():
                try:
                    other, _ = door.accept()
                    other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    other.sendall(start)
                    others.append(other)
                except TimeoutError:
                    pass
                for other in others[:]:
                    try:
                        other.sendall(drop)
                    except OSError:
                        others.remove(other)
                        other.close()

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            yield door.getsockname()[1]
        finally:
            stop.set()
            thread.join()
            for other in others:
                other.close()


CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
DRIPS = [
    (b"", b"H"),
    (HEAD, b"x: y\r\n"),
    (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    (HEAD + b"content-length: 900000\r\n\r\n", b"x"),
    (HEAD + b"connection: close\r\n\r\n", b"x"),
    (CHUNKED, b"1\r\nx\r\n"),
    (CHUNKED + b"1;", b"x"),
    (CHUNKED + b"0\r\n", b"x"),
]


@pytest.mark.parametrize(("start", "drop"), DRIPS)
def test_a_house_that_drips_holds_nobody(start: bytes, drop: bytes) -> None:
    """Somebody sends a byte before every wait is over, and never ends."""
    with dripping(start, drop) as port:
        api = Api(f"http://127.0.0.1:{port}", seconds=0.3)
        with pytest.raises(Unreachable, match="timed out"):
            api.raw("/x")
        with pytest.raises(Unreachable, match="timed out"):
            api.follow("/x", Done(), Done)
        api.close()


def test_half_a_line_that_grows_is_no_line_and_comes_to_an_end() -> None:
    with dripping(CHUNKED + b"3\r\n{}\n\r\n", b"1\r\n \r\n") as port:
        api = Api(f"http://127.0.0.1:{port}", seconds=0.5)
        assert api.follow("/x", Done(), Done) == Done()
        assert api.next_line("/x", Done, 0.1) is None
        assert api.following
        with pytest.raises(Unreachable, match="timed out"):
            list(iter(lambda: api.next_line("/x", Done, 0.1), Done()))
        assert not api.following
        api.close()


def test_what_had_ended_in_time_may_be_looked_at_late() -> None:
    with answering([ANSWERS[0]]) as link:
        link._seconds = 0.05
        link.ask("POST", "/x", b"{}")
        assert link.head() == 200
        assert link.piece(5) == b"hello"
        time.sleep(0.1)
        assert link.piece(5) == b""
