"""Nothing is told of a table that opens before it is durable, not even to who asks again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.client.api import Api
from audit.client.refusal import Unreachable
from audit.ledger.log import Appended
from audit.shuffle.framing import frame
from audit.shuffle.messages import public_hex
from audit.wire import Done, Draft, Signature, TableState, Taking
from tests.service.rig import House, house


class Slow:
    """A store whose answers come when the gate is open."""

    def __init__(self, made: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        self.gate.set()
        submit = made.hall.ledger.submit

        def slowly(*given: Any, **named: Any) -> Future[Appended]:
            real, late = submit(*given, **named), Future[Appended]()
            late.set_running_or_notify_cancel()

            def passing() -> None:
                found = real.result()
                self.gate.wait()
                late.set_result(found)

            threading.Thread(target=passing).start()
            return late

        monkeypatch.setattr(made.hall.ledger, "submit", slowly)


@contextmanager
def asking(work: Callable[[], object]) -> Iterator[threading.Thread]:
    """Run *work* on a thread beside, and wait for its end."""
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(20)
        assert not thread.is_alive()


def test_what_is_not_durable_yet_is_told_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as made:
        slow = Slow(made, monkeypatch)
        table = made.table("ecarte_foster", 2)
        keys = [Ed25519PrivateKey.generate() for _ in range(2)]
        place = f"/api/tables/{table.table}"

        def take(seat: int, seconds: float = 20) -> None:
            body = Taking(
                seat=seat, token=table.tokens[seat], key=public_hex(keys[seat]), nonce="5a" * 32
            )
            once(seconds, lambda api: api.post(f"{place}/seats", body, Done))

        def sign(seat: int, seconds: float = 20) -> None:
            told = once(20, lambda api: api.get(f"{place}/manifest", Draft))
            said = frame("sign-manifest", bytes.fromhex(told.mh))
            body = Signature(seat=seat, token=table.tokens[seat], sig=keys[seat].sign(said).hex())
            once(seconds, lambda api: api.post(f"{place}/signatures", body, Done))

        def once(seconds: float, work: Callable[[Api], Any]) -> Any:
            api = Api(made.url, seconds=seconds)
            try:
                return work(api)
            finally:
                api.close()

        def silent(work: Callable[[], object]) -> None:
            with pytest.raises(Unreachable, match="timed out"):
                work()

        def state(seconds: float = 20) -> TableState:
            found = once(seconds, lambda api: api.get(place, TableState))
            assert isinstance(found, TableState)
            return found

        take(0)
        slow.gate.clear()
        with asking(lambda: take(1)):
            silent(lambda: take(1, 0.5))
            silent(lambda: state(0.5))
            silent(lambda: once(0.5, lambda api: api.get(f"{place}/manifest", Draft)))
            slow.gate.set()
        assert state().stage == "signing"
        sign(0)
        told = once(20, lambda api: api.get(f"{place}/manifest", Draft))
        slow.gate.clear()
        with asking(lambda: sign(1)):
            while table.table not in made.hall.rooms:
                threading.Event().wait(0.01)
            silent(lambda: sign(1, 0.5))
            silent(lambda: state(0.5))
            slow.gate.set()
        sign(1)
        assert state().mh == told.mh
