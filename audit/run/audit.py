"""The audit: read, set contradictions aside, join, count, judge, report."""

from __future__ import annotations

import math
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit import __version__
from audit.cards import UNKNOWN
from audit.columns import Columns
from audit.errors import UsageError, printable
from audit.finding import (
    THRESHOLD,
    WEIGHTS,
    Hypothesis,
    Idle,
    P,
    Silent,
    Statement,
    Verdicts,
    adjusted,
    also_named,
    shares,
    weighted_sum,
)
from audit.format import Reader
from audit.law import Law
from audit.record import Counts, Deal, Holds, weakest
from audit.run import spill
from audit.run.across import across
from audit.run.checking import law_of
from audit.run.count import Sums, Work, count_blocks, judge_all
from audit.run.exchange import kept_before, settle
from audit.run.explain import checked, placed_picture, storage
from audit.run.gaps import Gaps
from audit.run.intake import BLOCK, TOLD, Intake, Reading
from audit.run.load import Input, load
from audit.run.repeats import Repeats, repeated
from audit.run.sequence import Rising
from audit.run.spill import Block
from audit.run.stray import cards_of, stated, stray, stripped
from audit.run.workers import Workers
from audit.tally import NOT_JUDGED, Looks, Table

#: Suspicions named with their share of the evidence.
SHARES = 5
#: From so many deals on, all cores count unless told otherwise.
LARGE = 1 << 21
#: Inputs of fewer bytes in all are read sooner than other processes start.
SPREAD = 1 << 24
#: A log that does not name its pack has to show so many cards before a smaller one is taken.
SURELY_SMALLER = 60
#: And so many more for each card that is not in it.
MORE_FOR_EACH = 60
#: A tally holds each of so many dealers at each look; the share of the next is below 1/60,000.
MOST_PEOPLE = 256
#: In so many deals somebody runs the cards.
SURELY_RUN = 60
UNSAID = (
    "no deal tells the cards of a run: hands may stand as they were kept,"
    " and are not tested as dealt"
)
#: Whoever wrote one hand as it was played may have written others so, and nobody sees which: what
#: was dealt stands only where nothing was changed, which follows the cards.
BECAME = (
    "in {} of the deals a hand stands as it was played, after cards were given up or drawn:"
    " no hand is tested as dealt without the order of the pack"
)
#: What is being done, how much of it is done, and of how much.
Told = Callable[[str, int, int], None]


def _silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


def audit(
    paths: Sequence[str],
    *,
    form: str | None,
    game: str | None,
    jobs: int | None = None,
    block: int = BLOCK,
    told: Told = _silent,
    hide: bool = False,
    more: Sequence[Reader] = (),
    spread: int = SPREAD,
) -> dict[str, Any]:
    """Return the report of one audit over all of *paths*, as the schema has it.

    The log is read once and its good deals are kept in a folder of their own
    until they are counted, so that memory does not grow with it.  *jobs* is how
    many processes count, and check what is read of inputs of *spread* bytes in all or more;
    *block* is how many records are taken at a time; none of them changes the report.
    With *hide* no name, number or table of the log is in it but persons by their place
    of first appearance.  *more* are readers beside those of the registry.

    Raises: UsageError, UnknownFormat, Refused as `load` does, UnknownName for a
    *game* that is none, and UsageError where the logs are of more than one game,
    for a place or a dealer of one game is nothing in another; FairdealError where a process
    ended before its work was done.
    """
    if game is not None:
        # A log without a deal would never ask for the law.
        law_of(game)
    with (
        tempfile.TemporaryDirectory(prefix="fairdeal-") as name,
        Workers(jobs or os.cpu_count() or 1) as workers,
    ):
        return _audit(
            paths,
            Path(name),
            form=form,
            game=game,
            workers=workers,
            asked=jobs is not None,
            block=block,
            told=told,
            hide=hide,
            more=more,
            spread=spread,
        )


