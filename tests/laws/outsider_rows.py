"""Which checker of the outsider reads which game, and where it disagrees with a record.

The games of `test_outsider.py` are not repeated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from audit.event import Event
from audit.record import Deal
from tests.laws import outsider, outsider_loo, outsider_nap, outsider_pitch, outsider_rams
from tests.laws.outsider import Book, Fault


def _nothing(deal: Deal) -> list[Fault]:
    return []


def _alone(deal: Deal) -> int:
    return len(deal.hands)


@dataclass(frozen=True, kw_only=True)
class Row:
    """How *game* is read, what it owes, and at which numbers of players and options it is tried.

    *more* finds what else is wrong on the table.  Seats that are equal modulo *sides* of a deal
    score together.
    """

    game: str
    read: Callable[[Deal], Book]
    owed: Callable[[Deal], Counter[Event]]
    tables: tuple[int, ...]
    sides: Callable[[Deal], int] = _alone
    more: Callable[[Deal], list[Fault]] = _nothing
    options: Mapping[str, str] = field(default_factory=dict)


def _loo(game: str, *tables: int, **options: str) -> Row:
    return Row(
        game=game,
        read=outsider_loo.read,
        owed=outsider_loo.owed,
        tables=tables,
        more=outsider_loo.turned_amiss,
        options=options,
    )


def _nap(game: str, **options: str) -> Row:
    return Row(
        game=game,
        read=outsider_nap.read,
        owed=outsider_nap.owed,
        tables=(2, 4, 5, 6),
        options=options,
    )


def _fives(game: str) -> Row:
    return Row(
        game=game,
        read=outsider_rams.forty_five,
        owed=outsider_rams.fives,
        tables=(2, 4, 6),
        sides=lambda deal: 2,
    )


def _rounce(**options: str) -> Row:
    return Row(
        game="rounce",
        read=outsider_rams.rounce,
        owed=outsider_rams.shares,
        tables=(3, 5, 8, 9),
        options=options,
    )


def _ecarte(game: str) -> Row:
    return Row(game=game, read=outsider.ecarte, owed=outsider_rams.marks, tables=(2,))


def _pitch(game: str, *tables: int) -> Row:
    return Row(
        game=game,
        read=outsider_pitch.read,
        owed=outsider_pitch.owed,
        tables=tables,
        sides=outsider_pitch.sides,
        more=outsider_pitch.drawn_amiss,
    )


_BIERSPIEL = Row(
    game="bierspiel",
    read=outsider_rams.bierspiel,
    owed=outsider_rams.crosses,
    tables=(3, 4, 5, 6),
)
#: Every row of the catalogue that is read, then some again under words of the book they carry.
_ALL = (
    _loo("loo3_limited_simple", 3, 5, 8, 17),
    _loo("loo3_limited_double", 3, 5, 8, 16),
    _loo("loo3_unlimited_simple", 3, 5, 8, 17),
    _loo("loo3_unlimited_double", 3, 5, 8, 16),
    _loo("loo3_enquire_limited", 3, 5, 8, 16, play="foster"),
    _loo("loo3_enquire_unlimited", 3, 5, 8, 16, play="foster"),
    _loo("loo_club_law", 3, 5, 8, 16, play="foster"),
    _loo("irish_loo", 3, 5, 8, 17),
    _loo("loo5_foster", 3, 5, 10),
    _loo("loo5_foster_pam", 3, 5, 10),
    _loo("loo5_enquire", 3, 5, 10),
    _nap("nap_misere"),
    _nap("nap_wellington"),
    _nap("nap_blucher"),
    _nap("nap_treble_english"),
    _nap("nap_pool"),
    _nap("nap_purchase"),
    _nap("nap_widow"),
    _nap("nap_peep"),
    _fives("forty_five_odd_trick"),
    _fives("forty_five_per_trick"),
    _rounce(),
    _BIERSPIEL,
    _ecarte("pool_ecarte"),
    _ecarte("pool_ecarte_two_pay"),
    _pitch("auction_pitch_sell", 4, 5, 6, 7),
    _pitch("auction_pitch_full_bid", 4, 5, 6, 7),
    _pitch("auction_pitch_board", 4, 5, 6, 7),
    _pitch("smudge", 4, 5, 6, 7),
    _pitch("pedro", 4, 5, 6, 7),
    _pitch("pitch_blind", 2, 3, 4),
    _pitch("all_fours_old", 2, 3, 4),
    _pitch("all_fives", 2, 3, 4),
    _pitch("california_jack", 2),
    _pitch("shasta_sam", 2),
)
_AGAIN = {
    "loo3_unlimited_double of 63": _loo("loo3_unlimited_double", 5, pool="63"),
    "irish_loo of 10": _loo("irish_loo", 5, pool="10"),
    "loo5_enquire, the knave of trumps": _loo("loo5_enquire", 5, 10, pam="trumps"),
    "nap_pool of 13": _nap("nap_pool", pool="13"),
    "nap_peep of 13": _nap("nap_peep", pool="13"),
    "rounce of 20": _rounce(pool="20"),
}
ROWS: dict[str, Row] = {**{row.game: row for row in _ALL}, **_AGAIN}


def settles(event: Event) -> bool:
    """Return whether an event scores or pays, or tells what is then in the pool."""
    return event.kind in ("score", "pay", "pool") and event.word != "start"


def unsettled(row: Row, deal: Deal) -> str:
    """Return how what a deal scores and pays differs from what the book owes, "" where not."""
    sides = row.sides(deal)

    def once(event: Event) -> Event:
        return replace(event, seat=event.seat and (event.seat - 1) % sides + 1)

    logged = Counter(once(e) for e in deal.events if settles(e) and e.number)
    owed: Counter[Event] = Counter()
    for event, count in row.owed(deal).items():
        if event.number:
            owed[once(event)] += count
    return "" if logged == owed else f"logged {dict(logged - owed)}, owed {dict(owed - logged)}"


def faults(row: Row, deal: Deal) -> list[Fault]:
    """Return what the outsider finds wrong in the play, the tricks, the turn-up and the draws."""
    return [*outsider.faults(deal, row.read), *row.more(deal)]
