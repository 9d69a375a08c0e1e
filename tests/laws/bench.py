"""How many deals a second of one core are played and refereed: `python -m tests.laws.bench`.

Seconds are those of the process, so that others on the machine do not count.
"""

from __future__ import annotations

import sys
import time

from audit.games import GAMES
from audit.play import PLAY
from audit.referee import referee
from audit.referee.simulate import deals

COUNT, ROUNDS = 2_000, 5


def rates(name: str) -> tuple[float, float]:
    """Return deals a second played by lot, and the best of some rounds of refereeing them."""
    law, choose = GAMES[name], PLAY["by_lot"].choose
    assert choose is not None
    begun = time.process_time()
    log = list(deals(law, players=law.players[1], choose=choose, count=COUNT, seed=1))
    played = COUNT / (time.process_time() - begun)
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        for deal in log:
            referee(law, deal)
        best = max(best, COUNT / (time.process_time() - begun))
    return played, best


def main(names: list[str]) -> None:
    """Print the rates of the games named, of Seven-Up for four by default."""
    for name in names or ["seven_up_4"]:
        played, judged = rates(name)
        print(f"{name}: {played:.0f} deals/s played, {judged:.0f} deals/s refereed")


if __name__ == "__main__":
    main(sys.argv[1:])