def _audit(
    paths: Sequence[str],
    folder: Path,
    *,
    form: str | None,
    game: str | None,
    workers: Workers,
    asked: bool,
    block: int,
    told: Told,
    hide: bool,
    more: Sequence[Reader],
    spread: int,
) -> dict[str, Any]:
    inputs = [load(path, form, folder, more) for path in paths]
    taken = Intake(folder=folder, block=block, hide=hide)
    total, before = sum(item.size for item in inputs), 0
    several = workers.jobs > 1
    readers = workers if several and total >= spread else None
    for item, source in zip(inputs, _sources(inputs), strict=True):
        start = before
        reading = Reading(item, game, taken, source)
        reading.run(lambda done, start=start: told("reading", start + done, total), readers)  # type: ignore[misc]
        before += item.size
    games = {(law.id, pack) for law, pack in taken.laws}
    if len(games) > 1:
        names = ", ".join(sorted(" ".join(g).strip() for g in games))
        raise UsageError("audit", "logs of several games", "audit each game alone", "one", names)
    counts = [one for _, one in taken.counts]
    verdicts, looks = Verdicts(), Looks(deals=0)
    found = Distinct(taken)
    if taken.laws:
        law, pack = taken.laws[0]
        _ask_for_game(taken, found, law)
        named, pack = pack, pack or found.smaller_pack(law)
        if pack != named:
            taken.statements += found.keep(law, pack)
        most = max(found.deals, max((c.deals for c in counts), default=0))
        looks = Looks(deals=most, once=not found.rising.as_dealt)
        holds = weakest([item.reader.holds for item in inputs])
        unsaid = found.says_nothing_of_runs(law)
        if unsaid and holds.exposure == "dealt":
            holds = replace(holds, exposure="shown")
        if taken.became and holds.exposure in ("dealt", "played out"):
            holds = replace(holds, exposure="unknown")
        table = _table(law, pack, found, holds, looks, counts)
        table = replace(table, unread=taken.unread, unheld=taken.unheld)
        many = found.deals > BLOCK if asked else found.deals >= LARGE
        counters = workers if several and (many or workers.started) else None
        tallies = _count(found, table, counts, counters, told)
        if hide:
            who = "stock" if counts else "person"
            hidden = tuple(f"{who} {k}" for k in range(1, len(table.dealers) + 1))
            parties = tuple(f"party {k}" for k in range(1, len(table.parties) + 1))
            table = replace(table, dealers=hidden, parties=parties)
        for row, item in zip(taken.rows, inputs, strict=True):
            row["holds"] = _holds(checked(item.reader.holds, tallies, table))
            if looks.once and found.deals:
                row["holds"]["notes"].append(found.rising.why_once)
            people = len({c.stock for c in counts}) or found.people
            if people > MOST_PEOPLE:
                row["holds"]["notes"].append(
                    f"{people - MOST_PEOPLE:,} more than {MOST_PEOPLE} stand in the log by name;"
                    " nobody after those is judged alone"
                )
            if unsaid:
                row["holds"]["notes"].append(UNSAID)
            if taken.became:
                row["holds"]["notes"].append(BECAME.format(f"{taken.became:,}"))
            if pack != named:
                row["holds"]["notes"].append(
                    f"every card of the log is in the pack of {pack} cards, which is taken for it"
                )
        table = replace(table, holds=checked(table.holds, tallies, table))
        verdicts = judge_all(tallies, table)
        again = repeated(found.repeats(law), looks, len(table.pack))
        verdicts.hypotheses += again
        if not again:
            # The first deal settles it, and no bet on it would have won.
            verdicts.idle.append(Idle(detector="repeats", weight=WEIGHTS["repeats"]))
            why = "the first deal does not show every hand" if found.deals else "no deal is told"
            silent = Silent(code="T18", detector="repeats", why=why, untouched=True)
            verdicts.silent.append(silent)
        picture = placed_picture(tallies, table)
        verdicts.pictures += [picture] if picture else []
        stored = storage(tallies, table)
        if stored:
            verdicts.hypotheses = [
                replace(h, message=f"{h.message}. {stored}") if h.detector == "turned_card" else h
                for h in verdicts.hypotheses
            ]
    _follow(taken, as_dealt=found.rising.as_dealt)
    verdicts.statements += taken.statements
    _shown(taken, found)
    deals = sum(c.deals for c in counts) + found.deals
    return _report(taken.rows, taken.flaws, verdicts, looks, deals)


