"""The audit: read, set contradictions aside, join, count, judge, report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from audit import __version__
from audit.errors import UnknownName, UsageError, printable
from audit.finding import (
    THRESHOLD,
    WEIGHTS,
    Hypothesis,
    Statement,
    Verdicts,
    also_named,
    weighted_sum,
)
from audit.games import GAMES
from audit.law import Law
from audit.record import Counts, Deal, Flaw, Holds, Other, batch_of
from audit.run.count import count_batches, judge_all
from audit.run.explain import checked, placed_picture, storage
from audit.run.integrity import fault
from audit.run.joining import Joined, join
from audit.run.load import Input, load
from audit.run.repeats import repeated
from audit.tally import Arrays, Looks, Table

BLOCK = 8192


def _law_of(game: str) -> Law:
    if game in GAMES.names:
        return GAMES[game]
    raise UnknownName("game", game, GAMES.names)


def _players(deals: Sequence[Deal], law: Law) -> int:
    if law.players[0] == law.players[1]:
        return law.players[0]
    most = max((d.players or len(d.hands) for d in deals), default=law.players[0])
    return min(max(most, law.players[0]), law.players[1])


def audit(paths: Sequence[str], *, form: str | None, game: str | None) -> dict[str, Any]:
    """Return the report of one audit over all of *paths*, as the schema has it.

    Raises: UsageError, UnknownFormat, Refused as `load` does, and UsageError
    where the logs are of more than one game, for a place or a dealer of one
    game is nothing in another.
    """
    inputs = [load(path, form) for path in paths]
    shown: list[dict[str, Any]] = []
    flaws: list[dict[str, Any]] = []
    statements: list[Statement] = []
    deals: list[Deal] = []
    counts: list[Counts] = []
    games: set[tuple[str, str]] = set()
    laws: list[tuple[Law, tuple[int, ...]]] = []
    for item in inputs:
        row, some, law = _read(item, game, flaws, statements, counts)
        shown.append(row)
        if law is not None:
            options = some[0].options if some else {"pack": "24"} if counts else {}
            games.add((law.id, options.get("pack", "")))
            laws.append((law, law.pack_of(options)))
        deals += some
    if len(games) > 1:
        names = ", ".join(sorted(" ".join(g).strip() for g in games))
        raise UsageError("audit", "logs of several games", "audit each game alone", "one", names)
    verdicts = Verdicts()
    looks = Looks(deals=0)
    joined = Joined()
    if laws:
        law, pack = laws[0]
        joined = join(deals, law)
        looks = Looks(deals=max(len(joined.deals), max((c.deals for c in counts), default=0)))
        table = _table(law, pack, joined.deals, inputs[0], looks, counts)
        tallies = _count(joined.deals, counts, table)
        for row, item in zip(shown, inputs, strict=True):
            row["holds"] = _holds(checked(item.reader.holds, tallies, table))
        table = replace(table, holds=checked(table.holds, tallies, table))
        verdicts = judge_all(tallies, table)
        verdicts.hypotheses += repeated(joined, law, looks)
        picture = placed_picture(tallies, table)
        verdicts.pictures += [picture] if picture else []
        stored = storage(tallies, table)
        if stored:
            verdicts.hypotheses = [
                replace(h, message=f"{h.message}. {stored}") if h.detector == "turned_card" else h
                for h in verdicts.hypotheses
            ]
    verdicts.statements += statements
    distinct = set(map(id, joined.deals))
    for row in shown:
        row["deals"] = row.pop("_counted") + sum(id(d) in distinct for d in row.pop("_deals"))
    if shown:
        shown[0]["repeated_records"] = joined.repeated_records
    total = sum(c.deals for c in counts) + len(joined.deals)
    return _report(shown, flaws, verdicts, looks, total)


def _read(
    item: Input,
    game: str | None,
    flaws: list[dict[str, Any]],
    statements: list[Statement],
    counts: list[Counts],
) -> tuple[dict[str, Any], list[Deal], Law | None]:
    good: list[Deal] = []
    mine: list[Counts] = []
    records = flawed = other = 0
    law: Law | None = None
    seen_bad: set[bytes] = set()
    kind: tuple[str, str] | None = None
    for record in item.reader.read(item.data, item.name):
        records += 1
        if isinstance(record, Other):
            other += 1
        elif isinstance(record, Flaw):
            flawed += 1
            if len(flaws) < 1000:
                flaws.append(
                    {
                        "input": printable(item.name),
                        "line": record.line,
                        "field": printable(record.field),
                        "why": printable(record.why),
                    }
                )
        elif isinstance(record, Counts):
            counts.append(record)
            mine.append(record)
            law = law or _law_of(game or item.reader.game)
        else:
            own = _law_of(game or record.game or item.reader.game)
            law = law or own
            kind = kind or (own.id, record.options.get("pack", ""))
            if kind != (own.id, record.options.get("pack", "")):
                flawed += 1
                flaws.append(
                    {
                        "input": printable(item.name),
                        "line": record.line,
                        "field": "game",
                        "why": f"another game or pack than the log began with, {kind[0]}",
                    }
                )
                continue
            try:
                pack = law.pack_of(record.options)
            except KeyError as err:
                flawed += 1
                text = f"{law.id} knows no pack {printable(str(err))}"
                flaws.append(
                    {
                        "input": printable(item.name),
                        "line": record.line,
                        "field": "options",
                        "why": text,
                    }
                )
                continue
            players = record.players or len(record.hands) or law.players[1]
            why = fault(record, law, pack, max(players, law.players[0]))
            if why is None:
                good.append(record)
            else:
                key = b"|".join(bytes(sorted(h)) for h in record.hands) + record.turnups
                if key in seen_bad:
                    continue
                seen_bad.add(key)
                where = record.number or f"line {record.line}"
                statements.append(
                    Statement(
                        code="T05",
                        detector="pack_integrity",
                        kind="contradiction",
                        subject={"deal": printable(where)},
                        message=f"deal {printable(where)}: {why}",
                        explains=("a slip in typing or copying", "a pack that was not complete"),
                    )
                )
    row = {
        "name": printable(item.name),
        "format": item.reader.id,
        "game": law.id if law else printable(game or item.reader.game),
        "sha256": item.sha256,
        "records": records,
        "_deals": good,
        "_counted": sum(c.deals for c in mine),
        "flaws": flawed,
        "other": other,
        "contradictions": len(seen_bad),
        "holds": _holds(item.reader.holds),
    }
    return row, good, law


def _holds(holds: Holds) -> dict[str, Any]:
    return {
        "order": holds.order,
        "widow_order": holds.widow_order,
        "exposure": holds.exposure,
        "turnup": holds.turnup,
        "numbered": holds.numbered,
        "notes": list(holds.notes),
    }


def _by_machine(deals: Sequence[Deal]) -> bool:
    return bool(deals) and deals[0].dealt_by == "machine"


def _table(
    law: Law,
    pack: tuple[int, ...],
    deals: Sequence[Deal],
    item: Input,
    looks: Looks,
    counts: Sequence[Counts],
) -> Table:
    names = dict.fromkeys(d.dealer for d in deals if d.dealer) if not counts else {}
    stocks = tuple(dict.fromkeys(c.stock for c in counts))
    machine = not counts and (not deals or deals[0].dealer is None)
    return Table(
        law=law,
        who="stock" if counts else "machine" if machine and _by_machine(deals) else "dealer",
        pack=pack,
        players=_players(deals, law),
        holds=item.reader.holds,
        looks=looks,
        dealers=stocks or tuple(str(n) for n in names),
        # The first deal decides, before any card is counted, whether names or
        # one machine are the subjects, so that no weight ever changes.
        machine=machine,
    )


def _count(deals: list[Deal], counts: Sequence[Counts], table: Table) -> Mapping[str, Arrays]:
    names: dict[str, int] = {}
    starts = range(0, max(1, len(deals)), BLOCK)
    tallies = count_batches(
        (batch_of(deals[s : s + BLOCK], first=s, names=names) for s in starts), table
    )
    for one in counts:
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
    curve = weighted_sum(verdicts.hypotheses, max(1, looks.count))
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
    also = {id(hypotheses[i]) for i in also_named(hypotheses)} if flagged else set()
    named = [h for h in hypotheses if h.flagged or id(h) in also]
    kept = named + [h for h in hypotheses if not h.flagged and id(h) not in also][:40]
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
        + [_evidence(h, also=id(h) in also) for h in kept],
        "silent": [{"code": s.code, "detector": s.detector, "why": s.why} for s in verdicts.silent],
        "pictures": verdicts.pictures,
        "flag": {
            "threshold": THRESHOLD,
            "sum_log10": top / math.log(10),
            "weights": {k: f"{v.numerator}/{v.denominator}" for k, v in WEIGHTS.items()},
        },
        "made": {"version": __version__, "command": ""},
    }


def _finite(value: float) -> float | None:
    return value / math.log(10) if math.isfinite(value) else None


def _evidence(h: Hypothesis, *, also: bool) -> dict[str, Any]:
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
        "log10_p": h.log10_p,
        "log10_e": _finite(h.final),
        "log10_e_max": _finite(h.highest),
        "weight": f"{h.weight.numerator}/{h.weight.denominator}",
        "effect": dict(detail.effect) if detail.effect else None,
        "refutes": list(h.refutes) if h.flagged else [],
        "explains": list(h.explains),
        "share_explaining": detail.share_explaining,
        "detectable": detail.detectable,
        "also": also,
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
