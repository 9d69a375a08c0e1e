"""Nights at one table: deals played by lot and carried on as the books have it.

Written from the books and not from `audit/referee/series.py`: who deals, what is in the
pool, what stands on the score and when a game is over are worked out here anew.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.law import Law
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine
from audit.referee.simulate import Lots, first_deal, play_deal

#: A misdeal of each family: the words of the fault and of the new deal, and whether it passes.
MISDEALS: Mapping[str, tuple[tuple[str, str, bool], ...]] = {
    "seven_up": (("no cut", "no cut", True), ("faced card", "faced card", False)),
    "california": (("no cut", "no cut", True), ("imperfect pack", "imperfect pack", False)),
    "pitch": (("no cut", "no cut", False),),
    "nap": (("not cut", "misdeal", False),),
    "spoil_five": (("not cut", "not cut", True), ("faced card", "faced card", False)),
    "rams": (("not cut", "not cut", True), ("imperfect pack", "imperfect pack", False)),
    "loo": (("not cut", "not cut", True), ("faced card", "faced card", False)),
    "put": (("faced card", "fresh deal", False),),
    "ecarte": (("faced card", "faced card", False),),
    "vingt_un": (("exposed card", "exposed card", False),),
    "cassino": (
        ("card faced by the dealer before the board",) * 2 + (True,),
        ("card faced in the pack before the board",) * 2 + (False,),
    ),
}
#: What makes a game, by family or by game; the others keep no score from deal to deal.
TARGETS = {
    "seven_up": 7,
    "california": 7,
    "pitch": 7,
    "ecarte": 5,
    "euchre": 5,
    "put": 5,
    "all_fours_old": 10,
    "all_fives": 61,
    "forty_five_odd_trick": 45,
    "forty_five_per_trick": 45,
}
SIDED = {"seven_up_4", "euchre_4", "put_4"}
#: What the board of Pope Joan is dressed with.
DRESSING = {
    "ace": 1,
    "king": 1,
    "queen": 1,
    "knave": 1,
    "game": 1,
    "matrimony": 2,
    "intrigue": 2,
    "pope": 6,
}
#: Games whose pool is carried in one number.
POOLED = ("nap_pool", "spoil_five", "rams", "rounce", "irish_loo", "loo5_foster", "speculation")


@dataclass(frozen=True)
class Fault:
    """One thing done wrong between two deals, at the first chance from deal *at* on (from 0)."""

    kind: str
    at: int


@dataclass
class Night:
    """What is carried from deal to deal; *pool* before the next dealer's stake."""

    law: Law
    players: int
    rng: random.Random
    dealer: int = 0
    game: int = 1
    pool: int = 0
    scores: dict[int, int] = field(default_factory=dict)
    piles: dict[str, int] = field(default_factory=dict)
    fault: Fault | None = None
    made: int = -1

    def breaks(self, kind: str, index: int) -> bool:
        """Whether the fault is of *kind* and is made before deal *index*; once."""
        due = self.fault is not None and self.fault.kind == kind and index >= self.fault.at
        if due and self.made < 0:
            self.made = index
            return True
        return False

    def go_wrong(self, index: int, *, misdealt: bool) -> None:
        """Make the fault that is due before deal *index*, where the game goes on."""
        after = "dealer after a misdeal" if misdealt else "dealer"
        if self.breaks(after, index):
            self.dealer = self.dealer % self.players + 1
        if self.pool > 2 * self.players and self.breaks("pool", index):
            off = self.rng.choice((-1, 1))
            self.pool += off
            if self.piles:
                self.piles[max(self.piles, key=lambda name: self.piles[name])] += off
        if self.target and any(self.scores.values()) and self.breaks("score", index):
            self.scores[1] += 1 if self.scores[1] + 1 < self.target else -1

    @property
    def family(self) -> str:
        assert self.law.rules is not None
        return self.law.rules.family

    @property
    def target(self) -> int:
        if self.law.id == "spoil_five":
            return 0
        return TARGETS.get(self.law.id) or TARGETS.get(self.family, 0)

    @property
    def scorers(self) -> int:
        sided = self.law.id in SIDED or (self.family == "spoil_five" and self.players > 2)
        return 2 if sided else self.players

    def cut(self) -> None:
        """Choose the dealer of a first deal."""
        self.dealer = self.rng.randint(1, self.players)
        self.scores = dict.fromkeys(range(1, self.scorers + 1), 0)

    def options(self) -> dict[str, str]:
        """Return what the record says of the game before the deal."""
        said = {"game_number": str(self.game)}
        if self.target:
            said["scores"] = " ".join(str(n) for n in self.scores.values())
        if self.family == "loo":
            said["pool"] = str(self.pool + 9 if self.law.id == "irish_loo" else self.pool + 25)
        elif self.law.id in POOLED:
            said["pool"] = str(self.pool)
        said |= {f"pool {name}": str(n) for name, n in self.piles.items()}
        return said

    def settle(self, deal: Deal, index: int) -> None:
        """Carry scores and pool over from deal *index*, and start a new game where one was won."""
        sided = self.scorers == 2
        for event in deal.events:
            seat = (event.seat - 1) % 2 + 1 if sided else event.seat
            if event.kind == "score" and self.target:
                self.scores[seat] += -event.number if event.word == "penalty" else event.number
            if event.kind == "pool" and event.word in ("after", "left", "pool"):
                self.pool = event.number
        naturals = [e.seat for e in deal.events if e.kind == "claim" and e.word == "natural"]
        if self.family == "vingt_un":
            if naturals and self.dealer not in naturals:
                self.dealer = naturals[0]
        elif not any(e.kind == "redeal" and e.word == "bunched" for e in deal.events):
            self.dealer = self.dealer % self.players + 1
        for event in deal.events:
            self.pile(event)
        won = self.target and max(self.scores.values()) >= self.target
        if won and not self.breaks("played on", index + 1):
            self.game += 1
            self.cut()

    def pile(self, event: Event) -> None:
        """Carry what lies on one pile of a board."""
        if self.law.id not in ("matrimony", "pope_joan") or event.kind != "pay":
            return
        if event.word.startswith("stake "):
            name = event.word.removeprefix("stake ")
            self.piles[name] = self.piles.get(name, 0) + event.number
        elif event.word == "dressing":
            for name, number in DRESSING.items():
                self.piles[name] = self.piles.get(name, 0) + number
        elif event.seat == 0 and event.to:
            self.piles[event.word] = self.piles.get(event.word, 0) - event.number


