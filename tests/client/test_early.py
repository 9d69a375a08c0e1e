"""A relay that calls openings missing before the limit is over, by its own clock."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit.client.journal import Journal
from audit.client.log import View
from audit.client.seat import Seat
from audit.client.witness import Witness
from audit.shuffle.entries import Limits, Signed
from audit.shuffle.messages import missing, sign
from audit.shuffle.refusal import NotVerified
from audit.shuffle.relay import Relay
from tests.service.rig import House, Watch, house, seats_at, together


def played(made: House, watch: Watch, folder: Path, limits: Limits) -> list[str]:
    """Play a pack in which seat 1 never opens; return how each seat ended or why it stopped."""
    table = made.table("seven_up_2", 2, relay=0, limits=limits)
    seats = seats_at(made.url, table, folder, relay=watch.url, wait=1)
    seats[1]._hand_over = lambda *_: None  # type: ignore[method-assign]
    found: dict[int, str] = {}

    def run(seat: Seat) -> None:
        try:
            seat.run()
            found[seat.seat.number] = " ".join(seat.ended)
        except NotVerified as err:
            found[seat.seat.number] = str(err)

    together([lambda seat=seat: run(seat) for seat in seats])  # type: ignore[misc]
    for seat in seats:
        seat.close()
    return [found[0], found[1]]


@pytest.mark.parametrize("early", [False, True])
def test_an_early_word_of_the_relay_is_caught_by_its_own_cosignature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, early: bool
) -> None:
    """An honest relay with a limit of a second, and one that does not wait for its minute."""

    def speak(self: Relay, mh: bytes, pack: int, now: int) -> Signed | None:
        one = self.packs[mh, pack]
        if one.statement is None:
            one.statement = sign(self._key, missing(mh, pack, one.cl, now, [1]))
        return one.statement

    if early:
        monkeypatch.setattr(Relay, "speak", speak)
    watch = Watch(tmp_path / "witness", relay=True)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        watch.start(made)
        try:
            ends = played(made, watch, tmp_path, Limits(open=60 if early else 1))
        finally:
            watch.stop()
    if not early:
        assert ends == ["void", "void"]
        return
    assert all("missing: time: is within the limit" in end for end in ends)
    raw = (tmp_path / "seat-0" / "seat.jsonl").read_bytes().splitlines()[-1]
    kept = msgspec.json.decode(raw)
    assert kept["k"] == "early"
    assert watch.key.name.encode() in bytes.fromhex(kept["note"])


def test_a_larger_ledger_gets_no_earlier_time_though_the_clock_falls_back(tmp_path: Path) -> None:
    """Else an honest relay whose clock was put right would contradict itself."""
    watch = Watch(tmp_path / "witness")
    with house(tmp_path / "house", witnesses=(watch.key,)) as made:
        times: list[int] = []
        for now in (1000, 900, 1100, 800):
            from audit.client.api import Api

            api, journal = Api(made.url), Journal(tmp_path / "heads.jsonl")
            witness = Witness(api, watch.signer, made.key, journal, clock=lambda now=now: now)  # type: ignore[misc]
            made.hall.ledger.append([b"%d" % now])
            made.server.soon(made.hall.look)
            assert witness.step(5)
            times.append(cosigned(made, watch))
            api.close()
            journal.close()
    assert times == [1000, 1000, 1100, 1100]


def cosigned(made: House, watch: Watch) -> int:
    """Return the time of the witness's newest cosignature."""
    view = View(made.key, [watch.key], 1)
    note: Any = made.hall.ledger.cosigned(1)
    view.check(note, ())
    when = view.time_of(watch.key.public.hex())
    assert when is not None
    return when
