"""Many whole deals of a game by lot: they end, the referee accepts them, nothing is lost.

Run `python -m tests.laws.long <id>... [--count N] [--seed N]`; every number of
players that the game allows takes its share of the deals.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping

from audit.event import Choose
from audit.games import GAMES
from audit.law import Law
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import deals

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
    law = GAMES[name]
    by = choose or PLAY["by_lot"].choose
    assert by is not None
    done = 0
    low, high = law.players
    each = -(-count // (high - low + 1))
    for players in range(low, high + 1):
        played = deals(
            law, players=players, choose=by, count=each, seed=seed + players, options=options
        )
        for deal in played:
            rulings, unjudged = referee(law, deal)
            wrong = cards_kept(law, deal) or counters_kept(deal)
            if rulings or unjudged or wrong or not deal.events:
                raise AssertionError(f"{name}: {rulings} unjudged {unjudged} {wrong}: {deal}")
            done += 1
    return done


def main(argv: list[str]) -> None:
    """Check the games named and print what was done."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ids", nargs="+")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args(argv)
    for name in args.ids:
        begun = time.perf_counter()
        done = check(name, count=args.count, seed=args.seed)
        rate = done / (time.perf_counter() - begun)
        print(f"{name}: {done} deals, 0 rulings, 0 unjudged, {rate:.0f} deals/s played and judged")


if __name__ == "__main__":
    main(sys.argv[1:])
