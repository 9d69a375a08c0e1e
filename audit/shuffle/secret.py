"""Bytes that order packs, in a type that does not print them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn

from audit.shuffle.derive import SECRET_BYTES
from audit.shuffle.framing import same

Draw = Callable[[int], bytes]


class Secret:
    """Sixty-four bytes; shown only by the explicit call `reveal`."""

    __slots__ = ("_bytes",)

    def __init__(self, data: bytes) -> None:
        if len(data) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes")
        self._bytes = bytes(data)

    @classmethod
    def fresh(cls, draw: Draw = os.urandom) -> Secret:
        """Return a new secret from the operating system (or, in tests, from *draw*)."""
        return cls(draw(SECRET_BYTES))

    def reveal(self) -> bytes:
        """Return the bytes: to derive, to store sealed, or to open a finished pack."""
        return self._bytes

    def __repr__(self) -> str:
        return "Secret(not shown)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and same(self._bytes, other._bytes)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")
