"""Logs of honest tables that are quick to make, and what suspicions make of a log."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from msgspec.structs import replace

from audit.count.trials import _bets
from audit.detect.suspects import curve
from audit.event import Event
from audit.finding import THRESHOLD, WEIGHTS
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.law import Law
from audit.play import PLAY
from audit.play.sensible_all_fours import begs, runs
from audit.record import Deal
from audit.referee.simulate import Lots, first_deal, play_deal
from audit.suspect import SUSPECT, suspicions
from audit.suspicion import Suspicion, Trial, rounded_up


def honest(game: str, players: int, count: int, seed: int) -> Iterator[Deal]:
    """Yield deals up to the first lead: the eldest begs, the dealer answers, as sensible."""
    law = GAMES[game]
    orders = uniform_orders(Words(seed), count)
    for i in range(count):
        dealer = (players - 1 + i) % players + 1
        dealt = first_deal(law, orders[i].tobytes(), players, dealer, {})
        eldest = dealer % players + 1
        hand = dealt.hands[eldest - 1]
        lead = Event(kind="play", seat=eldest, cards=bytes([max(hand, key=lambda c: c % 13)]))
        calls: list[Event] = []
        if dealt.turnups:
            asks = begs(hand, dealt.turnups[0])
            calls.append(Event(kind="call", seat=eldest, word="beg" if asks else "stand"))
            if asks:
                ran = runs(dealt.hands[dealer - 1], dealt.turnups[0])
                calls.append(Event(kind="call", seat=dealer, word="run" if ran else "give"))
                lead = replace(lead, kind="look")
        yield replace(dealt, events=(*calls, lead), dealer=f"P{dealer}")


def riffled(cards: list[int], lots: Lots) -> list[int]:
    """Return *cards* after one riffle: every way to cut and to drop equally likely (Gilbert)."""
    first = [lots.below(2) for _ in cards]
    cut = first.count(0)
    left, right = iter(cards[:cut]), iter(cards[cut:])
    return [next(right) if side else next(left) for side in first]


def poorly_shuffled(game: str, players: int, count: int, riffles: int, seed: int) -> Iterator[Deal]:
    """Yield deals of sensible players whose pack is gathered trick by trick and riffled little."""
    law, lots, choose = GAMES[game], Lots(seed), PLAY["sensible_all_fours"].choose
    assert choose is not None
    cards = uniform_orders(Words(seed), 1)[0].tolist()
    for i in range(count):
        cut = 4 + lots.below(45)
        cards = cards[cut:] + cards[:cut]
        dealer = (players - 1 + i) % players + 1
        dealt = first_deal(law, bytes(cards), players, dealer, {})
        played = play_deal(law, dealt, dict.fromkeys(range(1, players + 1), choose), lots)
        yield replace(played, dealer=f"P{dealer}")
        tricks = [e.cards[0] for e in played.events if e.kind == "play"]
        cards = tricks + [c for c in cards if c not in tricks]
        for _ in range(riffles):
            cards = riffled(cards, lots)


def trials(name: str, deal: Deal, law: Law) -> list[Trial]:
    """Return the trials that suspicion *name* finds in one deal."""
    find = SUSPECT[name].find
    assert find is not None
    return list(find(deal, law))


def highest(suspicion: Suspicion, found: Iterable[Trial]) -> float:
    """Return the largest ln E that *found*, trials of one subject in order, ever reach."""
    rows = [_bets(*rounded_up(t.chance), suspicion.odds)[int(t.hit)] for t in found]
    return float(curve(np.array(rows)).max()) if rows else 0.0


def highest_of(deals: Iterable[Deal], law: Law) -> dict[tuple[str, int], float]:
    """Return the largest ln E of each suspicion of *law* and subject over *deals*."""
    known = [s for s in suspicions(law).values() if s.find is not None]
    held: dict[tuple[str, int], list[Trial]] = {}
    for deal in deals:
        for suspicion in known:
            assert suspicion.find is not None
            for trial in suspicion.find(deal, law):
                if 0 < trial.chance < 1:
                    who = deal.dealer_seat if suspicion.per == "dealer" else trial.subject
                    held.setdefault((suspicion.id, who or 0), []).append(trial)
    return {key: highest(SUSPECT[key[0]], found) for key, found in held.items()}


def price(suspicion: Suspicion, subjects: int) -> float:
    """Return the ln E at which one of so many equal subjects is named."""
    weight = WEIGHTS[suspicion.weight] * suspicion.part / subjects
    return math.log(THRESHOLD) - math.log(weight)
