"""A deal that reads well and cannot have happened: pack integrity, no probability.

`fault` says in words what is wrong with one deal; `suspects` looks at a whole
block at once and leaves to `fault` the few rows that may be wrong.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from audit.cards import NAMES
from audit.columns import Columns
from audit.law import Law
from audit.record import BIT, Deal, card_sets
from audit.referee._astray import astray, other_than
from audit.rules.all_fours import AllFours
from audit.rules.speculation import Speculation
from audit.run.keys import first_turn


def fault(deal: Deal, law: Law, pack: Sequence[int], players: int) -> str | None:
    """Return what makes *deal* impossible under its law, or None.

    A hand with fewer cards than the law deals may be cut short and is no fault
    unless every hand stands in the log and one of them holds too many.
    """
    if why := _orders(deal, pack):
        return why
    if order := deal.order_after_cut:
        twice = [NAMES[c] for c, k in Counter(order).items() if k > 1 and c < 52]
        if twice:
            return f"{', '.join(twice)} twice in the order of the pack"
        if len(order) != len(pack):
            return f"the pack counts {len(order)} cards, wanted {len(pack)}"
        if max(order) > 51:
            return "a card is not known in the order of the pack"
        foreign = sorted(set(order) - set(pack))
        if foreign:
            return f"{NAMES[foreign[0]]} is no card of this pack"
    held = [c for h in deal.hands for c in h if c < 52]
    later = [c for part in (deal.turnups, deal.runs, deal.board) for c in part if c < 52]
    if deal.widow[:1] != deal.turnups[:1]:
        later += [c for c in deal.widow if c < 52]
    else:
        later += [c for c in deal.widow[1:] if c < 52]
    count = Counter(held + later)
    twice = [NAMES[c] for c, k in count.items() if k > 1]
    if twice:
        return f"{', '.join(sorted(twice))} twice in the deal"
    foreign = sorted(set(count) - set(pack))
    if foreign:
        return f"{NAMES[foreign[0]]} is no card of this pack"
    shown = sum(map(len, (*deal.hands, deal.turnups, deal.runs, deal.board, deal.widow)))
    if shown > len(pack) + 1:
        return f"{shown} cards in the deal, the pack counts {len(pack)}"
    for seat, hand in enumerate(deal.hands, start=1):
        if len(hand) > law.hand:
            return f"place {seat} holds {len(hand)} cards, wanted {law.hand}"
    if players > law.players[1]:
        return f"{players} players, wanted {law.players[1]} at most"
    if len(deal.hands) > players:
        return f"{len(deal.hands)} hands, wanted {players}"
    if deal.order_after_cut and deal.turnups and law.turnup:
        places = law.turn_places(players, len(pack))
        for k, card in enumerate(deal.turnups[: len(places)]):
            if card < 52 and deal.order_after_cut[places[k]] != card:
                want = NAMES[deal.order_after_cut[places[k]]]
                return (
                    f"turn-up {k + 1} is {NAMES[card]}, card {places[k] + 1} of the pack is {want}"
                )
    return _dealt_astray(deal, law, pack, players)


def _orders(deal: Deal, pack: Sequence[int]) -> str | None:
    """Return what is wrong with the orders before the cut, or between them and that after."""
    for name, order in (("gathered", deal.gathered_order), ("given", deal.pack_order)):
        known = [c for c in order or b"" if c < 52]
        if len(set(known)) < len(known) or not set(known) <= set(pack):
            return f"the pack as {name} is no order of this pack"
    before, after = deal.pack_order, deal.order_after_cut
    if not before or not after or len(before) != len(after) or max(before + after) > 51:
        return None
    if before == after and not deal.cut:
        return None
    depth = before.index(after[:1]) if after[:1] in before else 0
    if deal.cut and deal.cut < len(before) and before == after:
        return f"{deal.cut} cards were cut and the pack lies as before"
    if before[depth:] + before[:depth] != after:
        if deal.cut is None:
            return None  # nobody said that it was cut: the pack may have been shuffled since
        return "the pack after the cut is not the pack before it, cut"
    if deal.cut is not None and deal.cut % len(before) != depth:
        return f"{deal.cut} cards were cut, the pack lies as after a cut of {depth}"
    return None


def _dealt_astray(deal: Deal, law: Law, pack: Sequence[int], players: int) -> str | None:
    """Return which hand is not the cards at its places of a known pack, whatever its packets."""
    whole = len(deal.hands) == players and len(deal.order_after_cut or b"") == len(pack)
    if not whole or deal.dealer_seat is None or deal.dealer_seat > players:
        return None
    if deal.irregularity or any(e.kind in ("irregular", "redeal") for e in deal.events):
        return None  # said and settled at the table
    order, places = deal.order_after_cut or b"", law.hand_places(players)
    if any(len(h) != len(places[0]) for h in deal.hands):
        return None
    wrong = [
        seat
        for seat, hand in enumerate(deal.hands, start=1)
        if other_than(hand, {order[p] for p in places[(seat - deal.dealer_seat - 1) % players]})
    ]
    # Other packets may have been chosen than the plan's first.
    seat = next((s for s in astray(law, deal, players, deal.dealer_seat) if s in wrong), None)
    if seat is None:
        return None
    return f"place {seat} holds other cards than lie at its places of the pack"


def code_of(deal: Deal, law: Law) -> str:
    """Return the warning that a contradiction of *deal* answers: W03 for a hand that is too long.

    The book warns of that in the games of the All Fours family; else it is the pack's.
    """
    long = any(len(h) > law.hand for h in deal.hands)
    return "W03" if long and isinstance(law.rules, AllFours) else "T05"


#: What a row is called that holds a deal with a wrong number of cards, thrown in.
MISDEALS = {"misdeal", "foul hand"}


def thrown_in(deal: Deal, law: Law) -> Deal:
    """Return *deal* without its hands where one is too long and the table dealt again for it.

    A wrong number of cards that was found and settled before the play is a misdeal, which
    can happen; how the cards then lay in the hands says nothing.  A row that is called a misdeal
    says so, too.  A card that stands twice in the record, or is none of the pack, says that they
    cannot have lain so, and the deal is left as it is.
    """
    if max(map(len, deal.hands), default=0) <= law.hand:
        return deal
    kinds = {e.kind for e in deal.events}
    again = "redeal" in kinds or (deal.irregularity or "").strip().lower() in MISDEALS
    if not again or "play" in kinds:
        return deal
    if _amiss(deal, law, b"".join(deal.hands)):
        return deal
    return replace(deal, hands=(), players=deal.players or len(deal.hands))


def _amiss(deal: Deal, law: Law, held: bytes) -> bool:
    """Whether *deal* has a fault in whatever hands the cards *held* lay.

    Hands that say nothing are left out of a record, and what is wrong with their cards is not.
    """
    loose = replace(deal, hands=(), runs=deal.runs + held)
    players = deal.players or len(deal.hands)
    pack = law.pack_of(deal.options)
    return fault(loose, law, pack, max(players, law.players[0])) is not None


def _sold(deal: Deal, law: Law) -> bool:
    """Whether all hands of *deal* hold together what was dealt and one holds more of it.

    At Speculation trumps are sold from hand to hand, and the card turned may be.
    """
    if not isinstance(law.rules, Speculation) or deal.order_after_cut or not deal.hands:
        return False
    held = b"".join(deal.hands)
    dealt = bytes(c for c in held if c not in deal.turnups[:1])
    players = deal.players or len(deal.hands)
    return (
        max(map(len, deal.hands)) > law.hand
        and len(set(held)) == len(held)
        and len(dealt) == players * law.hand
        and len(deal.hands) <= players
        and not _amiss(deal, law, dealt)
    )


def written_late(deal: Deal, law: Law) -> Deal:
    """Return *deal* without its hands where one holds a card that the law let it take in.

    Such a card stands in two places of the record: where it lay, and in the hand that took it
    up, drew it or changed for it.  That can happen, and depends on the cards: to set the deal
    aside would leave a log without the cards that are worth taking.  Where the whole order of
    the pack stands beside it, a card stands twice for another reason, or is none of the pack,
    nothing is changed.  Where each place has a card turned and each hand holds one of them, these
    are not counted twice.
    """
    if law.several_turned and deal.hands:
        bare = tuple(bytes(c for c in h if c not in deal.turnups) for h in deal.hands)
        if all(len(h) == law.hand + 1 == len(b) + 1 for h, b in zip(deal.hands, bare, strict=True)):
            return replace(deal, hands=bare)
    if _sold(deal, law):
        return replace(deal, hands=(), players=deal.players or len(deal.hands))
    if not law.taken_in or deal.order_after_cut or not deal.hands:
        return deal
    held, taken = [c for h in deal.hands for c in h if c < 52], set[int]()
    lay = {"turnup": deal.turnups, "widow": deal.widow, "stock": deal.runs}
    for zone, only_dealer in law.taken_in.items():
        mine = deal.hands
        if only_dealer and deal.dealer_seat:
            mine = mine[deal.dealer_seat - 1 : deal.dealer_seat]
        taken |= set(lay[zone]) & {c for hand in mine for c in hand if c < 52}
    if not taken or len(set(held)) < len(held):
        return deal
    if any(len(h) - len(taken & {*h}) > law.hand for h in deal.hands):
        return deal
    players = deal.players or len(deal.hands)
    if len(deal.hands) > players or _amiss(deal, law, bytes(c for c in held if c not in taken)):
        return deal
    return replace(deal, hands=(), players=players)


def unwieldy(deal: Deal, law: Law, pack: Sequence[int]) -> bool:
    """Return whether *deal* has more cards somewhere than columns are made for: it has a fault."""
    parts = (deal.order_after_cut or b"", deal.widow, deal.turnups, deal.runs, deal.board)
    return (
        max(map(len, parts)) > len(pack)
        or len(deal.hands) > law.players[1]
        or max(map(len, deal.hands), default=0) > law.hand
    )


def bits_of(cards: NDArray[np.uint8]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Return the set of each row of *cards* (deals, any) as bits, and where a card stands twice."""
    union, twice = np.zeros((2, len(cards)), np.uint64)
    for k in range(cards.shape[1]):
        bit = BIT.take(cards[:, k])
        twice |= union & bit
        union |= bit
    return union, twice != 0


