"""Processes that do parts of an audit, started when the first part is given to them."""

from __future__ import annotations

import gc
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from audit.errors import FairdealError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

#: So many parts wait for each process, lest it wait for the next.
AHEAD = 2
#: A process looks for cycles each time it has so many more objects.
CYCLES = 200_000
_Part = TypeVar("_Part")
_Done = TypeVar("_Done")


def _begin() -> None:
    """Leave an interrupt to the process that started this one, and look for cycles seldom.

    What a part leaves is freed as it goes; the events of one are many and in no cycle.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(CYCLES)


class Workers:
    """At most *jobs* processes; a context that ends them."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=kind is not None)

    @property
    def started(self) -> bool:
        """Whether there are processes already."""
        return self._pool is not None

    def each(
        self, work: Callable[[_Part], _Done], parts: Iterable[_Part], *, most: int | None = None
    ) -> Iterator[_Done]:
        """Yield what *work* makes of each of *parts*, in their order, by *most* processes.

        A few parts for each process are taken ahead, so that memory does not grow with their
        number.

        Raises: FairdealError where a process ended before its work was done; whatever *work*
        and *parts* raise.
        """
        ahead = AHEAD * (self.jobs if most is None else min(self.jobs, most))
        waiting: deque[Future[_Done]] = deque()
        for part in parts:
            waiting.append(self._given(work, part))
            if len(waiting) >= ahead:
                yield _done(waiting.popleft())
        while waiting:
            yield _done(waiting.popleft())

    def _given(self, work: Callable[[_Part], _Done], part: _Part) -> Future[_Done]:
        if self._pool is None:
            # A log of counts starts sooner without them.
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            context = get_context("spawn")
            self._pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_begin)
        with _all_there():
            return self._pool.submit(work, part)


def _done(future: Future[_Done]) -> _Done:
    with _all_there():
        return future.result()


@contextmanager
def _all_there() -> Iterator[None]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield
    except BrokenProcessPool as err:
        why = "it ended before its part was done; there is no report"
        raise FairdealError("audit", "a process", why, "memory for all of --jobs") from err
