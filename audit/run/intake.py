"""The first pass: read, check each deal against the law, spill blocks and keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.columns import Columns, columns_of, derived, ragged
from audit.errors import Refused, UnknownName, printable
from audit.finding import Statement
from audit.games import GAMES
from audit.law import Law
from audit.record import Counts, Deal, Flaw, Other
from audit.referee import referee_log
from audit.referee.series import Series
from audit.run import spill
from audit.run.exchange import Exchange
from audit.run.integrity import code_of, fault, suspects, thrown_in, unwieldy
from audit.run.keys import Keys
from audit.run.load import Input
from audit.run.spill import Block
from audit.run.streaks import Streaks
from audit.run.thin_cut import thin
from audit.suspect import suspicions, trials_of

#: So many records make a block.
BLOCK = 8192
#: Flaws and contradictions are all counted, and the first so many of each told.
TOLD = 1000
#: More turn-ups than this, in counts, are refused: their evidence is summed one by one.
LARGEST = 10**9


def law_of(game: str) -> Law:
    """Return the law of *game*.

    Raises: UnknownName, also for a game that a book names without giving its rules.
    """
    if game in GAMES.names and GAMES[game].status != "named":
        return GAMES[game]
    known = [name for name in GAMES.names if GAMES[name].status != "named"]
    raise UnknownName("game", game, known)


@dataclass(kw_only=True)
class Intake:
    """What the first pass over all inputs leaves; blocks and keys lie in *folder*."""

    folder: Path
    block: int = BLOCK
    hide: bool = False
    rows: list[dict[str, Any]] = field(default_factory=list)
    flaws: list[dict[str, Any]] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    counts: list[tuple[int, Counts]] = field(default_factory=list)
    laws: list[tuple[Law, str]] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    deals: int = 0
    keys: Keys | None = None
    numbers: Exchange | None = None
    contents: Exchange | None = None
    unread: int = 0
    #: Inputs that name no game, so that it was guessed from their format.
    unnamed: list[str] = field(default_factory=list)
    streaks: Streaks = field(default_factory=Streaks)
    series: list[Series | None] = field(default_factory=list)

    def take(self, columns: Columns, law: Law, *, of_input: int, source: str) -> None:
        """Keep good deals: their blocks for counting, their keys for joining."""
        if self.keys is None or self.numbers is None or self.contents is None:
            self.keys = Keys(law)
            self.numbers = Exchange(self.folder, "numbers", self.keys.number_row)
            self.contents = Exchange(self.folder, "contents", self.keys.content_row)
        self.numbers.add(self.keys.numbers(columns, self.deals, source))
        self.contents.add(self.keys.contents(columns, self.deals))
        path = self.folder / f"block-{len(self.blocks)}"
        self.blocks.append(spill.write(path, columns, start=self.deals, of_input=of_input))
        self.deals += len(columns)


class Reading:
    """One input on its way into an `Intake`."""

    def __init__(self, item: Input, game: str | None, into: Intake, source: str) -> None:
        self.item, self.game, self.into, self.source = item, game, into, source
        self.index = len(into.rows)
        self.law: Law | None = None
        self.kind: tuple[str, str] | None = None
        self.pack: tuple[int, ...] = ()
        self.records = self.flaws = self.other = 0
        self.bad: set[bytes] = set()
        self.refereed = self.unjudged = self.rulings = 0
        self.fitting: set[tuple[str, str]] = set()
        self.series: Series | None = None

    def run(self, told: Callable[[int], None]) -> None:
        """Read the whole input, telling *told* how many bytes are done."""
        for part in self._parts():
            if isinstance(part, Columns):
                self.records += len(part)
                self._columns(part, None)
            elif isinstance(part, list):
                self.records += len(part)
                self._deals(part)
            else:
                self.records += 1
                self._other(part)
            told(self.item.done)
        self._close()

    def _parts(self) -> Iterator[Columns | list[Deal] | Flaw | Other | Counts]:
        """Yield what the reader finds, deals in blocks."""
        reader, item = self.item.reader, self.item
        if reader.batches is not None:
            flat = item.flat(self.into.folder)
            for part in reader.batches(flat, item.name):
                step = max(1, self.into.block)
                if isinstance(part, Flaw) or len(part) <= 8 * step:
                    yield part
                else:
                    for start in range(0, len(part), 8 * step):
                        rows = np.zeros(len(part), np.bool_)
                        rows[start : start + 8 * step] = True
                        yield part.take(rows)
            return
        held: list[Deal] = []
        with item.stream() as stream:
            for record in reader.read(stream, item.name):
                if isinstance(record, Deal):
                    held.append(record)
                    if len(held) >= self.into.block:
                        yield held
                        held = []
                else:
                    yield record
        if held:
            yield held

    def _other(self, part: Flaw | Other | Counts) -> None:
        if isinstance(part, Other):
            self.other += 1
        elif isinstance(part, Flaw):
            self._flaw(part.line, part.field, part.why)
        else:
            self.into.counts.append((self.index, part))
            self.law = self.law or law_of(self.game or self.item.reader.game)
            if sum(sum(c.turned) for _, c in self.into.counts) > LARGEST:
                raise Refused(self.item.name, "counts", "too many turn-ups in all", "10^9 at most")

    def _flaw(self, line: int, name: str, why: str) -> None:
        self.flaws += 1
        self.into.unread += name in ("turnup", "turnups")
        if len(self.into.flaws) < TOLD:
            self.into.flaws.append(
                {
                    "input": printable(self.item.name),
                    "line": line,
                    "field": printable(name),
                    "why": printable(why),
                }
            )

    def _fits(self, game: str, pack: str, lines: Sequence[int]) -> bool:
        """Return whether deals of *game* with that *pack* belong to this log, flaws if not."""
        try:
            law = law_of(self.game or game or self.item.reader.game)
            cards = law.pack_of({"pack": pack} if pack else {})
        except UnknownName:
            if self.kind is None:
                raise
            law, cards = None, ()
        except KeyError as err:
            for line in lines:
                self._flaw(line, "options", f"the game knows no pack {printable(str(err))}")
            return False
        if self.kind is None and law is not None:
            self.law, self.kind = self.law or law, (law.id, pack)
            if not (self.game or game):
                self.into.unnamed.append(self.item.name)
        kind = self.kind or ("", "")
        if law is None or kind != (law.id, pack):
            why = f"another game or pack than the log began with, {kind[0]}"
            for line in lines:
                self._flaw(line, "game", why)
            return False
        self.pack = cards
        return True

    def _deals(self, deals: list[Deal]) -> None:
        good = []
        for deal in deals:
            kind = (deal.game, deal.options.get("pack", ""))
            if kind not in self.fitting:
                if not self._fits(*kind, [deal.line]):
                    continue
                self.fitting.add(kind)
            assert self.law is not None
            told = thrown_in(deal, self.law)
            if unwieldy(told, self.law, self.pack):
                self._check(told)
            else:
                good.append(told)
        if good:
            columns = columns_of(good, self.into.names)
            assert self.law is not None
            known = {k: s for k, s in suspicions(self.law).items() if s.find is not None}
            if known:
                found = [trials_of(deal, self.law, known) for deal in good]
                columns = replace(columns, trials=ragged(found))
            self._columns(columns, good)

    def _columns(self, columns: Columns, deals: list[Deal] | None) -> None:
        if deals is None:
            columns = self._known_names(self._of_kind(columns))
        law = self.law
        if law is None or not len(columns):
            return
        keep = np.ones(len(columns), np.bool_)
        for i in np.flatnonzero(suspects(columns, law, self.pack)):
            keep[i] = self._check(deals[i] if deals else columns.deal(int(i)))
        for deal, good in zip(deals or (), keep.tolist(), strict=False):
            if good and deal.events:
                self._referee(deal, law)
            if good and law.rules is not None and (deal.events or deal.table):
                self._series(law).take(deal)
        columns = columns.take(keep)
        for line, number, why, code in thin(columns, law):
            self._thin(line, number, why, code)
        if len(columns):
            columns = self.into.streaks.follow(derived(columns, law, len(self.pack)))
            self.into.take(columns, law, of_input=self.index, source=self.source)

    def _of_kind(self, columns: Columns) -> Columns:
        keep = np.zeros(len(columns), np.bool_)
        order = np.unique(columns.kind, return_index=True)
        for k in order[0][np.argsort(order[1])]:
            mine: NDArray[np.bool_] = columns.kind == k
            game, pack = columns.kinds[int(k)]
            if self._fits(game, pack, columns.line[mine].tolist()):
                keep |= mine
        return columns.take(keep)

    def _known_names(self, columns: Columns) -> Columns:
        """Return *columns* with dealers as numbers among the names of all inputs."""
        names = self.into.names
        place = np.array([names.setdefault(n, len(names)) for n in columns.names], np.int32)
        dealer, party = columns.dealer, columns.party
        if len(place):
            dealer = np.where(dealer >= 0, place[dealer], -1).astype(np.int32)
            party = np.where(party >= 0, place[party], -1).astype(np.int32)
        return replace(columns, dealer=dealer, party=party, names=tuple(names))

    def _check(self, deal: Deal) -> bool:
        """Return whether *deal* can have happened; a statement says so where it cannot."""
        law = self.law
        assert law is not None
        players = deal.players or len(deal.hands) or law.players[1]
        why = fault(deal, law, self.pack, max(players, law.players[0]))
        if why is None:
            return True
        key = b"|".join(bytes(sorted(h)) for h in deal.hands) + deal.turnups
        digest = hashlib.blake2b(key, digest_size=16).digest()
        if digest not in self.bad:
            self.bad.add(digest)
            if len(self.bad) <= TOLD:
                self._state(deal, why, code_of(deal, law))
        return False

    def _referee(self, deal: Deal, law: Law) -> None:
        """Add the rulings on the play of a deal; what could not be judged is counted."""
        rulings, unjudged = referee_log(law, deal)
        self.refereed += 1
        self.unjudged += unjudged
        where = self._where(deal)
        for ruling in rulings:
            self.rulings += 1
            if self.rulings > TOLD:
                return
            at = f", event {ruling.event + 1}" if ruling.event >= 0 else ""
            seat = f", seat {ruling.seat}" if ruling.seat else ""
            self.into.statements.append(
                Statement(
                    code=ruling.code,
                    detector="referee",
                    kind="ruling",
                    subject={"deal": where},
                    message=f"deal {where}{at}{seat}: {ruling.what}; {ruling.law}: {ruling.remedy}",
                    explains=("a slip in recording", "a rule of the house that differs"),
                )
            )

    def _series(self, law: Law) -> Series:
        """Return what follows the deals of this input from one to the next."""
        if self.series is None:
            self.series = Series(law)
        return self.series

    def _thin(self, line: int, number: str, why: str, code: str) -> None:
        """Add the ruling on a cut that leaves too few cards in a packet."""
        self.rulings += 1
        if self.rulings > TOLD:
            return
        where = f"line {line}" if self.into.hide or not number else printable(number)
        self.into.statements.append(
            Statement(
                code=code,
                detector="thin_cut",
                kind="ruling",
                subject={"deal": where},
                message=f"deal {where}: {why}",
                explains=("a slip in recording", "a rule of the house that differs"),
            )
        )

    def _where(self, deal: Deal) -> str:
        line = f"line {deal.line}"
        return line if self.into.hide else printable(deal.number or line)

    def _state(self, deal: Deal, why: str, code: str) -> None:
        where = self._where(deal)
        self.into.statements.append(
            Statement(
                code=code,
                detector="pack_integrity",
                kind="contradiction",
                subject={"deal": where},
                message=f"deal {where}: {why}",
                explains=("a slip in typing or copying", "a pack that was not complete"),
            )
        )

    def _close(self) -> None:
        item, holds = self.item, self.item.reader.holds
        if self.law is not None:
            pack = self.kind[1] if self.kind else "24" if self.law.packs else ""
            self.into.laws.append((self.law, pack))
        if self.series is not None:
            # A number may be missing for want of a row that could be read.
            self.series.holes = bool(self.flaws or self.bad or self.other)
        self.into.series.append(self.series)
        self.into.rows.append(
            {
                "name": printable(item.name),
                "format": item.reader.id,
                "game": self.law.id if self.law else printable(self.game or item.reader.game),
                "sha256": item.sha256,
                "records": self.records,
                "flaws": self.flaws,
                "other": self.other,
                "contradictions": len(self.bad),
                "refereed": self.refereed,
                "rulings": self.rulings,
                "unjudged": self.unjudged,
                "holds": {
                    "order": holds.order,
                    "widow_order": holds.widow_order,
                    "exposure": holds.exposure,
                    "turnup": holds.turnup,
                    "numbered": holds.numbered,
                },
            }
        )
