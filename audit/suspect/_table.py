"""A deal of the All Fours family as it was placed, and what was done first.

Whose hand is not shown for sure is None: a hand that somebody chose to show, or that was
written down after a discard, is not what the pack placed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

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


@dataclass(frozen=True, kw_only=True)
class Placed:
    """One deal: *hands* by place, place 1 first; *turnup* is 255 where it is not known.

    *order* is the whole pack after the cut, empty where the record has it not.
    """

    players: int
    dealer: int
    hands: tuple[bytes | None, ...]
    turnup: int
    order: bytes

    @property
    def eldest(self) -> int:
        """The place on the dealer's left."""
        return self.dealer % self.players + 1

    def hand(self, place: int) -> bytes | None:
        """Return the six cards dealt to *place*, None where they are not shown for sure."""
        return self.hands[place - 1]


_Places = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
_kept: dict[tuple[str, int, int], _Places] = {}


def _places(law: Law, players: int) -> _Places:
    """Return the places of the pack of each hand in dealing order, and of each turn-up."""
    key = law.id, law.version, players
    if key not in _kept:
        hands = tuple(tuple(seat) for seat in law.hand_places(players))
        _kept[key] = hands, tuple(law.turn_places(players, len(law.pack)))
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


def acts(deal: Deal, most: int) -> list[Event]:
    """Return the first events in which somebody acts, *most* of them, in order."""
    found: list[Event] = []
    for event in deal.events:
        if len(found) == most:
            break
        if event.kind in ACTS:
            found.append(event)
    return found


def _whole(order: bytes | None, law: Law) -> bytes:
    if order is None or len(order) != len(law.pack) or set(order) != set(law.pack):
        return b""
    return order


def _ran(deal: Deal) -> bool:
    """Whether cards were run or changed, so that a hand may have been written down later."""
    return len(deal.turnups) > 1 or any(
        e.kind in ("exchange", "draw") or (e.kind == "call" and e.word == "run")
        for e in deal.events
    )


def _runs_shown(deal: Deal, players: int) -> bool:
    turned = len(deal.turnups) - 1
    return turned > 0 and len(deal.runs) == 3 * players * turned and max(deal.runs) < 52


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
    order, (seats, turns) = _whole(deal.order_after_cut, law), _places(law, players)
    shown = [
        h if len(set(h)) == HAND == len(h) and max(h) < 52 else None
        for h in (*deal.hands, *[b""] * players)[:players]
    ]
    turnup = deal.turnups[0] if deal.turnups else UNKNOWN
    if order:
        dealt = [bytes([order[p] for p in seats[(k - dealer) % players]]) for k in range(players)]
        hands = [
            d if given is None or given == d or set(given) == set(d) else None
            for d, given in zip(dealt, shown, strict=True)
        ]
        turnup = order[turns[0]] if turns and turnup == UNKNOWN else turnup
    else:
        hands = list(shown)
        if _ran(deal) and not _runs_shown(deal, players):
            hands = [None] * players
    cards = [c for h in hands if h is not None for c in h] + [turnup] * (turnup < 52)
    if len(set(cards)) < len(cards):
        hands = [None] * players
    return Placed(
        players=players,
        dealer=dealer,
        hands=tuple(hands),
        turnup=turnup if turnup < 52 else UNKNOWN,
        order=order,
    )


def eldest_says(deal: Deal, table: Placed) -> str:
    """Return "beg" or "stand" where that is the first act of the deal, by the eldest; else ""."""
    for first in deal.events:
        if first.kind in ACTS:
            said = first.kind == "call" and first.seat == table.eldest
            return first.word if said and first.word in ("beg", "stand") else ""
    return ""


def dealer_answers(deal: Deal, table: Placed) -> str:
    """Return "give" or "run" where the dealer answers a beg and only the eldest had acted."""
    done = acts(deal, 2)
    if len(done) < 2 or any(e.kind != "call" for e in done):
        return ""
    beg, said = done
    if (beg.seat, beg.word) != (table.eldest, "beg") or said.seat != table.dealer:
        return ""
    return said.word if said.word in ("give", "run") else ""


@lru_cache(maxsize=8)
def better_suits(hand: bytes, turned: int) -> frozenset[int]:
    """Return the suits in which *hand* is stronger than in the suit *turned*."""
    strength = [[0, 0] for _ in range(4)]
    for card in hand:
        suit = strength[card // 13]
        suit[0] += card % 13 > NINE
        suit[1] += 1
    return frozenset(s for s in range(4) if strength[s] > strength[turned])


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
    low, high = 13 * suit + above, 13 * suit + 13
    return len([c for c in cards if low < c < high])
