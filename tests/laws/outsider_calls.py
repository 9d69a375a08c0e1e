"""What may be called next, written from the words of the books alone.

Each game is a course of questions: who is asked, and what he may say.  It shares nothing
with the referee.  Calls are read from a record up to the first card that is played; what a
seat says of the turn-up (rob, leave) and bunching are no part of it.

Sources: Foster, Bidding (Napoleon, Auction Pitch), Begging (Seven-Up), Declaring to play
(Rams), In Double Pools, Irish Loo; the household book, sections 118 and 121.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from audit.record import Deal

#: Who is asked and what he may say; the answer is what he says.
Course = Generator[tuple[int, tuple[str, ...]], str, None]
NAP = ("1", "2", "3", "4", "nap")
LADDERS = {
    "nap_misere": ("1", "2", "3", "misere", "4", "nap"),
    "nap_wellington": (*NAP, "wellington"),
    "nap_blucher": (*NAP, "wellington", "blucher"),
    "nap_treble_english": (*NAP, "wellington", "blucher"),
}
POINTS = ("one", "two", "three", "four")
SUITS = "SHDC"
LEFT_ALONE = ("rob", "leave", "bunch", "agree", "keep", "refuse", "auf")


def _round(deal: Deal) -> list[int]:
    count, dealer = len(deal.hands), deal.dealer_seat or len(deal.hands)
    return [(dealer + k) % count + 1 for k in range(count)]


def nap(deal: Deal) -> Course:
    """ "Any following player must either increase it or pass"; "there is no second bid"; nap
    "precludes any further bidding"; the dealer "is bound to bid at least one trick".

    The widow may be taken "in his proper turn to bid", and nap must be bid on it.
    """
    ladder = LADDERS.get(deal.game, NAP)
    widow = ("widow",) if deal.game == "nap_widow" else ()
    seats, left = _round(deal), ladder
    for seat in seats:
        bound = seat == seats[-1] and left == ladder
        word = yield seat, (*(() if bound else ("pass",)), *left, *(widow if "nap" in left else ()))
        if word == "widow":
            return
        if word in left:
            left = left[left.index(word) + 1 :]
        if not left:
            return


def _auction(seats: Sequence[int]) -> Generator[tuple[int, tuple[str, ...]], str, bool]:
    """Any following player "must bid higher or pass"; "there are no second bids"."""
    left: tuple[str, ...] = POINTS
    for seat in seats:
        word = yield seat, ("pass", *left)
        if word in left:
            left = left[left.index(word) + 1 :]
    return left != POINTS


def sold(deal: Deal) -> Course:
    """ "The eldest hand sells", or "pitches without waiting for a bid"; he accepts or pitches."""
    eldest, *others = _round(deal)
    if (yield eldest, ("sell", "pitch")) == "sell" and (yield from _auction(others)):
        yield eldest, ("accept", "refuse")


def to_the_board(deal: Deal) -> Course:
    """ "Bidding to the board, eldest hand having the first bid"."""
    yield from _auction(_round(deal))


def seven_up(deal: Deal) -> Course:
    """The eldest says "I beg"; the dealer gives a point or runs the cards."""
    seats = _round(deal)
    if (yield seats[0], ("stand", "beg")) == "beg":
        yield seats[-1], ("give", "run")


def ecarte(deal: Deal) -> Course:
    """The non-dealer "may propose", the dealer "give or refuse"; a second time by agreement in
    the household book, and as long as there are cards in Foster's."""
    pone, dealer = _round(deal)
    drawn = sum(len(e.cards) for e in deal.events if e.kind == "draw")
    while True:
        if (yield pone, ("play", "propose")) != "propose":
            return
        if (yield dealer, ("refuse", "accept")) != "accept":
            return
        if deal.game == "ecarte_enquire" or drawn >= 20:
            return


def loo(deal: Deal) -> Course:
    """Each "may stand", "take the widow" or "pass"; against one who stands "the dealer, if he will
    not play for himself, must take the widow and play to defend the pool"."""
    said: list[str] = []
    seats = _round(deal)
    for seat in seats:
        words = ("stand", "pass", *(() if "widow" in said else ("widow",)))
        if seat == seats[-1] and [w for w in said if w != "pass"] == ["stand"]:
            words = ("stand", "widow", "defend")
        said.append((yield seat, words))


