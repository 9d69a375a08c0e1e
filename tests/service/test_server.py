"""The end of the server: nothing is left open, whatever the other side does."""

from __future__ import annotations

import gc
import socket
import sys
from pathlib import Path

import pytest

from tests.service.rig import house


def test_a_peer_who_never_reads_is_cut_off_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: left.append(found.exc_value))
    with house(tmp_path) as made, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", made.settings.port))
        deaf.settimeout(0)
        deaf.send(b"GET /openapi.json HTTP/1.1\r\nHost: house\r\n\r\n" * 60)
        made.table("seven_up_2", 2)
        made.stop()
        gc.collect()
        assert left == []
        made.start()
    gc.collect()
    assert left == []
