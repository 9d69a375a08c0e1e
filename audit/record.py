"""The deal record, what can go wrong with one, and the columns that tallies see.

Unknown is not absent: every field but the game may be missing, because real
logs are partial.  A reader yields one `Deal` or one `Flaw` for each deal of
its file, in file order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.event import Event

Order = Literal["dealt", "sorted", "set", "unknown"]
Exposure = Literal["dealt", "played out", "shown", "owner", "unknown"]
DealtBy = Literal["person", "machine", "unknown"]
Turnup = Literal["seen", "claimed", "none"]
#: How a pack ended; "" is unknown.  A void before the closing comes before any card is fixed;
#: "unfinished before play" is after the first cards were dealt and before any decision.
Ended = Literal["", "opened", "void", "void after closing", "unfinished", "unfinished before play"]
Place = Annotated[int, Meta(ge=0, le=99)]
#: The bit of each card number in a set of cards, none for one that is not known.
BIT = np.zeros(256, np.uint64)
BIT[:52] = np.uint64(1) << np.arange(52, dtype=np.uint64)

#: Where spades, hearts, diamonds and clubs stand where cards are put in order, or the other way
#: round: as usual, with diamonds first, and with the colours in turn.
SUIT_ORDERS = ((0, 1, 2, 3), (1, 2, 0, 3), (0, 1, 3, 2), (0, 3, 1, 2))


def card_sets(cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the known cards of each last axis of *cards* as bits, shape `cards.shape[:-1]`."""
    sets = np.zeros(cards.shape[:-1], np.uint64)
    for k in range(cards.shape[-1]):
        sets |= BIT.take(cards[..., k])
    return sets


