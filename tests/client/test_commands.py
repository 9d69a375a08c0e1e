"""The three commands together, as processes of their own."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from audit.cli.main import outcome
from audit.client.api import Api
from audit.client.refusal import Unreachable
from audit.wire import Health, NewTable, Tokens
from tests.service.rig import free_port

RUN = "from audit.cli.main import run; run()"


def _start(*arguments: str, **more: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def test_serve_witness_and_sit_play_a_pack(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    watch = ["--key", str(tmp_path / "w.key"), "--name", "w.example"]
    made = _start("witness", url, *watch, "--create")
    line = made.communicate(timeout=60)[0].strip()
    files = ("db", "key", "vault")
    serve = [x for name in files for x in (f"--{name}", str(tmp_path / name))]
    serve += ["--origin", "house.example", "--port", str(port), "--rate", "1000"]
    service = _start("serve", *serve, "--create", "--witness", line, "--quorum", "1")
    others: list[subprocess.Popen[str]] = []
    try:
        api = Api(url)
        for _ in range(300):
            try:
                api.get("/health", Health)
                break
            except Unreachable:
                time.sleep(0.05)
        from audit.keyfile import read_private
        from audit.note import Signer

        key = Signer("house.example", read_private(tmp_path / "key")).key.text
        state = ["--ledger", key, "--state", str(tmp_path / "witness")]
        others.append(_start("witness", url, *watch, *state))
        table = api.post("/api/tables", NewTable(game="ecarte_foster", players=2), Tokens)
        api.close()
        seats = [
            _start(
                "sit",
                url,
                "--auto",
                "--table",
                table.table,
                "--seat",
                str(number),
                "--token",
                token,
                "--state",
                str(tmp_path / f"seat-{number}"),
            )
            for number, token in enumerate(table.tokens)
        ]
        others += seats
        for number, seat in enumerate(seats):
            text = seat.communicate(timeout=60)[0]
            assert seat.returncode == 0, text
            assert "pack 1: verified against ledger of" in text
            assert (tmp_path / f"seat-{number}" / "pack-1.json").exists()
    finally:
        for process in [*others, service]:
            process.terminate()
            process.communicate(timeout=20)
    assert service.returncode == 0


def test_what_cannot_start_says_why_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "key").write_bytes(bytes(32))
    base = ["serve", "--db", str(tmp_path / "db"), "--key", str(tmp_path / "key")]
    base += ["--vault", str(tmp_path / "vault"), "--origin", "house.example"]
    for arguments, why in (
        ([*base, "--create"], "stands already; nothing was changed"),
        (base, "is not its owner's alone"),
        ([*base, "--quorum", "1"], "is more than there are witnesses"),
        (["sit", "ftp://x", "--table", "t", "--seat", "0", "--token", "0"], "is no http://"),
    ):
        assert outcome(arguments) == 2
        text = capsys.readouterr().err
        assert why in text
        assert text.count("\n") == 1
    assert (tmp_path / "key").read_bytes() == bytes(32)
    assert not (tmp_path / "vault").exists()
