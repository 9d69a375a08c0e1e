"""Several processes that serve one ledger, and the one that keeps them running.

The door is opened once and every worker takes connections at it. A worker that ends is
started again and reads its tables from the ledger, as a service does that was killed; the
others go on meanwhile. Without the first process no worker stays.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Event, Thread

from audit.errors import FairdealError, UsageError
from audit.ledger.refusal import InUse, Superseded
from audit.service.serve import Settings, log_to_stderr, open_hall
from audit.service.server import HallServer, serve
from audit.service.team import Team

LOG = logging.getLogger("fairdeal.service")
BACKLOG = 2048
#: What a worker ends with that was refused its ledger, or has lost it to another service.
REFUSED, SUPERSEDED = 2, 4
STOP_SECONDS = 15.0
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
#: How often the right to serve the ledger is looked for.
RENEW_SECONDS = 1.0
#: Bytes of a socket's path that every system takes, with the name of a worker in it.
LONGEST_FOLDER = 80


def open_door(host: str, port: int) -> socket.socket:
    """Return a socket that listens.  Raises: UsageError."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as err:
        raise UsageError(f"{host}:{port}", "address", f"cannot be served: {err.strerror}") from err


def supervise(
    settings: Settings,
    reign: bytes,
    count: int,
    renew: Callable[[], None],
    *,
    quiet: bool = False,
) -> int:
    """Keep *count* workers running until a signal; return the exit code.

    *renew* keeps the right to serve the ledger. Raises: UsageError when the address cannot be
    served, or a worker says that it cannot go on; InUse when another service has the ledger.
    """
    with open_door(settings.host, settings.port) as door, tempfile.TemporaryDirectory() as folder:
        if len(folder.encode()) > LONGEST_FOLDER:
            why = "is too long a path for the sockets of the workers"
            raise UsageError("serve", "TMPDIR", why, f"at most {LONGEST_FOLDER} bytes")
        spawn = multiprocessing.get_context("spawn")
        # Begun now, for to begin it unblocks signals.
        resource_tracker.ensure_running()

        def start(me: int) -> SpawnProcess:
            given = (settings, reign, Path(folder), me, count, door, quiet)
            made = spawn.Process(target=work, args=given, name=f"worker-{me}")
            # An interrupt of all waits until the new process can say what it does with one.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                made.start()
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            return made

        return _Keeper(start, count, _Renewing(renew)).run()


class _Renewing:
    """Keeps the right to serve on a thread of its own, since a server may be slow to answer."""

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew, self._over = renew, Event()
        self.lost: InUse | None = None

    def begin(self) -> None:
        """Look for it from now on."""
        self._thread = Thread(target=self._run, name="hold", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(RENEW_SECONDS):
            try:
                self._renew()
            except InUse as err:
                self.lost = err
                return
            except FairdealError:
                # The server is away; whoever has it first when it is back, serves.
                continue

    def end(self) -> None:
        """Look no more, and leave the session alone if the server answers in time."""
        self._over.set()
        self._thread.join(RENEW_SECONDS)


class _Keeper:
    """Starts workers, and starts again what ends before it was told to."""

    def __init__(
        self, start: Callable[[int], SpawnProcess], count: int, renewing: _Renewing
    ) -> None:
        self._start, self._count, self._renewing = start, count, renewing
        self._stopping = False

    def _stop(self, *_: object) -> None:
        self._stopping = True

    def run(self) -> int:
        """Run until a signal.  Raises: UsageError, InUse."""
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, self._stop)
        workers = {me: self._start(me) for me in range(self._count)}
        began = dict.fromkeys(workers, time.monotonic())
        pauses = dict.fromkeys(workers, FIRST_PAUSE)
        due: dict[int, float] = {}
        fatal = {REFUSED, SUPERSEDED}
        refused = False
        self._renewing.begin()
        try:
            while not self._stopping and not refused and self._renewing.lost is None:
                wait([one.sentinel for one in workers.values()], 0.2)
                now = time.monotonic()
                for me, one in list(workers.items()):
                    code = one.exitcode
                    if code is None or self._stopping:
                        continue
                    refused = refused or code in fatal
                    LOG.warning(f"worker {me} ended with {code}")
                    del workers[me]
                    # One that ends as soon as it is started is not started all the time.
                    long = now - began[me] > LONGEST_PAUSE
                    pauses[me] = FIRST_PAUSE if long else min(2 * pauses[me], LONGEST_PAUSE)
                    due[me] = now + pauses[me]
                for me, when in list(due.items()):
                    if now >= when and not refused:
                        workers[me], began[me] = self._start(me), now
                        del due[me]
                        # It has served before: whatever keeps it from that now may pass.
                        fatal.discard(REFUSED)
        finally:
            _end(list(workers.values()))
            self._renewing.end()
        if self._renewing.lost is not None:
            raise self._renewing.lost
        if refused:
            raise UsageError("serve", "worker", "cannot go on; its log line says why")
        return 0


def _end(workers: list[SpawnProcess]) -> None:
    until = time.monotonic() + STOP_SECONDS
    for one in workers:
        one.terminate()
    for one in workers:
        one.join(max(0.1, until - time.monotonic()))
        if one.exitcode is None:
            one.kill()
            one.join()


def work(
    settings: Settings,
    reign: bytes,
    folder: Path,
    me: int,
    count: int,
    door: socket.socket,
    quiet: bool,  # noqa: FBT001 - given by position to the new process
) -> None:
    """Be worker *me* of *count* until a signal, or until the first process is gone."""
    log_to_stderr(quiet=quiet)
    team = Team(folder, me, count)
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        hall = open_hall(settings, reign=reign, team=team)
    except FairdealError as err:
        # Our own words, which hold no secret: the key's or the ledger's place, and why.
        LOG.error(str(err))
        raise SystemExit(SUPERSEDED if isinstance(err, Superseded) else REFUSED) from None
    serve(settings, hall, team=team, door=door, with_server=_leave_with_the_first)
    if hall.ledger.failure is not None:
        raise SystemExit(1)


def _leave_with_the_first(server: HallServer) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        server.should_exit = True

    Thread(target=watch, daemon=True).start()


__all__ = ["open_door", "supervise", "work"]
