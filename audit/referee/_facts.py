"""What a record says of its place in a series: dealer, game, scores, pool and packets.

Options of a record that only a series of deals can judge:

    game_number   which game at its table the deal belongs to, counted through the log
    scores        the points of each place, or of each side, before the deal ("3 5")
    cut_for_deal  the card that each place cut for the first deal of a game
    next_dealer   another order of dealing that the table has agreed on
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.referee._five import places
from audit.referee.machine import Ruling
from audit.rules.all_fours import AllFours
from audit.rules.ecarte import Ecarte
from audit.rules.euchre import Euchre
from audit.rules.loo import Loo
from audit.rules.matrimony import Matrimony
from audit.rules.nap import Nap
from audit.rules.options import chosen
from audit.rules.pitch import Pitch
from audit.rules.pope_joan import PopeJoan
from audit.rules.put import Put
from audit.rules.rams import Rams
from audit.rules.seven_up import SevenUp
from audit.rules.speculation import Speculation
from audit.rules.spoil_five import SpoilFive

#: More points, or fewer below nothing, were never on a table.
MOST_POINTS = 10_000
#: More misdeals than this do not follow one another.
MOST_MISDEALS = 1000
#: No table counted so far.
MOST_COUNTERS = 10**9
#: A longer text is no list of scores.
LONGEST = 200
#: Points whose number depends on what stood before the deal.
BY_THE_SCORE = frozenset({"sale", "smudge", "out"})
#: Words of the pool events that say what lies in it before a deal, and after it.
BEFORE, AFTER = frozenset({"before", "start"}), frozenset({"after", "left"})
PLANS = ("2+3", "3+2")
#: Events that say how a deal ended but for its points.
ODD = frozenset({"irregular", "redeal", "claim"})


class Scoring(NamedTuple):
    """Who scores, and what makes a game; *target* 0 where the book gives no number.

    *least* is what a deal scores at the least that is no misdeal, *falls* by what points are
    ever taken off: a revoke alone, or a bid as well.
    """

    sides: bool
    target: int
    least: int = 1
    falls: Literal["never", "revoke", "bid"] = "never"


class Facts(NamedTuple):
    """One record; *dealer*, *players* 0 and texts "" where they are not known.

    *claimed* are the scores before the deal by scorer, *earned* the points on record in
    it; *before* and *after* the counters in the pool, None where the record is silent.
    *deal* may lack its plays but for a first event; then *packed* is all of it, as `pack` has it.
    """

    deal: Deal
    players: int
    dealer: int
    game: str
    claimed: tuple[int, ...] | None
    earned: tuple[tuple[int, int], ...]
    odd: tuple[Event, ...]
    before: int | None
    after: int | None
    scoring: Scoring | None
    packed: bytes = b""

    @property
    def whole(self) -> Deal:
        """The record with all its events."""
        return _WHOLE.decode(self.packed) if self.packed else self.deal


_WHOLE = msgspec.msgpack.Decoder(Deal)
_PACK = msgspec.msgpack.Encoder()


def without_plays(deal: Deal) -> Deal:
    """Return *deal* with the events that `facts` reads, of which the first may be any."""
    events = deal.events
    kept = events[:1] + tuple([e for e in events[1:] if e.kind != "play"])
    return msgspec.structs.replace(deal, events=kept)


def pack(deal: Deal) -> bytes:
    """Return *deal* as bytes.

    Raises: OverflowError for a number of more than 64 bits.
    """
    return _PACK.encode(deal)


class Pooling(NamedTuple):
    """How the pool passes from deal to deal.

    *stake*: what the next dealer puts in before the deal says what it holds.  *unit*, and
    *each* for every other player: what a misdeal that nobody wrote down may have added, and
    *fined* if it was the dealer's fault; 0 where the book does not say.
    *counters*: what a division by agreement may have been made in, each in the least one.
    """

    stake: int
    unit: int
    counters: tuple[int, ...]
    each: int = 0
    fined: int = 0

    def added(self, players: int) -> int:
        """Return what a deal of no fault that was not played leaves in the pool."""
        return self.unit + self.each * (players - 1)

    def by_misdeals(self, more: int, players: int) -> bool:
        """Whether misdeals may have added so many counters."""
        added = self.added(players)
        if more <= 0 or not added:
            return more > 0
        least = self.fined or added
        ways = min(more // least, MOST_MISDEALS) + 1
        return any((more - k * least) % added == 0 for k in range(ways))


def parse_scores(text: str) -> tuple[int, ...] | None:
    """Return the whole numbers of *text*, None where it is no list of scores."""
    out = []
    for part in text.split() if len(text) <= LONGEST else ():
        digits = part.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 6):
            return None
        out.append(int(part))
    return tuple(out) if out and max(map(abs, out)) <= MOST_POINTS else None


def scoring_of(law: Law, options: Mapping[str, str], players: int) -> Scoring | None:
    """Return who scores and how far, None where a game keeps no score from deal to deal."""
    rules = law.rules
    if rules is None or not isinstance(rules, AllFours | Ecarte | Euchre | Put | SpoilFive):
        return None
    if "game" in options or "sides" in options:
        said = {name: options[name] for name in ("game", "sides") if name in options}
        rules, refused = chosen(rules, said)
        if refused:
            return None
    if isinstance(rules, SpoilFive):
        sides = players > 2
        five = Scoring(sides=sides, target=rules.game, least=5)
        return five if rules.count != "pool" else None
    if isinstance(rules, Ecarte):
        return Scoring(sides=False, target=rules.game)
    # How Pedro ends is lost.
    lost = isinstance(rules, Pitch) and rules.auction == "lost"
    # Cards may be bunched at Seven-Up after a Jack has scored, and nobody need win at Put.
    falls: Literal["never", "revoke", "bid"] = "never"
    if isinstance(rules, AllFours):
        falls = "bid" if isinstance(rules, Pitch) else "revoke"
    none = isinstance(rules, Put) or (isinstance(rules, SevenUp) and rules.trump == "turned")
    return Scoring(
        sides=rules.sides and players == 4,
        target=0 if lost else rules.game,
        least=0 if none else 1,
        falls=falls,
    )


def scores_before(law: Law, deal: Deal) -> tuple[int, ...] | None:
    """Return the scores that the record says stood before the deal, by seat from 0.

    None where it does not say; seat 0 is nobody, and of partners the lower seat has the score.
    """
    said = deal.options.get("scores")
    if said is None:
        return None
    players = deal.players or len(deal.hands) or law.players[1]
    scoring = scoring_of(law, deal.options, players)
    told = None if scoring is None else by_scorer(said, players, sides=scoring.sides)
    return None if told is None else (0, *told, *[0] * (players - len(told)))


def resting_on_scores(law: Law, deal: Deal, rulings: Sequence[Ruling]) -> list[Ruling]:
    """Return those of *rulings* that other scores before the deal would undo.

    Who is out need not mark the rest, nor may a revoker go out; what a sale or a last
    trick scores, and what a pool of Écarté is owed, depends on how far the game was.
    """
    if scoring_of(law, deal.options, deal.players or len(deal.hands)) is None:
        return []
    pool = isinstance(law.rules, Ecarte) and bool(law.rules.stakes)
    out = []
    for ruling in rulings:
        if ruling.lacks is not None:
            rests = ruling.lacks.kind == "score" or pool
        elif ruling.event < 0:
            rests = False
        else:
            event = deal.events[ruling.event]
            rests = event.kind == "score" and event.word in BY_THE_SCORE
            rests = rests or (pool and event.kind in ("pay", "pool"))
        if rests:
            out.append(ruling)
    return out


@lru_cache(maxsize=4096)
def by_scorer(text: str, players: int, *, sides: bool) -> tuple[int, ...] | None:
    """Return the scores of *text* by scorer; partners given apart have to agree."""
    told = parse_scores(text)
    if told is None:
        return None
    if not sides:
        return told if len(told) == players else None
    if len(told) == players and all(told[k] == told[k % 2] for k in range(players)):
        return told[:2]
    return told if len(told) == 2 else None


def pooling_of(law: Law) -> Pooling | None:
    """Return how the pool passes on, None for a game without one."""
    rules = law.rules
    match rules:
        case Loo():
            fined = rules.stake + rules.fine
            return Pooling(rules.stake, rules.stake, (1, rules.red), fined=fined)
        case SpoilFive() if rules.count == "pool":
            return Pooling(0, 1, (1,))
        case Rams() if not rules.crosses:
            return Pooling(0, 5, (1, 5))
        case Nap() if rules.pool:
            return Pooling(0, rules.stake, (1,))
        case Speculation():
            return Pooling(0, rules.dealer_stake, (1,), each=rules.other_stake)
        case PopeJoan():
            return Pooling(0, sum(rules.dressing.values()), (1,))
        case Matrimony():
            # What is staked the dealer chooses.
            return Pooling(0, 0, (1,))
    return None


def divided(pool: int, players: int, counters: Sequence[int]) -> set[int]:
    """Return what may be left of a pool that was divided evenly by agreement."""
    out = {0}
    for counter in counters:
        shares = players * counter
        out.add(pool - pool // shares * shares)
    return out


def facts(
    deal: Deal,
    players: int,
    scoring: Scoring | None,
    pooling: Pooling | None,
    packed: bytes = b"",
) -> Facts:
    """Return what *deal*, of so many *players*, says of its place in a series."""
    events, options = deal.events, deal.options
    earned: list[tuple[int, int]] = []
    odd: list[Event] = []
    before = after = None
    sides = scoring is not None and scoring.sides
    for at, event in enumerate(events):
        kind = event.kind
        if kind == "play":
            continue
        if kind == "score":
            seat, number = event.seat, event.number
            if event.word == "penalty":
                number = -number
            earned.append(((seat - 1) % 2 + 1 if sides else seat, number))
        elif kind in ODD:
            odd.append(event)
        elif kind == "pool" and pooling is not None:
            if event.word in BEFORE or (event.word == "pool" and not at):
                before = event.number
            elif event.word in AFTER or event.word == "pool":
                after = event.number
    claimed = None
    if scoring is not None and "scores" in options:
        claimed = by_scorer(options["scores"], players, sides=sides)
    if pooling is not None and before is None:
        before = _counters(options.get("pool", ""))
    seat = deal.dealer_seat or 0
    return Facts(
        deal,
        players,
        seat if seat <= players else 0,
        options.get("game_number", ""),
        claimed,
        tuple(earned),
        tuple(odd),
        before,
        after,
        scoring,
        packed,
    )


def _counters(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def plan(deal: Deal, players: int, dealer: int) -> str:
    """Return "2+3" or "3+2" where the record shows by which five cards were dealt, else ""."""
    said, order = deal.options.get("packets", ""), deal.order_after_cut
    found = ""
    if order is not None and dealer and len(deal.hands) == players:
        found = _dealt_by(deal.hands[dealer % players], order, players)
    if said not in PLANS:
        return found
    return said if found in ("", said) else ""


def _dealt_by(eldest: bytes, order: bytes, players: int) -> str:
    """Return the plan that gives the eldest hand, which is another for each, "" for neither."""
    for name in PLANS:
        at = places(players, int(name[0]))[0]
        if at[-1] < len(order) and sorted(eldest) == sorted([order[p] for p in at]):
            return name
    return ""
