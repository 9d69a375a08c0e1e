"""What a game's rules say of its pack and its deal, as data.

Places of the pack are counted from 0, the top card after the cut.  Seats are
counted in dealing order: seat 0 is the eldest hand, the last seat the dealer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from audit.errors import LawError
from audit.plan import Draw, Pick, Step, every, longest, opening, rounds
from audit.rules import Rules

Status = Literal["whole", "part", "named", "guest"]


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a rule stands: the book, and its section or law."""

    book: str
    section: str


@dataclass(frozen=True, kw_only=True)
class Law:
    """One game.

    *plan* is how cards leave the pack (`plan.py`), *rules* what follows the deal
    (`rules/`), None for a guest.  *honours* maps a rank
    whose turn-up pays the dealer to the warning that it answers.  *strength*
    gives the points of a rank in a hand, empty where the game has no such count.
    *numbers* are the numbers of players, empty where all of the range will do;
    *cut_by_players* asks for as many cards in each packet of the cut as there
    are players.
    """

    id: str
    name: str
    source: Source
    pack: tuple[int, ...]
    players: tuple[int, int]
    plan: tuple[Step, ...]
    rules: Rules | None = None
    honours: Mapping[str, str] = field(default_factory=dict)
    strength: Mapping[str, int] = field(default_factory=dict)
    cut_least: int | None = None
    cut_by_players: bool = False
    numbers: tuple[int, ...] = ()
    packs: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    status: Status = "whole"
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
            if opening(self.plan, high, len(pack)).short:
                raise LawError(self.id, "plan", f"uses more than {len(pack)} cards")

    @cached_property
    def tables(self) -> tuple[int, ...]:
        """The numbers of players that may sit down."""
        low, high = self.players
        return self.numbers or tuple(range(low, high + 1))

    def least_cut(self, players: int) -> int | None:
        """Return how many cards each packet of the cut must hold, None where the book is silent."""
        return players if self.cut_by_players else self.cut_least

    @cached_property
    def hand(self) -> int:
        """Cards of one hand after the first deal to the fewest players; see `hand_of`."""
        return self.hand_of(self.players[0])

    def hand_of(self, players: int) -> int:
        """Return the cards of one hand after the first deal to *players* seats."""
        return len(opening(self.plan, players, len(self.pack)).zones["hand 1"])

    def full_hand(self, players: int) -> int:
        """Return `hand_of` *players*, and the largest hand where the law has no such table."""
        return self.hand_of(players) if players in self.tables else self.hand

    def in_hands(self, players: int) -> int:
        """Return the cards of all hands together after the first deal to *players* seats."""
        return sum(map(len, self.hand_places(players)))

    @cached_property
    def changes(self) -> bool:
        """Whether hands may change before they are played: by exchange, draw, widow or turn-up."""
        return any(isinstance(step, Pick | Draw) for step in every(self.plan))

    @cached_property
    def taken_in(self) -> Mapping[str, bool]:
        """Zones of which cards may come into a hand and stand in the record, too.

        True where only the dealer may take them; "stock" where hands are added to as the cards
        are run.
        """
        who: dict[str, set[str]] = {"stock": {"it"}} if self.run else {}
        for step in every(self.plan):
            if isinstance(step, Pick) and step.to == "hand" and step.source in ("turnup", "widow"):
                who.setdefault(step.source, set()).add(step.who)
        return {zone: takers == {"dealer"} for zone, takers in who.items()}

    @cached_property
    def packets(self) -> tuple[int, ...]:
        """Cards that the eldest hand takes in each round of the first deal."""
        moves = rounds(self.plan, self.players[0], len(self.pack))
        return tuple(len(m.places) for m in moves if m.to == "hand 1")

    @cached_property
    def widow(self) -> int:
        """Cards laid into the widow at the first deal."""
        state = opening(self.plan, self.players[0], len(self.pack))
        return len(state.zones.get("widow", ()))

    @cached_property
    def turnup(self) -> bool:
        """Whether a card is turned after the first deal."""
        return bool(opening(self.plan, self.players[0], len(self.pack)).zones.get("turnup"))

    @cached_property
    def several_turned(self) -> bool:
        """Whether more than one card is turned at the first deal, each for a place of its own."""
        state = opening(self.plan, self.players[0], len(self.pack))
        return len(state.zones.get("turnup", ())) > 1

    @cached_property
    def run(self) -> int:
        """Cards that each hand takes when the turn-up is refused, 0 where there is no run."""
        players = self.players[0]
        runs = self.run_places(players, 1) if len(self._turns(players, len(self.pack))) > 1 else []
        return len(runs[0]) if runs else 0

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
        state = opening(self.plan, players, len(self.pack))
        return [state.zones[f"hand {seat}"] for seat in range(1, players + 1)]

    def _turns(self, players: int, size: int) -> list[int]:
        moves = longest(self.plan, players, size)
        return [p for move in moves if move.to == "turnup" for p in move.places]

    def turn_places(self, players: int, size: int) -> list[int]:
        """Return the pack place of every turn-up that the pack allows, in order."""
        return self._turns(players, size) if self.turnup else []

    def run_places(self, players: int, k: int) -> list[list[int]]:
        """Return for each seat the places of the cards of the *k*-th run (k from 1)."""
        turned = 0
        hands: list[list[int]] = [[] for _ in range(players)]
        for move in longest(self.plan, players, len(self.pack)):
            turned += move.to == "turnup"
            if turned == k and move.source == "stock" and move.to.startswith("hand "):
                hands[int(move.to[5:]) - 1].extend(move.places)
        return hands
