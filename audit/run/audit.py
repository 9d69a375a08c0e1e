"""The audit: read, set contradictions aside, join, count, judge, report."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from audit.errors import UsageError
from audit.finding import (
    WEIGHTS,
    Idle,
    Silent,
    Verdicts,
)
from audit.format import Reader
from audit.law import Law
from audit.record import Counts, Holds, weakest
from audit.run.across import across
from audit.run.checking import law_of
from audit.run.count import Sums, Work, count_blocks, judge_all
from audit.run.distinct import MOST_PEOPLE, SURELY_SMALLER, Distinct
from audit.run.explain import checked, placed_picture, storage
from audit.run.intake import BLOCK, TOLD, Intake, Reading
from audit.run.load import Input, load
from audit.run.repeats import repeated
from audit.run.report import report
from audit.run.stray import stripped
from audit.run.workers import Workers
from audit.tally import Looks, Table

#: From so many deals on, all cores count unless told otherwise.
LARGE = 1 << 21
#: Inputs of fewer bytes in all are read sooner than other processes start.
SPREAD = 1 << 24
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
    return report(taken.rows, taken.flaws, verdicts, looks, deals)


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
