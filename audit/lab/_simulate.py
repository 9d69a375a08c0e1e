"""From a seed to the deals of one table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from audit.lab._crook import Crook
from audit.lab._random import Words, threshold, uniform_orders
from audit.lab._table import Decides, Table, deal_out
from audit.law import Law


def simulate(
    law: Law,
    crook: Crook,
    deals: int,
    dial: Fraction,
    seed: int,
    crook_seat: int | None = None,
    *,
    player: Decides,
) -> Table:
    """Return *deals* deals, the first by the last place, then the deal passes left.

    *dial* is the share of the crook's deals in which he cheats, *crook_seat*
    his place from 1, by default that of the first dealer.
    """
    players = law.players[1]
    if law.players[0] != players:
        raise ValueError(f"{law.id}: the laboratory needs one number of players")
    own = players if crook_seat is None else crook_seat
    if not 1 <= own <= players:
        raise ValueError(f"place {own} is not at a table of {players}")
    words = Words(seed)
    orders = uniform_orders(words, deals, len(law.pack))
    orders = np.array(sorted(law.pack), np.uint8)[orders]
    dealer_seat = ((np.arange(deals) - 1) % players + 1).astype(np.int16)
    cheats = words.words(2 * deals).reshape(deals, 2)
    orders = crook.apply(law, orders, dealer_seat == own, threshold(dial), cheats)
    chance = words.words(2 * deals).reshape(deals, 2)
    if crook.handle is None:
        return deal_out(
            law, orders, players, dealer_seat, player, chance, logs_order=crook.logs_order
        )
    pack = crook.handle(law, orders, dealer_seat == own, threshold(dial), words)
    table = deal_out(
        law, pack.orders, players, dealer_seat, player, chance, logs_order=crook.logs_order
    )
    return replace(table, gathered=pack.gathered, given=pack.given, cut=pack.cut)
