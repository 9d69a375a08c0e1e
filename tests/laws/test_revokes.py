"""What a revoke costs: what the referee finds due, against the words of the books.

Each deal has one card played against the book and nothing else changed; who loses what by it
is worked out here from the record alone, by the outsider's tricks and points.

Sources: Foster, "Revokes" in Seven-Up, Auction Pitch and Napoleon; "Irregularities and
Penalties" in Loo; "Penalties" in Rams; "Irregularities in play" in Spoil Five.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine
from audit.referee.simulate import deals
from tests.laws import outsider, outsider_loo, outsider_nap, outsider_pitch, outsider_rams
from tests.laws.outsider import Book, Turn

Read = Callable[[Deal], Book]
FINE = 9


def sample(name: str, players: int, count: int = 60, **options: str) -> Iterator[Deal]:
    """Yield simulated deals that came to play."""
    choose = PLAY["by_lot"].choose
    assert choose is not None
    for deal in deals(
        GAMES[name], players=players, choose=choose, count=count, seed=19, options=options
    ):
        if any(e.kind == "play" for e in deal.events):
            yield replace(deal, events=tuple(e for e in deal.events if e.kind != "trick"))


def revoked(deal: Deal, read: Read) -> Iterator[tuple[Turn, int, Deal]]:
    """Yield the deal with a card of a hand played against the book, at which event, by what turn.

    The true card is played when the other would have been.

    What is scored or paid is left out, and only deals are taken in which all else is in order.
    """
    for turn in outsider.turns(deal, read(deal)):
        if not isinstance(turn, Turn):
            continue
        for card in sorted(set(turn.held) - set(turn.legal))[:1]:
            events = list(deal.events)
            for at, event in enumerate(events):
                if at > turn.event and event.kind == "play" and event.cards[:1] == bytes([card]):
                    events[at] = replace(event, cards=events[turn.event].cards)
            events[turn.event] = replace(events[turn.event], cards=bytes([card]))
            bare = (e for e in events if e.kind not in ("score", "pay") and e.word != "left")
            wrong = replace(deal, events=tuple(bare))
            at = next(
                k for k, e in enumerate(wrong.events) if e.kind == "play" and e.cards[0] == card
            )
            if [f.event for f in outsider.faults(wrong, read)] == [at]:
                yield turn, at, wrong


def due(deal: Deal, *words: str) -> Counter[tuple[int, int, str, int]]:
    """Return what the referee finds due: from, to, word and number, of these words or of all."""
    made = machine(GAMES[deal.game], deal)
    assert made is not None
    made.take_all(deal.events)
    return Counter(
        (d.seat, d.to, d.word, d.number)
        for d in made.due()
        if d.kind != "pool" and (not words or d.word in words)
    )


@pytest.mark.parametrize(
    ("name", "players"), [("seven_up_2", 2), ("seven_up_3", 3), ("seven_up_4", 4)]
)
def test_seven_up(name: str, players: int) -> None:
    """One point, two with the Jack in play, to the adversaries; the revoker may score High and Low,
    neither Jack nor Game."""
    tried, jacks = 0, Counter[bool]()
    for deal in sample(name, players):
        for turn, _, wrong in revoked(deal, outsider.seven_up):
            trump, sides = wrong.turnups[-1] // 13, 2 if players == 4 else players
            jack = any(e.kind == "play" and e.cards[0] == 13 * trump + 9 for e in wrong.events)
            offender = (turn.seat - 1) % sides + 1
            # The outsider counts Game by sides in the game of which Seven-Up for four is a form.
            counted = replace(wrong, game="all_fours_old") if players == 4 else wrong
            points = {
                word: (seat - 1) % sides + 1
                for word, seat in outsider_pitch.points(counted).items()
            }
            wanted = Counter(
                (seat, 0, word, 1)
                for word, seat in points.items()
                if seat != offender or word in ("high", "low")
            )
            wanted += Counter(
                (seat, 0, "revoke", 1 + jack) for seat in range(1, sides + 1) if seat != offender
            )
            assert due(wrong, "high", "low", "catch jack", "game", "revoke") == wanted, wrong
            tried, jacks[jack] = tried + 1, jacks[jack] + 1
    assert tried >= 25
    assert min(jacks[True], jacks[False]) >= 5


@pytest.mark.parametrize("name", ["auction_pitch_sell", "auction_pitch_board"])
def test_auction_pitch(name: str) -> None:
    """Everyone but the offender scores what he makes; the pitcher is not set back by another's
    revoke; the offender is set back the number bid, or two where nobody bid."""
    tried, pitchers = 0, Counter[bool]()
    for deal in sample(name, 5):
        for turn, _, wrong in revoked(deal, outsider_pitch.read):
            pitcher, _, sold = outsider_pitch.bargain(wrong)
            calls = {e.word for e in wrong.events if e.kind == "call"}
            # Who pitches without waiting for a bid has four to make, but nobody bid them.
            number = max(k for k, bid in enumerate(outsider_pitch.BIDS) if not k or bid in calls)
            points = outsider_pitch.points(wrong)
            wanted = Counter((s, 0, w, 1) for w, s in points.items() if s != turn.seat)
            wanted[turn.seat, 0, "penalty", number or 2] += 1
            if sold:
                eldest = (deal.dealer_seat or 5) % 5 + 1
                wanted[eldest, 0, "sale", sold] += 1
            assert due(wrong) == wanted, wrong
            tried, pitchers[turn.seat == pitcher] = tried + 1, pitchers[turn.seat == pitcher] + 1
    assert tried >= 40
    assert min(pitchers[True], pitchers[False]) >= 5


@pytest.mark.parametrize("name", ["nap", "nap_wellington", "nap_pool"])
def test_napoleon(name: str) -> None:
    """The hands are thrown down: a bidder pays each adversary, an adversary pays the bidder for
    himself and for each partner; in a pool game five go to the pool besides."""
    tried = Counter[bool]()
    for deal in sample(name, 4, 160):
        bid = outsider_nap.bid_of(deal)
        assert bid is not None
        plain = int(bid.word) if bid.word.isdigit() else 0
        won, lost = outsider_nap.ALL_FIVE.get(bid.word, (plain, plain))
        for turn, at, wrong in revoked(deal, outsider_nap.read):
            claimant = turn.seat % 4 + 1
            claim = Event(kind="claim", seat=claimant, word="revoke", to=turn.seat)
            told = replace(wrong, events=(*wrong.events[: at + 1], claim))
            others = [s for s in range(1, 5) if s != bid.seat]
            if turn.seat == bid.seat:
                wanted = Counter((bid.seat, s, "bid", lost) for s in others)
            else:
                wanted = Counter({(turn.seat, bid.seat, "bid", 3 * won): 1})
            if name == "nap_pool":
                wanted[turn.seat, 0, "revoke", 5] += 1
            sums = Counter[tuple[int, int, str]]()
            for (payer, payee, word, number), times in due(told, "bid", "revoke").items():
                sums[payer, payee, word] += number * times
            assert sums == Counter({(a, b, w): n for a, b, w, n in wanted}), told
            tried[turn.seat == bid.seat] += 1
    assert min(tried[True], tried[False]) >= 3


@pytest.mark.parametrize(("name", "players"), [("loo3_limited_double", 5), ("irish_loo", 4)])
def test_loo(name: str, players: int) -> None:
    """The hands are abandoned, the pool is split among the others who play, in whole counters,
    and the offender pays six reds to the next."""
    tried = 0
    for deal in sample(name, players, 120):
        pool = next(e.number for e in deal.events if e.kind == "pool")
        playing = {e.seat for e in deal.events if e.kind == "play"}
        for turn, at, wrong in revoked(deal, outsider_loo.read):
            fault = Event(kind="irregular", seat=turn.seat, word="revoke")
            told = replace(wrong, events=(*wrong.events[: at + 1], fault))
            others = sorted(playing - {turn.seat})
            wanted = Counter((0, s, "division", pool // len(others)) for s in others)
            wanted[turn.seat, 0, "penalty", 2 * FINE] += 1
            assert due(told) == wanted, told
            tried += 1
    assert tried >= 25


def test_rams() -> None:
    """The offender wins nothing on the deal and forfeits five counters to the next pool."""
    tried = 0
    for deal in sample("rounce", 4, 120, pool="20"):
        for turn, _, wrong in revoked(deal, outsider_rams.rounce):
            won = Counter(t.winner for t in outsider.tricks(wrong, outsider_rams.rounce))
            shares = {(0, s, "tricks", 5 * n) for s, n in won.items() if s != turn.seat}
            found = due(wrong)
            assert {key for key in found if key[2] == "tricks"} == shares, wrong
            # "There is only one penalty": who is ramsed as well pays once.
            paid = [key for key in found if key[0] == turn.seat and key[2] != "stake"]
            assert [(to, number) for _, to, _, number in paid] == [(0, 5)], wrong
            assert all(key[0] == turn.seat for key in found if key[2] == "penalty")
            tried += 1
    assert tried >= 25


def test_spoil_five() -> None:
    """Who revokes cannot win the pool, with however many tricks."""
    won, tried = 0, 0
    for deal in sample("spoil_five", 2, 160):
        for turn, _, wrong in revoked(deal, outsider.spoil_five):
            tricks = Counter(t.winner for t in outsider.tricks(wrong, outsider.spoil_five))
            tried += 1
            if tricks[turn.seat] >= 3:
                won += 1
                assert not any(key[1] == turn.seat for key in due(wrong)), wrong
    assert tried >= 40
    assert won >= 8
