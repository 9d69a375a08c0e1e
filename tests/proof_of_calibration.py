"""Proof of calibration over every order of small packs: `python -m tests.proof_of_calibration`.

For each world the command works out, as a rational number, the largest chance over all
policies that the audit is flagged after any deal, at the thresholds 4, 10 and 50, for the
whole family as shipped, with suspicions made for the small pack among it; and the largest
mean of every e, and of the weighted sum, over all policies and all stopping rules.

*Turn-ups.*  Eight cards, of which one pays; one subject; a log of turn-ups.  Whoever
writes sees the card, and all that came before, and then writes it down or leaves it out.

*Hands.*  Two places deal in turn.  The eldest knows his card, the turn-up and all earlier
deals, and stands or begs; the dealer knows both hands and gives or runs; whoever writes
knows the whole deal, and writes both hands or keeps the dealer's back.  Whether a log is of
hands or of turn-ups is settled before its first deal.

Whoever writes can make a detector silent once it has lost, and so, were it let, have its
weight stand with E = 1 again: silence is counted as the product counts it, in every mean and
every chance, and the mean of the weighted sum over all policies is held to 1 as well.

A policy is any function of what is named, so that the class holds every habit of begging,
running and writing, and mixtures of them gain nothing.  Flagged after any deal covers every
stopping rule.  Rows left out because of their cards are in no class: no log can show them,
and findings name them as an explanation.

As shipped, the weights of detectors that a world silences never move, so the chance lies
further below the level; *scaled* has the weights of those that can speak there
divided by their sum.  The command fails where a chance exceeds its level or a mean
exceeds 1, or where a scaled chance among turn-ups is less than a tenth of its level; two or
three deals of hands are too few to reach every level, and only bound it from above.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from tests._logs import toy
from tests._small_suspicions import BEG_KNOWS, JACK, RARE, TEN, TURNED_TEN
from tests._worlds import (
    DEALERS,
    Floats,
    Ints,
    Judge,
    Names,
    distinct,
    named,
    suspecting,
)

LEVELS = (Fraction(1, 4), Fraction(1, 10), Fraction(1, 50))
BLOCK = 20_000
#: Stands among the hypotheses for the weighted sum of those that speak, divided by their weight.
SUM = "weighted sum"
Index = NDArray[np.intp]
#: Numbers of orders as integers without bound, or means.
Values = NDArray[Any]
Step = Callable[[Values], Values]


@dataclass(frozen=True, kw_only=True)
class Chances:
    """What a world gave: the largest chance of a flag by (scaled, level), and of every mean."""

    name: str
    deals: int
    logs: int
    flagged: Mapping[tuple[bool, Fraction], Fraction]
    means: Mapping[str, float]
    whole: Fraction

    def failures(self, *, tenth: bool = True) -> list[str]:
        """Return what exceeds its level, or with *tenth* is less than a tenth of it when scaled."""
        out = []
        for (scaled, level), chance in self.flagged.items():
            if chance > level or (tenth and scaled and chance < level / 10):
                out.append(f"{self.name}: {float(chance):.5f} for {level}, scaled {scaled}")
        return out + [
            f"{self.name}: mean {mean:.6f} of {key}"
            for key, mean in self.means.items()
            if mean > 1 + 1e-12
        ]

    def rows(self) -> Iterator[str]:
        """Yield the printed lines."""
        yield (
            f"{self.name}: {self.deals} deals, {self.logs:,} distinct logs, weights in use"
            f" {self.whole}"
        )
        for (scaled, level), chance in self.flagged.items():
            what = "scaled " if scaled else "shipped"
            yield f"  {what} level {level!s:5} {float(chance):.6f} = {chance}"
        for key, mean in self.means.items():
            yield f"  largest mean {mean:.9f}  {key}"


@dataclass(kw_only=True)
class Level:
    """Logs of one length: the judged evidence, and where each log one deal longer stands."""

    size: int
    logs: Mapping[str, Floats]
    children: Index


@dataclass(frozen=True, kw_only=True)
class World:
    """Logs by length: *one* takes values after each deal to those before it.

    *ways* are the outcomes of a deal that are equally likely.
    """

    name: str
    judge: Judge
    levels: Sequence[Level]
    one: Sequence[Step]
    ways: int


# The world of turn-ups


def turnups(deals: int) -> World:
    """Return the world of turn-ups."""
    law = toy("JS TS 2S 3S 4S 5S 6S 7S")
    size, roles = len(law.pack), [[c for c in law.pack if c % 13 == r] for r in (JACK, TEN)]
    plain = [c for c in law.pack if c % 13 not in (JACK, TEN)]
    cards = [roles[0][0], roles[1][0], *plain]
    judge = Judge(law=law, machine=True)
    bare = [bytes([c]) for c in cards] + [b""]
    units = judge.sums([Deal(game="toy", players=2, dealer="A", turnups=t) for t in bare])
    counts: Ints = np.zeros((1, size + 1), np.int64)
    levels = []
    for done in range(deals + 1):
        judged = _in_blocks(judge, len(counts), partial(_some, counts, units)) if done else {}
        here, children = len(counts), np.zeros((0, 0), np.intp)
        if done < deals:
            more = counts[:, None, :] + np.eye(size + 1, dtype=np.int64)
            more[:, :, 2:size] = np.sort(more[:, :, 2:size], axis=2)
            found, back = np.unique(more.reshape(-1, size + 1), axis=0, return_inverse=True)
            counts = np.asarray(found)
            children = back.reshape(-1, size + 1)
        levels.append(Level(size=here, logs=judged, children=children))

    def one(after: Values) -> Values:
        return np.asarray(np.maximum(after[:, :size], after[:, size:]).sum(axis=1))

    return World(name="turn-ups", judge=judge, levels=levels, one=[one] * deals, ways=size)


def _some(counts: Ints, units: Ints, start: int, end: int) -> Ints:
    return np.asarray(counts[start:end] @ units)


# The world of hands


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """Which contribution each outcome of a deal makes: by hands, turn-ups and what is written."""

    stand: Index
    give: Index
    run: Index

    def best(self, after: Values) -> Values:
        """Return the value of (logs, contributions) *after* to whoever decides best."""
        return np.array([self._one(row) for row in after], after.dtype)

    def _one(self, after: Values) -> Any:
        turns = self.run.shape[2]
        given = after[self.give].max(axis=-1) * turns
        ran = after[self.run].max(axis=-1).sum(axis=-1)
        beg = np.maximum(given, ran).sum(axis=1)
        stand = after[self.stand].max(axis=-1).sum(axis=1) * turns
        return np.maximum(beg, stand).sum()


WRITTEN = ("whole", "dealer kept back")


def _deal(
    law: Law, number: int, cards: Sequence[int], word: str, written: str, later: bytes = b""
) -> Deal:
    dealer = 2 - number % 2
    eldest = 3 - dealer
    mine, his, turned = (bytes([c]) for c in cards)
    if written == "dealer kept back":
        his = b""
    hands = (mine, his) if eldest == 1 else (his, mine)
    return Deal(
        game=law.id,
        players=2,
        dealer=DEALERS[number % 2],
        dealer_seat=dealer,
        hands=hands,
        turnups=turned + later,
        events=(Event(kind="call", seat=eldest, word=word),),
    )


def _outcomes(judge: Judge, number: int) -> tuple[Ints, Outcomes]:
    """Return the distinct contributions of deal *number*, and which outcome makes which."""
    law, records = judge.law, []
    pack = law.pack
    heads = [
        (mine, his, turned)
        for mine in pack
        for turned in pack
        if turned != mine
        for his in pack
        if his not in (mine, turned)
    ]
    for word, cards, written in itertools.product(("stand", "beg"), heads, WRITTEN):
        records.append(_deal(law, number, cards, word, written))
    for cards in heads:
        for later, written in itertools.product(sorted(set(pack) - set(cards)), WRITTEN):
            records.append(_deal(law, number, cards, "beg", written, bytes([later])))
    rows, back = np.unique(judge.sums(records, first=not number), axis=0, return_inverse=True)
    back, n = back.reshape(-1), len(pack)
    heads_of, w = (n * (n - 1), n - 2), len(WRITTEN)
    each = len(heads) * w
    return rows, Outcomes(
        stand=back[:each].reshape(*heads_of, w),
        give=back[each : 2 * each].reshape(*heads_of, w),
        run=back[2 * each :].reshape(*heads_of, n - 3, w),
    )


def _renamings(pack: Sequence[int]) -> list[dict[int, int]]:
    """Return the renamings of cards that keep ranks that count, and take suits to suits."""
    ranks = (JACK, TEN)
    suits = sorted({c // 13 for c in pack})
    held = {s: [c for c in pack if c // 13 == s and c % 13 not in ranks] for s in suits}
    out = []
    for order in itertools.permutations(suits):
        whole = {13 * a + r: 13 * b + r for a, b in zip(suits, order, strict=True) for r in ranks}
        if any((a in pack) != (b in pack) for a, b in whole.items()):
            continue
        if any(len(held[a]) != len(held[b]) for a, b in zip(suits, order, strict=True)):
            continue
        ways = [itertools.permutations(held[b]) for b in order]
        for way in itertools.product(*ways):
            to = dict(whole)
            for a, cards in zip(suits, way, strict=True):
                to |= dict(zip(held[a], cards, strict=True))
            out.append(to)
    return out


def hands(cards: str, deals: int) -> World:
    """Return the world of hands, with the pack *cards*."""
    law = toy(cards)
    judge = Judge(law=law)
    made = [_outcomes(judge, number) for number in range(deals)]
    names = Names(judge, _renamings(law.pack))
    sums = np.zeros((1, made[0][0].shape[1]), np.int64)
    levels = []
    judged: dict[str, Floats] = {}
    for done in range(deals):
        more, children = _longer(names, sums, made[done][0])
        levels.append(Level(size=len(sums), logs=judged, children=children))
        judged = more.judged(judge)
        sums = more.sums(0, len(more.first)) if done < deals - 1 else more.first
    levels.append(Level(size=len(sums), logs=judged, children=np.zeros(0, np.intp)))
    n = len(law.pack)
    ways = n * (n - 1) * (n - 2) * (n - 3)
    one = [made[number][1].best for number in range(deals)]
    return World(name=f"hands, {cards}", judge=judge, levels=levels, one=one, ways=ways)


@dataclass(frozen=True, kw_only=True)
class Longer:
    """Logs that are one deal longer: log i is base[first[i] // len(rows)] and a row more."""

    base: Ints
    rows: Ints
    first: Index

    def sums(self, start: int, end: int) -> Ints:
        """Return the tallies of some of them."""
        shorter, row = np.divmod(self.first[start:end], len(self.rows))
        return np.asarray(self.base[shorter] + self.rows[row])

    def judged(self, judge: Judge) -> dict[str, Floats]:
        """Return what *judge* says of all of them."""
        return _in_blocks(judge, len(self.first), self.sums)


def _longer(names: Names, sums: Ints, rows: Ints) -> tuple[Longer, Index]:
    """Return the distinct logs that are one of *rows* longer, and which is whose."""
    base, step = names.of(sums), names.of(rows)
    keys = np.empty((len(sums), len(rows)), np.uint64)
    checks = np.empty_like(keys)
    for i, one in enumerate(base):
        keys[i], checks[i] = named(one[None] + step)
    found, first = distinct(keys.reshape(-1), checks.reshape(-1))
    return Longer(base=sums, rows=rows, first=first), np.searchsorted(found, keys)


def _in_blocks(judge: Judge, size: int, sums: Callable[[int, int], Ints]) -> dict[str, Floats]:
    """Return what *judge* says of *size* logs, of which *sums* gives some."""
    out: dict[str, Floats] = {}
    for start in range(0, size, BLOCK):
        for key, row in judge.judged(sums(start, start + BLOCK)).items():
            out.setdefault(key, np.full(size, -np.inf))[start : start + BLOCK] = row
    return out


# From levels to chances


def _roles(keys: Iterable[str]) -> dict[str, list[str]]:
    """Return hypotheses by what they are about; those about cards of one role go together.

    Logs are told apart only up to the names of such cards, and the mean of their e is an e.
    """
    out: dict[str, list[str]] = {}
    for key in keys:
        what, about = key.split(" ", 1)
        role = {"J": "Jack", "T": "Ten"}.get(about[0], "other")
        name = f"missing_card {role}" if what == "missing_card" else key
        out.setdefault(name, []).append(key)
    return out


def _chances(world: World, factor: float) -> Chances:
    """Return the chances of a world with *factor* times every E, 1 but for wrong builds."""
    judge, levels, one, ways = world.judge, world.levels, world.one, world.ways
    deals, whole = len(levels) - 1, judge.whole
    flagged: dict[tuple[bool, Fraction], Fraction] = {}
    for scaled, level in itertools.product((False, True), LEVELS):
        scale = 1 / whole if scaled else Fraction(1)
        value: Values = np.zeros(0, object)
        for done in reversed(range(deals + 1)):
            x = levels[done]
            # Values are numbers of orders, so that nothing is rounded.
            value = one[done](value[x.children]) if done < deals else np.zeros(x.size, object)
            if done:
                over = factor * judge.total(x.logs, scale) >= float(1 / level)
                value[over] = ways ** (deals - done)
        flagged[scaled, level] = Fraction(int(value[0]), ways**deals)
    means = {}
    for key, of_role in {**_roles(judge.weights), SUM: []}.items():
        best = np.zeros(0)
        for done in reversed(range(deals + 1)):
            x = levels[done]
            if key == SUM:
                now = factor * judge.total(x.logs, 1 / whole) if done else np.ones(x.size)
            else:
                unheard = np.full(x.size, -np.inf)
                each = [np.exp(x.logs.get(name, unheard)) for name in of_role]
                now = factor * np.mean(each, axis=0)
            later = one[done](best[x.children]) / ways if done < deals else now
            best = np.maximum(now, later) if done else later
        means[key] = float(best[0])
    distinct_logs = sum(x.size for x in levels[1:])
    return Chances(
        name=world.name, deals=deals, logs=distinct_logs, flagged=flagged, means=means, whole=whole
    )


#: Worlds by name: with how many deals each is done at length.
AT_LENGTH: Mapping[str, int] = {
    "turn-ups": 20,
    "JS TS 2S 3S 4S 5S 6S 7S": 2,
    "JS JH TS TH 2S 3S 2H 3H": 2,
    "JS JH TS 2S 2H": 2,
}


@lru_cache(maxsize=4)
def _built(name: str, deals: int) -> World:
    if name == "turn-ups":
        with suspecting(TURNED_TEN):
            return turnups(deals)
    with suspecting(BEG_KNOWS, RARE):
        return hands(name, deals)


def world(name: str, deals: int, *, factor: float = 1.0) -> Chances:
    """Return the chances of the world *name*: "turn-ups", or hands from a pack of cards."""
    return _chances(_built(name, deals), factor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the chances of every world; return 1 where one is not as it must be."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof_of_calibration")
    parser.add_argument("--deals", type=int, help="in place of each world's own number")
    parser.add_argument("worlds", nargs="*", default=list(AT_LENGTH))
    chosen = parser.parse_args(arguments)
    failures = []
    for name in chosen.worlds:
        found = world(name, chosen.deals or AT_LENGTH[name])
        print(*found.rows(), sep="\n", flush=True)
        failures += found.failures(tenth=name == "turn-ups")
    print(*failures, sep="\n")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
