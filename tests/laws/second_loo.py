"""A second reading of Loo, from the book's words alone, to hold the machine to.

Source: Foster, Loo ("Leading", "Method of playing", "The pool"), Irish Loo, Five-card Loo.
"""

from __future__ import annotations

ACE, KING = 12, 11


def suit(card: int, trump: int, pam: int) -> int:
    return trump if card == pam else card // 13


def power(card: int, trump: int, led: int, pam: int) -> int:
    """How strong a card is in a trick: Pam, then trumps, then the suit led, then nothing."""
    if card == pam:
        return 300
    if card // 13 == trump:
        return 200 + card % 13
    return 100 + card % 13 if card // 13 == led else 0


def legal(
    hand: set[int], trick: list[int], trump: int, pam: int = -1, top: int = -1, *, civil: bool
) -> set[int]:
    """*top* is the trump that the eldest of those in must lead, -1 where none is prescribed."""
    trumps = {c for c in hand if trump >= 0 and suit(c, trump, pam) == trump}
    if not trick:
        return {top} if top in hand else trumps or hand
    led = suit(trick[0], trump, pam)
    best = max(power(c, trump, led, pam) for c in trick)
    same = {c for c in hand if suit(c, trump, pam) == led}
    if civil and trick[0] == 13 * trump + ACE and pam in hand and len(same) > 1:
        same, trumps = same - {pam}, trumps - {pam}
    beating = {c for c in (same or trumps) if power(c, trump, led, pam) > best}
    return beating or same or hand


def forced(trump: int, turned: int) -> int:
    """The ace of trumps, or the King if the ace is turned up."""
    ace = 13 * trump + ACE
    return 13 * trump + KING if turned == ace else ace


def taker(trick: list[int], trump: int, pam: int = -1) -> int:
    led = suit(trick[0], trump, pam)
    return max(range(len(trick)), key=lambda k: power(trick[k], trump, led, pam))


def money(
    pool: int, tricks: dict[int, int], of: int, loo: int, keeper: int
) -> tuple[dict[int, int], int]:
    """Net gains and the pool that is left; *keeper* is not looed, his tricks stay in the pool."""
    share, net = pool // of, dict.fromkeys(tricks, 0)
    for seat, won in tricks.items():
        if seat != keeper:
            net[seat] = won * share if won else -loo
    return net, pool - sum(net.values())
