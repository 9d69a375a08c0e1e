"""Witness and relay: they cosign one history, and openings go out together or not at all."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from audit.client import box
from audit.client.api import Api
from audit.client.journal import Journal
from audit.client.witness import Witness, ledger_of
from audit.errors import NotVerified
from audit.note import COSIGNATURE, Signer
from audit.shuffle.entries import Limits
from audit.shuffle.messages import public_hex
from tests.service.rig import Watch, house, play, seats_at, together


def test_a_witness_does_not_cosign_a_second_history(tmp_path: Path) -> None:
    watch = Watch(tmp_path / "witness")
    state = tmp_path / "heads.jsonl"
    with house(tmp_path / "one", witnesses=(watch.key,)) as made:
        play(seats_at(made.url, made.table("ecarte_foster", 2), tmp_path))
        api, journal = Api(made.url), Journal(state)
        witness = Witness(api, watch.signer, made.key, journal)
        assert witness.step(0)
        assert not witness.step(0)
        head = witness.head
        journal.close()
        # The same house, its ledger put back to the beginning.
        again = Journal(state)
        assert ledger_of(api, None, again) == made.key
        restored = Witness(api, watch.signer, made.key, again)
        assert restored.head == head
        restored.head = (head[0] + 1, head[1])
        with pytest.raises(NotVerified, match="is smaller than before"):
            restored.step(0)
        restored.head = (head[0], bytes(32))
        with pytest.raises(NotVerified, match="one size has two roots"):
            restored.step(0)
        restored.head = (head[0] - 1, bytes(32))
        with pytest.raises(NotVerified, match="checkpoint"):
            restored.step(0)
        other = Signer("other.example", Ed25519PrivateKey.generate()).key
        with pytest.raises(NotVerified, match="is another one"):
            Witness(api, watch.signer, other, again)
        again.close()
        api.close()


def test_a_witness_of_an_unknown_key_is_not_taken(tmp_path: Path) -> None:
    with house(tmp_path / "one") as made:
        play(seats_at(made.url, made.table("ecarte_foster", 2), tmp_path))
        signer = Signer("w.example", Ed25519PrivateKey.generate(), COSIGNATURE)
        api, journal = Api(made.url), Journal(tmp_path / "heads.jsonl")
        with pytest.raises(Exception, match="is not one of this ledger"):
            Witness(api, signer, made.key, journal).step(0)
        journal.close()
        api.close()


def test_a_box_opens_for_the_relay_and_for_this_pack_alone() -> None:
    relay, mine = Ed25519PrivateKey.generate(), X25519PrivateKey.generate()
    public = box.read_announced(box.announce(relay, mine), public_hex(relay))
    sealed = box.seal(public, b"opening", b"mh|1")
    assert box.unseal(mine, sealed, b"mh|1") == b"opening"
    assert b"opening" not in sealed
    for key, data, bound in (
        (mine, sealed, b"mh|2"),
        (X25519PrivateKey.generate(), sealed, b"mh|1"),
        (mine, sealed[:-1], b"mh|1"),
        (mine, bytes(32) + sealed[32:], b"mh|1"),
    ):
        with pytest.raises(NotVerified, match="do not open"):
            box.unseal(key, data, bound)
    other = public_hex(Ed25519PrivateKey.generate())
    with pytest.raises(NotVerified, match="signature"):
        box.read_announced(box.announce(relay, mine), other)


def test_an_opening_that_does_not_reach_the_relay_is_a_blind_void(tmp_path: Path) -> None:
    watch = Watch(tmp_path / "witness", relay=True)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        watch.start(made)
        try:
            limits = Limits(commit=30, open=1, choice=30, decide=30)
            table = made.table("ecarte_foster", 2, relay=0, limits=limits, voids=1)
            seats = seats_at(made.url, table, tmp_path, relay=watch.url, wait=0)
            together([seat.sit for seat in seats])
            # The second seat commits and is never heard of again.
            while seats[1].seat.pack is None:
                seats[1].sync(1)
            seats[1].act()
            end = time.monotonic() + 20
            while not seats[0].closed and time.monotonic() < end:
                seats[0].step(1)
            assert seats[0].ended == ["void"]
            assert seats[0].closed
            room = made.hall.rooms[table.table]
            assert room.house.packs[1].opens == {}
            for seat in seats:
                seat.close()
        finally:
            watch.stop()
        assert watch.failure is None
