"""Deals as columns: what a block of a log is while it is checked, joined and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import ENDED, TRIAL, Batch, Deal, DealtBy, Endings, Trials

Bytes = NDArray[np.uint8]
#: `dealt_by` as a number, the place in this tuple.
DEALT_BY: tuple[DealtBy, ...] = ("unknown", "person", "machine")


@dataclass(frozen=True, kw_only=True)
class Ragged:
    """Rows of bytes of any length: row i is `data[at[i]:at[i + 1]]`; at[0] is 0."""

    at: NDArray[np.int64]
    data: Bytes

    def __len__(self) -> int:
        return len(self.at) - 1

    def __getitem__(self, i: int) -> bytes:
        return self.data[self.at[i] : self.at[i + 1]].tobytes()

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The length of each row."""
        return np.diff(self.at)

    def take(self, keep: NDArray[np.bool_]) -> Ragged:
        """Return the rows where *keep* is true."""
        sizes = self.sizes
        return Ragged(at=starts(sizes[keep]), data=self.data[np.repeat(keep, sizes)])


def starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each row of these *sizes* starts, and the end of the last."""
    at = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=at[1:])
    return at


def ragged(rows: Sequence[bytes]) -> Ragged:
    """Return *rows* laid end to end."""
    sizes = np.array([len(r) for r in rows], np.int64)
    return Ragged(at=starts(sizes), data=np.frombuffer(b"".join(rows), np.uint8))


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Consecutive deals of one input as columns; rows are deals.

    hands (deals, places, cards), widow (deals, cards), board (deals, cards) and
    order (deals, pack), gathered and pack likewise, are padded with 255, which also
    stands for a card that is not known; cut is -1 where it is not known; trials are
    rows of `record.TRIAL`, as bytes; *given* is how many hands the record names.  Texts that are
    not known are empty.  dealer indexes *names*, -1 where it is not known; kind
    indexes *kinds*, pairs of the game and its option `pack` as the log has them.
    ended, party, dropped and fresh are those of `record.Endings`, party indexing
    *names*.
    """

    line: NDArray[np.int64]
    kinds: tuple[tuple[str, str], ...]
    kind: NDArray[np.int16]
    table: Ragged
    number: Ragged
    time: Ragged
    players: NDArray[np.int16]
    dealer: NDArray[np.int32]
    names: tuple[str, ...]
    dealer_seat: NDArray[np.int16]
    declarer: NDArray[np.int16]
    dealt_by: Bytes
    given: NDArray[np.int16]
    hands: Bytes
    widow: Bytes
    board: Bytes
    order: Bytes
    turnups: Ragged
    runs: Ragged
    gathered: Bytes
    pack: Bytes
    cut: NDArray[np.int16]
    trials: Ragged
    ended: Bytes
    party: NDArray[np.int32]
    dropped: Bytes
    fresh: Bytes

    def __len__(self) -> int:
        return len(self.line)

    def take(self, keep: NDArray[np.bool_]) -> Columns:
        """Return the rows where *keep* is true."""
        if keep.all():
            return self
        new: dict[str, Any] = {}
        for name, value in vars(self).items():
            if isinstance(value, Ragged):
                new[name] = value.take(keep)
            elif isinstance(value, np.ndarray):
                new[name] = value[keep]
        return replace(self, **new)

    def deal(self, i: int) -> Deal:
        """Return deal *i* as a record, as far as the columns hold it."""
        game, pack = self.kinds[self.kind[i]]
        who = int(self.dealer[i])
        parties = [self.names[k] if k >= 0 else "" for k in self.party[i]]
        while parties and not parties[-1]:
            parties.pop()
        return Deal(
            game=game,
            line=int(self.line[i]),
            table=_text(self.table[i]),
            number=_text(self.number[i]),
            time=_text(self.time[i]),
            options={"pack": pack} if pack else {},
            players=int(self.players[i]) or None,
            dealer=self.names[who] if who >= 0 else None,
            dealer_seat=int(self.dealer_seat[i]) or None,
            declarer=int(self.declarer[i]) or None,
            dealt_by=DEALT_BY[self.dealt_by[i]],
            gathered_order=_cards(self.gathered[i]) or None,
            pack_order=_cards(self.pack[i]) or None,
            cut=int(self.cut[i]) if self.cut[i] >= 0 else None,
            order_after_cut=_cards(self.order[i]) or None,
            hands=tuple(_cards(h) for h in self.hands[i, : self.given[i]]),
            widow=_cards(self.widow[i]),
            turnups=self.turnups[i],
            runs=self.runs[i],
            board=_cards(self.board[i]),
            ended=ENDED[self.ended[i]],
            ended_by=tuple(np.flatnonzero(self.dropped[i]).tolist()),
            parties=tuple(parties),
        )

    def batch(self, first: int) -> Batch:
        """Return the columns that tallies see, the first row being deal *first* of the log."""
        endings = Endings(
            ended=self.ended, party=self.party, dropped=self.dropped, fresh=self.fresh
        )
        return Batch(
            first=first,
            players=self.players,
            dealer=self.dealer,
            names=self.names,
            dealer_seat=self.dealer_seat,
            hands=self.hands,
            widow=self.widow,
            board=self.board,
            turnups=self.turnups.data,
            turn_at=self.turnups.at,
            order=_known(self.order),
            endings=endings if self.ended.any() else None,
            gathered=_known(self.gathered),
            pack=_known(self.pack),
            cut=self.cut,
            declarer=self.declarer if self.declarer.any() else None,
            trials=Trials(at=self.trials.at // TRIAL.itemsize, rows=self.trials.data.view(TRIAL))
            if len(self.trials.data)
            else None,
        )


def _known(order: Bytes) -> Bytes | None:
    """Return *order* where any card of it is known."""
    return order if order.shape[1] and bool((order < 52).any()) else None


def _text(raw: bytes) -> str | None:
    return raw.decode("utf-8", "replace") or None


def _cards(row: Bytes) -> bytes:
    """Return the cards of a padded *row*; cards not known at its end cannot be told from none."""
    return row.tobytes().rstrip(b"\xff")


def _fill(rows: Sequence[bytes]) -> Bytes:
    width = max(map(len, rows), default=0)
    if not width:
        return np.zeros((len(rows), 0), np.uint8)
    joined = b"".join(row.ljust(width, b"\xff") for row in rows)
    return np.frombuffer(joined, np.uint8).reshape(len(rows), width)


def _texts(values: Sequence[str | None]) -> Ragged:
    return ragged([(v or "").encode("utf-8", "surrogatepass") for v in values])


def columns_of(deals: Sequence[Deal], names: dict[str, int]) -> Columns:
    """Return *deals* as columns; new dealers are added to *names* in order."""
    places = max((len(d.hands) for d in deals), default=0)
    deep = max((len(h) for d in deals for h in d.hands), default=0)
    hands = b"".join(
        b"".join(h.ljust(deep, b"\xff") for h in d.hands).ljust(places * deep, b"\xff")
        for d in deals
    )
    pairs = [(d.game, d.options.get("pack", "")) for d in deals]
    kinds = {pair: k for k, pair in enumerate(dict.fromkeys(pairs))}
    dealer = [names.setdefault(d.dealer, len(names)) if d.dealer else -1 for d in deals]
    party, dropped = parties_of([d.parties for d in deals], [d.ended_by for d in deals], names)
    return Columns(
        line=np.array([d.line for d in deals], np.int64),
        kinds=tuple(kinds),
        kind=np.array([kinds[p] for p in pairs], np.int16),
        table=_texts([d.table for d in deals]),
        number=_texts([d.number for d in deals]),
        time=_texts([d.time for d in deals]),
        players=np.array([d.players or len(d.hands) for d in deals], np.int16),
        dealer=np.array(dealer, np.int32),
        names=tuple(names),
        dealer_seat=np.array([d.dealer_seat or 0 for d in deals], np.int16),
        declarer=np.array([d.declarer or 0 for d in deals], np.int16),
        dealt_by=np.array([DEALT_BY.index(d.dealt_by) for d in deals], np.uint8),
        given=np.array([len(d.hands) for d in deals], np.int16),
        hands=np.frombuffer(hands, np.uint8).reshape(len(deals), places, deep),
        widow=_fill([d.widow for d in deals]),
        board=_fill([d.board for d in deals]),
        order=_fill([d.order_after_cut or b"" for d in deals]),
        turnups=ragged([d.turnups for d in deals]),
        runs=ragged([d.runs for d in deals]),
        gathered=_fill([d.gathered_order or b"" for d in deals]),
        pack=_fill([d.pack_order or b"" for d in deals]),
        cut=np.array([-1 if d.cut is None else d.cut for d in deals], np.int16),
        trials=ragged([b""] * len(deals)),
        ended=np.array([ENDED.index(d.ended) for d in deals], np.uint8),
        party=party,
        dropped=dropped,
        fresh=np.zeros_like(dropped),
    )


def parties_of(
    parties: Sequence[Sequence[str]], ended_by: Sequence[Sequence[int]], names: dict[str, int]
) -> tuple[NDArray[np.int32], Bytes]:
    """Return party and dropped of `record.Endings`; new parties are added to *names*."""
    width = max(map(len, parties), default=0)
    width = max([width, *(place + 1 for by in ended_by for place in by)])
    party = np.full((len(parties), width), -1, np.int32)
    dropped = np.zeros((len(parties), width), np.uint8)
    if not width:
        return party, dropped
    for i, (named, by) in enumerate(zip(parties, ended_by, strict=True)):
        for place, name in enumerate(named):
            if name:
                party[i, place] = names.setdefault(name, len(names))
        dropped[i, list(by)] = 1
    return party, dropped


def derived(columns: Columns, law: Law, size: int) -> Columns:
    """Return *columns* with hands and first turn-up taken from the order of the pack.

    Only where the log gives the whole order of *size* cards and not the hands
    or the turn-up themselves.  Hands stand by place, so that they want the
    place of the dealer, who is served last.  A later turn-up depends on what
    people decided and is never taken from the order.
    """
    if columns.order.shape[1] != size or not size:
        return columns
    players = columns.players.copy()
    if law.players[0] == law.players[1]:
        players[players == 0] = law.players[0]
    whole = (columns.order[:, -1] < 52) & (players >= law.players[0])
    whole &= players <= law.players[1]
    out = columns
    seated = (columns.dealer_seat >= 1) & (columns.dealer_seat <= players)
    bare = whole & seated & (columns.given == 0)
    if bare.any():
        out = _with_hands(out, law, bare, players)
    unturned = whole & (columns.turnups.sizes == 0)
    if law.turnup and unturned.any():
        out = _with_turnups(out, law, unturned, players, size)
    return out


def _with_hands(
    columns: Columns, law: Law, rows: NDArray[np.bool_], players: NDArray[np.int16]
) -> Columns:
    places = max(columns.hands.shape[1], int(players[rows].max()))
    deep = max(columns.hands.shape[2], *(law.hand_of(int(n)) for n in np.unique(players[rows])))
    hands = np.full((len(columns), places, deep), UNKNOWN, np.uint8)
    if columns.hands.size:
        hands[:, : columns.hands.shape[1], : columns.hands.shape[2]] = columns.hands
    given, kept = columns.given.copy(), columns.players.copy()
    for n in np.unique(players[rows]):
        of_n = np.flatnonzero(rows & (players == n))
        at = np.array(law.hand_places(int(n)))
        for seat in range(1, n + 1):
            mine = of_n[columns.dealer_seat[of_n] == seat]
            turn = (np.arange(n) - seat) % n
            hands[mine, :n, : at.shape[1]] = columns.order[mine][:, at[turn]]
        given[of_n] = kept[of_n] = n
    return replace(columns, hands=hands, given=given, players=kept)


def _with_turnups(
    columns: Columns,
    law: Law,
    rows: NDArray[np.bool_],
    players: NDArray[np.int16],
    size: int,
) -> Columns:
    sizes = columns.turnups.sizes
    at = starts(np.where(rows, 1, sizes))
    data = np.empty(at[-1], np.uint8)
    data[np.repeat(~rows, np.diff(at))] = columns.turnups.data
    for n in np.unique(players[rows]):
        places = law.turn_places(int(n), size)
        of_n = np.flatnonzero(rows & (players == n))
        data[at[of_n]] = columns.order[of_n, places[0]]
    return replace(columns, turnups=Ragged(at=at, data=data))


def batch_of(deals: Sequence[Deal], *, first: int, names: dict[str, int]) -> Batch:
    """Return *deals* as a batch; new dealers are added to *names* in order."""
    return columns_of(deals, names).batch(first)
