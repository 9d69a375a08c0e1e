"""Several workers serve one ledger: every table is somewhere, and is found from everywhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from audit.client.api import Api
from audit.client.journal import Journal
from audit.client.refusal import Answered, Unreachable
from audit.client.witness import Witness
from audit.keyfile import make_key, read_private
from audit.ledger.fsck import examine
from audit.ledger.place import open_to_read
from audit.ledger.postgres import PostgresStore
from audit.ledger.store import Batch
from audit.note import COSIGNATURE, Key, Signer
from audit.service.team import worker_of
from audit.wire import Health, NewTable, Tables, Tokens
from tests.ledger.kit import server_place
from tests.ledger.server import Server
from tests.service.rig import free_port, play, seats_at

RUN = "from audit.cli.main import run; run()"
WORKERS = 3
ORIGIN = "house.example"


class Crew:
    """A service of several workers in processes of their own."""

    def __init__(self, folder: Path, db: str, witnesses: tuple[Key, ...] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self.db = folder, db
        self._witnesses = witnesses
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start("--create")

    def line(self, *more: str) -> list[str]:
        """Return the command."""
        files = [x for name in ("key", "vault") for x in (f"--{name}", str(self._folder / name))]
        witnesses = [x for key in self._witnesses for x in ("--witness", key.text)]
        rest = ["--origin", ORIGIN, "--port", str(self.port), "--rate", "100000", "--quiet"]
        quorum = ["--quorum", str(len(self._witnesses))]
        every = [*files, *rest, *witnesses, *quorum, "--workers", str(WORKERS), *more]
        return [sys.executable, "-c", RUN, "serve", "--db", self.db, *every]

    def start(self, *more: str) -> None:
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.line(*more), stderr=log)
        self.wait_until_well()

    def wait_until_well(self) -> None:
        api = Api(self.url, seconds=5)
        for _ in range(600):
            try:
                if api.get("/health", Health).ok:
                    break
            except (Unreachable, Answered):
                assert self.process.poll() is None, (self._folder / "log").read_text()
            time.sleep(0.05)
        else:
            raise AssertionError("the service is not well in time")
        api.close()

    def workers(self) -> list[int]:
        """Return the processes that were started by the first one to serve, oldest first."""
        pids = []
        for one in Path("/proc").iterdir():
            try:
                fields = (one / "stat").read_text().rsplit(")", 1)[1].split()
                words = (one / "cmdline").read_bytes()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid and b"spawn_main" in words and fields[0] != "Z":
                pids.append(int(one.name))
        return sorted(pids)

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(30) == 0


@contextmanager
def crew(folder: Path, server: Server, witnesses: tuple[Key, ...] = ()) -> Iterator[Crew]:
    made = Crew(folder, server_place(server).address, witnesses)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.stop()


def check_ledger(db: str) -> int:
    """Return the number of entries of a ledger, all of which are looked at."""
    store = open_to_read(db)
    health = examine(store)
    store.close()
    assert health.defects == ()
    return health.entries


def tables(made: Crew, count: int, packs: int) -> list[Tokens]:
    """Make *count* tables, and more until every worker has some; any of them may be asked."""
    found: list[Tokens] = []
    while len(found) < count or len({worker_of(t.table, WORKERS) for t in found}) < WORKERS:
        api = Api(made.url)
        asked = NewTable(game="ecarte_foster", players=2, packs=packs)
        found.append(api.post("/api/tables", asked, Tokens))
        api.close()
    return found


def play_all(made: Crew, all_of: list[Tokens], folder: Path, packs: int) -> None:
    """Play every table to its end at the same time, each seat over connections of its own."""
    seats = [s for t in all_of for s in seats_at(made.url, t, folder / t.table, wait=2)]
    play(seats)
    assert [seat.verified for seat in seats] == [list(range(1, packs + 1))] * len(seats)


def test_every_table_falls_to_one_worker() -> None:
    names = [f"t-{n:016x}" for n in range(3000)]
    for count in (1, 2, 5):
        found = [worker_of(name, count) for name in names]
        each = [found.count(n) for n in range(count)]
        assert sum(each) == 3000
        # Five standard deviations of a binomial count.
        spread = 5 * (3000 * (count - 1)) ** 0.5 / count
        assert all(abs(n - 3000 / count) <= spread for n in each)


def test_a_file_is_served_by_one_process(tmp_path: Path) -> None:
    made = subprocess.run(
        [
            *(sys.executable, "-c", RUN, "serve", "--db", str(tmp_path / "db")),
            *("--key", str(tmp_path / "k"), "--vault", str(tmp_path / "v")),
            *("--origin", ORIGIN, "--workers", "2"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2
    assert "workers: need a ledger that several processes may open" in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_tables_of_all_workers_are_played_and_listed_from_everywhere(
    server: Server, tmp_path: Path
) -> None:
    with crew(tmp_path / "house", server) as made:
        all_of = tables(made, 9, 3)
        names = tuple(sorted(one.table for one in all_of))
        for _ in range(2 * WORKERS):
            # Each new connection may come to another worker.
            api = Api(made.url)
            assert api.get("/api/tables", Tables).tables == names
            api.close()
        play_all(made, all_of, tmp_path, 3)
        api = Api(made.url)
        assert api.get("/api/tables", Tables).tables == ()
        counts = api.raw("/metrics").decode()
        assert f'fairdeal_packs{{state="opened"}} {3 * len(names)}\n' in counts
        assert f"fairdeal_tables {len(names)}\n" in counts
        size = api.get("/health", Health).size
        with pytest.raises(Answered) as refused:
            api.get(f"/api/tables/{names[0][:-1]}/packs/1/transcript", Tables)
        assert refused.value.status == 404
        api.close()
        assert check_ledger(made.db) == size


def test_a_witness_at_one_worker_lets_the_tables_of_all_go_on(
    server: Server, tmp_path: Path
) -> None:
    make_key(tmp_path / "witness.key")
    signer = Signer("witness.example", read_private(tmp_path / "witness.key"), COSIGNATURE)
    with crew(tmp_path / "house", server, (signer.key,)) as made:
        house = Signer(ORIGIN, read_private(tmp_path / "house" / "key")).key
        api, journal = Api(made.url), Journal(tmp_path / "heads.jsonl")
        watch = Witness(api, signer, house, journal)
        over = threading.Event()

        def watching() -> None:
            while not over.is_set():
                watch.step(1)

        thread = threading.Thread(target=watching)
        thread.start()
        try:
            play_all(made, tables(made, 6, 2), tmp_path, 2)
        finally:
            over.set()
            thread.join()
            api.close()
            journal.close()
        assert check_ledger(made.db) > 0


def test_seats_go_on_when_workers_are_killed(server: Server, tmp_path: Path) -> None:
    with crew(tmp_path / "house", server) as made:
        all_of = tables(made, 4, 25)
        over = threading.Event()
        killed: list[int] = []

        def killing() -> None:
            for number in range(4):
                if over.wait(0.3):
                    return
                pids = made.workers()
                if not pids:
                    continue
                killed.append(pids[number % len(pids)])
                os.kill(killed[-1], signal.SIGKILL)

        killer = threading.Thread(target=killing)
        killer.start()
        try:
            play_all(made, all_of, tmp_path, 25)
        finally:
            over.set()
            killer.join()
        assert len(set(killed)) >= 2
        made.wait_until_well()
        assert len(made.workers()) == WORKERS
        check_ledger(made.db)


def test_no_worker_outlives_the_first_process_and_the_next_one_goes_on(
    server: Server, tmp_path: Path
) -> None:
    with crew(tmp_path / "house", server) as made:
        all_of = tables(made, 4, 12)
        seats = [s for t in all_of for s in seats_at(made.url, t, tmp_path / t.table, wait=2)]
        failed: list[BaseException] = []

        def sitting() -> None:
            try:
                play(seats)
            except BaseException as err:
                failed.append(err)

        playing = threading.Thread(target=sitting)
        playing.start()
        time.sleep(0.5)
        before = made.workers()
        made.process.kill()
        made.process.wait()
        until = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in before) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(Path(f"/proc/{pid}").exists() for pid in before)
        made.start()
        playing.join(90)
        assert not playing.is_alive()
        assert failed == []
        assert [seat.verified for seat in seats] == [list(range(1, 13))] * len(seats)
        check_ledger(made.db)


def test_a_second_service_is_refused_while_the_first_one_runs(
    server: Server, tmp_path: Path
) -> None:
    with crew(tmp_path / "house", server) as made:
        made.port = free_port()
        second = subprocess.run(made.line(), capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert "ledger: is served by another process" in second.stderr


def test_a_service_that_has_lost_its_ledger_to_another_one_stops(
    server: Server, tmp_path: Path
) -> None:
    with crew(tmp_path / "house", server) as made:
        store = PostgresStore.open_to_append(made.db)
        first, _ = store.begin()
        store.commit(Batch(first=first, puts=[("reign", b"another")]))
        store.close()
        api = Api(made.url)
        with pytest.raises((Answered, Unreachable)):
            # The first write shows it.
            api.post("/api/tables", NewTable(game="ecarte_foster", players=2), Tokens)
        api.close()
        assert made.process.wait(30) == 2
        assert "taken over" in (tmp_path / "house" / "log").read_text()
        check = open_to_read(made.db)
        assert check.size() == first
        check.close()
