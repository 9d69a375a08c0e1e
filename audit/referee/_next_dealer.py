"""Who deals after a deal, as far as the book says and the record shows.

The law of the deal itself is with the machines; this is what it means for the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.referee import _misdeal as misdeal
from audit.referee._all_fours import FAULTS
from audit.referee._loo_words import AGAIN, DEALING, MISDEALS
from audit.referee.cassino import AGAIN as FACED
from audit.referee.seven_up import BUNCHED
from audit.rules import Rules
from audit.rules.all_fours import AllFours
from audit.rules.options import chosen
from audit.rules.rams import Rams
from audit.rules.spoil_five import SpoilFive

#: Options that say who deals after a misdeal.
DECIDES = ("misdeal", "misdealer_keeps")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """How the deal goes round: the law, what follows a breach, the warning that it answers.

    *misdeal* is the law of misdeals.  *moves*: whether one may lose the deal, so that a
    misdeal that nobody wrote down would explain any dealer.
    """

    law: str
    misdeal: str
    remedy: str = "the deal is his whose turn it is"
    code: str = "LAW"
    moves: bool = True


#: That the deal passes to the left after a deal played, too, is inferred in the All Fours.
_ALL_FOURS = Turn(
    law="Foster, Seven-Up, Misdealing: the deal passes to the left",
    misdeal="Foster, Seven-Up, Misdealing",
)
_PITCH = Turn(
    law=_ALL_FOURS.law,
    misdeal="Foster, Seven-Up, Misdealing: in Pitch a misdeal does not lose the deal",
    moves=False,
)
_TURNS: Mapping[str, Turn] = {
    "california": _ALL_FOURS,
    "nap": Turn(
        law="Foster, Napoleon, Dealing: the deal passes to the left, each dealing in turn",
        misdeal="Foster, Napoleon, Misdealing: the misdealer deals again",
        remedy="a deal begun out of turn is finished and stands good",
        code="W41",
        moves=False,
    ),
    "spoil_five": Turn(
        law="Foster, Spoil Five, The Pool: each successive dealer", misdeal=misdeal.SOURCE
    ),
    "rams": Turn(law="Foster, Rams, The Pool: each successive dealer", misdeal=misdeal.SOURCE),
    "loo": Turn(law="Foster, Loo, The Pool: each successive dealer", misdeal=DEALING),
    "ecarte": Turn(
        law="household book, Écarté, section 118: the deal is taken alternately",
        misdeal="household book, Écarté, law vi",
    ),
    "cassino": Turn(
        law="household book, Cassino, section 111: the deal goes on in rotation",
        misdeal="household book, Cassino, law ii",
    ),
    "vingt_un": Turn(
        law="household book, Vingt-un, section 115: a natural has the deal, else it stays",
        misdeal="household book, Vingt-un",
    ),
}
#: Families of which the household book's own page on the deal, or Foster's, is lost.
_ONLY = {"ecarte": "household book", "loo": "Foster"}


def turn_of(law: Law) -> Turn | None:
    """Return how the deal goes round, None where the book does not say or its page is lost."""
    rules = law.rules
    if rules is None or law.source.book != _ONLY.get(rules.family, law.source.book):
        return None
    if isinstance(rules, AllFours):
        return _ALL_FOURS if rules.misdeal == "passes" else _PITCH
    return _TURNS.get(rules.family)


def next_dealers(law: Law, deal: Deal, odd: Sequence[Event], dealer: int, players: int) -> set[int]:
    """Return the places that may deal after *deal*, none where nobody can say.

    *odd* are its irregularities, new deals and claims.  A fault without a new deal on
    record may have led to one, so that the same dealer, too, is allowed then.
    """
    rules = law.rules
    assert rules is not None
    left = dealer % players + 1
    if rules.family == "vingt_un":
        return _after_naturals(odd, dealer, left)
    faults = [e.word for e in odd if e.kind == "irregular"]
    ended = [e.word for e in odd if e.kind == "redeal"]
    lost = rules.family == "loo" and any(w in MISDEALS or w in AGAIN for w in faults)
    if not ended and not lost:
        return {left, dealer} if faults else {left}
    word = next((w for w in (*ended, *faults) if w), "")
    return _after_misdeal(rules, deal, word, dealer, left)


def _after_misdeal(rules: Rules, deal: Deal, word: str, dealer: int, left: int) -> set[int]:
    named = {n.replace(" ", "_"): said for n, said in deal.options.items()}
    rules, refused = chosen(rules, {n: named[n] for n in DECIDES if n in named})
    if refused:
        return set()
    if isinstance(rules, AllFours):
        if word in FAULTS:
            return {left if FAULTS[word] and rules.misdeal == "passes" else dealer}
        return {dealer} if word in ("exposed card", BUNCHED) else set()
    if isinstance(rules, SpoilFive | Rams):
        players = deal.players or len(deal.hands)
        found = misdeal.next_dealer(word, dealer, players, keeps=rules.misdealer_keeps)
        return set() if found is None else {found}
    match rules.family:
        case "nap":
            return {dealer}
        case "loo":
            return {left} if word in MISDEALS else {dealer} if word in AGAIN else set()
        case "cassino" if word in FACED:
            return {left if "by the dealer" in word else dealer}
    # Écarté's book does not say who makes the new deal.
    return set()


def _after_naturals(odd: Sequence[Event], dealer: int, left: int) -> set[int]:
    """The deal stays till a player's natural takes it, or goes round where that was agreed."""
    naturals = {e.seat for e in odd if e.kind == "claim" and e.word == "natural"}
    if not naturals or dealer in naturals:
        return {dealer, left}
    return naturals | {left}
