"""Robs for a better card, jinks only on certain tricks, and spoils who has two.

For Spoil Five and Forty-Five.  It wins a trick as cheaply as it can when it, or
somebody who is winning, stands to gain, and else plays its least card.  It
sees its hand, the turn-up and the cards played.
"""

from __future__ import annotations

from audit.event import Below, Event, Seen, Want
from audit.play import by_lot
from audit.play._player import Player
from audit.ranks import Order, winner
from audit.rules.spoil_five import RANKS


def _value(order: Order, card: int) -> tuple[bool, int]:
    """Return how good *card* is: any trump before any plain card, then by rank."""
    return order.group[card] == 4, order.worth[card]


def _trick_winners(order: Order, seen: Seen) -> list[int]:
    """Return who took each trick that is full."""
    out, left = [], len(seen.played) - len(seen.trick)
    for at in range(0, left - left % seen.players, seen.players):
        trick = seen.played[at : at + seen.players]
        out.append(trick[winner(order, [card for _, card in trick])][0])
    return out


def _certain(order: Order, seen: Seen) -> bool:
    """Whether every card left is the best trump not yet seen, one after another."""
    gone = {card for _, card in seen.played} | set(seen.hand)
    out = [order.worth[c] for c in range(52) if order.group[c] == 4 and c not in gone]
    best = max(out, default=0)
    return all(order.group[c] == 4 and order.worth[c] > best for c in seen.hand)


def _card(order: Order, want: Want, seen: Seen) -> int:
    low = min(want.cards, key=lambda c: _value(order, c))
    high = max(want.cards, key=lambda c: _value(order, c))
    if not seen.trick:
        mine = _trick_winners(order, seen).count(seen.seat)
        return high if mine or order.group[high] == 4 else low
    trick = seen.trick
    wins = [c for c in want.cards if winner(order, [*trick, c]) == len(trick)]
    won = _trick_winners(order, seen)
    leader = seen.played[-len(trick) + winner(order, list(trick))][0]
    wanted = seen.seat in won or won.count(leader) > 0 or not won
    return min(wins, key=lambda c: _value(order, c)) if wins and wanted else low


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return one of the wanted events; where there is nothing to decide, by lot."""
    if seen.trump < 0 or want.kind not in ("call", "exchange", "play"):
        return by_lot.choose(want, seen, below)
    order = RANKS.order(seen.trump)
    if want.kind == "call":
        word = "rob"
        if "rob" not in want.words:
            word = "jink" if _certain(order, seen) else "pool"
        elif _value(order, seen.turnups[0]) <= min(_value(order, c) for c in seen.hand):
            word = next(w for w in want.words if w != "rob")
        return Event(kind="call", seat=want.seat, word=word)
    if want.kind == "exchange":
        card = min(want.cards, key=lambda c: _value(order, c))
    else:
        card = _card(order, want, seen)
    return Event(kind=want.kind, seat=want.seat, cards=bytes((card,)))


PLAYER = Player(name="spoil_five", beg=by_lot.PLAYER.beg, run=by_lot.PLAYER.run, choose=choose)
