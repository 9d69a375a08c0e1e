"""What every store keeps to: one class of tests over SQLite and PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.checkpoint import check_checkpoint
from audit.errors import NotVerified, UsageError
from audit.ledger.log import Appended, Ledger
from audit.ledger.receipt import check_receipt
from audit.ledger.refusal import Exists, InUse, NotALedger, StoreFailed
from audit.ledger.store import Batch
from audit.merkle import check_consistency, check_path, leaf_hash
from audit.note import read_note
from tests.ledger.kit import NOW, ORIGIN, Place, file_place, health, server_place, signer, witness


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        made = file_place(tmp_path)
    else:
        made = server_place(request.getfixturevalue("server"))
    made.create()
    return made


def size_of(note: bytes) -> int:
    return check_checkpoint(note, signer().key, where="t").checkpoint.size


class TestStores:
    def test_a_new_ledger_is_empty_and_signed(self, place: Place) -> None:
        with place.ledger() as ledger:
            assert ledger.checkpoint().decode().split("\n")[:2] == [ORIGIN, "0"]
            assert ledger.size == 0
            assert ledger.scan("") == []

    def test_entries_of_a_call_are_adjacent_and_under_its_checkpoint(self, place: Place) -> None:
        with place.ledger() as ledger:
            assert ledger.append([b"a"]).first == 0
            answer = ledger.append([b"b", b"", b"c" * 65_535])
            assert (answer.first, size_of(answer.checkpoint)) == (1, 4)
            assert ledger.entries(0, 4) == [b"a", b"b", b"", b"c" * 65_535]
            assert ledger.entry(1) == b"b"

    def test_all_stands_after_opening_again(self, place: Place) -> None:
        with place.ledger() as ledger:
            first = ledger.append([b"a", b"b"], {"k": b"v"})
        with place.ledger() as ledger:
            assert ledger.checkpoint() == first.checkpoint
            assert ledger.get("k") == b"v"
            assert ledger.append([b"c"]).first == 2
            assert ledger.checkpoint(2) == first.checkpoint

    def test_proofs_of_every_size_verify(self, place: Place) -> None:
        entries = [b"%d" % i for i in range(13)]
        with place.ledger() as ledger:
            for entry in entries:
                ledger.append([entry])
            for new in range(1, 14):
                root = ledger.root(new)
                for old in range(1, new + 1):
                    path = ledger.consistency(old, new)
                    check_consistency(old, new, path, ledger.root(old), root, "t")
                for index in range(new):
                    leaf = leaf_hash(entries[index])
                    check_path(leaf, index, new, ledger.inclusion(index, new), root, "t")

    def test_what_is_not_there_is_an_index_error(self, place: Place) -> None:
        with place.ledger() as ledger:
            ledger.append([b"a", b"b"])
            calls: list[Callable[[], object]] = [
                lambda: ledger.entry(2),
                lambda: ledger.entry(-1),
                lambda: ledger.entries(1, 3),
                lambda: ledger.checkpoint(1),
                lambda: ledger.inclusion(2, 2),
                lambda: ledger.inclusion(0, 3),
                lambda: ledger.consistency(0, 2),
                lambda: ledger.receipt(2),
                lambda: ledger.receipt(0, quorum=1),
            ]
            for call in calls:
                with pytest.raises(IndexError):
                    call()

    def test_state_changes_with_the_entries_of_its_call(self, place: Place) -> None:
        with place.ledger() as ledger:
            ledger.append([b"a"], {"x": b"1", "y": b""}, ())
            ledger.append([b"b"], [("x", b"2")], ["y", "never"])
            assert ledger.scan("") == [("x", b"2")]
            ledger.append((), {"z": bytes(range(256))}, ["x"])
            assert (ledger.get("x"), ledger.get("z")) == (None, bytes(range(256)))
            assert ledger.size == 2

    def test_a_scan_takes_a_prefix_in_the_order_of_bytes(self, place: Place) -> None:
        with place.ledger() as ledger:
            for key in ("a/2", "a/10", "A/1", "b", "a", "a/~", "a0", "a_%"):
                ledger.append((), {key: key.encode()})
            assert [key for key, _ in ledger.scan("a/")] == ["a/10", "a/2", "a/~"]
            assert [key for key, _ in ledger.scan("a_")] == ["a_%"]
            every = ["A/1", "a", "a/10", "a/2", "a/~", "a0", "a_%", "b"]
            assert [key for key, _ in ledger.scan("")] == every

    def test_the_first_of_a_kind_binds(self, place: Place) -> None:
        with place.ledger() as ledger:
            ledger.append([b"root"], {"root/1": b"one"}, unless=["root/1"])
            with pytest.raises(Exists) as refused:
                ledger.append([b"other"], {"root/1": b"two"}, unless=["root/1"])
            assert (refused.value.key, refused.value.value) == ("root/1", b"one")
            assert ledger.size == 1
            assert ledger.put_once("k", b"a") == b"a"
            assert ledger.put_once("k", b"b") == b"a"

    def test_of_many_rivals_at_once_one_binds(self, place: Place) -> None:
        with place.ledger() as ledger:
            barrier = threading.Barrier(16)
            seen: list[bytes] = []

            def rival(number: int) -> None:
                barrier.wait()
                for k in range(5):
                    seen.append(b"%d:" % k + ledger.put_once(f"k{k}", b"%d" % number))
                try:
                    ledger.append([b"e%d" % number], {"e": b"%d" % number}, unless=["e"])
                except Exists as standing:
                    seen.append(b"e:" + standing.value)
                else:
                    seen.append(b"e:%d" % number)

            run = [threading.Thread(target=rival, args=(n,)) for n in range(16)]
            for thread in run:
                thread.start()
            for thread in run:
                thread.join()
            assert len(seen) == 16 * 6
            assert len(set(seen)) == 6
            assert ledger.entries(0, ledger.size) == [b"e" + (ledger.get("e") or b"")]

    def test_a_key_freed_and_taken_in_one_group_is_taken_once(self, place: Place) -> None:
        with place.ledger() as ledger:
            ledger.append((), {"k": b"old"})
            waiting = [ledger.submit((), deletes=["k"])]
            waiting += [ledger.submit((), {"k": b"%d" % i}, unless=["k"]) for i in range(3)]
            assert isinstance(waiting[1].result(), Appended)
            assert isinstance(waiting[2].exception(), Exists)
            assert ledger.get("k") == b"0"

    def test_who_has_lost_its_claim_writes_nothing_more(self, place: Place) -> None:
        with place.ledger() as old:
            old.claim("reign", b"old")
            assert old.append([b"a"], {"k": b"1"}).first == 0
            # Another process takes over; with a file it is the same one that loses the claim.
            store = old._store
            store.begin()
            store.commit(Batch(first=1, puts=[("reign", b"new")]))
            calls: list[Callable[[], object]] = [
                lambda: old.append([b"b"]),
                lambda: old.append((), {"k": b"2"}),
                lambda: old.claim("reign", b"old"),
            ]
            for call in calls:
                with pytest.raises(StoreFailed, match="taken over"):
                    call()
            assert old.failure is not None
            assert (old.size, old.get("k"), old.get("reign")) == (1, b"1", b"new")
        again = Ledger(place.store(), signer(), clock=lambda: NOW, claims={"reign": b"new"})
        with again:
            again.claim("reign/1", b"mine")
            assert again.append([b"c"]).first == 1
        late = Ledger(place.store(), signer(), clock=lambda: NOW, claims={"reign": b"old"})
        with late, pytest.raises(StoreFailed, match="taken over"):
            late.claim("reign/2", b"x")

    def test_calls_off_the_rules_are_refused_before_anything_is_written(self, place: Place) -> None:
        with place.ledger() as ledger:
            calls: list[Callable[[], object]] = [
                lambda: ledger.append([b"a" * 65_536]),
                lambda: ledger.append([b"a"], {"": b""}),
                lambda: ledger.append([b"a"], {"a b": b""}),
                lambda: ledger.append([b"a"], {"ä": b""}),
                lambda: ledger.append([b"a"], {"a" * 256: b""}),
                lambda: ledger.append([b"a"], unless=["k"]),
                lambda: ledger.append([b"a"], {"k": b""}, ["k"]),
                lambda: ledger.scan("\x7f"),
            ]
            for call in calls:
                with pytest.raises(UsageError):
                    call()
            assert ledger.size == 0

    def test_sixty_four_threads_lose_and_mix_nothing(self, place: Place) -> None:
        with place.ledger() as ledger:
            answers: dict[bytes, Appended] = {}

            def work(number: int) -> None:
                for k in range(5):
                    body = b"%d/%d" % (number, k)
                    answers[body] = ledger.append([body, body + b"+"])

            run = [threading.Thread(target=work, args=(n,)) for n in range(64)]
            for thread in run:
                thread.start()
            for thread in run:
                thread.join()
            assert ledger.size == 640
            for body, answer in answers.items():
                at = answer.first
                assert ledger.entries(at, at + 2) == [body, body + b"+"]
                assert size_of(answer.checkpoint) >= at + 2
                check_receipt(ledger.receipt(at), body, signer().key)
        assert health(place).defects == ()

    def test_cosignatures_are_checked_kept_and_counted(self, place: Place) -> None:
        witnesses = tuple(witness(i).key for i in (1, 2, 3))
        with place.ledger(witnesses) as ledger:
            notes = [ledger.append([b"%d" % i]).checkpoint for i in range(3)]
            texts = [read_note(note, "t").text for note in notes]
            assert ledger.cosigned(0) == notes[2]
            assert ledger.cosigned(1) is None
            assert ledger.add_cosignature(witness(1).cosign(texts[0], NOW).text) == 1
            assert ledger.add_cosignature(witness(2).cosign(texts[0], NOW).text, 1) == 1
            assert ledger.add_cosignature(witness(3).cosign(texts[1], NOW).text) == 2
            two, one = ledger.cosigned(2), ledger.cosigned(1)
            assert two is not None
            assert one is not None
            seen = check_checkpoint(two, signer().key, witnesses, 2, where="t")
            assert seen.checkpoint.size == 1
            assert check_checkpoint(one, signer().key, witnesses, 1, where="t").checkpoint.size == 2
            assert ledger.cosigned(3) is None
            assert ledger.cosigned(4) is None
            check_receipt(ledger.receipt(0, 2), b"0", signer().key, witnesses, 2)

    def test_the_first_cosignature_of_a_size_stands(self, place: Place) -> None:
        with place.ledger((witness(1).key,)) as ledger:
            text = read_note(ledger.append([b"a"]).checkpoint, "t").text
            for when in (NOW, NOW + 5, NOW):
                ledger.add_cosignature(witness(1).cosign(text, when).text, 1)
            note = ledger.cosigned(1)
            assert note is not None
            seen = check_checkpoint(note, signer().key, [witness(1).key], 1, where="t")
            assert [when for _, when in seen.cosigned] == [NOW]

    def test_foreign_false_and_future_cosignatures_are_refused(self, place: Place) -> None:
        with place.ledger((witness(1).key,)) as ledger:
            text = read_note(ledger.append([b"a"]).checkpoint, "t").text
            good = witness(1).cosign(text, NOW).text
            for line in (
                witness(2).cosign(text, NOW).text,
                witness(1).cosign(text + b"x\n", NOW).text,
                witness(1).cosign(text, NOW + 3600).text,
                good[:-8] + "AAAAAA==",
                good + "\n",
                "",
            ):
                with pytest.raises(NotVerified):
                    ledger.add_cosignature(line)
            with pytest.raises(IndexError):
                ledger.add_cosignature(good, 7)
            assert ledger.cosigned(1) is None

    def test_another_key_may_not_open_it(self, place: Place) -> None:
        store = place.store()
        with pytest.raises(NotVerified, match="another ledger"):
            Ledger(store, signer(2))
        store.close()

    def test_a_ledger_is_created_once(self, place: Place) -> None:
        with pytest.raises(NotALedger):
            place.create()

    def test_a_reader_may_not_write(self, place: Place) -> None:
        reader = place.reader()
        with pytest.raises(InUse):
            reader.begin()
        reader.close()

    def test_after_closing_nothing_is_taken(self, place: Place) -> None:
        ledger = place.ledger()
        ledger.close()
        ledger.close()
        with pytest.raises(StoreFailed):
            ledger.append([b"a"])

    def test_a_batch_that_leaves_a_gap_or_replaces_is_refused_whole(self, place: Place) -> None:
        with place.ledger() as ledger:
            note = ledger.append([b"a", b"b"]).checkpoint
        for first in (0, 1, 3):
            store = place.store()
            assert store.begin()[0] == 2
            batch = Batch(
                first=first,
                entries=[b"x"],
                leaves=[leaf_hash(b"x")],
                checkpoint=note,
                puts=[("k", b"v")],
            )
            with pytest.raises(StoreFailed):
                store.commit(batch)
            store.close()
        with place.ledger() as ledger:
            assert ledger.entries(0, ledger.size) == [b"a", b"b"]
            assert ledger.get("k") is None
        assert health(place).defects == ()

    def test_a_failed_commit_stops_the_ledger_and_leaves_it_readable(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = place.store()
        with Ledger(store, signer()) as ledger:
            ledger.append([b"a"])

            def fail(batch: Batch) -> None:
                raise StoreFailed("t", "no sync", final=True)

            monkeypatch.setattr(store, "commit", fail)
            with pytest.raises(StoreFailed, match="no sync"):
                ledger.append([b"b"])
            monkeypatch.undo()
            with pytest.raises(StoreFailed, match="nothing more is appended"):
                ledger.append([b"c"])
            assert ledger.failure is not None
            assert (ledger.size, ledger.entry(0)) == (1, b"a")
        with place.ledger() as ledger:
            assert ledger.append([b"d"]).first == 1

    def test_an_unforeseen_fault_answers_every_caller(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = place.store()
        with Ledger(store, signer()) as ledger:
            monkeypatch.setattr(store, "begin", lambda: 1 // 0)
            waiting = [ledger.submit([b"a"]) for _ in range(3)]
            for answer in waiting:
                assert isinstance(answer.exception(timeout=30), StoreFailed)
            monkeypatch.undo()

    def test_a_call_given_up_before_its_turn_writes_nothing(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = place.store()
        with Ledger(store, signer()) as ledger:
            started, going = threading.Event(), threading.Event()
            begin = store.begin

            def slow() -> tuple[int, bytes | None]:
                started.set()
                assert going.wait(30)
                return begin()

            monkeypatch.setattr(store, "begin", slow)
            first = ledger.submit([b"a"])
            assert started.wait(30)
            second = ledger.submit([b"b"])
            assert second.cancel()
            going.set()
            first.result(30)
            ledger.append([b"c"])
            assert ledger.entries(0, ledger.size) == [b"a", b"c"]
