"""From records of any game to what the suspicions say of them, and packs with cards planted."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from audit.cards import parse
from audit.columns import Columns, columns_of, derived, ragged
from audit.count import COUNT
from audit.detect.suspects import DETECTOR
from audit.finding import Hypothesis, Verdicts
from audit.lab._random import Words, uniform_orders
from audit.law import Law
from audit.plan import opening
from audit.record import Deal, Holds
from audit.referee.simulate import first_deal
from audit.suspect import suspicions, trials_of
from audit.tally import Arrays, Looks, Table


def columns(law: Law, deals: Sequence[Deal], names: dict[str, int]) -> Columns:
    """Return *deals* as the audit reads them, with the trials that reading finds."""
    known = {k: s for k, s in suspicions(law).items() if s.find is not None}
    found = [trials_of(deal, law, known) for deal in deals]
    made = replace(columns_of(deals, names), trials=ragged(found))
    return derived(made, law, len(law.pack))


def table_of(law: Law, deals: Sequence[Deal], dealers: Sequence[str]) -> Table:
    """Return the table of *deals*."""
    return Table(
        law=law,
        pack=law.pack,
        players=max(deal.players or len(deal.hands) for deal in deals),
        holds=Holds(order="dealt", exposure="dealt"),
        looks=Looks(deals=len(deals)),
        dealers=tuple(dealers),
        machine=False,
    )


def counted(law: Law, deals: Sequence[Deal], *, parts: int = 1) -> tuple[Arrays, Table]:
    """Return the trials of *deals*, counted in so many batches."""
    names: dict[str, int] = {f"P{k}": k - 1 for k in range(1, 8)}
    table = table_of(law, deals, list(names))
    out: dict[str, NDArray[np.int64]] = {}
    edges = np.linspace(0, len(deals), parts + 1).astype(int).tolist()
    for low, high in itertools.pairwise(edges):
        batch = columns(law, deals[low:high], names).batch(low)
        for key, value in COUNT["trials"].count(batch, table).items():
            out[key] = out[key] + value if key in out else value
    return out, table


def judged(law: Law, deals: Sequence[Deal]) -> Verdicts:
    """Return what the suspicions say of *deals*."""
    tally, table = counted(law, deals)
    return DETECTOR.judge({"trials": tally}, table)


def by_subject(found: Verdicts, name: str) -> dict[str, Hypothesis]:
    """Return the hypotheses of one suspicion by the subject's own name."""
    return {next(iter(h.subject.values())): h for h in found.hypotheses if h.detector == name}


def places(law: Law, players: int, dealer: int, where: str) -> list[int]:
    """Return the places of the pack of turn, board, stock, dealer, "seat N" or "up N"."""
    state = opening(law.plan, players, len(law.pack))
    what, _, number = where.partition(" ")
    if what == "dealer":
        what, number = "seat", str(dealer)
    if what in ("seat", "up"):
        order = (int(number) - dealer - 1) % players
        return (
            state.zones[f"hand {order + 1}"] if what == "seat" else [state.zones["turnup"][order]]
        )
    if what == "turn":
        return list(state.zones["turnup"])
    if what == "board":
        return list(state.zones["board"])
    assert what == "stock"
    laid = {p for zone, at in state.zones.items() for p in at if zone != "stock"}
    return [p for p in range(len(law.pack)) if p not in laid]


def plant(law: Law, order: bytes, players: int, dealer: int, cards: Mapping[str, str]) -> bytes:
    """Return *order* with *cards* brought where each name says, others moved out of their way."""
    new, taken = bytearray(order), set[int]()
    for where, text in cards.items():
        at = places(law, players, dealer, where)
        assert len(parse(text)) <= len(at)
        for place, card in zip(at, parse(text), strict=False):
            old = new.index(card)
            assert old not in taken
            new[old], new[place] = new[place], card
            taken.add(place)
    return bytes(new)


def dealt(
    law: Law,
    players: int,
    count: int,
    seed: int,
    cards: Mapping[str, str] | None = None,
    *,
    own: int = 0,
) -> Iterator[Deal]:
    """Yield *count* first deals, shuffled fairly, with *cards* planted in those of dealer *own*.

    With *own* 0 they are planted in all.
    """
    pack = sorted(law.pack)
    for i, row in enumerate(uniform_orders(Words(seed), count, len(pack))):
        dealer = (players - 1 + i) % players + 1
        order = bytes(pack[k] for k in row)
        if cards and own in (0, dealer):
            order = plant(law, order, players, dealer, cards)
        deal = first_deal(law, order, players, dealer, {})
        yield structs.replace(deal, table="1", number=str(i + 1), dealer=f"P{dealer}")