def _holds(holds: Holds) -> dict[str, Any]:
    return {
        "order": holds.order,
        "widow_order": holds.widow_order,
        "exposure": holds.exposure,
        "turnup": holds.turnup,
        "numbered": holds.numbered,
        "notes": list(holds.notes),
    }


def _ask_for_game(taken: Intake, found: Distinct, law: Law) -> None:
    """Refuse a log that names no game and is of a stripped pack, of which the guessed one is not.

    Some log of 52 cards shows only cards of 40 of them so long in fewer than 1 of 10^6 fair ones.
    """
    pack = stripped(found.shown)
    if taken.unnamed and pack and found.cards >= SURELY_SMALLER and len(law.pack) > len(pack):
        if any(set(pack) <= set(cards) < set(law.pack) for cards in law.packs.values()):
            return
        why = f"not named, and the log shows just the cards of a pack of {len(pack)}"
        raise UsageError(taken.unnamed[0], "game", why, "--game or a column game", law.id)


def _sources(inputs: Sequence[Input]) -> list[str]:
    """Return a word for each input, the same for inputs of the same bytes and for no others."""
    sizes = Counter(item.size for item in inputs)
    return [
        item.digest() if sizes[item.size] > 1 else str(place) for place, item in enumerate(inputs)
    ]


def _follow(taken: Intake, *, as_dealt: bool) -> None:
    """Add the rulings on what passes from deal to deal, and complete the rows with them."""
    for row, series in zip(taken.rows, taken.series, strict=True):
        if series is None:
            continue
        left = TOLD - row["rulings"]
        rulings, row["across"] = across(series, as_dealt=as_dealt, hide=taken.hide, most=left)
        row["rulings"] += row["across"]["rulings"]
        taken.statements += rulings


def _shown(taken: Intake, found: Distinct) -> None:
    """Complete the rows about the inputs with what joining has found."""
    for place, row in enumerate(taken.rows):
        counted = sum(c.deals for of, c in taken.counts if of == place)
        row["deals"] = counted + found.by_input[place]
        ledger = row["format"] == "ledger" and not row["flaws"]
        if found.by_input[place]:
            row["numbering"] = found.gaps.told(place, ledger=ledger)
    if taken.rows:
        taken.rows[0]["repeated_records"] = found.repeated_records


