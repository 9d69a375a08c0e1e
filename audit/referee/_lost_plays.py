"""Records out of which a play was lost, or in which the hands stand at other seats.

A play out of turn leaves every hand with as many cards played as the others; a play that the
scribe lost leaves one hand a card short, or the deal without its end.  After a lost play the
referee takes the next card for one of another trick, so that who played right seems to have
revoked or to have played out of turn.  So where plays are lost nothing is ruled that rests on
any of them, but for what stands wherever the one lost card is put back.

Source: what a log may leave out is no law of any book; see `certain` in this package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from audit.cards import UNKNOWN
from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.referee.machine import Machine, Ruling

Rule = Callable[[Deal], list[Ruling]]
#: Games that may be over before the hands are played out, or in which cards are drawn or dealt
#: in between: there nobody can tell a lost play from one that was never made.
OPEN = frozenset({"california", "cassino", "nap", "pope_joan", "put", "rams", "spoil_five"})
#: Games in which no card is played.
UNPLAYED = frozenset({"matrimony", "vingt_un"})
SETTLED = frozenset({"score", "pay", "pool"})
#: So many cards out of other hands, and none out of the own, are no breach of anybody's.
SURELY_SHIFTED = 2


def shifted(deal: Deal) -> bool:
    """Whether some cards are played out of another seat's first hand and none out of the own.

    So it is where the hands stand one place off, and in no deal that was played; the order of
    the pack would say which of the two is wrong.
    """
    if deal.order_after_cut:
        return False
    owner = {card: seat for seat, hand in enumerate(deal.hands, start=1) for card in hand}
    drawn = {(e.seat, card) for e in deal.events if e.kind == "draw" for card in e.cards}
    others = set[int]()
    for event in deal.events:
        # What is taken along with a card (Cassino) is in nobody's hand.
        cards = {"play": event.cards[:1], "exchange": event.cards}.get(event.kind, b"")
        for card in cards:
            if card in owner and (event.seat, card) not in drawn:
                if owner[card] == event.seat:
                    return False
                others.add(card)
    return len(others) >= SURELY_SHIFTED


def whole(made: Machine, deal: Deal, full: Deal) -> bool:
    """Whether no play is lost of *deal*, where *made* has taken nothing of it.

    *full* is it with the calls and exchanges that it may leave out.

    So it is where every hand is played to its last card, where what is written of tricks has a
    card of each seat, or where the deal came to its end with as many plays of each.
    """
    counts, asked = _counts(deal), set[int]()
    for event in full.events:
        want = made.wants()
        if want is not None and want.kind == "play":
            asked.add(want.seat)
        made.take(event)
    if not asked <= {0, *counts}:
        return False
    if full is not deal:
        # What was put in may have ended the deal before its play.
        asked |= set(counts)
    left = [_number_left(deal, seat) for seat in asked if seat]
    known = [number for number in left if number is not None]
    # Who played for another leaves him a card too many, but nothing is lost.
    if (known and known == left and sum(known) <= 0) or _by_tricks(deal):
        return True
    even = len(set(counts.values())) <= 1
    return made.wants() is None and even and known != left and not any(known)


def _by_tricks(deal: Deal) -> bool:
    """Whether the record says where tricks end, and has a card of everybody in each of them."""
    seats, trick, some = len(_counts(deal)), 0, False
    for event in deal.events:
        trick += event.kind == "play"
        if event.kind == "trick":
            if trick != seats:
                return False
            trick, some = 0, True
    return some and not trick


def _settles(deal: Deal, ruling: Ruling) -> bool:
    kind = deal.events[ruling.event].kind if ruling.event >= 0 else ""
    return ruling.lacks is not None or kind in SETTLED


def _counts(deal: Deal) -> Counter[int]:
    return Counter(event.seat for event in deal.events if event.kind == "play")


def _number_left(deal: Deal, seat: int) -> int | None:
    """Return how many cards *seat* still holds, None where its hand is not known.

    Who put cards out and drew none in the record had as many again.
    """
    number = len(deal.hands[seat - 1]) if 0 < seat <= len(deal.hands) else 0
    if not number:
        return None
    mine = [event for event in deal.events if event.seat == seat]
    drawn = sum(len(event.cards) for event in mine if event.kind == "draw")
    put_out = sum(len(event.cards) for event in mine if event.kind == "exchange")
    number += drawn - put_out if drawn else 0
    return number - sum(event.kind == "play" for event in mine)


def _left(deal: Deal, seat: int) -> list[int]:
    """Return the cards that *seat* is known to have had and neither played nor put out."""
    had = list(deal.hands[seat - 1]) if 0 < seat <= len(deal.hands) else []
    gone = set[int]()
    for event in deal.events:
        if event.seat == seat and event.kind == "draw":
            had += event.cards
        elif event.seat == seat and event.kind in ("play", "exchange"):
            gone.update(event.cards[:1] if event.kind == "play" else event.cards)
    return [card for card in had if card < UNKNOWN and card not in gone]


def cut_off(deal: Deal, found: Sequence[Ruling]) -> bool:
    """Whether the record stops at a card that is ruled on, rather than having lost others.

    Then nothing comes after that card, no other is ruled on, and the most of the deal is yet
    to be played, which is more than a scribe loses.
    """
    if not all(deal.hands):
        return False
    last = max((r.event for r in found if r.event >= 0), default=-1)
    plays = [at for at, event in enumerate(deal.events) if event.kind == "play"]
    before = [at for at in plays if at < last]
    if last < len(deal.events) - 1 or any(r.event in before for r in found):
        return False
    return len(plays) * 2 < sum(len(deal.hands[k - 1]) for k in _seats(deal))


def _seats(deal: Deal) -> list[int]:
    return [seat for seat in _counts(deal) if 0 < seat <= len(deal.hands)]


def of_another(deal: Deal, found: Sequence[Ruling]) -> list[Ruling]:
    """Return those of *found* on a card that its seat cannot have had, whatever is lost.

    It was in another's hand, or turned up, or was played before; where more is wrong with
    that play nobody can tell what rests on the others.
    """
    owner = {card: seat for seat, hand in enumerate(deal.hands, start=1) for card in hand}
    owner |= dict.fromkeys(deal.turnups, 0)
    moved = {c for e in deal.events if e.kind in ("draw", "exchange") for c in e.cards}
    taken_up = any(e.kind in ("exchange", "call", "draw") for e in deal.events)
    out, seen = list[Ruling](), set[int]()
    for at, event in enumerate(deal.events):
        if event.kind != "play":
            continue
        card = event.cards[0] if event.cards else UNKNOWN
        mine = [r for r in found if r.event == at]
        holder = owner.get(card, event.seat)
        wrong = holder not in (0, event.seat) or (holder == 0 and not taken_up) or card in seen
        if len(mine) == 1 and wrong and card not in moved and card != UNKNOWN:
            out += mine
        seen.add(card)
    return out


def not_resting_on_plays(made: Machine, deal: Deal, found: Sequence[Ruling]) -> list[Ruling]:
    """Return those of *found* that were made before the play; *made* has taken nothing.

    The play begins where the first card is wanted, for that may be the card that is lost.
    """
    first = 0
    for event in deal.events:
        want = made.wants()
        if event.kind == "play" or (want is not None and want.kind == "play"):
            break
        made.take(event)
        first += 1
    return [
        r
        for r in found
        if (r.event < 0 and r.lacks is None) or (0 <= r.event < first and not _settles(deal, r))
    ]


def played(law: Law, deal: Deal) -> bool:
    """Whether there is a play in the record, of a game in which a lost one can be told."""
    known = law.rules is not None and law.rules.family not in OPEN | UNPLAYED
    return known and any(event.kind == "play" for event in deal.events)


def wherever_put_back(deal: Deal, found: Sequence[Ruling], wrong: int, rule: Rule) -> list[Ruling]:
    """Return those of *found*, on plays, that stand wherever the one lost play is put back.

    Where *rule* finds more than the *wrong* rulings of the record itself, it was not there.
    None where more plays than one may be lost, or what was lost is not known.
    """
    kept = [r for r in found if r.event >= 0 and deal.events[r.event].kind == "play"]
    lost = _lost(deal)
    if lost is None or not kept:
        return []
    tried = 0
    for at, put in _put_back(deal, lost):
        again = rule(put)
        if len(again) <= wrong:
            tried += 1
            told = {(r.event - (r.event > at), r.seat, r.what) for r in again if r.event != at}
            kept = [r for r in kept if (r.event, r.seat, r.what) in told]
        if not kept:
            break
    return kept if tried else []


def _lost(deal: Deal) -> Event | None:
    """Return the one play that is lost, where every hand is known to be played to its end."""
    counts = _counts(deal)
    most = max(counts.values(), default=0)
    short = [seat for seat, count in counts.items() if count < most]
    if sum(map(bool, deal.hands)) > len(counts):
        return None
    if len(short) != 1 or counts[short[0]] != most - 1 or not 0 < short[0] <= len(deal.hands):
        return None
    left = _left(deal, short[0])
    changed = any(e.kind in ("draw", "exchange") for e in deal.events)
    if changed or len(left) != 1 or any(_left(deal, seat) for seat in counts if seat not in short):
        return None
    return Event(kind="play", seat=short[0], cards=bytes(left))


def _put_back(deal: Deal, lost: Event) -> Iterator[tuple[int, Deal]]:
    """Yield the places at which *lost* may have stood, and the record with it."""
    first = next(at for at, event in enumerate(deal.events) if event.kind == "play")
    for at in range(first, len(deal.events) + 1):
        events = (*deal.events[:at], lost, *deal.events[at:])
        yield at, structs.replace(deal, events=events)


__all__ = [
    "cut_off",
    "not_resting_on_plays",
    "of_another",
    "played",
    "shifted",
    "wherever_put_back",
    "whole",
]