def put_in_order(cards: NDArray[np.uint8], count: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which rows of *cards* (deals, any) stand by rank, or by suit and then rank.

    The first *count* (deals,) of each row are looked at; fewer than two stand in no order, and
    a card that is not known may be any.
    High or low may come first, the ace be either, and suits follow as in `SUIT_ORDERS`.  Five
    cards as dealt do so once in seven deals, six once in thirty.
    """
    known = (np.arange(cards.shape[1]) < count[:, None]) & (cards < 52)
    suit, rank = cards.astype(np.int64) // 13, cards.astype(np.int64) % 13
    found = np.zeros(len(cards), np.bool_)
    for ace_low in (0, 1):
        of_rank = (rank + ace_low) % 13
        keys = [of_rank] + [
            13 * np.array(order)[np.minimum(suit, 3)] + sign * of_rank
            for order in SUIT_ORDERS
            for sign in (1, -1)
        ]
        for key in keys:
            least = np.minimum.accumulate(np.where(known, key, UNKNOWN), axis=1)
            most = np.maximum.accumulate(np.where(known, key, -UNKNOWN), axis=1)
            found |= ((key >= most) | ~known).all(axis=1) | ((key <= least) | ~known).all(axis=1)
    return np.asarray(found & (count > 1))


class Deal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One deal as a log shows it.

    *hands* stand by place at the table (place 1 first), each in the order
    given, empty where not known; *dealer_seat* is the place (from 1) of the
    dealer and *dealer* the name of who dealt, *declarer* the place (from 1) of who plays
    against the others.  *turnups* are all cards turned,
    in order.  *runs* are the cards of runs in pack order.  *events* is what
    happened after the deal (`event.py`).  Cards are bytes of card numbers
    (`cards.py`).  Orders are whole packs from the top: *gathered_order* as the
    cards of the last deal were picked up, *pack_order* as the pack was given to the
    cut, and *order_after_cut*; *cut* is how many cards were lifted.  *pack_id* tells
    one pack of cards from another.  *ended* is how the pack ended, *ended_by* the places whose
    message was missing then, 0 being the house, and *parties* the keys or names
    of the house and of each place, the house first.
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
    declarer: Annotated[int, Meta(ge=1, le=99)] | None = None
    dealt_by: DealtBy = "unknown"
    pack_id: str | None = None
    gathered_order: bytes | None = None
    pack_order: bytes | None = None
    cut: Annotated[int, Meta(ge=0, le=99)] | None = None
    order_after_cut: bytes | None = None
    hands: Annotated[tuple[bytes, ...], Meta(max_length=99)] = ()
    widow: bytes = b""
    turnups: bytes = b""
    runs: bytes = b""
    board: bytes = b""
    cut_short: bool = False
    irregularity: str | None = None
    events: tuple[Event, ...] = ()
    ended: Ended = ""
    ended_by: Annotated[tuple[Place, ...], Meta(max_length=100)] = ()
    parties: Annotated[tuple[str, ...], Meta(max_length=100)] = ()


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
    turnup: Turnup = "seen"
    numbered: bool = False
    selection: str = ""
    notes: tuple[str, ...] = ()


Record = Deal | Flaw | Counts | Other
ENDED: tuple[Ended, ...] = (
    "",
    "opened",
    "void",
    "void after closing",
    "unfinished",
    "unfinished before play",
)


@dataclass(frozen=True, kw_only=True)
class Endings:
    """How packs ended, and by whom; column 0 is the house, column p place p.

    ended (deals,) is the place in `ENDED`; party (deals, columns) indexes the names
    of parties, below 0 where it is not judged; dropped is 1 where its message was
    missing, fresh 1 where it was at a pack before and did not drop that.
    """

    ended: NDArray[np.uint8]
    party: NDArray[np.int32]
    dropped: NDArray[np.uint8]
    fresh: NDArray[np.uint8]


#: One trial as it is stored: which suspicion it belongs to and its subject there, whether
#: it came out, and its chance under the null, num / den.
TRIAL = np.dtype(
    [("suspicion", "<u2"), ("subject", "<u2"), ("hit", "<u4"), ("num", "<u4"), ("den", "<u4")]
)


@dataclass(frozen=True, kw_only=True)
class Trials:
    """Trials of a batch (`suspicion.py`): those of deal i are `rows[at[i]:at[i + 1]]`."""

    at: NDArray[np.int64]
    rows: NDArray[np.void]


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Consecutive distinct deals of one input as columns; rows are deals.

    hands (deals, places, cards) and widow (deals, cards), board (deals, 5) are
    padded with 255; turnups are ragged: the cards of deal i are
    `turnups[turn_at[i]:turn_at[i + 1]]`.  dealer indexes *names*, -1 where it
    is not known.  order is (deals, pack), a row of 255 where it is not known, or
    None where no deal of the batch gives it, and so are gathered and pack, the orders
    before shuffle and cut.  cut is -1 where it is not known.  endings is None where no
    deal says how it ended, trials where no deal has any.  declarer is his place, 0 where it is
    not known, None where no deal of the batch says it.
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
    endings: Endings | None = None
    gathered: NDArray[np.uint8] | None = None
    pack: NDArray[np.uint8] | None = None
    cut: NDArray[np.int16] | None = None
    trials: Trials | None = None
    declarer: NDArray[np.int16] | None = None

    def __len__(self) -> int:
        return len(self.players)

    @cached_property
    def held(self) -> NDArray[np.uint64]:
        """The known cards of each hand as bits, shape (deals, places)."""
        return card_sets(self.hands)

    @cached_property
    def held_sizes(self) -> NDArray[np.uint8]:
        """How many known cards each hand has, shape (deals, places); no card stands twice."""
        return np.bitwise_count(self.held)

    @cached_property
    def first_turned(self) -> NDArray[np.uint8]:
        """The first turn-up of each deal, 255 where there is none or it is not known."""
        first = np.full(len(self), 255, np.uint8)
        some = np.flatnonzero(self.turn_at[1:] > self.turn_at[:-1])
        first[some] = self.turnups[self.turn_at[some]]
        return first


#: Weakest last: what can still be said of several inputs is what the weakest allows.
_ORDERS: tuple[Order, ...] = ("dealt", "set", "sorted", "unknown")
_EXPOSURES: tuple[Exposure, ...] = ("dealt", "played out", "unknown", "owner", "shown")
_TURNUPS: tuple[Turnup, ...] = ("seen", "claimed", "none")


def weakest(holds: Sequence[Holds]) -> Holds:
    """Return what all of *holds* allow together: the weakest of each claim.

    A turn-up that one input only claims is claimed for all of them; an input
    that shows no turn-up takes nothing away from those that do.
    """
    if not holds:
        return Holds()
    turned: list[Turnup] = [h.turnup for h in holds if h.turnup != "none"] or ["none"]
    return Holds(
        order=max((h.order for h in holds), key=_ORDERS.index),
        widow_order=max((h.widow_order for h in holds), key=_ORDERS.index),
        exposure=max((h.exposure for h in holds), key=_EXPOSURES.index),
        turnup=max(turned, key=_TURNUPS.index),
        numbered=all(h.numbered for h in holds),
        selection="; ".join(dict.fromkeys(h.selection for h in holds if h.selection)),
        notes=tuple(dict.fromkeys(n for h in holds for n in h.notes)),
    )


assert UNKNOWN == 0xFF
