"""Plays Écarté by what is left of Foster's advice on standing, refusing and discarding.

Source: Foster, Écarté: stand on three trumps, on the King of each plain suit
with any queen, on four court cards not all knaves, and where only two cards
could be thrown, unless the King of trumps is held.  Refuse when guarded in
three suits, with one trump and two safe suits, or two trumps and one.  Keep
trumps and Kings.  Foster's "safe" is not defined in what is left: a suit counts
as safe here when its King, or its queen with another card, is held.
"""

from __future__ import annotations

from audit.cards import RANKS
from audit.event import Below, Event, Seen, Want
from audit.play._player import Player
from audit.play._tricks import never, play
from audit.rules.ecarte import ECARTE

JACK, QUEEN, KING = (RANKS.index(rank) for rank in "JQK")


def _keepers(seen: Seen) -> list[int]:
    return [c for c in seen.hand if c // 13 == seen.trump or c % 13 == KING]


def _safe(seen: Seen, suit: int) -> bool:
    ranks = [c % 13 for c in seen.hand if c // 13 == suit]
    return KING in ranks or (QUEEN in ranks and len(ranks) > 1)


def stands(seen: Seen) -> bool:
    """Whether the non-dealer plays without proposing."""
    ranks = [c % 13 for c in seen.hand]
    trumps = sum(c // 13 == seen.trump for c in seen.hand)
    courts = [r for r in ranks if r >= JACK and r <= KING]
    kings = sum(c % 13 == KING and c // 13 != seen.trump for c in seen.hand)
    has_king = 13 * seen.trump + KING in seen.hand
    few = len(seen.hand) - len(_keepers(seen)) <= 2 and not has_king
    pictures = len(courts) >= 4 and courts.count(JACK) < len(courts)
    return trumps >= 3 or few or pictures or (kings == 3 and QUEEN in ranks)


def refuses(seen: Seen) -> bool:
    """Whether the dealer refuses cards."""
    trumps = sum(c // 13 == seen.trump for c in seen.hand)
    safe = sum(_safe(seen, suit) for suit in range(4) if suit != seen.trump)
    return trumps >= 3 or safe + trumps >= 3


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return one of the wanted events, by the own hand and what is public."""
    if want.kind == "call":
        first, second = want.words
        mine = stands(seen) if first == "play" else refuses(seen)
        return Event(kind="call", seat=want.seat, word=first if mine else second)
    if want.kind == "exchange":
        keep = _keepers(seen)
        out = sorted((c for c in want.cards if c not in keep), key=lambda c: c % 13)
        spare = sorted(keep, key=ECARTE.order(seen.trump).worth.__getitem__)
        least = want.count if want.least is None else want.least
        cards = (out + spare)[: max(least, min(len(out), want.count))]
        return Event(kind="exchange", seat=want.seat, cards=bytes(cards))
    if want.kind == "claim":
        return Event(kind="claim", seat=want.seat, word=want.words[0])
    return play(want, ECARTE.order(seen.trump), seen.hand, seen.trick)


PLAYER = Player(name="écarté by advice", beg=never, run=never, choose=choose)
