"""What a game's rules say of its pack and its deal, as data.

Places of the pack are counted from 0, the top card after the cut.  Seats are
counted in dealing order: seat 0 is the eldest hand, the last seat the dealer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from audit.errors import LawError


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a rule stands: the book, and its section or law."""

    book: str
    section: str


@dataclass(frozen=True, kw_only=True)
class Law:
    """One game.

    *packets* are the cards that each hand receives in each round of the deal,
    *widow* the cards laid aside after it, *turnup* whether the next card is
    turned.  *run* is how many cards each hand takes when the turn-up is
    refused, before another is turned (0 where the game knows no run).
    *honours* maps a rank whose turn-up pays the dealer to the warning that it
    answers.  *strength* gives the points of a rank in a hand, empty where the
    game has no such count.
    """

    id: str
    name: str
    source: Source
    pack: tuple[int, ...]
    players: tuple[int, int]
    packets: tuple[int, ...]
    widow: int = 0
    turnup: bool = False
    run: int = 0
    honours: Mapping[str, str] = field(default_factory=dict)
    strength: Mapping[str, int] = field(default_factory=dict)
    cut_least: int | None = None
    packs: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    status: Literal["whole", "part", "named", "guest"] = "whole"
    version: int = 1
    silent: tuple[str, ...] = ()
    place_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        low, high = self.players
        if not 1 <= low <= high:
            raise LawError(self.id, "players", "no range", "1 <= low <= high", f"{low}-{high}")
        for pack in (self.pack, *self.packs.values()):
            if len(set(pack)) != len(pack):
                raise LawError(self.id, "pack", "a card stands twice in it")
        used = high * self.hand + self.widow + self.turnup
        if used > len(self.pack):
            raise LawError(self.id, "packets", f"plan uses {used} cards of {len(self.pack)}")

    @property
    def hand(self) -> int:
        """Cards of one hand after the first deal."""
        return sum(self.packets)

    def pack_of(self, options: Mapping[str, str]) -> tuple[int, ...]:
        """Return the pack that *options* choose, the book's own by default."""
        name = options.get("pack")
        if name is None:
            return self.pack
        if name not in self.packs:
            raise KeyError(name)
        return self.packs[name]

    def hand_places(self, players: int) -> list[list[int]]:
        """Return for each seat in dealing order the pack places of its first hand."""
        seats: list[list[int]] = [[] for _ in range(players)]
        at = 0
        for size in self.packets:
            for seat in seats:
                seat.extend(range(at, at + size))
                at += size
        return seats

    def turn_places(self, players: int, size: int) -> list[int]:
        """Return the pack place of every turn-up that the pack allows, in order."""
        if not self.turnup:
            return []
        first = players * self.hand + self.widow
        if not self.run:
            return [first]
        return list(range(first, size, players * self.run + 1))

    def run_places(self, players: int, k: int) -> list[list[int]]:
        """Return for each seat the places of the cards of the *k*-th run (k from 1)."""
        start = players * self.hand + self.widow + 1 + (k - 1) * (players * self.run + 1)
        return [
            list(range(start + seat * self.run, start + (seat + 1) * self.run))
            for seat in range(players)
        ]
