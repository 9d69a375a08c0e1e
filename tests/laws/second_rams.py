"""Rams, Rounce and Bierspiel read a second time, from Foster's words alone; cards are names."""

from __future__ import annotations

ORDER = {"rams": "KQJAT987", "rounce": "AKQJT98765432", "bierspiel": "AKQJT987"}


def suit_of(game: str, card: str, trump: str) -> str:
    return trump if game == "bierspiel" and card == "7D" else card[1]


def height(game: str, card: str) -> float:
    """More is better, within a suit."""
    if game == "bierspiel" and card == "7D":
        return -0.5
    return -ORDER[game].index(card[0])


def legal(
    game: str, hand: list[str], trick: list[str], trump: str, taken: int, players: int, *, won: bool
) -> set[str]:
    """The cards of *hand* that may be played; *won*: he took the trick before this one."""
    trumps = [c for c in hand if suit_of(game, c, trump) == trump]
    if not trick:
        if game == "rounce" and taken == 1 and won:
            return set(trumps or hand)
        if game == "bierspiel" and taken < min(players - 1, 3):
            low = max(ORDER[game].index(c[0]) for c in hand)
            return set(trumps or [c for c in hand if ORDER[game].index(c[0]) == low])
        return set(hand)
    led = suit_of(game, trick[0], trump)
    called = game == "bierspiel" and taken < min(players - 1, 3) and led != trump
    asked = trump if called else led
    mine = [c for c in hand if suit_of(game, c, trump) == asked]
    if game == "rounce":
        return set(mine or hand)
    if not mine:
        return set(trumps or hand)
    ruffed = asked != trump and any(suit_of(game, c, trump) == trump for c in trick[1:])
    seen = [c for k, c in enumerate(trick) if suit_of(game, c, trump) == asked]
    higher = [c for c in mine if all(height(game, c) > height(game, d) for d in seen)]
    return set(mine if ruffed or called else higher or mine)


def winner(game: str, trick: list[str], trump: str, *, called: bool = False) -> int:
    """Which card of *trick* wins; *called*: the first lay face down and is of no suit."""
    for asked in (trump, suit_of(game, trick[0], trump)):
        if called and asked != trump:
            return 0
        able = [k for k, c in enumerate(trick) if suit_of(game, c, trump) == asked]
        if able:
            return max(able, key=lambda k: height(game, trick[k]))
    raise AssertionError("the card led is of its own suit")


def score(pool: int, tricks: dict[int, int]) -> tuple[dict[int, int], int]:
    """Counters that each player takes from *pool* or owes (negative), and the next pool."""
    gains = {seat: pool // 5 * n if n else -5 for seat, n in tricks.items()}
    return gains, sum(5 for n in tricks.values() if n == 0)
