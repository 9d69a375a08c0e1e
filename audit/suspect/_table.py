"""A deal of the All Fours family as it was placed, and what was done first.

Whose hand is not shown for sure is None: a hand that somebody chose to show, that was
written down after a discard or where another played it, is not what the pack placed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import comb
from operator import itemgetter
from typing import Any

from msgspec import Struct

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.rules.all_fours import AllFours
from audit.rules.pitch import Pitch
from audit.rules.seven_up import SevenUp

HAND = 6
JACK, NINE = 9, 7
UNKNOWN = 255
#: Events in which somebody decides, or after which somebody could have.
ACTS = frozenset(
    {"call", "exchange", "draw", "turn", "play", "trick", "claim", "irregular", "redeal"}
)
#: Nobody asks for more of the first acts of a deal.
FIRST_ACTS = 3


class Placed(Struct, frozen=True, kw_only=True):
    """One deal: *hands* by place, place 1 first; *turnup* is 255 where it is not known.

    *eldest* is the place on the dealer's left.  *order* is the whole pack after the cut, empty
    where the record has it not.  *acts* are the first events in which somebody acts, in order.
    """

    players: int
    dealer: int
    eldest: int
    hands: tuple[bytes | None, ...]
    turnup: int
    order: bytes
    acts: tuple[Event, ...]

    def hand(self, place: int) -> bytes | None:
        """Return the six cards dealt to *place*, None where they are not shown for sure."""
        return self.hands[place - 1]


#: How to take each hand off an order, in dealing order; the places turned; the cards of the pack.
_Places = tuple[tuple[Callable[[Any], Any], ...], tuple[int, ...], frozenset[int]]
_kept: dict[tuple[str, int, int], _Places] = {}


def _places(law: Law, players: int) -> _Places:
    key = law.id, law.version, players
    if key not in _kept:
        hands = tuple(itemgetter(*seat) for seat in law.hand_places(players))
        turns = tuple(law.turn_places(players, len(law.pack)))
        _kept[key] = hands, turns, frozenset(law.pack)
    return _kept[key]


def turn_places(law: Law, players: int) -> tuple[int, ...]:
    """Return the places of the pack that are turned one after another as the cards are run."""
    return _places(law, players)[1]


def begs(law: Law) -> bool:
    """Whether the eldest of the game may beg."""
    return isinstance(law.rules, SevenUp) and law.turnup and law.run > 0


def is_all_fours(law: Law) -> bool:
    """Whether the game is of the family, with six cards to a hand."""
    return isinstance(law.rules, AllFours) and law.hand == HAND and len(law.pack) == 52


def sells(law: Law) -> bool:
    """Whether the eldest of the game may sell the pitch, or pitch at once."""
    return isinstance(law.rules, Pitch) and law.rules.auction in ("sell", "full bid")


def _acts(deal: Deal) -> tuple[Event, ...]:
    found: list[Event] = []
    for event in deal.events:
        if event.kind in ACTS:
            found.append(event)
            if len(found) == FIRST_ACTS:
                break
    return tuple(found)


def _is_hand(cards: bytes) -> bool:
    return len(cards) == HAND == len(set(cards)) and max(cards) < 52


def _ran(deal: Deal) -> bool:
    """Whether cards were run or changed, so that a hand may have been written down later."""
    return len(deal.turnups) > 1 or any(
        e.kind in ("exchange", "draw") or (e.kind == "call" and e.word == "run")
        for e in deal.events
    )


def _runs_shown(deal: Deal, players: int) -> bool:
    turned = len(deal.turnups) - 1
    return turned > 0 and len(deal.runs) == 3 * players * turned and max(deal.runs) < 52


def _others_played(deal: Deal, hands: list[bytes | None]) -> bool:
    """Whether some place first played a card that it was neither dealt nor given in a run.

    Then hands were not written down where they were held, such as in dealing order or with
    two names changed, and a partner's hand may be the own.
    """
    seen: set[int] = set()
    for event in deal.events:
        if event.kind != "play" or event.seat in seen or not 0 < event.seat <= len(hands):
            continue
        seen.add(event.seat)
        hand = hands[event.seat - 1]
        if hand is not None and any(c < 52 and c not in hand + deal.runs for c in event.cards):
            return True
    return False


#: The deal that was asked for last: every suspicion asks for the same one in turn.
_last: list[tuple[Deal, Law, Placed | None]] = []


def placed(deal: Deal, law: Law) -> Placed | None:
    """Return *deal* as it was placed, None where dealer or number of players is not known."""
    if not _last or _last[0][0] is not deal or _last[0][1] is not law:
        _last[:] = [(deal, law, _placed(deal, law))]
    return _last[0][2]


def _placed(deal: Deal, law: Law) -> Placed | None:
    """Return *deal* as it was placed.

    A known order of the pack tells every hand.  Without one the hands of the record are
    taken, and where cards were run only beside the cards of the run: a hand that was
    written down after the discard would hold some of those.
    """
    players, dealer = deal.players or len(deal.hands), deal.dealer_seat or 0
    if players not in law.tables or not 1 <= dealer <= players:
        return None
    take, turns, pack = _places(law, players)
    order = deal.order_after_cut or b""
    if len(order) != len(pack) or set(order) != pack:
        order = b""
    shown = (*deal.hands, *[b""] * players)[:players]
    turnup = deal.turnups[0] if deal.turnups else UNKNOWN
    hands: list[bytes | None]
    if order:
        dealt = [bytes(take[(k - dealer) % players](order)) for k in range(players)]
        # Most hands stand as they were dealt; none that is shown otherwise is what was placed.
        hands = [
            d if h == d or not _is_hand(h) or set(h) == set(d) else None
            for d, h in zip(dealt, shown, strict=True)
        ]
        turnup = order[turns[0]] if turns and turnup == UNKNOWN else turnup
    elif _ran(deal) and not _runs_shown(deal, players):
        hands = [None] * players
    else:
        hands = [h if _is_hand(h) else None for h in shown]
        if _others_played(deal, hands):
            hands = [None] * players
    cards = b"".join([h for h in hands if h is not None]) + bytes([turnup] * (turnup < 52))
    if len(set(cards)) < len(cards):
        hands = [None] * players
    return Placed(
        players=players,
        dealer=dealer,
        eldest=dealer % players + 1,
        hands=tuple(hands),
        turnup=turnup if turnup < 52 else UNKNOWN,
        order=order,
        acts=_acts(deal),
    )


def eldest_says(table: Placed) -> str:
    """Return "beg" or "stand" where that is the first act of the deal, by the eldest; else ""."""
    if not table.acts:
        return ""
    first = table.acts[0]
    said = first.kind == "call" and first.seat == table.eldest
    return first.word if said and first.word in ("beg", "stand") else ""


def dealer_answers(table: Placed) -> str:
    """Return "give" or "run" where the dealer answers a beg and only the eldest had acted."""
    if len(table.acts) < 2:
        return ""
    beg, said = table.acts[:2]
    if beg.kind != "call" or said.kind != "call":
        return ""
    if (beg.seat, beg.word) != (table.eldest, "beg") or said.seat != table.dealer:
        return ""
    return said.word if said.word in ("give", "run") else ""


#: What a card adds to the strength of its suit, a byte for each: 16 above the nine, and 1.
_STRENGTH = tuple((16 * (card % 13 > NINE) + 1) << 8 * (card // 13) for card in range(52))


def better_suits(hand: bytes, turned: int) -> frozenset[int]:
    """Return the suits in which *hand* is stronger than in the suit *turned*.

    Of two suits that is stronger in which more cards are above the nine, then of more cards.
    """
    strength = sum(map(_STRENGTH.__getitem__, hand)).to_bytes(4, "little")
    least = strength[turned]
    return frozenset([suit for suit in range(4) if strength[suit] > least])


@lru_cache(maxsize=1 << 12)
def exactly(count: int, *, of: int, marked: int, drawn: int) -> Fraction:
    """Return the chance that *drawn* of *of* cards hold *count* of the *marked* ones."""
    rest = drawn - count
    if not 0 <= count <= marked or not 0 <= rest <= of - marked:
        return Fraction(0)
    return Fraction(comb(marked, count) * comb(of - marked, rest), comb(of, drawn))


def odds_times(times: int, chance: Fraction) -> Fraction:
    """Return the chance whose odds are *times* those of *chance*."""
    return times * chance / (1 + (times - 1) * chance)


def of_suit(cards: bytes, suit: int, above: int = -1) -> int:
    """Return how many of *cards* are of *suit* and of a rank above *above* (0 is the two)."""
    return len(cards.translate(None, _others(suit, above)))


@lru_cache(maxsize=64)
def _others(suit: int, above: int) -> bytes:
    """Return all cards that `of_suit` does not count."""
    low, high = 13 * suit + above, 13 * suit + 13
    return bytes([card for card in range(256) if not low < card < high])


def not_held(cards: frozenset[int], hand: bytes) -> int:
    """Return how many of *cards* are not in *hand*."""
    return len(cards) - sum(map(cards.__contains__, hand))
