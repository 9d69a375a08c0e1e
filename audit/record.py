"""The deal record, what can go wrong with one, and the columns that tallies see.

Unknown is not absent: every field but the game may be missing, because real
logs are partial.  A reader yields one `Deal` or one `Flaw` for each deal of
its file, in file order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from audit.cards import UNKNOWN

Order = Literal["dealt", "sorted", "set", "unknown"]
Exposure = Literal["dealt", "played out", "shown", "owner", "unknown"]
DealtBy = Literal["person", "machine", "unknown"]


class Deal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One deal as a log shows it.

    *hands* stand by place at the table (place 1 first), each in the order
    given, empty where not known; *dealer_seat* is the place (from 1) of the
    dealer and *dealer* the name of who dealt.  *turnups* are all cards turned,
    in order.  *runs* are the cards of runs in pack order.  Cards are bytes of
    card numbers (`cards.py`).
    """

    game: str
    line: int = 0
    table: str | None = None
    number: str | None = None
    time: str | None = None
    options: dict[str, str] = {}
    players: Annotated[int, Meta(ge=1, le=99)] | None = None
    dealer: str | None = None
    dealer_seat: Annotated[int, Meta(ge=1, le=99)] | None = None
    dealt_by: DealtBy = "unknown"
    order_after_cut: bytes | None = None
    hands: Annotated[tuple[bytes, ...], Meta(max_length=99)] = ()
    widow: bytes = b""
    turnups: bytes = b""
    runs: bytes = b""
    board: bytes = b""
    cut_short: bool = False
    irregularity: str | None = None


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the input that could not be read as a deal."""

    line: int
    field: str
    why: str


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Turn-ups of one stock or dealer, as totals: `turned[card]` of *deals*."""

    line: int
    stock: str
    deals: int
    turned: tuple[int, ...]


class Other(msgspec.Struct, frozen=True, kw_only=True):
    """A row that is of another kind: neither a deal nor a flaw, but counted."""

    line: int
    kind: str


@dataclass(frozen=True, kw_only=True)
class Holds:
    """What a log shows and how it came to be shown, as its reader claims it.

    *order* is the order inside a hand, *widow_order* inside the widow;
    *exposure* says who decided that the hands stand in the log; *turnup* is
    `claimed` where the source only states which card is turned.
    """

    order: Order = "unknown"
    widow_order: Order = "unknown"
    exposure: Exposure = "unknown"
    turnup: Literal["seen", "claimed", "none"] = "seen"
    numbered: bool = False
    selection: str = ""
    notes: tuple[str, ...] = ()


Record = Deal | Flaw | Counts | Other


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Consecutive distinct deals of one input as columns; rows are deals.

    hands (deals, places, cards) and widow (deals, cards), board (deals, 5) are
    padded with 255; turnups are ragged: the cards of deal i are
    `turnups[turn_at[i]:turn_at[i + 1]]`.  dealer indexes *names*, -1 where it
    is not known.  order is (deals, pack) or None.
    """

    first: int
    players: NDArray[np.int16]
    dealer: NDArray[np.int32]
    names: tuple[str, ...]
    dealer_seat: NDArray[np.int16]
    hands: NDArray[np.uint8]
    widow: NDArray[np.uint8]
    board: NDArray[np.uint8]
    turnups: NDArray[np.uint8]
    turn_at: NDArray[np.int64]
    order: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return len(self.players)


def _fill(rows: Sequence[bytes], width: int) -> NDArray[np.uint8]:
    joined = b"".join(row.ljust(width, b"\xff") for row in rows)
    return np.frombuffer(joined, np.uint8).reshape(len(rows), width)


def batch_of(deals: Sequence[Deal], *, first: int, names: dict[str, int]) -> Batch:
    """Return *deals* as columns; new dealers are added to *names* in order."""
    places = max((len(d.hands) for d in deals), default=0)
    deep = max((len(h) for d in deals for h in d.hands), default=0)
    hands = _fill(
        [b"".join(h.ljust(deep, b"\xff") for h in d.hands) for d in deals], places * deep
    ).reshape(len(deals), places, deep)
    dealer = np.array(
        [-1 if d.dealer is None else names.setdefault(d.dealer, len(names)) for d in deals],
        np.int32,
    )
    turn_at = np.zeros(len(deals) + 1, np.int64)
    np.cumsum([len(d.turnups) for d in deals], out=turn_at[1:])
    return Batch(
        first=first,
        players=np.array([d.players or len(d.hands) for d in deals], np.int16),
        dealer=dealer,
        names=tuple(names),
        dealer_seat=np.array([d.dealer_seat or 0 for d in deals], np.int16),
        hands=hands,
        widow=_fill([d.widow for d in deals], max((len(d.widow) for d in deals), default=0)),
        board=_fill([d.board for d in deals], max((len(d.board) for d in deals), default=0)),
        turnups=np.frombuffer(b"".join(d.turnups for d in deals), np.uint8),
        turn_at=turn_at,
        order=None,
    )


assert UNKNOWN == 0xFF
