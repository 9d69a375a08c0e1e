"""The work on each record: does it belong to the log, can it have happened, was it played rightly.

A `Check` looks at some records at a time and knows nothing of those before but of which game
and pack the log is, so that several processes can each take a part of the log.  What passes
from record to record - names, numbers, tables - is for whoever puts the parts together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.columns import Columns, columns_of, derived, ragged
from audit.errors import UnknownName, printable
from audit.games import GAMES
from audit.law import Law
from audit.record import Counts, Deal, Flaw, Record
from audit.referee import referee_log
from audit.referee._became import changed
from audit.referee._hidden import without_hidden
from audit.referee.machine import Ruling
from audit.run.integrity import code_of, fault, suspects, thrown_in, unwieldy, written_late
from audit.run.thin_cut import thin
from audit.suspect import suspicions, trials_of
from audit.suspicion import Suspicion


def law_of(game: str) -> Law:
    """Return the law of *game*.

    Raises: UnknownName, also for a game that a book names without giving its rules.
    """
    if game in GAMES.names and GAMES[game].status != "named":
        return GAMES[game]
    known = [name for name in GAMES.names if GAMES[name].status != "named"]
    raise UnknownName("game", game, known)


class Contradiction(NamedTuple):
    """A deal that cannot have happened; *digest* is of its hands and turn-ups."""

    digest: bytes
    line: int
    number: str
    why: str
    code: str


class Ruled(NamedTuple):
    """A ruling on the deal that stands at *line* and bears *number*."""

    line: int
    number: str
    ruling: Ruling


class Thin(NamedTuple):
    """A cut that left too few cards in a packet."""

    line: int
    number: str
    why: str
    code: str


@dataclass(kw_only=True)
class Checked:
    """What some records that follow one another hold, each list in their order.

    *strange* are deals of another game or pack than the log's.  *unwieldy* deals cannot have
    happened and have more cards somewhere than columns are made for, *wrong* ones cannot have
    happened for another reason.  *became* are those good deals whose hands stand as they were
    played, by their own events.  *columns* are the good deals, whose names are their own, and
    *played* those of them that a series follows.
    """

    records: int = 0
    other: int = 0
    flaws: list[Flaw] = field(default_factory=list)
    strange: list[Flaw] = field(default_factory=list)
    counts: list[Counts] = field(default_factory=list)
    unwieldy: list[Contradiction] = field(default_factory=list)
    wrong: list[Contradiction] = field(default_factory=list)
    refereed: int = 0
    unjudged: int = 0
    became: int = 0
    rulings: list[Ruled] = field(default_factory=list)
    thin: list[Thin] = field(default_factory=list)
    columns: Columns | None = None
    played: list[Deal] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What the records of a log are held to.

    *asked* is the game that the command names and *usual* that of the format, '' for none;
    *kind* is the law's id and the pack as the first deal that fits has settled them, *guessed*
    whether nobody named that game.
    """

    asked: str
    usual: str
    kind: tuple[str, str] | None = None
    guessed: bool = False


def _with_hands(columns: Columns, row: int, deal: Deal) -> Columns:
    """Return *columns* with the hands of *deal*, which are no longer than before, in *row*."""
    hands, given, players = columns.hands.copy(), columns.given.copy(), columns.players.copy()
    hands[row] = UNKNOWN
    for place, hand in enumerate(deal.hands):
        hands[row, place, : len(hand)] = list(hand)
    players[row] = players[row] or given[row]
    given[row] = len(deal.hands)
    return replace(columns, hands=hands, given=given, players=players)


