"""The HTTP server around one hall; at its end no connection is left to anybody else to close."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from audit.errors import FairdealError
from audit.service.app import Service
from audit.service.gather import GatheringProtocol
from audit.service.hall import Hall
from audit.service.team import Team

if TYPE_CHECKING:
    from audit.service.serve import Settings

#: Turns of the loop in which a connection that was just accepted comes to be known.
TURNS = 4


class HallServer(uvicorn.Server):
    """Stops in order: whoever waits is told that nothing comes, then every connection ends."""

    def __init__(
        self,
        service: Service,
        hall: Hall,
        host: str,
        port: int,
        *,
        grace: int = 5,
        kept: bool = False,
    ) -> None:
        """Serve on *host* and *port*; answers under way have *grace* seconds at the end.

        One that is *kept* running by another process leaves when only a new start helps.
        """
        self._hall, self._kept = hall, kept
        config = uvicorn.Config(
            service,
            host=host,
            port=port,
            http=GatheringProtocol,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=grace,
            h11_max_incomplete_event_size=16_384,
            limit_concurrency=2000,
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def leave(self) -> None:
        """Stop soon.  From the loop's own thread."""
        self._hall.stopping = True
        self._hall.ring_all()
        self.should_exit = True

    def soon(self, work: Callable[[], None]) -> None:
        """Do *work* on the loop's own thread.  From any thread, once `startup` is over."""
        self._loop.call_soon_threadsafe(work)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal."""
        # A second interrupt means at once; the first must not be taken for it.
        super().handle_exit(sig, frame)
        self.leave()

    async def on_tick(self, counter: int) -> bool:
        """Say whether to stop; asked some ten times a second."""
        if self._kept and counter % 10 == 0 and self._is_lost():
            self.leave()
        return await super().on_tick(counter)

    def _is_lost(self) -> bool:
        """Whether only a start from the store helps, and the store can be read again."""
        hall = self._hall
        if hall.ledger.failure is not None:
            return True
        if not hall.failed and not any(room.broken for room in hall.rooms.values()):
            return False
        try:
            # Until then there is nothing to start from, and a refusal is a better answer than none.
            hall.ledger.checkpoint()
        except FairdealError:
            return False
        return True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End answers under way in their time, and then whatever is still connected."""
        self.leave()
        await super().shutdown(sockets)
        # Who was accepted while the door closed is connected and known to nobody yet.
        for _ in range(TURNS):
            for one in list(self.server_state.connections):
                one.transport.abort()
            await asyncio.sleep(0)


def serve(
    settings: Settings,
    hall: Hall,
    *,
    team: Team | None = None,
    door: socket.socket | None = None,
    with_server: Callable[[HallServer], None] = lambda _: None,
) -> None:
    """Serve *hall* until a signal, at *door* where that is open already.

    *with_server* is done once the server is made.
    """
    # What stands now stays: no collection needs to walk it again, and few find anything.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    service = Service(lambda: hall, rate=settings.rate, burst=settings.burst, team=team)
    server = HallServer(service, hall, settings.host, settings.port, kept=team is not None)
    with_server(server)
    # The server stops in order at this signal and then raises it again for whoever started it.
    # One that comes before the server listens to signals is not to be lost either.
    signal.signal(signal.SIGTERM, lambda *_: server.leave())
    server.run(None if door is None else [door])


__all__ = ["HallServer", "serve"]
