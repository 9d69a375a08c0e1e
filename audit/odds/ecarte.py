"""Foster's table of eight hands on which the dealer should refuse, counted again.

Source: Foster, Écarté, "The dealer": of the 65,780 hands that the player may hold, how often
he does not propose, and how often the dealer or the player wins when he proposes and is
refused.  The calculations, in the Westminster Papers, are not at hand, and the pictures of the
player's standing hands are lost; what his words leave is `stands`.

Best play here is that of two who see both hands: the player leads, follow and win if
able, void trump if able, and three tricks of five win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

#: High to low in every suit.
RANKS = "KQJAT987"
SUITS = "SHDC"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row as printed: figure number, hand, trumps, and the three counts.

    The table does not name the turn-up; the weakest trump that the hand leaves is taken.
    """

    number: int
    hand: tuple[str, ...]
    trump: str
    no_proposal: int
    dealer_wins: int
    player_wins: int

    @property
    def possible(self) -> bool:
        """Whether the hand can be dealt from one pack."""
        return len(set(self.hand)) == 5

    @property
    def turnup(self) -> str:
        """The weakest trump that is not in the hand."""
        return next(r + self.trump for r in reversed(RANKS) if r + self.trump not in self.hand)


ROWS = (
    Row(
        number=22,
        hand=("7C", "8C", "9C", "7D", "7S"),
        trump="C",
        no_proposal=6034,
        dealer_wins=36974,
        player_wins=22772,
    ),
    Row(
        number=23,
        hand=("7H", "8H", "AS", "8S", "7S"),
        trump="H",
        no_proposal=9826,
        dealer_wins=38469,
        player_wins=17485,
    ),
    Row(
        number=24,
        hand=("7S", "8S", "KH", "7H", "7C"),
        trump="S",
        no_proposal=8736,
        dealer_wins=41699,
        player_wins=15345,
    ),
    Row(
        number=25,
        hand=("7D", "8D", "QC", "7C", "7H"),
        trump="D",
        no_proposal=9256,
        dealer_wins=40524,
        player_wins=16000,
    ),
    Row(
        number=26,
        hand=("7C", "8C", "7D", "8D", "QS"),
        trump="C",
        no_proposal=10336,
        dealer_wins=37484,
        player_wins=17960,
    ),
    Row(
        number=27,
        hand=("7H", "8H", "8C", "9C", "JD"),
        trump="H",
        no_proposal=9776,
        dealer_wins=37439,
        player_wins=18565,
    ),
    Row(
        number=28,
        hand=("7S", "8S", "9H", "TH", "TC"),
        trump="S",
        no_proposal=9776,
        dealer_wins=36909,
        player_wins=19095,
    ),
    Row(
        number=29,
        hand=("7D", "8D", "7C", "AD", "8D"),
        trump="D",
        no_proposal=9776,
        dealer_wins=36733,
        player_wins=19271,
    ),
)

#: Owners of a suit's cards, high to low, D the dealer and P the player; trumps stand first.
Suits = tuple[str, ...]


def stands(hand: Sequence[str], trump: str) -> bool:
    """Whether the player stands, as far as Foster's words say.

    Three trumps; or four court cards, not all Jacks; or, "when only two cards can be
    discarded" of all but trumps and Kings, any hand without the King of trumps.
    """
    trumps = sum(card[1] == trump for card in hand)
    if trumps >= 3:
        return True
    courts = [card[0] for card in hand if card[0] in "KQJ"]
    if len(courts) >= 4 and set(courts) != {"J"}:
        return True
    kept = sum(card[1] == trump or card[0] == "K" for card in hand)
    return kept >= 3 and "K" + trump not in hand


def suits_of(dealer: Sequence[str], player: Sequence[str], trump: str) -> Suits:
    """Return who holds what, forgetting all that does not matter to the play."""
    rows = []
    for suit in SUITS:
        row = "".join(
            "D" if rank + suit in dealer else "P" if rank + suit in player else "" for rank in RANKS
        )
        rows.append((suit != trump, row))
    (_, first), *_ = sorted(rows)
    plain = sorted(row for not_trump, row in rows if not_trump)
    return (first, *plain)


def _ordered(suits: Sequence[str]) -> Suits:
    return (suits[0], *sorted(suits[1:]))


def _cards(row: str, owner: str, low: int = 0, high: int | None = None) -> list[int]:
    """Return the places of *owner* between *low* and *high*, one of each run of equals."""
    end = len(row) if high is None else high
    return [
        at for at in range(low, end) if row[at] == owner and (at == low or row[at - 1] != owner)
    ]


def _without(suits: Suits, suit: int, places: Sequence[int]) -> list[str]:
    row = suits[suit]
    return [
        "".join(c for at, c in enumerate(row) if at not in places) if n == suit else other
        for n, other in enumerate(suits)
    ]


@cache
def tricks(suits: Suits, leader: str) -> int:
    """Return how many tricks the dealer takes of those left, both playing as well as can be."""
    if not any(suits):
        return 0
    best = max if leader == "D" else min
    found = [
        _answer(suits, suit, at, leader) for suit in range(4) for at in _cards(suits[suit], leader)
    ]
    return best(found)


def _answer(suits: Suits, suit: int, led: int, leader: str) -> int:
    """Return the dealer's tricks after a lead, the other answering as well as he can."""
    other = "P" if leader == "D" else "D"
    row, results = suits[suit], []
    if other in row:
        higher = _cards(row, other, 0, led)
        wins = bool(higher)
        for at in higher or _cards(row, other, led + 1):
            left = _without(suits, suit, (led, at))
            results.append(_after(left, other if wins else leader))
    else:
        rest = _without(suits, suit, (led,))
        trumps = _cards(suits[0], other) if suit else []
        places = [(0, at) for at in trumps] or [
            (n, at) for n in range(4) if n != suit for at in _cards(suits[n], other)
        ]
        for n, at in places:
            left = _without(tuple(rest), n, (at,))
            results.append(_after(left, other if trumps else leader))
    return (max if other == "D" else min)(results)


def _after(left: Sequence[str], winner: str) -> int:
    return (winner == "D") + tricks(_ordered(left), winner)


def opposing(row: Row) -> Iterator[tuple[str, ...]]:
    """Yield the 65,780 hands that the player may hold."""
    known = {*row.hand, row.turnup}
    pack = [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in known]
    yield from combinations(pack, 5)


@dataclass(frozen=True, kw_only=True)
class Counted:
    """What counting gives for one row: hands on which the player stands, and who wins the rest."""

    no_proposal: int
    dealer_wins: int
    player_wins: int


def count(row: Row, every: int = 1) -> Counted:
    """Count every *every*-th opposing hand of a row.

    Raises: ValueError for a hand that no pack holds.
    """
    if not row.possible:
        raise ValueError(f"row {row.number}: a card stands twice in the hand")
    no_proposal = dealer = player = 0
    for n, hand in enumerate(opposing(row)):
        if n % every:
            continue
        if stands(hand, row.trump):
            no_proposal += 1
        elif tricks(suits_of(row.hand, hand, row.trump), "P") >= 3:
            dealer += 1
        else:
            player += 1
    return Counted(no_proposal=no_proposal, dealer_wins=dealer, player_wins=player)