class Distinct:
    """The deals of a log after joining, and what is to be known of them before counting."""

    def __init__(self, taken: Intake) -> None:
        self.taken = taken
        self.dropped: NDArray[np.bool_] = np.zeros(taken.deals, np.bool_)
        self.repeated_records, self.pairs = 0, np.zeros((0, 2), np.int64)
        if taken.numbers is not None and taken.contents is not None:
            self.repeated_records, self.pairs = settle(taken.numbers, taken.contents, self.dropped)
        self._follow()

    def _follow(self) -> None:
        """Learn from the deals that are not dropped what is to be known of them."""
        taken = self.taken
        self.by_input: Counter[int] = Counter()
        self.blocks: list[tuple[int, Block]] = []
        self.deals = self.most = 0
        self.rising = Rising(taken.laws[0][0] if taken.laws else None)
        self.gaps = Gaps()
        self.shown, self.cards = np.zeros(256, np.int64), 0
        self.told_run = self.ordered = self.held = False
        order: dict[int, int] = {}
        parties: dict[int, int] = {}
        for block in taken.blocks:
            kept = ~self.dropped[block.start : block.start + block.deals]
            columns = spill.read(block)
            self.blocks.append((self.deals, block))
            self.deals += int(kept.sum())
            self.by_input[block.input] += int(kept.sum())
            self.rising.take(columns.take(kept), block.input)
            self.gaps.take(columns.take(kept), block.input)
            self._see(columns.take(kept))
            if kept.any():
                self.most = max(self.most, int(columns.players[kept].max()))
            who, at = np.unique(columns.dealer[kept], return_index=True)
            for k in who[np.argsort(at)]:
                if k >= 0:
                    order.setdefault(int(k), len(order))
            for k in dict.fromkeys(columns.party[kept].ravel().tolist()):
                if k >= 0:
                    parties.setdefault(k, len(parties))
        names = list(taken.names)
        self.people = len(order)
        self.dealers = tuple(names[k] for k in list(order)[:MOST_PEOPLE])
        #: The place of each name of the blocks among the dealers; the last is for none.
        self.places = np.full(len(names) + 1, -1, np.int32)
        for k, place in order.items():
            self.places[k] = place if place < MOST_PEOPLE else NOT_JUDGED
        self.parties = tuple(names[k] for k in list(parties)[:MOST_PEOPLE])
        self.party_places = np.full(len(names) + 1, -1, np.int32)
        for k, place in parties.items():
            self.party_places[k] = place if place < MOST_PEOPLE else NOT_JUDGED

    def _see(self, columns: Columns) -> None:
        """Note which cards the deals show, and how many first turn-ups and cards in hand."""
        # Only where the pack may be a smaller one is it asked which cards there are.
        if self.taken.unnamed or any(law.packs for law, _ in self.taken.laws):
            self.shown += cards_of(columns)
        self.held |= bool((columns.hands < 52).any())
        self.ordered |= bool((columns.order < 52).any())
        self.told_run |= bool((columns.runs.sizes > 0).any())
        self.cards += int((columns.hands < 52).sum()) + int((columns.turnups.sizes > 0).sum())

    def says_nothing_of_runs(self, law: Law) -> bool:
        """Whether hands may stand as they were kept after a run, for no run is ever told.

        Then the low cards are gone from them, whatever their format claims.
        """
        told = self.told_run or self.ordered
        return bool(law.run) and self.held and not told and self.deals >= SURELY_RUN

    def smaller_pack(self, law: Law) -> str:
        """Return the least pack of *law* that holds the cards of the log but for a few, or ''.

        Given that no other card was dealt, a deal is a uniform order of the least
        pack, so that the choice raises no evidence; deals with others are set aside (`keep`).
        So many cards of 32 lie in 24 of them, but for so few, by luck in fewer than 1 of
        10^7 logs.
        """
        least = sorted(law.packs, key=lambda name: len(law.packs[name]))
        for name in least:
            other = self.shown[:52].sum() - self.shown[list(law.packs[name])].sum()
            if len(law.packs[name]) >= len(law.pack):
                break
            if self.cards >= SURELY_SMALLER + MORE_FOR_EACH * other:
                return name
        return ""

    def keep(self, law: Law, pack: str) -> list[Statement]:
        """Drop the deals with a card that is not in *pack*, and return what is to be said."""
        names, told = tuple(self.taken.names), list[Statement]()
        cards = law.packs[pack]
        if self.shown[:52].sum() == self.shown[list(cards)].sum():
            return []
        for block in self.taken.blocks:
            mine = slice(block.start, block.start + block.deals)
            columns = spill.read(block, names)
            found = stray(columns, cards) & ~self.dropped[mine]
            self.dropped[mine] |= found
            self.taken.rows[block.input]["contradictions"] += int(found.sum())
            rows = (columns.deal(int(i)) for i in np.flatnonzero(found)[: TOLD - len(told)])
            told += stated(rows, law, pack, hide=self.taken.hide)
        self._follow()
        return told

    def some(self, most: int) -> list[Deal]:
        """Return the first *most* deals as records."""
        out: list[Deal] = []
        names = tuple(self.taken.names)
        for _, block in self.blocks:
            if len(out) >= most:
                break
            kept = ~self.dropped[block.start : block.start + block.deals]
            columns = spill.read(block, names).take(kept)
            out += [columns.deal(i) for i in range(min(len(columns), most - len(out)))]
        return out

    def numbers(self, at: int) -> str | None:
        """Return the number that record *at* bears."""
        for block in self.taken.blocks:
            if block.start <= at < block.start + block.deals:
                return spill.read(block, tuple(self.taken.names)).deal(at - block.start).number
        return None

    def repeats(self, law: Law) -> Repeats:
        """Return the repeats, as evidence wants them."""
        first = self.some(1)
        hands = first[0].hands if first else ()
        full = law.full_hand(first[0].players or len(hands)) if first else 0
        whole = all(len(h) == full and UNKNOWN not in h for h in hands)
        pair = self.pairs[0] if len(self.pairs) and not self.taken.hide else None
        return Repeats(
            deals=self.deals,
            whole=bool(hands) and whole,
            hands=self._hands(self.pairs[:, 1], law),
            before=kept_before(self.dropped, self.pairs[:, 1]).tolist(),
            numbers=None if pair is None else (self.numbers(pair[0]), self.numbers(pair[1])),
        )

    def _hands(self, records: NDArray[np.int64], law: Law) -> list[tuple[int, int]]:
        """Return how many hands each of *records* gives, and of how many cards they are."""
        out = np.zeros((len(records), 2), np.int64)
        for block in self.taken.blocks:
            mine = np.flatnonzero((records >= block.start) & (records < block.start + block.deals))
            if len(mine):
                columns, rows = spill.read(block), records[mine] - block.start
                out[mine] = np.stack([columns.given[rows], columns.players[rows]], axis=1)
        return [(given, law.full_hand(players or given)) for given, players in out.tolist()]


