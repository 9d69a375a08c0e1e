"""Honest tables of many games, and honest but odd ones, as logs for trials of the whole family.

A log is a function of its seed.  Players see their own cards and what is public, and
nothing else; what is done to the records afterwards is done without a card being moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from audit.cards import RANKS
from audit.columns import columns_of, ragged
from audit.event import Below, Choose, Event, Seen, Want
from audit.finding import Hypothesis
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.law import Law
from audit.play import PLAY
from audit.play.by_lot import choose as by_lot
from audit.play.nap import _tricks, best_suit
from audit.play.nap import choose as nap
from audit.play.sensible_all_fours import choose as all_fours
from audit.readers.jsonl import READER
from audit.record import Deal
from audit.referee import machine
from audit.referee.simulate import Lots, first_deal, play_deal
from audit.run.count import count_batches, judge_all
from audit.suspect import suspicions, trials_of
from audit.tally import Looks, Table

TEN, NINE = RANKS.index("T"), RANKS.index("9")


@dataclass(frozen=True, kw_only=True)
class Log:
    """Records of one table as they are stored.

    *unread* rows could not be read; *as_dealt* says whether the rows stand in the order dealt.
    """

    law: Law
    players: int
    deals: Sequence[Deal]
    unread: int = 0
    as_dealt: bool = True


def judged(log: Log) -> list[Hypothesis]:
    """Return what the whole family says of *log*."""
    names: dict[str, int] = {}
    columns = columns_of(log.deals, names)
    known = {k: s for k, s in suspicions(log.law).items() if s.find is not None}
    if known:
        found = [trials_of(deal, log.law, known) for deal in log.deals]
        columns = replace(columns, trials=ragged(found))
    table = Table(
        law=log.law,
        pack=log.law.pack,
        players=log.players,
        holds=READER.holds,
        looks=Looks(deals=len(log.deals), once=not log.as_dealt),
        dealers=tuple(names),
        machine=not names,
        unread=log.unread,
    )
    return judge_all(count_batches([columns.batch(0)], table), table).hypotheses


def openings(law: Law, players: int, count: int, seed: int, *, orders: bool) -> Iterator[Deal]:
    """Yield fair deals before anybody decides; the deal passes left.

    With *orders* each record tells how the last deal was gathered, the order that the
    shuffle left, and where it was cut.
    """
    pack = sorted(law.pack)
    rows = [bytes(pack[k] for k in row) for row in uniform_orders(Words(seed), count, len(pack))]
    cuts = Words(seed + 1).words(count) % (len(pack) - 1) + 1
    gathered: bytes | None = None
    for i, (order, at) in enumerate(zip(rows, cuts.tolist(), strict=True)):
        dealer = (players - 1 + i) % players + 1
        shuffled = order[-at:] + order[:-at]
        deal = first_deal(law, order, players, dealer, {})
        deal = structs.replace(deal, dealer=f"P{dealer}", table="1", number=str(i + 1))
        if orders:
            deal = structs.replace(deal, gathered_order=gathered, pack_order=shuffled, cut=at)
        gathered = order
        yield deal


def played(
    law: Law, players: int, count: int, seed: int, choose: Choose, *, orders: bool
) -> list[Deal]:
    """Return fair deals that are played out by *choose* in every seat."""
    lots = Lots(seed + 2)
    seats = dict.fromkeys(range(1, players + 1), choose)
    dealt = openings(law, players, count, seed, orders=orders)
    whole = [play_deal(law, deal, seats, lots) for deal in dealt]
    return whole if orders else [structs.replace(d, order_after_cut=None) for d in whole]


def called(law: Law, players: int, count: int, seed: int, choose: Choose) -> list[Deal]:
    """Return fair deals as far as they are called: the record ends where play begins."""
    lots, out = Lots(seed + 2), []
    for dealt in openings(law, players, count, seed, orders=False):
        made = machine(law, dealt)
        assert made is not None
        events: list[Event] = []
        while (want := made.wants()) is not None and want.kind != "play":
            seen = made.seen(want.seat) if want.seat else None
            event = choose(want, seen, lots.below) if seen else made.nature(want)
            made.take(event)
            events.append(event)
        out.append(structs.replace(made.record(dealt, tuple(events)), order_after_cut=None))
    return out


# Players


def _trumps(seen: Seen) -> int:
    return sum(card // 13 == seen.turnups[0] // 13 for card in seen.hand)


def beg_and_gift(want: Want, seen: Seen, below: Below) -> Event:
    """The eldest begs with at most one trump; knowing that, the dealer gives with two or more."""
    word = ""
    if want.kind == "call" and seen.turnups:
        if "beg" in want.words:
            word = "beg" if _trumps(seen) <= 1 else "stand"
        elif "give" in want.words:
            word = "give" if _trumps(seen) >= 2 else "run"
    if word in want.words:
        return Event(kind="call", seat=want.seat, word=word)
    return all_fours(want, seen, below)


def bid_and_raise(want: Want, seen: Seen, below: Below) -> Event:
    """Nobody opens without three tricks in sight, and whoever follows a bid adds a trick to it."""
    if want.kind != "call":
        return nap(want, seen, below)
    bids = {"1": 1, "2": 2, "3": 3, "4": 4, "nap": 5}
    spoken = any(call.word in bids for call in seen.calls)
    hope = _tricks(seen.hand, best_suit(seen.hand)) + spoken
    open_to = [w for w in want.words if bids.get(w, 9) <= hope and hope >= 2 + (not spoken)]
    word = open_to[-1] if open_to else want.words[0]
    return Event(kind="call", seat=want.seat, word=word)


# What is done to records


def cut_short(deals: Sequence[Deal]) -> list[Deal]:
    """Stop each deal at the third trick, or at the fourth of a strong eldest; hands as played."""
    out = []
    for deal in deals:
        tricks, kept = 0, []
        strong = any(card % 13 > TEN for hand in deal.hands[:1] for card in hand)
        for event in deal.events:
            kept.append(event)
            tricks += event.kind == "trick"
            if tricks == 3 + strong:
                break
        shown = {card for event in kept if event.kind == "play" for card in event.cards}
        hands = tuple(bytes(c for c in hand if c in shown) for hand in deal.hands)
        out.append(
            structs.replace(
                deal, events=tuple(kept), hands=hands, order_after_cut=None, cut_short=True
            )
        )
    return out


def sorted_rows(deals: Sequence[Deal]) -> list[Deal]:
    """Store hands by card and rows by what was turned."""
    told = [
        structs.replace(
            d, hands=tuple(bytes(sorted(h)) for h in d.hands), events=(), order_after_cut=None
        )
        for d in deals
    ]
    return sorted(told, key=lambda d: d.turnups)


def lost_rows(deals: Sequence[Deal], seed: int) -> list[Deal]:
    """Lose a quarter of the rows, whatever they hold."""
    kept = Words(seed).words(len(deals)) % 4
    return [d for d, k in zip(deals, kept.tolist(), strict=True) if k]


def typed(deals: Sequence[Deal], seed: int) -> tuple[list[Deal], int]:
    """Mistype turn-ups, Tens oftener than others; return what can be read, and what cannot.

    One in twenty becomes another card, and a record that then contradicts itself is set
    aside; half of the Tens and one in fifty of the others cannot be read.
    """
    words = Words(seed).words(3 * len(deals)).reshape(-1, 3).tolist()
    out, unread = [], 0
    for deal, (a, b, c) in zip(deals, words, strict=True):
        card = deal.turnups[0]
        if a % 100 < (50 if card % 13 == TEN else 2):
            unread += 1
            continue
        if b % 20 == 0:
            card = c % 52
            if any(card in hand for hand in deal.hands):
                continue
        turnups = bytes([card])
        out.append(structs.replace(deal, turnups=turnups, events=(), order_after_cut=None))
    return out, unread


# Kinds of logs

Make = Callable[[int], Log]

#: Game, players, how they play; each is a table of the fair trial.
FAIR: tuple[tuple[str, int, str], ...] = (
    ("seven_up_2", 2, "sensible_all_fours"),
    ("seven_up_4", 4, "by_lot"),
    ("all_fours_old", 2, "sensible_all_fours"),
    ("euchre_4", 4, "euchre"),
    ("ecarte_foster", 2, "ecarte"),
    ("nap", 4, "nap"),
    ("spoil_five", 5, "spoil_five"),
    ("loo3_limited_simple", 5, "loo"),
    ("vingt_un", 4, "vingt_un"),
    ("put_2", 2, "by_lot"),
    ("rams", 4, "by_lot"),
    ("pedro", 4, "sensible_all_fours"),
    ("california_jack", 2, "by_lot"),
    ("cassino_2", 2, "by_lot"),
    ("bridge", 4, "by_lot"),
)
DEALS, LONG = 60, 400


def fair(game: str, players: int, player: str) -> Make:
    """Return logs of a game; of every two, one tells the orders of the pack."""
    law = GAMES[game]
    choose = _choose(player)

    def make(seed: int) -> Log:
        deals = played(law, players, DEALS, seed, choose, orders=seed // 8 % 2 == 0)
        return Log(law=law, players=players, deals=deals)

    return make


def _choose(player: str) -> Choose:
    if player == "sensible_all_fours":
        return all_fours
    return PLAY[player].choose or by_lot


def _reacting_beg(seed: int) -> Log:
    law = GAMES["seven_up_2"]
    return Log(law=law, players=2, deals=called(law, 2, LONG, seed, beg_and_gift))


def _reacting_bid(seed: int) -> Log:
    law = GAMES["nap"]
    return Log(law=law, players=4, deals=called(law, 4, LONG, seed, bid_and_raise))


def _cut_short(seed: int) -> Log:
    law = GAMES["seven_up_2"]
    deals = cut_short(played(law, 2, 100, seed, all_fours, orders=False))
    return Log(law=law, players=2, deals=deals)


def _openings(seed: int, count: int) -> list[Deal]:
    return list(openings(GAMES["seven_up_4"], 4, count, seed, orders=False))


def _sorted(seed: int) -> Log:
    deals = sorted_rows(_openings(seed, 200))
    return Log(law=GAMES["seven_up_4"], players=4, deals=deals, as_dealt=False)


def _lost(seed: int) -> Log:
    law = GAMES["seven_up_2"]
    deals = lost_rows(played(law, 2, 100, seed, all_fours, orders=True), seed + 3)
    return Log(law=law, players=2, deals=deals)


def _typed(seed: int) -> Log:
    deals, unread = typed(_openings(seed, 200), seed + 3)
    return Log(law=GAMES["seven_up_4"], players=4, deals=deals, unread=unread)


def _typed_turnups(seed: int) -> Log:
    """Only turn-ups are written down."""
    deals, unread = typed(_openings(seed, LONG), seed + 3)
    bare = [structs.replace(d, hands=()) for d in deals]
    return Log(law=GAMES["seven_up_4"], players=4, deals=bare, unread=unread)


#: Every kind of log, with how many are wanted.
KINDS: dict[str, tuple[int, Make]] = {
    **{f"fair {g}": (1350, fair(g, n, p)) for g, n, p in FAIR},
    "beg and gift": (1000, _reacting_beg),
    "bid and raise": (1000, _reacting_bid),
    "plays cut short": (500, _cut_short),
    "sorted storage": (500, _sorted),
    "lost rows": (500, _lost),
    "typing errors": (500, _typed),
    "typing errors, turn-ups only": (500, _typed_turnups),
}
