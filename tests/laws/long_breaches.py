"""Ten thousand one-event breaches a family, each to be ruled on: what was missed is listed.

    python -m tests.laws.long_breaches [FAMILY...] [--count N] [--seed N]

Without a family all are tried.  Each line has how many breaches of how many kinds were made
and missed, in how many seconds; then comes every miss.  Exits with 1 where there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee.simulate import deals
from tests.laws import (
    _by_hand,
    _mutate,
    all_fours_breaches,
    mutations_ecarte,
    mutations_euchre,
    test_cassino,
    test_connexions,
    test_loo,
    test_matrimony,
    test_nap,
    test_pope_joan,
    test_put,
    test_rams,
    test_speculation,
    test_spoil_five,
    test_vingt_un,
)
from tests.laws import _wrong as wrong
from tests.laws._five import Breach, trial

COUNT, SEED = 10_000, 1
#: A kind that fewer than one deal of so many bears is made less often than the others.
MOST_DEALS = 12
#: Tries a kind on so many deals, from a seed: how many were made, and those missed, in words.
Trial = Callable[[int, int], tuple[int, list[str]]]


def _played(game: str, players: int, count: int, seed: int, **options: str) -> Iterator[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    law = GAMES[game]
    return deals(law, players=players, choose=choose, count=count, seed=seed, options=options)


def _one_by_one(
    kind: str,
    kinds: Mapping[str, tuple[wrong.Mutation, str]],
    game: str,
    players: int,
    pays: int,
    count: int,
    seed: int,
) -> tuple[int, list[str]]:
    """Try a kind of the household book's games on deals with more than so many payments."""
    made, missed = 0, list[str]()
    for at, deal in enumerate(_played(game, players, count, seed)):
        if sum(e.kind == "pay" for e in deal.events) < pays:
            continue
        some, none = wrong.misses({kind: kinds[kind]}, [deal], seed=seed + at)
        made += some[kind]
        missed += [str(deal)] * none[kind]
    return made, missed


def _household(
    kinds: Mapping[str, tuple[wrong.Mutation, str]], *tables: tuple[str, int], pays: int = 0
) -> dict[str, Trial]:
    return {
        f"{kind}, {game} for {players}": partial(_one_by_one, kind, kinds, game, players, pays)
        for kind in kinds
        for game, players in tables
    }


def _five(
    breach: Breach, game: str, players: int, pool: str, count: int, seed: int
) -> tuple[int, list[str]]:
    options = {"pool": pool} if pool else {}
    made, missed = trial(breach, list(_played(game, players, count, seed, **options)), seed)
    return made, list(map(str, missed))


def _all_fours(game: str, players: int, kind: str, count: int, seed: int) -> tuple[int, list[str]]:
    rules = GAMES[game].rules
    make = all_fours_breaches.KINDS[rules.family if rules else ""][kind]
    made, missed = all_fours_breaches.tried(game, make, players, count, seed)
    return made, list(map(str, missed))


def _by_event(
    game: str, players: int, breach: tuple[_by_hand.Change, str, str], count: int, seed: int
) -> tuple[int, list[str]]:
    change, law, code = breach
    made, missed = _by_hand.misses([game], change, law, code, count=count, players=players)
    return made, list(map(str, missed))


