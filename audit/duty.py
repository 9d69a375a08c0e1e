"""What a player has to play: one function for each duty that the books know.

Each is given the order of the cards, the hand and the trick so far (first card
led), and returns the cards that may be played, in the order of the hand.  With
an empty trick every card may be led; duties of the leader are the game's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from audit.ranks import Order

#: Ranks of the five and the Jack, the ace of hearts, and the worth below that of any trump.
FIVE, JACK, ACE_OF_HEARTS = 3, 9, 25
LOWEST_TRUMP = 100

Duty = Callable[[Order, Sequence[int], Sequence[int]], list[int]]


def anything(order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """Any card (Put)."""
    return list(hand)


def follow(order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """Follow suit if able, else any card (Napoleon, Euchre reading Q46, Écarté's elder form)."""
    if not trick:
        return list(hand)
    led = order.group[trick[0]]
    able = [c for c in hand if order.group[c] == led]
    return able or list(hand)


def follow_or_trump(order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """Follow a trump led; follow or trump a plain lead; void, any card (Seven-Up, B14.12)."""
    if not trick:
        return list(hand)
    led = order.group[trick[0]]
    able = [c for c in hand if order.group[c] == led]
    if not able:
        return list(hand)
    if led == 4:
        return able
    return [c for c in hand if order.group[c] in (led, 4)]


def _best(order: Order, trick: Sequence[int]) -> int:
    from audit.ranks import winner

    return trick[winner(order, list(trick))]


def head(order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """Follow and win if able; void: trump, over a trump if able, else any (Loo, B10.9)."""
    if not trick:
        return list(hand)
    led, best = order.group[trick[0]], _best(order, trick)
    able = [c for c in hand if order.group[c] == led]
    if able:
        over = [c for c in able if order.group[best] == led and order.worth[c] > order.worth[best]]
        return over or able
    trumps = [c for c in hand if order.group[c] == 4]
    if not trumps:
        return list(hand)
    if order.group[best] != 4:
        return trumps
    # Over a trump if able; nobody need put a smaller one under it.
    return [c for c in trumps if order.worth[c] > order.worth[best]] or list(hand)


def head_or_under(order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """As `head`, but void a trump must be played even under a higher one (Rams A5)."""
    if not trick:
        return list(hand)
    led, best = order.group[trick[0]], _best(order, trick)
    able = [c for c in hand if order.group[c] == led]
    if able:
        over = [c for c in able if order.group[best] == led and order.worth[c] > order.worth[best]]
        return over or able
    return [c for c in hand if order.group[c] == 4] or list(hand)


def renege(order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """As `follow_or_trump`, but the three best trumps may be kept back (Foster, Spoil Five).

    A trump led need not be followed by who holds no trump but the five, the Jack
    and the ace of hearts, all of them better than the one led.  An ace that its
    holder kept silent about is of worth `LOWEST_TRUMP` and has no such right.
    """
    if not trick or order.group[trick[0]] != 4:
        return follow_or_trump(order, hand, trick)
    trumps = [c for c in hand if order.group[c] == 4]
    best = (13 * order.trump + FIVE, 13 * order.trump + JACK, ACE_OF_HEARTS)
    lead = order.worth[trick[0]]
    if all(c in best and order.worth[c] > max(lead, LOWEST_TRUMP) for c in trumps):
        return list(hand)
    return trumps


#: Duties under which a card of the suit led is always right.
SUIT_SERVES = (anything, follow, follow_or_trump)
