"""How fast hidden hands are drawn again, and when it stops: `python -m tests.bench_redraws`.

The eldest of Seven-Up begs or stands before anybody else has acted. His choices of a whole log
are held against the dealer's hands as they were, then against the dealer's hands drawn again
from the cards that he did not see, until enough redraws fit as well (Besag and Clifford). The
closed form is `audit/suspect/marked_hands.py`; a redraw needs none. CPU seconds of one process.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.games import GAMES
from audit.lab import LAB
from audit.play import PLAY
from audit.record import Deal
from audit.referee.simulate import habitual
from audit.stats.randomise import Sampled, sampled_e
from audit.stats.redraw import redraws, stopped_early
from audit.suspect._table import HAND, NINE, eldest_says, placed
from audit.suspect.marked_hands import UNSEEN

#: Redraws that fit as well before it is enough, and redraws at most.
ENOUGH, MOST = 10, 9_999


@dataclass(frozen=True, kw_only=True)
class Begs:
    """The choices of one eldest in a log.

    high (choices, unseen) says which cards that he did not see are high trumps, begged
    (choices,) what he said, held (choices,) whether the dealer held one of them.
    """

    high: NDArray[np.bool_]
    begged: NDArray[np.bool_]
    held: NDArray[np.bool_]
    seed: int

    @property
    def hits(self) -> int:
        """How often he begged of a dealer with a high trump, or stood by one without."""
        return int((self.begged == self.held).sum())


def begs_of(deals: Iterable[Deal], game: str, seat: int) -> Begs:
    """Return the choices of *seat*, the seed being a hash of the deals themselves."""
    law, digest = GAMES[game], hashlib.blake2b(digest_size=8)
    high, begged, held = [], [], []
    for deal in deals:
        digest.update(deal.order_after_cut or b"")
        table = placed(deal, law)
        said = eldest_says(table) if table is not None else ""
        if table is None or not said or table.eldest != seat:
            continue
        hand, his = table.hand(seat), table.hand(table.dealer)
        assert hand is not None
        assert his is not None
        suit = table.turnup // 13
        unseen = [c for c in range(52) if c not in hand and c != table.turnup]
        trumps = [c // 13 == suit and c % 13 > NINE for c in unseen]
        high.append(trumps)
        begged.append(said == "beg")
        held.append(any(c // 13 == suit and c % 13 > NINE for c in his))
    return Begs(
        high=np.array(high, np.bool_).reshape(-1, UNSEEN),
        begged=np.array(begged, np.bool_),
        held=np.array(held, np.bool_),
        seed=int.from_bytes(digest.digest(), "big"),
    )


def sampled(begs: Begs, *, enough: int = ENOUGH, most: int = MOST) -> Sampled:
    """Return the p-value of the hits of *begs* against the dealer's hands drawn again."""
    choices, stream = len(begs.begged), redraws(begs.seed, UNSEEN, HAND)
    rest = np.zeros((HAND, 0), np.uint8)

    def draw(n: int) -> NDArray[np.float64]:
        nonlocal rest
        parts, have = [rest], rest.shape[1]
        while have < n * choices:
            parts.append(next(stream))
            have += parts[-1].shape[1]
        drawn = np.concatenate(parts, axis=1)
        rest = drawn[:, n * choices :]
        cards = drawn[:, : n * choices].reshape(HAND, n, choices)
        held = np.zeros((n, choices), np.bool_)
        flat, row = begs.high.reshape(-1), np.arange(choices, dtype=np.int64) * UNSEEN
        for card in cards:
            held |= flat[card + row]
        return np.asarray((held == begs.begged).sum(axis=1), np.float64)

    return stopped_early(draw, observed=float(begs.hits), enough=enough, most=most)


def log(dial: str, count: int, seed: int, game: str = "seven_up_2") -> list[Deal]:
    """Return a log in which the last place begs with marked cards in the share *dial*."""
    habit, choose = LAB["marked_hands"].habit, PLAY["sensible_all_fours"].choose
    assert habit is not None
    assert choose is not None
    law = GAMES[game]
    players = law.players[1]
    return list(
        habitual(
            law,
            habit,
            players=players,
            choose=choose,
            count=count,
            dial=Fraction(dial),
            seed=seed,
            seat=players,
            plays=1,
        )
    )


def _kernel(size: int, drawn: int) -> None:
    stream, hands = redraws(1, size, drawn), 0
    next(stream)
    begun = time.process_time()
    while time.process_time() - begun < 1:
        hands += next(stream).shape[1]
    took = time.process_time() - begun
    print(f"{drawn} of {size} cards: {hands / took / 1e6:.1f} million hands a second a core")


def main() -> None:
    """Print the speeds."""
    for size, drawn in ((UNSEEN, HAND), (43, 5), (39, 13)):
        _kernel(size, drawn)
    for name, dial in (("knows the dealer's cards", "1"), ("does not know them", "0")):
        begs = begs_of(log(dial, 400, 5), "seven_up_2", 2)
        begun = time.process_time()
        found = sampled(begs)
        took = time.process_time() - begun
        hands = found.draws * len(begs.begged)
        print(
            f"who {name}: {begs.hits} of {len(begs.begged)} fit; {found.draws} redraws of the log,"
            f" p = {float(found.p):.4f}, e = {float(sampled_e(found, most=MOST)):.1f};"
            f" {hands:,} hands in {took:.3f} s, {hands / took / 1e6:.1f} million a second a core"
        )


if __name__ == "__main__":
    main()
