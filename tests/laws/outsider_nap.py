"""A checker of Napoleon and its kin, written from Foster's words alone; see `outsider.py`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from audit.event import Event
from audit.record import Deal
from tests.laws.outsider import WHIST, Book, nap, ordinary, tricks

#: Counters to or from each adversary where they are not the number bid: won, lost.
ALL_FIVE = {
    "nap": (10, 5),
    "widow": (10, 5),
    "misere": (3, 3),
    "wellington": (10, 10),
    "blucher": (10, 20),
}
ENGLISH = {"wellington": (20, 10), "blucher": (30, 20)}


def bid_of(deal: Deal) -> Event | None:
    """Return the highest bid, which is the last one: each has to be higher than the one before."""
    bids = [e for e in deal.events if e.kind == "call" and e.word != "pass"]
    return bids[-1] if bids else None


def read(deal: Deal) -> Book:
    """ "There is no trump suit in misère, but the bidder must lead for the first trick." """
    bid, book = bid_of(deal), nap(deal)
    if bid and bid.word == "misere":
        return replace(book, strength=ordinary(WHIST, -1))
    return book


def owed(deal: Deal) -> Counter[Event]:
    """Return what is paid for the bid, for cards and peeps, and to and from a pool.

    The first pool is two from each, each later dealer adds two; a counter a card or a peep.
    Who wins all five on a nap bid takes the pool, who bid it and fails doubles it.  Where he
    only "shows cards which are good for his bid against any play" what was paid is believed.
    """
    bid = bid_of(deal)
    if bid is None:
        return Counter()
    whole = tricks(deal, read)
    won, left = sum(t.winner == bid.seat for t in whole), 5 - len(whole)
    wanted = int(bid.word) if bid.word.isdigit() else 5
    good = won == 0 if bid.word == "misere" else won >= wanted
    if good and left if bid.word == "misere" else won < wanted <= won + left:
        good = any(e.word == "bid" and e.to == bid.seat for e in deal.events)
    gain, loss = ALL_FIVE.get(bid.word, (wanted, wanted))
    if deal.game == "nap_treble_english":
        gain, loss = ENGLISH.get(bid.word, (gain, loss))
    every = range(1, len(deal.hands) + 1)
    pays = [
        Event(kind="pay", seat=s, to=bid.seat, word="bid", number=gain)
        if good
        else Event(kind="pay", seat=bid.seat, to=s, word="bid", number=loss)
        for s in every
        if s != bid.seat
    ]
    pools = [e.number for e in deal.events if e.kind == "pool"]
    if not pools:
        return Counter(pays)
    start = int(deal.options.get("pool", 0)) or (pools[0] if len(pools) > 1 else 0)
    into = [(s, "stake", 2) for s in every if not start or s == deal.dealer_seat]
    for event in deal.events:
        if event.kind == "draw" and event.word == "stock":
            into.append((event.seat, "buy", len(event.cards)))
        if event.kind == "look" and event.word == "widow":
            into.append((event.seat, "peep", 1))
    pool = start + sum(n for _, _, n in into)
    if bid.word == "nap" and not good:
        into.append((bid.seat, "pool", pool))
        pool *= 2
    pays += [Event(kind="pay", seat=s, word=word, number=n) for s, word, n in into]
    if bid.word == "nap" and good:
        pays.append(Event(kind="pay", to=bid.seat, word="pool", number=pool))
        pool = 0
    before = [start] if len(pools) > 1 else []
    return Counter([*pays, *(Event(kind="pool", word="pool", number=n) for n in (*before, pool))])