def _table(
    law: Law, pack: str, found: Distinct, holds: Holds, looks: Looks, counts: Sequence[Counts]
) -> Table:
    stocks = tuple(dict.fromkeys(c.stock for c in counts))[:MOST_PEOPLE]
    first = found.some(1)
    machine = not counts and (not first or first[0].dealer is None)
    by_machine = bool(first) and first[0].dealt_by == "machine"
    return Table(
        law=law,
        who="stock" if counts else "machine" if machine and by_machine else "dealer",
        pack=law.pack_of({"pack": pack} if pack else {}),
        players=_players(found.most, law),
        holds=holds,
        looks=looks,
        dealers=stocks or found.dealers,
        # The first deal decides, before any card is counted, whether names or
        # one machine are the subjects, so that no weight ever changes.
        machine=machine,
        parties=found.parties,
    )


def _players(most: int, law: Law) -> int:
    if law.players[0] == law.players[1]:
        return law.players[0]
    return min(max(most or law.players[0], law.players[0]), law.players[1])


def _count(
    found: Distinct, table: Table, counts: Sequence[Counts], workers: Workers | None, told: Told
) -> Sums:
    dropped = found.taken.folder / "dropped.npy"
    np.save(dropped, found.dropped)
    places = np.full_like(found.places, -1) if counts else found.places
    work = Work(table=table, dropped=dropped, dealers=places, parties=found.party_places)
    blocks, size = found.blocks, len(found.blocks)
    tallies = count_blocks(
        blocks, work, workers=workers, told=lambda done: told("counting", done, size)
    )
    for one in counts:
        if one.stock not in table.dealers:
            continue
        place = table.dealers.index(one.stock)
        tallies["turnups"]["first"][-1, place] += np.array(one.turned, np.int64)
    return tallies