def _flat(columns: Columns) -> NDArray[np.uint8]:
    """Return every card of a deal but its order, turn-ups and runs, (deals, any)."""
    deals = len(columns)
    parts = [columns.hands.reshape(deals, math.prod(columns.hands.shape[1:])), columns.board]
    widow = columns.widow
    if widow.shape[1]:
        widow = widow.copy()
        widow[widow[:, 0] == first_turn(columns), 0] = 255
    return np.concatenate([*parts, widow], axis=1)


def suspects(columns: Columns, law: Law, pack: Sequence[int]) -> NDArray[np.bool_]:
    """Return the rows of *columns* in which `fault` may find something, and few others."""
    deals = len(columns)
    own = np.uint64(sum(1 << c for c in pack))
    union, bad = bits_of(_flat(columns))
    bad |= (union & ~own) != 0
    for part in (columns.turnups, columns.runs):
        if len(part.data):
            owner = np.repeat(np.arange(deals), part.sizes)
            bits = BIT[part.data]
            foreign = (bits & ~own) | (bits & union[owner])
            bad[owner[foreign != 0]] = True
            union = union.copy()
            # At most a few cards a deal: one pass over each place in the row.
            for k in range(int(part.sizes.max(initial=0))):
                rows = np.flatnonzero(part.sizes > k)
                mine = BIT[part.data[part.at[rows] + k]]
                bad[rows[(union[rows] & mine) != 0]] = True
                union[rows] |= mine
    if columns.hands.shape[2] > law.hand:
        bad |= (columns.hands[:, :, law.hand :] != 255).any(axis=(1, 2))
    players = np.where(columns.players > 0, columns.players, columns.given)
    players = np.where(players > 0, players, law.players[1])
    bad |= (players > law.players[1]) | (columns.given > np.maximum(players, law.players[0]))
    if columns.order.shape[1]:
        bad |= _bad_order(columns, law, pack, np.maximum(players, law.players[0]))
    bad |= _bad_cut(columns, pack)
    return bad


