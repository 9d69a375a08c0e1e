"""The stakes of Pool Écarté, deal by deal (Foster, Pool Écarté).

Three persons, two of whom play at places 1 and 2; the third is place 3 here.
A game of a pool begins at love all, for every deal scores something.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.referee.machine import Due, Machine
from audit.rules.ecarte import Ecarte

OUTSIDER = 3


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Where the pool stands before a deal: *game* from 1, who won the game before (0: nobody)."""

    stakes: str
    game: int
    before: int
    opening: bool
    target: int

    @staticmethod
    def of(machine: Machine) -> Pool:
        """Return the pool as the options of a deal tell it; game 0 where they do not."""
        rules, said = machine.law.rules, machine.deal.options
        assert isinstance(rules, Ecarte)
        game, before = said.get("pool_game", ""), said.get("winner_before", "")
        return Pool(
            stakes=rules.stakes,
            game=int(game) if game.isascii() and game.isdigit() and len(game) < 6 else 0,
            before=int(before) if before in ("1", "2") else 0,
            opening=not any(machine.scores),
            target=rules.game,
        )

    @property
    def known(self) -> bool:
        """Whether payments can be judged."""
        return bool(self.stakes) and self.game > 0 and (self.game == 1 or self.before > 0)

    @property
    def first_game(self) -> bool:
        """Whether this is known to be the first game of a pool."""
        return bool(self.stakes) and self.game == 1

    def held(self) -> int:
        """Return the stakes in the pool before this deal."""
        if self.stakes == "all":
            return 0 if self.game == 1 and self.opening else 3 + self.game - 1
        return self.game + 1 - (2 if self.game == 1 else 1) * self.opening

    def entries(self) -> list[int]:
        """Return who stakes before this deal."""
        if not self.opening:
            return []
        if self.game == 1:
            return [1, 2, OUTSIDER] if self.stakes == "all" else [1, 2]
        return [3 - self.before] if self.stakes == "engaged" else []

    def due(self, totals: Mapping[int, int]) -> list[Due]:
        """Return the payments of a deal after which the scores are *totals*."""
        if not self.known:
            return []
        out = [self._stake(seat) for seat in self.entries()]
        pool = self.held() + len(out)
        winner = next((s for s, n in totals.items() if n >= self.target), 0)
        if winner and self.stakes == "all":
            out.append(self._stake(3 - winner))
            pool += 1
        if winner and winner == self.before and self.game > 1:
            out.append(Due(kind="pay", seat=0, word="pool", number=pool, to=winner))
            pool = 0
        if out:
            out.append(Due(kind="pool", seat=0, word="", number=pool))
        return out

    def _stake(self, seat: int) -> Due:
        return Due(kind="pay", seat=seat, word="stake", number=1, to=0)