def irish_loo(deal: Deal) -> Course:
    """The dealer "asks each in turn, beginning on his left, whether or not he will play"."""
    for seat in _round(deal):
        yield seat, ("play", "pass")


def rams(deal: Deal) -> Course:
    """ "If any player takes the widow, those following him must play the hand dealt them or pass";
    the pone may not leave the dealer alone without paying him, nor the dealer one who plays.

    In a simple pool all play.  A general rams is announced "either before or after taking the
    widow"; then "any player who has not already refused it may take it".
    """
    seats, said, widow = _round(deal), list[str](), False
    simple = deal.game == "rams" and not int(deal.options.get("pool", "0"))
    general = ("general",) if deal.game == "rams" else ()
    for seat in seats:
        opened = any(w != "pass" for w in said)
        alone = sum(w != "pass" for w in said) == 1
        out: tuple[str, ...] = ("pass",)
        if simple or (seat == seats[-1] and alone):
            out = ()
        elif seat == seats[-2] and not opened:
            out = ("decline",)
        word = yield seat, (*out, "play", *(() if widow else ("widow",)), *general)
        if word == "decline":
            return
        said.append(word)
        if word == "widow":
            widow = True
            if general and (yield seat, ("play", "general")) == "general":
                return
        elif word == "general":
            for later in seats[seats.index(seat) :] if not widow else ():
                if (yield later, ("keep", "widow")) == "widow":
                    return
            return


def euchre(deal: Deal) -> Course:
    """Each may have the turn-up taken by the dealer, or pass; then "the first has the privilege
    of altering the trump"; of four, whom the book does not speak of, each in turn."""
    seats = _round(deal)
    for seat in seats:
        word = yield seat, ("pass", "play" if seat == seats[-1] else "order")
        if word != "pass":
            return
    suits = tuple(s for k, s in enumerate(SUITS) if k != deal.turnups[0] // 13)
    for seat in seats[:1] if len(seats) == 2 else seats:
        if (yield seat, ("pass", *suits)) != "pass":
            return


READ: dict[str, tuple[int, Callable[[Deal], Course]]] = {
    "nap": (4, nap),
    "nap_misere": (3, nap),
    "nap_wellington": (4, nap),
    "nap_blucher": (4, nap),
    "nap_treble_english": (2, nap),
    "nap_pool": (4, nap),
    "nap_purchase": (3, nap),
    "nap_widow": (4, nap),
    "nap_peep": (4, nap),
    "auction_pitch_sell": (5, sold),
    "auction_pitch_full_bid": (4, sold),
    "auction_pitch_board": (5, to_the_board),
    "smudge": (4, sold),
    "seven_up_2": (2, seven_up),
    "seven_up_3": (3, seven_up),
    "seven_up_4": (4, seven_up),
    "all_fours_old": (2, seven_up),
    "all_fives": (2, seven_up),
    "ecarte_foster": (2, ecarte),
    "ecarte_enquire": (2, ecarte),
    "pool_ecarte": (2, ecarte),
    "loo3_limited_double": (5, loo),
    "loo3_unlimited_double": (4, loo),
    "irish_loo": (5, irish_loo),
    "loo5_foster": (4, irish_loo),
    "loo5_enquire": (4, irish_loo),
    "rams": (4, rams),
    "rounce": (5, rams),
    "bierspiel": (4, rams),
    "euchre_2": (2, euchre),
    "euchre_4": (4, euchre),
}


def fault(deal: Deal, read: Callable[[Deal], Course]) -> int:
    """Return the first event that calls what may not be called there, -1 for none.

    A card that is played before all has been said is that event, too.
    """
    course = read(deal)
    asked: tuple[int, tuple[str, ...]] | None = next(course)
    for at, event in enumerate(deal.events):
        if event.kind == "play":
            return -1 if asked is None else at
        again = asked is not None and event.word in asked[1]
        if event.kind != "call" or (event.word in LEFT_ALONE and not again):
            continue
        if asked is None or event.seat != asked[0] or event.word not in asked[1]:
            return at
        try:
            asked = course.send(event.word)
        except StopIteration:
            asked = None
    return -1
