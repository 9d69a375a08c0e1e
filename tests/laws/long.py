"""Many whole deals of a game by lot: they end, the referee accepts them, nothing is lost.

Run `python -m tests.laws.long [ID...] [--count N] [--seed N]`; without an id all 57 rows of
the books are run.  Every number of players that the game allows takes its share of the deals.
Exits with 1 where a row is not whole.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

from audit.event import Choose
from audit.games import GAMES
from audit.law import Law
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.simulate import deals
from tests.laws.test_catalogue import NAMED, PART, WHOLE

COUNT, SEED = 10_000, 1


def cards_kept(law: Law, deal: Deal) -> str:
    """Return what is wrong with the cards of *deal*, "" where every card stands once.

    Cards that lay before anybody decided are all different and of the pack; a
    card is played once; a card drawn was in no hand, or had been given up first.
    """
    pack = set(law.pack_of(deal.options))
    hands = [c for hand in deal.hands for c in hand]
    lying = [*hands, *deal.widow, *deal.turnups, *deal.runs, *deal.board]
    if len(set(lying)) < len(lying) or not set(lying) <= pack:
        return "a card lies twice, or is none of the pack"
    held = set(hands) | set(deal.runs)
    played: set[int] = set()
    for event in deal.events:
        cards = set(event.cards)
        if not cards <= pack:
            return f"{event.kind}: a card that is none of the pack"
        if event.kind == "exchange":
            held -= cards
        elif event.kind == "draw":
            if cards & held or len(cards) < len(event.cards):
                return "a card was drawn that somebody holds"
            held |= cards
        elif event.kind == "play":
            if event.cards[0] in played:
                return "a card was played twice"
            played.add(event.cards[0])
    return ""


def counters_kept(deal: Deal) -> str:
    """Return what is wrong with the counters, "" where every pool is what was paid in and out."""
    pool: int | None = None
    for event in deal.events:
        if event.kind == "pay":
            if event.number < 0 or event.seat == event.to:
                return "a payment of less than nothing, or to oneself"
            if pool is not None:
                pool += event.number * ((event.to == 0) - (event.seat == 0))
        elif event.kind == "pool":
            if pool is not None and pool != event.number:
                return f"the pool holds {event.number}, wanted {pool}"
            pool = event.number
    return ""


@dataclass(kw_only=True)
class Tally:
    """What became of the deals of one game, and the first that is not as it should be."""

    dealt: int = 0
    played: int = 0
    refereed: int = 0
    rulings: int = 0
    unjudged: int = 0
    lost: int = 0
    first: str = ""

    @property
    def right(self) -> bool:
        """Whether every deal came to its end and was judged whole, nothing being wrong or lost."""
        whole = self.dealt == self.played == self.refereed > 0
        return whole and not (self.rulings or self.unjudged or self.lost)

    def take(self, law: Law, deal: Deal) -> None:
        """Count one deal as it was played."""
        rulings, unjudged = referee(law, deal)
        wrong = cards_kept(law, deal) or counters_kept(deal)
        made = machine(law, deal)
        assert made is not None
        made.take_all(deal.events)
        ended = bool(deal.events) and made.wants() is None
        self.dealt += 1
        self.played += ended
        self.refereed += not unjudged
        self.rulings += len(rulings)
        self.unjudged += unjudged
        self.lost += bool(wrong)
        if not self.first and (rulings or unjudged or wrong or not ended):
            self.first = f"{rulings} unjudged {unjudged} {wrong or ended}: {deal}"


def tally(
    name: str,
    *,
    count: int = COUNT,
    seed: int = SEED,
    choose: Choose | None = None,
    options: Mapping[str, str] | None = None,
) -> Tally:
    """Deal, play and referee about *count* deals of *name*, at every number of players."""
    law, found = GAMES[name], Tally()
    by = choose or PLAY["by_lot"].choose
    assert by is not None
    each = -(-count // len(law.tables))
    for players in law.tables:
        for deal in deals(
            law, players=players, choose=by, count=each, seed=seed + players, options=options
        ):
            found.take(law, deal)
    return found


def check(
    name: str,
    *,
    count: int = COUNT,
    seed: int = SEED,
    choose: Choose | None = None,
    options: Mapping[str, str] | None = None,
) -> int:
    """Play and referee about *count* deals of *name*; return how many were checked.

    Raises: AssertionError with the deal that is not as it should be.
    """
    found = tally(name, count=count, seed=seed, choose=choose, options=options)
    if not found.right:
        raise AssertionError(f"{name}: {found.first}")
    return found.dealt


def main(argv: list[str]) -> int:
    """Check the games named, or all rows of the books, and print what was done."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args(argv)
    names = args.ids or [*WHOLE, *PART, *NAMED]
    right = named = rulings = unjudged = 0
    for name in names:
        law, begun = GAMES[name], time.perf_counter()
        if law.rules is None:
            named += 1
            print(f"{name} ({law.status}): no rules are left to deal, play or referee by")
            continue
        found = tally(name, count=args.count, seed=args.seed)
        took = time.perf_counter() - begun
        print(
            f"{name} ({law.status}): {found.dealt} dealt, {found.played} played,"
            f" {found.refereed} refereed, {found.rulings} rulings, {found.unjudged} unjudged,"
            f" {found.lost} with cards or counters lost, {took:.1f} s",
            flush=True,
        )
        if found.first:
            print(f"  first: {found.first}")
        right += found.right
        rulings += found.rulings
        unjudged += found.unjudged
    print(
        f"{right} of {len(names)} rows dealt, played and refereed whole, {named} known by name"
        f" alone; {rulings} rulings, {unjudged} unjudged"
    )
    return int(right + named < len(names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
