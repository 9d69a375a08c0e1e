"""What the law of a family of games says of play and score, as data; one family, one file.

`audit/games/` gives the values, `audit/referee/` the machine that follows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of one game beyond its deal; *family* names the machine that follows them.

    An option that the book leaves open is a field with its default, and the
    reason for the default stands beside it.
    """

    family: ClassVar[str] = ""