class Check:
    """Checks records against the *terms* of their log, which the first deal completes."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.law: Law | None = None
        self.pack: tuple[int, ...] = ()
        self._fitting: set[tuple[str, str]] = set()
        self._known: dict[int, Suspicion] | None = None
        if terms.kind is not None:
            game, pack = terms.kind
            self.law = law_of(game)
            self.pack = self.law.pack_of({"pack": pack} if pack else {})

    def records(self, records: Iterable[Record]) -> Checked:
        """Return what *records* hold.

        Raises: UnknownName where the first deal of the log names a game that is not known.
        """
        out, good = Checked(), list[Deal]()
        for record in records:
            out.records += 1
            if isinstance(record, Deal):
                self._sort(record, good, out)
            elif isinstance(record, Flaw):
                out.flaws.append(record)
            elif isinstance(record, Counts):
                out.counts.append(record)
            else:
                out.other += 1
        if good:
            self._good(self._with_trials(columns_of(good, {}), good), good, out)
        return out

    def columns(self, columns: Columns) -> Checked:
        """Return what the records of *columns* hold, which have no events.

        Raises: UnknownName as `records` does.
        """
        out = Checked(records=len(columns))
        mine = self._of_kind(columns, out)
        if len(mine):
            self._good(mine, [], out)
        return out

    # -- of which game ------------------------------------------------------------------------

    def _sort(self, deal: Deal, good: list[Deal], out: Checked) -> None:
        """Put *deal* where it belongs: of another game, impossible, or *good* so far."""
        kind = (deal.game, deal.options.get("pack", ""))
        if kind not in self._fitting:
            amiss = self._misfit(*kind)
            if amiss is not None:
                out.strange.append(Flaw(line=deal.line, field=amiss[0], why=amiss[1]))
                return
            self._fitting.add(kind)
        assert self.law is not None
        told = written_late(thrown_in(deal, self.law), self.law)
        if not unwieldy(told, self.law, self.pack):
            good.append(told)
        elif found := self._impossible(told):
            out.unwieldy.append(found)

    def _misfit(self, game: str, pack: str) -> tuple[str, str] | None:
        """Return field and reason why deals of *game* with that *pack* are not of this log."""
        terms = self.terms
        law: Law | None = None
        cards: tuple[int, ...] = ()
        try:
            law = law_of(terms.asked or game or terms.usual)
            cards = law.pack_of({"pack": pack} if pack else {})
        except UnknownName:
            if terms.kind is None:
                raise
        except KeyError as err:
            return "options", f"the game knows no pack {printable(str(err))}"
        if terms.kind is None and law is not None:
            guessed = not (terms.asked or game)
            self.terms = terms = replace(terms, kind=(law.id, pack), guessed=guessed)
            self.law, self.pack = law, cards
        if law is None or terms.kind != (law.id, pack):
            began = terms.kind[0] if terms.kind else ""
            return "game", f"another game or pack than the log began with, {began}"
        return None

    def _of_kind(self, columns: Columns, out: Checked) -> Columns:
        keep = np.zeros(len(columns), np.bool_)
        order = np.unique(columns.kind, return_index=True)
        for k in order[0][np.argsort(order[1])]:
            mine: NDArray[np.bool_] = columns.kind == k
            amiss = self._misfit(*columns.kinds[int(k)])
            if amiss is None:
                keep |= mine
            else:
                name, why = amiss
                lines = columns.line[mine].tolist()
                out.strange += [Flaw(line=line, field=name, why=why) for line in lines]
        return columns.take(keep)

    # -- whether it can have happened, and how it was played -------------------------------------

    def _with_trials(self, columns: Columns, deals: Sequence[Deal]) -> Columns:
        law = self.law
        assert law is not None
        if self._known is None:
            self._known = {k: s for k, s in suspicions(law).items() if s.find is not None}
        known = self._known
        if not known:
            return columns
        return replace(columns, trials=ragged([trials_of(deal, law, known) for deal in deals]))

    def _good(self, columns: Columns, deals: Sequence[Deal], out: Checked) -> None:
        """Check *columns*, whose records are *deals* where they are known as such."""
        law = self.law
        assert law is not None
        keep = np.ones(len(columns), np.bool_)
        for i in np.flatnonzero(suspects(columns, law, self.pack)).tolist():
            deal = deals[i] if deals else columns.deal(i)
            if not deals and (told := written_late(deal, law)) is not deal:
                columns, deal = _with_hands(columns, i, told), told
            found = self._impossible(deal)
            if found is not None:
                keep[i] = False
                out.wrong.append(found)
        for deal, good in zip(deals, keep.tolist(), strict=False):
            if not good:
                continue
            shown = without_hidden(law, deal)
            if deal.events:
                self._referee(shown, law, out)
                out.became += law.changes and changed(deal, unknown=False)
            if law.rules is not None and (deal.events or deal.table):
                out.played.append(shown)
        columns = columns.take(keep)
        out.thin += [Thin(*found) for found in thin(columns, law)]
        if len(columns):
            out.columns = derived(columns, law, len(self.pack))

    def _impossible(self, deal: Deal) -> Contradiction | None:
        """Return why *deal* cannot have happened, None where it can."""
        law = self.law
        assert law is not None
        players = deal.players or len(deal.hands) or law.players[1]
        why = fault(deal, law, self.pack, max(players, law.players[0]))
        if why is None:
            return None
        key = b"|".join(bytes(sorted(h)) for h in deal.hands) + deal.turnups
        digest = hashlib.blake2b(key, digest_size=16).digest()
        return Contradiction(digest, deal.line, deal.number or "", why, code_of(deal, law))

    def _referee(self, deal: Deal, law: Law, out: Checked) -> None:
        """Add the rulings on the play of a deal; what could not be judged is counted."""
        rulings, unjudged = referee_log(law, deal)
        out.refereed += 1
        out.unjudged += unjudged
        if rulings:
            out.rulings += [Ruled(deal.line, deal.number or "", ruling) for ruling in rulings]