def _bad_cut(columns: Columns, pack: Sequence[int]) -> NDArray[np.bool_]:
    """Return where an order before the cut may be none, or not that after it, cut."""
    bad = np.zeros(len(columns), np.bool_)
    own = np.uint64(sum(1 << c for c in pack))
    for order in (columns.gathered, columns.pack):
        if order.shape[1]:
            union, twice = bits_of(order)
            bad |= twice | ((union & ~own) != 0)
    size = columns.pack.shape[1]
    if not size or columns.order.shape[1] != size:
        return bad
    both = (columns.pack < 52).all(axis=1) & (columns.order < 52).all(axis=1)
    rows = np.flatnonzero(both & ~bad)
    before, after = columns.pack[rows], columns.order[rows]
    depth = (before == after[:, :1]).argmax(axis=1)
    turned = before[np.arange(len(rows))[:, None], (depth[:, None] + np.arange(size)) % size]
    cut = columns.cut[rows]
    bad[rows] |= (turned != after).any(axis=1) | ((cut >= 0) & (cut % size != depth))
    return bad


def _bad_order(
    columns: Columns, law: Law, pack: Sequence[int], players: NDArray[np.int16]
) -> NDArray[np.bool_]:
    """Return where a logged order is no order of *pack*, or the turn-ups contradict it."""
    order, sizes, at = columns.order, columns.turnups.sizes, columns.turnups.at
    logged = (order < 52).any(axis=1)
    if order.shape[1] != len(pack):
        return np.asarray(logged)
    # So many cards are the whole pack only when all are different.
    bad = logged & (card_sets(order) != np.uint64(sum(1 << c for c in pack)))
    seated = (columns.dealer_seat >= 1) & (columns.dealer_seat <= players)
    for n in np.unique(players):
        whole = logged & ~bad & seated & (players == n) & (columns.given == n)
        rows = np.flatnonzero(whole)
        if len(rows) and columns.hands.shape[1] >= n and n in law.tables:
            places = law.hand_places(int(n))
            seat = columns.dealer_seat[rows].astype(np.int64)
            for k in range(n):
                place = (seat + k) % n
                held = card_sets(columns.hands[rows, place])
                due = card_sets(order[rows][:, places[k]])
                bad[rows[held != due]] = True
    if not law.turnup:
        return np.asarray(bad)
    for n in np.unique(players):
        of_n = logged & (players == n)
        for k, place in enumerate(law.turn_places(int(n), len(pack))):
            rows = np.flatnonzero(of_n & (sizes > k))
            if not len(rows):
                break
            card = columns.turnups.data[at[rows] + k]
            bad[rows[(card < 52) & (order[rows, place] != card)]] = True
    return np.asarray(bad)
