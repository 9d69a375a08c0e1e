"""The first pass: read, have each deal checked, put the parts together, spill blocks and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from audit.columns import Columns
from audit.errors import Refused, printable
from audit.finding import Statement
from audit.format import Piece, Stream, cut, pieces
from audit.law import Law
from audit.record import Counts, Deal, Flaw, Record
from audit.referee._facts import pack, without_plays
from audit.referee.series import Series
from audit.run import spill
from audit.run.across import OR_A_SLIP
from audit.run.checking import Check, Checked, Contradiction, Ruled, Terms, Thin, law_of
from audit.run.exchange import Exchange
from audit.run.keys import Keys
from audit.run.load import Input
from audit.run.spill import Block
from audit.run.streaks import Streaks
from audit.run.workers import Workers

#: So many records make a block.
BLOCK = 8192
#: So many bytes of lines at most are given to a process at a time.
PART = 1 << 22
#: The joining of the parts keeps up with so many processes.
READERS_AT_ONCE = 8
#: Flaws and contradictions are all counted, and the first so many of each told.
TOLD = 1000
#: Fields that cannot be read, it may be, because of which cards were dealt.
OF_HANDS = {"hands", "hand", "widow", "board", "runs", "card", "cards", "deal", "Deal", "events"}
#: More turn-ups than this, in counts, are refused: their evidence is summed one by one.
LARGEST = 10**9


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
    unheld: int = 0
    #: Deals whose hands stand as they were played, by their own events.
    became: int = 0
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
        self.numbers.add(self.keys.numbers(columns, self.deals, source, of_input))
        self.contents.add(self.keys.contents(columns, self.deals))
        path = self.folder / f"block-{len(self.blocks)}"
        self.blocks.append(spill.write(path, columns, start=self.deals, of_input=of_input))
        self.deals += len(columns)


def _of_hands(flaw: Flaw) -> bool:
    """Whether a row was lost for what it says of cards in hands, or of how they were played."""
    return flaw.field in OF_HANDS or (flaw.field.startswith("hand_") and flaw.line > 1)


class Reading:
    """One input on its way into an `Intake`."""

    def __init__(self, item: Input, game: str | None, into: Intake, source: str) -> None:
        self.item, self.game, self.into, self.source = item, game, into, source
        self.index = len(into.rows)
        self.check = Check(Terms(asked=game or "", usual=item.reader.game))
        self.counted: Law | None = None
        self.records = self.flaws = self.other = 0
        self.refereed = self.unjudged = self.rulings = 0
        self.series: Series | None = None
        # What is told stands by kind and line, so that no cut into blocks moves it.
        self._flaws: tuple[list[Flaw], list[Flaw]] = ([], [])
        self._unwieldy = _Impossible()
        self._wrong = _Impossible()
        self._ruled: list[Ruled] = []
        self._thin: list[Thin] = []

    @property
    def law(self) -> Law | None:
        """The law of the log as far as it is known."""
        return self.check.law or self.counted

    def run(self, told: Callable[[int], None], workers: Workers | None = None) -> None:
        """Read the whole input, by *workers* too, telling *told* how many bytes are done."""
        for checked in self._checked(workers):
            self._join(checked)
            told(self.item.done)
        if self.check.terms.guessed:
            self.into.unnamed.append(self.item.name)
        self._close()

    # -- parts of the input -------------------------------------------------------------------

    def _checked(self, workers: Workers | None) -> Iterator[Checked]:
        """Yield what the parts of the input hold, in their order."""
        reader, item, check = self.item.reader, self.item, self.check
        if reader.batches is not None:
            yield from self._batches(reader.batches(item.flat(self.into.folder), item.name))
            return
        with item.stream() as stream:
            if reader.part is None or workers is None:
                records = reader.read(stream, item.name)
                while some := list(islice(records, max(1, self.into.block))):
                    yield check.records(some)
                return
            parts = _parts(stream, max(1, self.into.block))
            for part in parts:
                yield check.records(_records(reader.part, part))
                if check.terms.kind is not None:
                    break
            work = partial(_check_part, reader.part, check.terms)
            for checked, played in workers.each(work, parts, most=READERS_AT_ONCE):
                self._follow(_DEALS.decode(played))
                yield checked

    def _batches(self, found: Iterable[Columns | Flaw]) -> Iterator[Checked]:
        most = 8 * max(1, self.into.block)
        for part in found:
            if isinstance(part, Flaw):
                yield Checked(records=1, flaws=[part])
            elif len(part) <= most:
                yield self.check.columns(part)
            else:
                for start in range(0, len(part), most):
                    rows = np.zeros(len(part), np.bool_)
                    rows[start : start + most] = True
                    yield self.check.columns(part.take(rows))

    # -- put together -------------------------------------------------------------------------

    def _join(self, part: Checked) -> None:
        """Add the next part of the input."""
        self.records += part.records
        self.other += part.other
        self.refereed += part.refereed
        self.unjudged += part.unjudged
        self.into.became += part.became
        for held, flaws in zip(self._flaws, (part.flaws, part.strange), strict=True):
            self.flaws += len(flaws)
            self.into.unread += sum(flaw.field in ("turnup", "turnups") for flaw in flaws)
            self.into.unheld += sum(_of_hands(flaw) for flaw in flaws)
            held += flaws[: TOLD - len(held)]
        if part.counts:
            self._counts(part.counts)
        self._unwieldy.add(part.unwieldy)
        self._wrong.add(part.wrong)
        self.rulings += len(part.rulings) + len(part.thin)
        self._ruled += part.rulings[: TOLD - len(self._ruled)]
        self._thin += part.thin[: TOLD - len(self._thin)]
        self._follow([(deal, b"") for deal in part.played])
        if part.columns is not None:
            assert self.check.law is not None
            columns = self.into.streaks.follow(self._known_names(part.columns))
            self.into.take(columns, self.check.law, of_input=self.index, source=self.source)

    def _follow(self, deals: list[tuple[Deal, bytes]]) -> None:
        """Follow the next *deals* of the input; beside one without its plays stands the whole."""
        if deals:
            assert self.check.law is not None
            self.series = self.series or Series(self.check.law)
            for deal, packed in deals:
                self.series.take(deal, packed)

    def _counts(self, counts: list[Counts]) -> None:
        self.into.counts += [(self.index, one) for one in counts]
        self.counted = self.counted or law_of(self.game or self.item.reader.game)
        if sum(sum(c.turned) for _, c in self.into.counts) > LARGEST:
            raise Refused(self.item.name, "counts", "too many turn-ups in all", "10^9 at most")

    def _known_names(self, columns: Columns) -> Columns:
        """Return *columns* with dealers as numbers among the names of all inputs."""
        names = self.into.names
        place = np.array([names.setdefault(n, len(names)) for n in columns.names], np.int32)
        dealer, party = columns.dealer, columns.party
        if len(place):
            dealer = np.where(dealer >= 0, place[dealer], -1).astype(np.int32)
            party = np.where(party >= 0, place[party], -1).astype(np.int32)
        return replace(columns, dealer=dealer, party=party, names=tuple(names))

    # -- what is told of it -------------------------------------------------------------------

    def _close(self) -> None:
        into = self.into
        for flaw in [one for held in self._flaws for one in held][: TOLD - len(into.flaws)]:
            into.flaws.append(
                {
                    "input": printable(self.item.name),
                    "line": flaw.line,
                    "field": printable(flaw.field),
                    "why": printable(flaw.why),
                }
            )
        impossible = self._unwieldy.first + self._wrong.besides(self._unwieldy)
        into.statements += [self._contradiction(one) for one in impossible[:TOLD]]
        rulings = [self._ruling(one) for one in self._ruled]
        rulings += [self._thin_cut(one) for one in self._thin[: TOLD - len(rulings)]]
        into.statements += rulings
        item, kind, bad = self.item, self.check.terms.kind, self._unwieldy.known | self._wrong.known
        if self.law is not None:
            pack = kind[1] if kind else "24" if self.law.packs else ""
            into.laws.append((self.law, pack))
        if self.series is not None:
            # A number may be missing for want of a row that could be read.
            self.series.holes = bool(self.flaws or bad or self.other)
        into.series.append(self.series)
        holds = item.reader.holds
        into.rows.append(
            {
                "name": printable(item.name),
                "format": item.reader.id,
                "game": self.law.id if self.law else printable(self.game or item.reader.game),
                "sha256": item.sha256,
                "records": self.records,
                "flaws": self.flaws,
                "other": self.other,
                "contradictions": len(bad),
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

    def _where(self, line: int, number: str) -> str:
        return f"line {line}" if self.into.hide or not number else printable(number)

    def _contradiction(self, one: Contradiction) -> Statement:
        where = self._where(one.line, one.number)
        return Statement(
            code=one.code,
            detector="pack_integrity",
            kind="contradiction",
            subject={"deal": where},
            message=f"deal {where}: {one.why}",
            explains=(
                "a slip in typing or copying",
                "a pack that was not complete",
                "a house rule of the deal that the log does not name, such as a card burnt",
            ),
        )

    def _ruling(self, one: Ruled) -> Statement:
        ruling = one.ruling
        at = f", event {ruling.event + 1}" if ruling.event >= 0 else ""
        seat = f", seat {ruling.seat}" if ruling.seat else ""
        said = f"{at}{seat}: {ruling.what}; {ruling.law}: {ruling.remedy}"
        return self._ruled_on(one, "referee", ruling.code, said)

    def _thin_cut(self, one: Thin) -> Statement:
        return self._ruled_on(one, "thin_cut", one.code, f": {one.why}")

    def _ruled_on(self, one: Ruled | Thin, detector: str, code: str, said: str) -> Statement:
        where = self._where(one.line, one.number)
        return Statement(
            code=code,
            detector=detector,
            kind="ruling",
            subject={"deal": where},
            message=f"deal {where}{said}",
            explains=OR_A_SLIP,
        )


class _Impossible:
    """Contradictions, the same deal told once: the *first* ones, and the digests *known* of all."""

    def __init__(self) -> None:
        self.first: list[Contradiction] = []
        self.known: set[bytes] = set()

    def add(self, found: Iterable[Contradiction]) -> None:
        """Take those of *found* in that are not known yet."""
        for one in found:
            if one.digest not in self.known:
                self.known.add(one.digest)
                if len(self.first) < TOLD:
                    self.first.append(one)

    def besides(self, other: _Impossible) -> list[Contradiction]:
        """Return the first ones that are not known to *other*."""
        return [one for one in self.first if one.digest not in other.known]


_DEALS = msgspec.msgpack.Decoder(list[tuple[Deal, bytes]])
_ENCODER = msgspec.msgpack.Encoder()


def _parts(stream: Stream, most: int) -> Iterator[tuple[Piece, ...]]:
    """Yield the lines of *stream* in parts of at most *most* lines and some `PART` bytes."""
    held: list[Piece] = []
    rows = size = 0
    for piece in (some for whole in pieces(stream) for some in cut(whole, most)):
        count = piece.data.count(b"\n") + (not piece.data.endswith(b"\n"))
        if held and (rows + count > most or size + len(piece.data) > PART):
            yield tuple(held)
            held, rows, size = [], 0, 0
        held.append(piece)
        rows, size = rows + count, size + len(piece.data)
    if held:
        yield tuple(held)


def _records(read: Callable[[Piece], Iterator[Record]], part: Iterable[Piece]) -> Iterator[Record]:
    return (record for piece in part for record in read(piece))


@lru_cache(maxsize=4)
def _check_by(terms: Terms) -> Check:
    """Return the one check of this process under *terms*."""
    return Check(terms)


def _check_part(
    read: Callable[[Piece], Iterator[Record]], terms: Terms, part: tuple[Piece, ...]
) -> tuple[Checked, bytes]:
    """Return what *part* of a log holds, with the deals of a series packed where they can be."""
    checked = _check_by(terms).records(_records(read, part))
    try:
        packed = _ENCODER.encode([(without_plays(d), pack(d)) for d in checked.played])
    except OverflowError:
        # A number of more than 64 bits goes as it is.
        return checked, _ENCODER.encode([])
    checked.played = []
    return checked, packed
