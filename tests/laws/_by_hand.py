"""Deals and events written by hand, and deals changed by one event, for tests of laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from audit.cards import parse
from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.machine import Ruling
from audit.referee.simulate import deals


def call(seat: int, word: str) -> Event:
    return Event(kind="call", seat=seat, word=word)


def play(seat: int, card: str) -> Event:
    return Event(kind="play", seat=seat, cards=parse(card))


def plays(text: str) -> list[Event]:
    """Return plays written as "1:AH 2:KH"."""
    pairs = [piece.split(":") for piece in text.split()]
    return [play(int(seat), card) for seat, card in pairs]


def pay(seat: int, to: int, word: str, number: int) -> Event:
    return Event(kind="pay", seat=seat, to=to, word=word, number=number)


def score(seat: int, word: str, number: int) -> Event:
    return Event(kind="score", seat=seat, word=word, number=number)


def found(word: str, seat: int = 0) -> Event:
    return Event(kind="irregular", seat=seat, word=word)


def hands(*texts: str) -> tuple[bytes, ...]:
    return tuple(parse(text) for text in texts)


def judge(deal: Deal, events: Sequence[Event] | None = None) -> list[Ruling]:
    """Return the rulings on *deal* with *events*."""
    if events is not None:
        deal = structs.replace(deal, events=tuple(events))
    return referee(GAMES[deal.game], deal)[0]


def whats(deal: Deal, events: Sequence[Event]) -> list[str]:
    return [r.what for r in judge(deal, events)]


def simulated(game: str, count: int, players: int, seed: int = 5) -> Iterator[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    yield from deals(GAMES[game], players=players, choose=choose, count=count, seed=seed)


#: Makes a breach at one event of a deal (by its index), None where it cannot be made there.
Change = Callable[[Deal, int], Deal | None]


def changed(deal: Deal, at: int, *events: Event, cut: bool = False) -> Deal:
    """Return *deal* with event *at* replaced by *events*, and nothing after them where *cut*."""
    rest = () if cut else deal.events[at + 1 :]
    return structs.replace(deal, events=(*deal.events[:at], *events, *rest))


def held(deal: Deal, at: int) -> dict[int, list[int]]:
    """Return what each seat holds before event *at*, from the record alone."""
    out = {s: list(h) for s, h in enumerate(deal.hands, start=1)}
    for event in deal.events[:at]:
        if event.kind == "draw":
            out[event.seat] += event.cards
        elif event.kind in ("exchange", "play"):
            out[event.seat] = [c for c in out[event.seat] if c not in event.cards]
    return out


def misses(
    games: Sequence[str], change: Change, law: str, code: str, *, count: int, players: int
) -> tuple[int, list[Deal]]:
    """Return how many breaches were made, and the deals in which none was found under *law*."""
    made, missed = 0, []
    for game in games:
        for turn, deal in enumerate(simulated(game, count, players)):
            size = len(deal.events)
            # Begins elsewhere in each deal, so that late events are changed as well as early ones.
            for at in (*range(turn * 7 % size, size), *range(turn * 7 % size)):
                bad = change(deal, at)
                if bad is None:
                    continue
                made += 1
                rulings = judge(bad)
                if not any(law in r.law and (not code or r.code == code) for r in rulings):
                    missed.append(bad)
                break
    return made, missed
