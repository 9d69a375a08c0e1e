"""Long trials of suspicions about decisions and misdeals (`python -m tests.long_habits`).

    honest    2,000 logs of honest tables: how often evidence reaches a threshold
    poor      honest players with packs shuffled too little, each deal gathered from the last
    power     deals until the crook is named, in half and in nine tenths of the logs

Without arguments all of them; `power NAME...` only the crooks named.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from audit.count.trials import _bets
from audit.detect.suspects import curve
from audit.games import GAMES
from audit.lab import LAB
from audit.play import PLAY
from audit.referee.simulate import habitual
from audit.suspect import SUSPECT
from audit.suspicion import rounded_up
from tests._habits import highest_of, honest, poorly_shuffled, price

LOGS, DEALS = 2000, 100
GAMES_OF = (("seven_up_2", 2), ("seven_up_3", 3), ("seven_up_4", 4), ("pitch_blind", 4))
THRESHOLDS = (5, 20, 100, 1000)
CHOOSE = PLAY["sensible_all_fours"].choose
#: Crook, game, players, and the most deals tried at dial 1.
ROWS = (
    ("marked_stock", "seven_up_2", 2, 400),
    ("marked_stock", "seven_up_4", 4, 600),
    ("marked_run", "seven_up_4", 4, 1200),
    ("marked_hands", "seven_up_2", 2, 200),
    ("marked_hands", "seven_up_4", 4, 300),
    ("marked_lead", "pitch_blind", 2, 900),
    ("reflectors", "seven_up_3", 3, 300),
    ("reflectors", "seven_up_4", 4, 800),
    ("signals", "seven_up_4", 4, 300),
    ("convenient_misdeals", "pitch_blind", 2, 500),
    ("exposed_card", "seven_up_2", 2, 600),
    ("foul_after_jack", "seven_up_2", 2, 800),
)


def false_alarms() -> None:
    """Print how many e-processes of honest tables reach each threshold, and the budget."""
    reached: Counter[tuple[str, int]] = Counter()
    followed: Counter[str] = Counter()
    named = 0
    for seed in range(LOGS):
        game, players = GAMES_OF[seed % 4]
        got = highest_of(honest(game, players, DEALS, 10_000 + seed), GAMES[game])
        for (name, _), ln_e in got.items():
            followed[name] += 1
            named += ln_e >= price(SUSPECT[name], players)
            for level in THRESHOLDS:
                reached[name, level] += ln_e >= math.log(level)
    print(f"{LOGS} honest logs of {DEALS} deals: {named} named")
    for name, of in followed.items():
        row = "  ".join(
            f"{level}: {reached[name, level]} (at most {int(binom.isf(1e-9, of, 1 / level))})"
            for level in THRESHOLDS
        )
        print(f"    {name:<14} {of:>6} places  {row}")


def poor_shuffles() -> None:
    """Print the largest log10 E of honest players whose packs were shuffled too little."""
    for game, players in (("seven_up_2", 2), ("seven_up_4", 4)):
        for riffles in (0, 1, 2, 3, 5):
            most: dict[str, float] = {}
            for seed in range(3):
                made = poorly_shuffled(game, players, 700, riffles, seed)
                for (name, _), ln_e in highest_of(made, GAMES[game]).items():
                    most[name] = max(most.get(name, -9.0), ln_e / math.log(10))
            told = "  ".join(f"{n} {e:.1f}" for n, e in sorted(most.items()))
            print(f"{game}, {riffles} riffles: {told}")


def _named_at(name: str, game: str, players: int, most: int, dial: Fraction, seed: int) -> float:
    """Return the deal at which the last place is named for *name*, infinite where it is not."""
    habit, suspicion, law = LAB[name].habit, SUSPECT[name], GAMES[game]
    assert habit is not None
    assert CHOOSE is not None
    assert suspicion.find is not None
    held = np.zeros(len(suspicion.odds), np.int64)
    own = 0 if suspicion.per == "table" else players
    need = price(suspicion, {"seat": players, "dealer": 2, "table": 1}[suspicion.per])
    made = habitual(
        law,
        habit,
        players=players,
        choose=CHOOSE,
        count=most,
        dial=dial,
        seed=seed,
        seat=players,
        plays=1,
    )
    for k, deal in enumerate(made, start=1):
        for t in suspicion.find(deal, law):
            who = deal.dealer_seat if suspicion.per == "dealer" else t.subject
            if 0 < t.chance < 1 and who in (own, None):
                held = held + _bets(*rounded_up(t.chance), suspicion.odds)[int(t.hit)]
                if curve(held[None])[0] >= need:
                    return float(k)
    return math.inf


def power(names: list[str], logs: int = 20) -> None:
    """Print the deals of the table until the crook is named, in half and nine tenths."""
    for name, game, players, most in ROWS:
        if names and name not in names:
            continue
        for dial, times in ((Fraction(1), 1), (Fraction(1, 2), 5)):
            got = sorted(
                _named_at(name, game, players, most * times, dial, 500 + k) for k in range(logs)
            )
            half, most_of = got[logs // 2 - 1], got[-(-9 * logs // 10) - 1]
            print(f"{name:<20} {game} dial {dial}: {half:.0f} {most_of:.0f}", flush=True)


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["honest", "poor", "power"]
    if "honest" in wanted:
        false_alarms()
    if "poor" in wanted:
        poor_shuffles()
    if "power" in wanted:
        power([w for w in wanted if w not in ("honest", "poor", "power")])