def _report(
    shown: list[dict[str, Any]],
    flaws: list[dict[str, Any]],
    verdicts: Verdicts,
    looks: Looks,
    total: int,
) -> dict[str, Any]:
    standing = verdicts.standing if looks.count else Fraction(1)
    curve = weighted_sum(verdicts.hypotheses, max(1, looks.count), standing)
    top = float(curve.max())
    flagged = top >= math.log(THRESHOLD)
    contradictions = [s for s in verdicts.statements if s.kind == "contradiction"]
    if not total and not contradictions:
        verdict = "nothing to audit"
    elif flagged:
        verdict = "flagged"
    else:
        verdict = "contradiction" if contradictions else "clear"
    hypotheses = sorted(verdicts.hypotheses, key=lambda h: -h.highest - math.log(h.weight))
    also = (
        {id(hypotheses[i]) for i in also_named(hypotheses, verdicts.fallen)} if flagged else set()
    )
    named = [h for h in hypotheses if h.flagged or id(h) in also]
    kept = named + [h for h in hypotheses if not h.flagged and id(h) not in also][:40]
    chances = [h.shown_p() for h in hypotheses]
    joint = adjusted(chances, verdicts.fallen)
    by_id = {id(h): (p, q) for h, p, q in zip(hypotheses, chances, joint, strict=True)}
    unspent, held = shares(verdicts.hypotheses, standing)
    ends = looks.ends()
    if ends:
        verdicts.pictures.append(
            {
                "kind": "line",
                "title": "Evidence over time",
                "text": "log10 of the weighted evidence; at 3 the audit is flagged.",
                "columns": ["deal", "log10_sum"],
                "rows": [[d, float(c) / math.log(10)] for d, c in zip(ends, curve, strict=True)],
            }
        )
    return {
        "schema": "fairdeal-report/1",
        "verdict": verdict,
        "inputs": shown,
        "flaws": flaws[:1000],
        "findings": [_statement(s) for s in verdicts.statements]
        + [_evidence(h, *by_id[id(h)], also=id(h) in also) for h in kept],
        "silent": [
            {"code": s.code, "detector": s.detector, "why": s.why, "untouched": s.untouched}
            for s in verdicts.silent
        ],
        "pictures": verdicts.pictures,
        "flag": {
            "threshold": THRESHOLD,
            "sum_log10": top / math.log(10),
            "hypotheses": len(hypotheses),
            "fallen": verdicts.fallen,
            "standing": f"{standing.numerator}/{standing.denominator}",
            "unspent": unspent,
            "shares": [
                {
                    "detector": h.detector,
                    "subject": {k: printable(v) for k, v in h.subject.items()},
                    "share": share,
                }
                for h, share in held[:SHARES]
            ],
            "weights": {k: f"{v.numerator}/{v.denominator}" for k, v in WEIGHTS.items()},
        },
        "made": {"version": __version__, "command": ""},
    }


def _finite(value: float) -> float | None:
    return value / math.log(10) if math.isfinite(value) else None


def _looks_back(h: Hypothesis, p: P) -> dict[str, Any] | None:
    """Return what stands behind the last and the highest evidence of *h*, and behind its *p*."""
    out: dict[str, Any] = {}
    if h.counts is not None:
        out["last"] = h.counts(len(h.curve) - 1)
        out["highest"] = h.counts(int(h.curve.argmax()))
    if p.counts is not None:
        out["p"] = dict(p.counts)
    return out or None


def _evidence(h: Hypothesis, p: P, joint: float | None, *, also: bool) -> dict[str, Any]:
    detail = h.detail()
    return {
        "code": h.code,
        "detector": h.detector,
        "kind": "evidence",
        "subject": {k: printable(v) for k, v in h.subject.items()},
        "flagged": h.flagged,
        "deals": h.deals,
        "null": h.null,
        "message": printable_long(h.message),
        "log10_p": p.log10,
        "log10_p_holm": joint,
        "p_note": p.note,
        "log10_e": _finite(h.final),
        "log10_e_max": _finite(h.highest),
        "weight": f"{h.weight.numerator}/{h.weight.denominator}",
        "effect": dict(detail.effect) if detail.effect else None,
        "refutes": list(h.refutes) if h.flagged else [],
        "explains": list(h.explains),
        "share_explaining": detail.share_explaining,
        "detectable": detail.detectable,
        "cleared": dict(detail.cleared) if detail.cleared else None,
        "also": also,
        "recheck": _looks_back(h, p),
    }


def printable_long(text: str) -> str:
    """Return *text* with control characters replaced, of any length."""
    return "".join(printable(text[i : i + 100]) for i in range(0, len(text), 100))


def _statement(s: Statement) -> dict[str, Any]:
    return {
        "code": s.code,
        "detector": s.detector,
        "kind": s.kind,
        "subject": dict(s.subject),
        "flagged": False,
        "deals": s.deals,
        "null": "",
        "message": s.message,
        "log10_p": None,
        "log10_e": None,
        "weight": "0/1",
        "effect": None,
        "refutes": [],
        "explains": list(s.explains),
        "share_explaining": None,
        "detectable": None,
    }
