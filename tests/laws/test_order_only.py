"""A log of orders alone is audited in games whose hands differ with the number of players."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from audit.cli.main import cli
from audit.games import GAMES
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.referee.simulate import deals


@pytest.mark.parametrize("players", [3, 4, 7])
def test_pope_joan_by_orders(tmp_path: Path, players: int) -> None:
    choose, law = PLAY["by_lot"].choose, GAMES["pope_joan"]
    assert choose is not None
    made = deals(law, players=players, choose=choose, count=60, seed=8)
    bare = [structs.replace(d, hands=(), turnups=b"", events=()) for d in made]
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(encode(d) + b"\n" for d in bare))
    done = CliRunner().invoke(cli, ["audit", str(log)])
    assert done.exit_code == 0, done.output
    assert "CLEAR" in done.output
