"""What the storage of a log shows of its groups of cards: their order, and how fair they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from audit.cards import NAMES
from audit.record import Holds, Order
from audit.stats.binomial import log_lower, log_upper
from audit.stats.sortedness import Sorting, sorting
from audit.tally import Arrays, Table, groups

#: A group is called unfair as a set where the least of all tails is below this, counting them all.
UNFAIR = Fraction(1, 1000)


def sortings(tallies: Mapping[str, Arrays], table: Table) -> dict[str, Sorting]:
    """Return how each of `tally.groups` stands; none where no order was counted."""
    got = tallies.get("adjacency", {})
    if not got:
        return {}
    pairs = zip(groups(table), got["adjacent"], got["sizes"], strict=True)
    return {name: sorting(adjacent, sizes) for name, adjacent, sizes in pairs}


def _order(claimed: Order, found: Sequence[Sorting]) -> Order:
    """Return the order of some groups: what they show where they show it, else what is claimed."""
    shown = [s for s in found if s.rows]
    if shown and all(s.stands for s in shown):
        return "sorted"
    if claimed == "sorted" and any(s.refuted for s in shown):
        return "unknown"
    if claimed == "dealt" and any(s.stands for s in shown):
        return "unknown"
    return claimed


def checked(holds: Holds, tallies: Mapping[str, Arrays], table: Table) -> Holds:
    """Return *holds* with the order of hands and widow as the data show them, and notes.

    Groups of which all stand sorted are "sorted" whatever was claimed; a claim
    that the data contradict without showing another order becomes "unknown".
    """
    found = sortings(tallies, table)
    if not found:
        return holds
    each = list(found.values())
    order = _order(holds.order, each[: table.players])
    widow = _order(holds.widow_order, each[table.players : table.players + 1])
    notes = list(_notes(found))
    for what, said, is_ in (
        ("hands", holds.order, order),
        (groups(table)[table.players], holds.widow_order, widow),
    ):
        if said != is_ and said != "unknown":
            notes.append(f"the format claims the {what} {said}; the data show otherwise: {is_}")
    return replace(holds, order=order, widow_order=widow, notes=(*holds.notes, *notes))


def _notes(found: Mapping[str, Sorting]) -> Iterable[str]:
    alike: dict[tuple[bool, int], list[str]] = {}
    for name, s in found.items():
        if s.stands or s.refuted:
            alike.setdefault((s.stands, s.rows), []).append(name)
    for (stands, rows), names in alike.items():
        if stands:
            verb = "stand" if len(names) > 1 else "stands"
            yield f"{_join(names)} {verb} sorted in {rows:,} of {rows:,} rows"
        else:
            verb = "are" if len(names) > 1 else "is"
            yield f"{_join(names)} {verb} not sorted: no order of the cards fits all {rows:,} rows"


def fair_sets(tallies: Mapping[str, Arrays], table: Table) -> dict[str, bool]:
    """Return for each group that can be tested as a set whether chance allows its cards.

    A card lies in a group of k cards of n with chance k/n in each deal.  Tested
    are groups that every deal shows with one size (a hand: its full size), and
    none where somebody chose what the log shows.  Fair are those whose least exact
    binomial tail, times twice the number of cards and groups tested, exceeds 1/1000.
    """
    if table.holds.exposure not in ("dealt", "played out") or "placed" not in tallies:
        return {}
    got, pack = tallies["placed"], list(table.pack)
    tested: dict[str, tuple[int, int, int, Fraction]] = {}
    for g, name in enumerate(groups(table)):
        sizes = got["rows"][g].nonzero()[0]
        full = g >= table.players or table.law.hand in sizes
        if len(sizes) != 1 or not 0 < sizes[0] < len(pack) or not full:
            continue
        rows, seen = int(got["rows"][g].sum()), got["placed"][g][pack]
        chance = Fraction(int(sizes[0]), len(pack))
        tested[name] = (rows, int(seen.max()), int(seen.min()), chance)
    price = math.log(2 * len(pack) * max(1, len(tested)))
    return {
        name: min(log_upper(n, most, p), log_lower(n, least, p)) + price > math.log(UNFAIR)
        for name, (n, most, least, p) in tested.items()
    }


def storage(tallies: Mapping[str, Arrays], table: Table) -> str:
    """Return a sentence about the order of the group that the claimed turn-up belongs to, or ''.

    That some order of K cards is followed by r groups of k cards has chance at
    most K!/(k!)^r when each group stands as dealt; a sentence is given only
    where that is below 1e-9, for few rows follow some order by luck.
    """
    found = sortings(tallies, table)
    if table.holds.turnup != "claimed" or not found:
        return ""
    name = groups(table)[table.players]
    kitty = found[name]
    if kitty.refuted:
        return (
            f"The {name} is not sorted: no order of the cards is followed by all of"
            f" {kitty.rows:,} rows"
        )
    turned = tallies["placed"]["rows"][-1]
    same = int(tallies["adjacency"]["heads"][table.players]) == int(turned.sum()) == kitty.rows
    if not kitty.stands or not same or kitty.order is None:
        return ""
    which = _end(kitty.order)
    who = f"the server turned the {which} card of" if table.machine else f"the {which} card of"
    last = "" if table.machine else " was turned"
    return (
        f"{_place(tallies, table)} is the {which} card of a {name} that stands sorted in"
        f" {kitty.rows:,} of {kitty.rows:,} rows ({NAMES[kitty.order[0]]} first)"
        f"{_sets(tallies, table)}; so either the rows were sorted when they were stored, or"
        f" {who} the {name}{last}; the file cannot tell which"
    )


def placed_picture(tallies: Mapping[str, Arrays], table: Table) -> dict[str, Any] | None:
    """Return the heat map of cards by group: the share of deals in which each card lay there.

    Only groups that every deal shows with one size; None where there is none.
    """
    if "placed" not in tallies:
        return None
    got, pack = tallies["placed"], list(table.pack)
    columns, shares, fair, deals = ["card"], [], [], []
    for g, name in enumerate([*groups(table), "turn-up"]):
        sizes = got["rows"][g].nonzero()[0]
        if len(sizes) != 1 or not 0 < sizes[0] < len(pack):
            continue
        n = int(got["rows"][g].sum())
        columns.append(name)
        shares.append([round(int(k) / n, 6) for k in got["placed"][g][pack]])
        fair.append(int(sizes[0]) / len(pack))
        deals.append(n)
    if not shares:
        return None
    rows = [[NAMES[c], *row] for c, row in zip(pack, zip(*shares, strict=True), strict=True)]
    farthest, worst = (0, 0), 0.0
    for x, (p, n) in enumerate(zip(fair, deals, strict=True)):
        for y, share in enumerate(shares[x]):
            far = abs(share - p) / math.sqrt(p * (1 - p) / n)
            if far > worst:
                farthest, worst = (x, y), far
    x, y = farthest
    text = (
        f"Share of {deals[0]:,} deals in which each card lay in each group; a fair share is"
        f" {_fair_text(columns[1:], fair)}. The colour says how many standard units a share lies"
        " above or below the fair one; about one cell in twenty of a fair log lies beyond 2."
        f" Farthest is the {NAMES[pack[y]]} in the {columns[x + 1]}:"
        f" {shares[x][y]:.4f}, {worst:.1f} units. The picture decides nothing."
    )
    if table.holds.exposure in ("shown", "owner"):
        text += " Somebody chose which hands the log shows, so fair shares need not be expected."
    return {
        "kind": "heat",
        "title": "Where each card lay",
        "text": text,
        "columns": columns,
        "rows": rows,
        "fair": fair,
        "deals": deals,
    }


def _fair_text(names: Sequence[str], fair: Sequence[float]) -> str:
    alike: dict[float, list[str]] = {}
    for name, p in zip(names, fair, strict=True):
        alike.setdefault(p, []).append(name)
    return "; ".join(f"{p:.4f} for {_join(some)}" for p, some in alike.items())


def _end(order: Sequence[int]) -> str:
    """Return which card of a sorted group stands first: by rank within the suits, or just first."""
    ranks = [[c % 13 for c in order if c // 13 == suit] for suit in range(4)]
    if all(r == sorted(r) for r in ranks):
        return "lowest"
    if all(r == sorted(r, reverse=True) for r in ranks):
        return "highest"
    return "first"


def _place(tallies: Mapping[str, Arrays], table: Table) -> str:
    """Return the turned card by its number in the row, where every hand is complete."""
    rows = tallies["placed"]["rows"][: table.players]
    if int(rows[:, table.law.hand].sum()) == int(rows.sum()):
        return f"Card {table.players * table.law.hand + 1}"
    return "The turned card"


def _sets(tallies: Mapping[str, Arrays], table: Table) -> str:
    """Return in words which groups are fair as sets, nothing where none was tested."""
    fair = fair_sets(tallies, table)
    hands = groups(table)[: table.players]
    whole = all(fair.get(h) for h in hands)
    good = [name for name, ok in fair.items() if ok and not (whole and name in hands)]
    bad = [name for name, ok in fair.items() if not ok]
    if whole:
        good.append("hands")
    parts = []
    if good:
        are = "are fair as sets" if len(good) > 1 or whole else "is fair as a set"
        parts.append(f"the {_join(good, 'the ')} {are}")
    if bad:
        are = "are not fair as sets" if len(bad) > 1 else "is not fair as a set"
        parts.append(f"the {_join(bad, 'the ')} {are}")
    told = ", while " + " but ".join(parts) if parts else ""
    return told + (" (how often each card lies in each)" if parts else "")


def _join(names: Sequence[str], article: str = "") -> str:
    head = [names[0], *(f"{article}{n}" for n in names[1:])]
    return head[0] if len(head) == 1 else f"{', '.join(head[:-1])} and {head[-1]}"
