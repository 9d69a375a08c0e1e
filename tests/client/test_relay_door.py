"""The relay's door gives a request so much time in all, however it drips."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from audit.client.relay import RelayDesk, door
from audit.shuffle.entries import Signed
from audit.wire import BoxKey

SECONDS = 0.5


@pytest.fixture
def port() -> Iterator[int]:
    key = BoxKey(key=Signed(body="", sig=""))
    desk = cast("RelayDesk", SimpleNamespace(key=key))
    server = door(desk, "127.0.0.1", 0, seconds=SECONDS)
    running = threading.Thread(target=server.serve_forever)
    running.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        running.join()


def dripped(port: int, head: bytes, drop: bytes) -> bytes:
    """Send *head*, then *drop* again and again until the door is shut; return what it said."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), 60) as peer:
        peer.sendall(head)
        try:
            for _ in range(600):
                peer.settimeout(SECONDS / 10)
                try:
                    got = peer.recv(4096)
                except TimeoutError:
                    peer.settimeout(60)
                    peer.sendall(drop)
                    continue
                if not got:
                    return said
                said += got
        except (ConnectionResetError, BrokenPipeError):
            return said
    pytest.fail("the door is open still")


@pytest.mark.parametrize(
    ("head", "drop"),
    [
        (b"", b"G"),
        (b"GET /relay/key HTTP/1.1\r\n", b"x"),
        (b"GET /relay/key HTTP/1.1\r\nhost: x\r\n", b"x: y\r\n"),
        (b"POST /relay/open HTTP/1.1\r\ncontent-length: 60000\r\n\r\n", b"{"),
        (b"GET /relay/key HTTP/1.1\r\nhost: x\r\n\r\n", b"P"),
    ],
    ids=["line", "field", "fields", "body", "second"],
)
def test_a_peer_that_drips_is_shown_the_door(port: int, head: bytes, drop: bytes) -> None:
    said = dripped(port, head, drop)
    assert said.startswith(b"HTTP/1.1 200") == head.endswith(b"host: x\r\n\r\n")
    assert said.count(b"HTTP/1.1 ") <= 1


def test_requests_that_come_whole_share_a_connection(port: int) -> None:
    peer = http.client.HTTPConnection("127.0.0.1", port, 60)
    for path, status in (("/relay/key", 200), ("/nosuch", 404), ("/relay/key", 200)):
        peer.request("GET", path)
        answer = peer.getresponse()
        assert answer.status == status
        answer.read()
    peer.request("POST", "/nosuch", b"x" * 1000)
    assert peer.getresponse().status == 404
    peer.close()
