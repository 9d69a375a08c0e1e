"""What is said in one turn goes out in one write, in order, and nothing is left behind."""

from __future__ import annotations

import asyncio
from typing import cast

from audit.service.gather import Gathering


class Plain:
    """A transport that notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[bytes | str] = []

    def write(self, data: bytes) -> None:
        self.heard.append(bytes(data))

    def close(self) -> None:
        self.heard.append("closed")

    def is_closing(self) -> bool:
        return "closed" in self.heard


def test_pieces_of_one_turn_are_one_write_and_closing_writes_the_rest() -> None:
    plain = Plain()

    async def say() -> None:
        gathering = Gathering(cast(asyncio.Transport, plain), asyncio.get_running_loop())
        gathering.write(b"head ")
        gathering.write(bytearray(b"body"))
        assert plain.heard == []
        await asyncio.sleep(0)
        gathering.writelines([b"line ", memoryview(b"line")])
        await asyncio.sleep(0)
        gathering.write(b"last")
        gathering.close()
        gathering.write(b"after the end")
        await asyncio.sleep(0)

    asyncio.run(say())
    assert plain.heard == [b"head body", b"line line", b"last", "closed"]
