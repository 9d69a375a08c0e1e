"""Deals that were right and are made wrong in one known way, and whether each is ruled on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.record import Deal
from audit.referee import referee
from audit.referee.machine import Ruling
from audit.referee.simulate import Lots

Mutation = Callable[[Deal, Lots], Deal | None]


def where(deal: Deal, *kinds: str, word: str = "") -> list[int]:
    """Return the indices of the events of these *kinds* (with *word*, if one is given)."""
    return [
        k for k, e in enumerate(deal.events) if e.kind in kinds and (not word or e.word == word)
    ]


def pick(found: list[int], lots: Lots) -> int | None:
    """Return one of *found*, None where there is none."""
    return found[lots.below(len(found))] if found else None


def changed(deal: Deal, at: int, **fields: Any) -> Deal:
    """Return *deal* with *fields* of the event at *at* replaced."""
    events = list(deal.events)
    events[at] = structs.replace(events[at], **fields)
    return structs.replace(deal, events=tuple(events))


def without(deal: Deal, at: int) -> Deal:
    """Return *deal* without the event at *at*."""
    return structs.replace(deal, events=deal.events[:at] + deal.events[at + 1 :])


def added(deal: Deal, at: int, event: Event) -> Deal:
    """Return *deal* with *event* put before the one at *at*."""
    return structs.replace(deal, events=(*deal.events[:at], event, *deal.events[at:]))


def another(deal: Deal, seat: int, lots: Lots) -> int:
    """Return a seat that is not *seat*."""
    n = deal.players or len(deal.hands)
    return (seat - 1 + 1 + lots.below(n - 1)) % n + 1


def some(kind: str, change: Callable[[Deal, int, Lots], Deal | None], word: str = "") -> Mutation:
    """Return a mutation of one event of *kind*."""

    def mutation(deal: Deal, lots: Lots) -> Deal | None:
        at = pick(where(deal, kind, word=word), lots)
        return None if at is None else change(deal, at, lots)

    return mutation


def _more(deal: Deal, at: int, lots: Lots) -> Deal:
    return changed(deal, at, number=deal.events[at].number + 1 + lots.below(5))


def _other_to(deal: Deal, at: int, lots: Lots) -> Deal:
    event = deal.events[at]
    seat = another(deal, event.to or event.seat, lots)
    return changed(deal, at, **({"to": seat} if event.to else {"seat": seat}))


def _other_seat(deal: Deal, at: int, lots: Lots) -> Deal:
    return changed(deal, at, seat=another(deal, deal.events[at].seat, lots))


def _drop(deal: Deal, at: int, lots: Lots) -> Deal:
    return without(deal, at)


def _drop_play(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Leave out a play but the last, without which the record would only be shorter."""
    return None if at == where(deal, "play")[-1] else without(deal, at)


def _twice(deal: Deal, at: int, lots: Lots) -> Deal:
    return added(deal, at, deal.events[at])


def _hand_more(deal: Deal, lots: Lots) -> Deal:
    seat = lots.below(len(deal.hands))
    pack = GAMES[deal.game].pack
    spare = [c for c in pack if not any(c in h for h in deal.hands)]
    hands = list(deal.hands)
    hands[seat] += bytes([spare[lots.below(len(spare))]])
    return structs.replace(deal, hands=tuple(hands))


def _hand_less(deal: Deal, lots: Lots) -> Deal:
    seat = lots.below(len(deal.hands))
    hands = list(deal.hands)
    hands[seat] = hands[seat][1:]
    return structs.replace(deal, hands=tuple(hands))


def _foreign(deal: Deal, at: int, lots: Lots) -> Deal | None:
    event = deal.events[at]
    others = [c for k, h in enumerate(deal.hands) if k != event.seat - 1 for c in h]
    out = {e.cards[0] for e in deal.events[:at] if e.kind == "play"}
    left = [c for c in others if c not in out]
    if not left or event.seat < 1:
        return None
    return changed(deal, at, cards=bytes([left[lots.below(len(left))]]) + event.cards[1:])


#: Made on the payments of any game.
PAY: dict[str, tuple[Mutation, str]] = {
    "a payment off": (some("pay", _more), "pay of"),
    "a payment to or by the wrong seat": (some("pay", _other_to), "pay of"),
    "a payment left out": (some("pay", _drop), "was not recorded"),
    "a payment made twice": (some("pay", _twice), "wanted nothing"),
}
POOL: dict[str, tuple[Mutation, str]] = {"the pool off": (some("pool", _more), "pool of")}
HANDS: dict[str, tuple[Mutation, str]] = {
    "a card too many": (_hand_more, "a hand of"),
    "a card too few": (_hand_less, "a hand of"),
}
#: Made on the plays of any game.
PLAY: dict[str, tuple[Mutation, str]] = {
    "out of turn": (some("play", _other_seat), "wanted seat"),
    "a card of another hand": (some("play", _foreign), "hand"),
    "a play left out": (some("play", _drop_play), ""),
    "a card played twice": (some("play", _twice), ""),
}
other_seat, more, drop, twice = _other_seat, _more, _drop, _twice


def misses(
    kinds: Mapping[str, tuple[Mutation, str]], deals: Iterable[Deal], seed: int = 9
) -> tuple[dict[str, int], dict[str, int]]:
    """Return by kind how many deals were made wrong, and how many of them were not ruled on.

    A ruling counts that is under the section of the game and says what was wrong.
    """
    lots = Lots(seed)
    made, missed = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0)
    for deal in deals:
        law = GAMES[deal.game]
        for kind, (mutate, says) in kinds.items():
            wrong = mutate(deal, lots)
            if wrong is None or wrong == deal:
                continue
            made[kind] += 1
            missed[kind] += not any(_says(r, says, law.source.section) for r in _rulings(wrong))
    return made, missed


def _rulings(deal: Deal) -> list[Ruling]:
    return referee(GAMES[deal.game], deal)[0]


def _says(ruling: Ruling, says: str, section: str) -> bool:
    return says in ruling.what and section in ruling.law
