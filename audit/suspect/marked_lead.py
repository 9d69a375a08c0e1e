"""First leads go with the adversaries' cards, which the leader may not see.

Warning: W05, marked cards (Seven-Up, "cheating"): who can tell the others' cards by their
backs leads what nobody can beat.
Null: the eldest leads before anybody else has acted: after he stood, in Blind All Fours and
California Jack, or when he pitches without selling.  The adversaries' cards are uniform
ones of those that he has not seen.
Statistic: no adversary holds a higher card of the suit led.
Evidence: odds 2, 4 and 16 times the fair ones and "always", for each place.  Hands and
leads that the log does not show are no hits, and the highest card of a suit is no trial.
Misses: leads after a gift, a run or a bid, for somebody else had acted then.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.rules.all_fours import AllFours
from audit.rules.california import California
from audit.rules.pitch import Pitch
from audit.rules.seven_up import SevenUp
from audit.suspect._table import HAND, Placed, begs, exactly, is_all_fours, placed, sells
from audit.suspicion import Suspicion, Trial


def _games(law: Law) -> bool:
    return is_all_fours(law) and (isinstance(law.rules, SevenUp | California) or sells(law))


def first_lead(law: Law, table: Placed) -> Event | None:
    """Return the first card played where only the eldest has acted, and he leads it."""
    before = ("stand",) if begs(law) else ("pitch",) if isinstance(law.rules, Pitch) else ()
    done = table.acts
    if isinstance(law.rules, California) and done and done[0].kind == "call":
        # The trump was cut before the deal; that somebody says it tells nothing.
        done = done[1:]
    done = done[: len(before) + 1]
    if len(done) <= len(before) or any(e.seat != table.eldest for e in done):
        return None
    if any(e.kind != "call" or e.word not in before for e in done[:-1]):
        return None
    lead = done[-1]
    return lead if lead.kind == "play" and len(lead.cards) == 1 else None


def adversaries(law: Law, table: Placed) -> list[int]:
    """Return the places that play against the eldest."""
    sides = isinstance(law.rules, AllFours) and law.rules.sides and table.players == 4
    others = [table.eldest + k for k in range(1, table.players) if not (sides and k == 2)]
    return [(p - 1) % table.players + 1 for p in others]


@lru_cache(maxsize=256)
def chance(higher: int, unseen: int, players: int) -> Fraction:
    """Return the chance that *players* hands of *unseen* cards hold none of *higher* ones."""
    return exactly(0, of=unseen, marked=higher, drawn=HAND * players)


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    table = placed(deal, law) if deal.events else None
    lead = first_lead(law, table) if table is not None else None
    if table is None or lead is None:
        return
    card, eldest, others = lead.cards[0], table.eldest, adversaries(law, table)
    own = table.hand(eldest)
    # The top of an open stock is seen by the leader.  If it is a higher card, so is one fewer
    # that the adversary may hold; taking it so gives the larger chance.
    open_stock = isinstance(law.rules, California) and law.rules.face_up
    unseen = 52 - HAND - law.turnup - open_stock
    if own is None or card > 51 or (law.turnup and table.turnup > 51):
        p = chance(1, unseen, len(others))
        yield Trial(chance=p, hit=False, subject=eldest)
        return
    if card not in own:
        return
    above = set(range(card + 1, 13 * (card // 13) + 13)).difference(own, (table.turnup,))
    hands = [table.hand(p) for p in others]
    held = None in hands or not above.isdisjoint(b"".join([h for h in hands if h is not None]))
    p = chance(max(0, len(above) - open_stock), unseen, len(others))
    yield Trial(chance=p, hit=not held, subject=eldest)


SUSPICION = Suspicion(
    id="marked_lead",
    codes=("W05", "T14"),
    title="First leads go with the adversaries' cards",
    games=_games,
    fields=("plays", "bids", "deal_seq", "turnup"),
    per="seat",
    odds=(2, 4, 16, None),
    weight="decisions",
    part=Fraction(1, 8),
    null="the eldest leads without knowing the adversaries' cards",
    says="{who}: {hits} of {trials} first leads could not be beaten by any adversary,"
    " at most {expected} expected; cards that the log does not show count as able to",
    explains=(
        "hands written down in other places than those who held them, as in dealing order",
        "cards of the adversaries that were seen by accident or in a mirror",
        "a shuffle so poor that a good memory tells where cards lie",
        "a log that keeps only some deals",
    ),
    find=_find,
)