def night(
    game: str,
    *,
    players: int,
    count: int,
    seed: int,
    every: int = 9,
    options: Mapping[str, str] | None = None,
) -> list[Deal]:
    """Return *count* right records of one table; about one of *every* is a misdeal."""
    return wrong_night(
        game, None, players=players, count=count, seed=seed, every=every, options=options
    )[0]


def wrong_night(
    game: str,
    fault: Fault | None,
    *,
    players: int,
    count: int,
    seed: int,
    every: int = 9,
    options: Mapping[str, str] | None = None,
) -> tuple[list[Deal], int]:
    """Return the records of a night in which *fault* was made, and its deal; -1 for none."""
    law = GAMES[game]
    at = Night(law=law, players=players, rng=random.Random(seed), fault=fault)
    at.cut()
    pack = sorted(law.pack)
    orders = uniform_orders(Words(seed), count, len(pack))
    lots = Lots(seed + 1)
    choose = PLAY["by_lot"].choose
    assert choose is not None
    out: list[Deal] = []
    game_before = 0
    for i in range(count):
        order = bytes(pack[k] for k in orders[i])
        if out and at.game == game_before:
            at.go_wrong(i, misdealt=_void(out[-1]))
        game_before = at.game
        said = {**(options or {}), **at.options()}
        if "packets" in said and i > 1 and at.breaks("plan", i):
            said["packets"] = "3+2" if said["packets"] == "2+3" else "2+3"
        dealt = first_deal(law, order, players, at.dealer, said)
        faults = MISDEALS.get("pitch" if game == "pitch_blind" else at.family, ())
        if faults and at.rng.randrange(every) == 0:
            found, word, passes = at.rng.choice(faults)
            done, dealer = _misdealt(law, dealt, found, word), at.dealer
            at.settle(done, i)
            at.dealer = dealer % players + 1 if passes else dealer
        else:
            carried = tuple(at.scores.values()) if at.target else ()
            scores = (0, *carried, *[0] * (players - len(carried))) if carried else ()
            seats = dict.fromkeys(range(1, players + 1), choose)
            done = play_deal(law, dealt, seats, lots, scores)
            at.settle(done, i)
        seat = done.dealer_seat
        out.append(structs.replace(done, table="1", number=str(i + 1), dealer=f"P{seat}"))
    return out, at.made


def _void(deal: Deal) -> bool:
    return any(e.kind == "redeal" for e in deal.events)


def _misdealt(law: Law, dealt: Deal, fault: str, word: str) -> Deal:
    """Return the record of a deal that ends with a misdeal before anybody played."""
    events = [
        Event(kind="irregular", seat=dealt.dealer_seat or 0, word=fault),
        Event(kind="redeal", word=word),
    ]
    made = machine(law, dealt)
    assert made is not None
    made.take_all(events)
    events += [d.event for d in made.due()]
    return structs.replace(dealt, events=tuple(events))


def cut_cards(deal: Deal, order: str) -> str:
    """Return cards that the places may have cut so that the dealer of *deal* has the first."""
    players = deal.players or 0
    best = [f"{order[0]}S"] + [f"{order[k]}H" for k in range(1, players)]
    at = (deal.dealer_seat or 1) - 1
    turned = best[-at:] + best[:-at] if at else best
    return " ".join(turned)
