"""The life of packs under any order of steps, restarts and strangers' requests.

The tree only grows and every head is consistent with all earlier ones; no pack is opened
before it ended, each exactly once; nobody is given another seat's cards.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from audit.client.api import Api
from audit.client.refusal import Answered
from audit.merkle import check_consistency
from audit.shuffle.entries import OpenedEntry, read_entry
from audit.shuffle.messages import card_request, sign
from audit.wire import Asking, Items, Message
from tests.service.rig import House, seats_at, together

SEAT = st.integers(0, 1)


class Life(RuleBasedStateMachine):
    """A house, two seats, and somebody who wants to know."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.house = House(self.folder)
        self.table = self.house.table("ecarte_foster", 2, packs=2)
        self.seats = seats_at(self.house.url, self.table, self.folder, wait=0)
        together([seat.sit for seat in self.seats])
        self.heads: list[tuple[int, bytes]] = []

    def teardown(self) -> None:
        for seat in self.seats:
            seat.close()
        self.house.stop()
        self._folder.cleanup()

    @rule(at=SEAT)
    def a_seat_takes_its_step(self, at: int) -> None:
        self.seats[at].step(0)

    @rule()
    def everybody_takes_steps(self) -> None:
        for seat in [*self.seats, *self.seats]:
            seat.step(0)

    @rule()
    def the_house_starts_again(self) -> None:
        self.house.restart()

    @rule(at=SEAT)
    def a_seat_sits_down_again(self, at: int) -> None:
        self.seats[at].close()
        (self.seats[at],) = seats_at(self.house.url, self.table, self.folder, only=at, wait=0)

    @rule(at=SEAT, pack=st.integers(1, 2), own=st.booleans())
    def somebody_asks_for_cards(self, at: int, pack: int, *, own: bool) -> None:
        key = self.seats[1 - at].seat.key if own else Ed25519PrivateKey.generate()
        mh = bytes.fromhex(self.seats[at]._mh)
        ask = sign(key, card_request(mh, pack, at, "cards", bytes(32), int(time.time())))
        self._refused("cards", Asking(ask=ask))

    @rule(at=SEAT)
    def somebody_sends_a_message_again_with_another_byte(self, at: int) -> None:
        mine = self.seats[at].seat.pack
        if mine is None or mine.commit is None:
            return
        raw = bytearray.fromhex(mine.commit.body)
        raw[-1] ^= 1
        signed = sign(self.seats[1 - at].seat.key, bytes(raw))
        self._refused("messages", Message(seat=at, step="commit", signed=signed))

    def _refused(self, door: str, body: Asking | Message) -> None:
        api = Api(self.house.url)
        with pytest.raises(Answered) as caught:
            api.post(f"/api/tables/{self.table.table}/{door}", body, Items)
        api.close()
        assert 400 <= caught.value.status < 500

    @invariant()
    def the_tree_only_grows(self) -> None:
        ledger = self.house.hall.ledger
        size = ledger.size
        if not size:
            return
        root = ledger.root(size)
        for old, before in self.heads:
            check_consistency(old, size, ledger.consistency(old, size), before, root, "model")
        self.heads.append((size, root))

    @invariant()
    def a_pack_is_opened_once_and_after_its_end(self) -> None:
        ledger = self.house.hall.ledger
        entries = [read_entry(raw) for raw in ledger.entries(0, ledger.size)]
        ended: set[int] = set()
        opened: set[int] = set()
        for entry in entries:
            if entry.kind in ("end", "unfinished"):
                ended.add(getattr(entry, "pack", 0))
            if isinstance(entry, OpenedEntry):
                assert entry.pack in ended - opened
                opened.add(entry.pack)


def test_the_life_of_packs_under_any_order_of_events() -> None:
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=4,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
