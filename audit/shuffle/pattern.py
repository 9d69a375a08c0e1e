r"""The exact byte form of a public value, and how many forms it allows.

A narrow pattern, read the same way by every verifier and in linear time whatever it says:
items one after another, each a printable ASCII character, an escaped character (`\.`), a
digit `\d`, a newline `\n`, or a class `[0-9a-f]`, followed if wanted by `{m}` or `{m,n}`.
No alternatives,
groups, stars or anchors: the whole value must match.

Source: design section 3, P11 ("exact byte form (a pattern)").
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from audit.errors import UsageError

MAX_VALUE = 1024
_ITEM = re.compile(
    r"(?:\[(?P<set>(?:[A-Za-z0-9 _.,:/+=-]-[A-Za-z0-9]|[A-Za-z0-9 _.,:/+=-])+)\]"
    r"|\\(?P<esc>[dn.\\\[\]{}()*+?|^$-])"
    r"|(?P<lit>[A-Za-z0-9 _,:;/=@#%&!~'\"<>-]))"
    r"(?:\{(?P<lo>[0-9]{1,4})(?:,(?P<hi>[0-9]{1,4}))?\})?"
)
_DIGITS = frozenset(b"0123456789")


@dataclass(frozen=True)
class Item:
    """Between *low* and *high* bytes, each one of *allowed*."""

    allowed: frozenset[int]
    low: int
    high: int


def parse(text: str) -> tuple[Item, ...]:
    """Return the items of a pattern. Raises: UsageError when it is not of the narrow kind."""
    items: list[Item] = []
    at = 0
    while at < len(text):
        found = _ITEM.match(text, at)
        if found is None:
            raise UsageError("value", "pattern", "is not of the narrow kind", "", text[at:])
        low = int(found["lo"] or 1)
        high = int(found["hi"] or low)
        items.append(Item(_allowed(found), low, high))
        if low > high or high < 1 or sum(item.high for item in items) > MAX_VALUE:
            raise UsageError(
                "value", "pattern", f"repeats not in order or past {MAX_VALUE} bytes", "", text
            )
        at = found.end()
    if not items:
        raise UsageError("value", "pattern", "is empty")
    return tuple(items)


def _allowed(found: re.Match[str]) -> frozenset[int]:
    if found["esc"]:
        named = {"d": _DIGITS, "n": frozenset(b"\n")}
        return named.get(found["esc"], frozenset(found["esc"].encode()))
    if found["lit"]:
        return frozenset(found["lit"].encode())
    members: set[int] = set()
    for part in re.finditer(r"(.)-(.)|(.)", found["set"]):
        first = part[1] or part[3]
        last = part[2] or part[3]
        if first > last:
            raise UsageError("value", "pattern", "holds a range the wrong way round", "", part[0])
        members.update(range(ord(first), ord(last) + 1))
    return frozenset(members)


def matches(text: str, value: bytes) -> bool:
    """Say whether the whole of *value* has the form *text*."""
    reached = {0}
    for item in parse(text):
        onward: set[int] = set()
        furthest = -1
        for start in sorted(reached):
            end = max(start, furthest)
            while end < len(value) and end - start < item.high and value[end] in item.allowed:
                end += 1
            top = min(end, start + item.high)
            run = top - start
            # a run measured from an earlier start also holds for this one
            furthest = max(furthest, top)
            if run >= item.low:
                onward.update(range(start + item.low, start + run + 1))
        reached = onward
    return len(value) in reached


def forms(text: str) -> int:
    """Return an upper bound, exact as an integer, on how many values have this form."""
    return math.prod(
        sum(len(item.allowed) ** k for k in range(item.low, item.high + 1)) for item in parse(text)
    )
