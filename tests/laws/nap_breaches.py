"""Ten thousand breaches of Napoleon and of Put: `python -m tests.laws.nap_breaches`."""

from __future__ import annotations

from tests.laws import test_nap, test_put
from tests.laws._by_hand import misses


def main() -> None:
    """Print for each kind how many were made, and how many of them no ruling names."""
    for family, breaches in (("nap", test_nap.BREACHES), ("put", test_put.BREACHES)):
        total = lost = 0
        for kind, (change, games, law, code) in breaches.items():
            made, missed = 0, 0
            for game in games:
                players = 4 if family == "nap" else int(game[-1])
                count = max(100, 900 // len(games))
                some, none = misses([game], change, law, code, count=count, players=players)
                made, missed = made + some, missed + len(none)
            print(f"{family}: {kind}: {made} made, {missed} missed")
            total, lost = total + made, lost + missed
        print(f"{family}: {total} made, {lost} missed")


if __name__ == "__main__":
    main()