def _changed(
    kinds: Mapping[str, tuple[_mutate.Change, object]], kind: str, count: int, seed: int
) -> tuple[int, list[str]]:
    change, bases = kinds[kind]
    assert isinstance(bases, list | tuple)
    made, missed = _mutate.run({kind: (change, bases)}, -(-count // len(bases)), seed)
    return made[kind], missed


def _loo(game: str, kind: str, count: int, seed: int) -> tuple[int, list[str]]:
    return test_loo.mutate(game, kind, count)


def _turned(family: str, *games: str) -> dict[str, Trial]:
    return {
        f"{kind}, {game} for {players}": partial(_all_fours, game, players, kind)
        for kind in all_fours_breaches.KINDS[family]
        for game in games
        for players in GAMES[game].tables[:3]
    }


def families() -> dict[str, dict[str, Trial]]:
    """Return the kinds of breach of every family of games, by game and number of players."""
    return {
        "california": _turned("california", "california_jack", "shasta_sam"),
        "cassino": _household(
            test_cassino.KINDS, ("cassino_2", 2), ("cassino_3", 3), ("cassino_4", 4)
        ),
        "connexions": _household(
            test_connexions.KINDS, ("connexions_3", 3), ("connexions_4", 4), pays=2
        ),
        "ecarte": {k: partial(_changed, mutations_ecarte.KINDS, k) for k in mutations_ecarte.KINDS},
        "euchre": {k: partial(_changed, mutations_euchre.KINDS, k) for k in mutations_euchre.KINDS},
        "loo": {
            f"{kind}, {game}": partial(_loo, game, kind)
            for game, none in test_loo.NONE_HERE.items()
            for kind in test_loo.KINDS
            if kind not in none.split(", ")
        },
        "matrimony": _household(test_matrimony.KINDS, ("matrimony", 5), ("matrimony", 9)),
        "nap": {
            f"{kind}, {game}": partial(_by_event, game, 4, (change, law, code))
            for kind, (change, games, law, code) in test_nap.BREACHES.items()
            for game in games
        },
        "pitch": _turned("pitch", "auction_pitch_sell", "auction_pitch_board"),
        "pope_joan": _household(test_pope_joan.KINDS, ("pope_joan", 4), ("pope_joan", 6)),
        "put": {
            f"{kind}, {game}": partial(_by_event, game, int(game[-1]), (change, law, code))
            for kind, (change, games, law, code) in test_put.BREACHES.items()
            for game in games
        },
        "rams": {
            f"{breach.name}, {game} for {players}": partial(_five, breach, game, players, "10")
            for game, breach in test_rams.CASES
            for players in (3, 4, 5)
        },
        "seven_up": _turned("seven_up", "seven_up_2", "seven_up_3", "seven_up_4"),
        "speculation": _household(test_speculation.KINDS, ("speculation", 4), ("speculation", 7)),
        "spoil_five": {
            f"{breach.name}, for {players}": partial(_five, breach, "spoil_five", players, "")
            for breach in test_spoil_five.BREACHES
            for players in (2, 3, 5)
        },
        "vingt_un": _household(test_vingt_un.KINDS, ("vingt_un", 3), ("vingt_un", 5), pays=2),
    }


def enough(trial_of: Trial, wanted: int, seed: int) -> tuple[int, list[str]]:
    """Make a kind about so often; few deals bear it or many, which is tried on some first."""
    some = min(wanted, 40)
    made, missed = trial_of(some, seed)
    if made >= wanted:
        return made, missed
    most = wanted * MOST_DEALS
    return trial_of(min(most, -(-wanted * some // made)) if made else most, seed)


def main(argv: list[str]) -> int:
    """Make breaches of the families named, or of all, and print what was missed."""
    known = families()
    parser = argparse.ArgumentParser(prog="python -m tests.laws.long_breaches")
    parser.add_argument("families", nargs="*", metavar="FAMILY", choices=[*known, []])
    parser.add_argument("--count", type=int, default=COUNT, metavar="N")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N")
    given = parser.parse_args(argv)
    total = lost = 0
    for family in given.families or known:
        begun = time.perf_counter()
        made, missed, never = 0, list[str](), list[str]()
        kinds, each = known[family], -(-given.count // len(known[family]))
        # Twice where some kinds are seldom or never borne: then the others are made oftener.
        for seed in (given.seed, given.seed + 1):
            for name in list(kinds):
                if made >= given.count and seed > given.seed:
                    break
                some, none = enough(kinds[name], each, seed)
                made += some
                missed += [f"{name}: {deal}" for deal in none]
                never += [name] * (not some and seed == given.seed)
        took = time.perf_counter() - begun
        count = len({name.partition(", ")[0] for name in kinds})
        print(f"{family}: {made} breaches of {count} kinds, {len(missed)} missed, {took:.0f} s")
        for name in never:
            print(f"  {name}: no deal bears it")
        for text in missed:
            print(f"  missed: {text}")
        total, lost = total + made, lost + len(missed)
    print(f"{total} breaches in {len(given.families or known)} families, {lost} missed")
    return int(bool(lost))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
