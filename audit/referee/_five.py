"""What Écarté and Euchre share: five cards each by packets, a turn-up, then five tricks.

A card that the record does not show is 255 and stands for any card: a hand of
which nothing is known is five of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import structs

from audit.cards import UNKNOWN, show
from audit.duty import Duty
from audit.event import Event, Want
from audit.law import Law
from audit.ranks import Order
from audit.record import Deal
from audit.referee.machine import Machine
from audit.referee.tricks import Tricks

CARDS = 5


@lru_cache(maxsize=32)
def places(players: int, first: int) -> tuple[tuple[int, ...], ...]:
    """Return for each seat in dealing order its places, *first* cards falling in round one."""
    rest, after = CARDS - first, first * players
    return tuple(
        (
            *range(first * seat, first * seat + first),
            *range(after + rest * seat, after + rest * seat + rest),
        )
        for seat in range(players)
    )


def _cards(cards: Iterable[int]) -> bytes:
    """Return *cards* with what is none as not known."""
    found = bytes(cards)
    if found and max(found) > 51:
        return bytes([card if card < 52 else UNKNOWN for card in found])
    return found


class FiveCards(Machine):
    """A deal of five cards each whose tricks are judged here, the rest by the game."""

    def __init__(self, law: Law, deal: Deal, scores: Sequence[int] = ()) -> None:
        super().__init__(law, deal, scores)
        self.players = law.players[0]
        self.dealer = (self.dealer - 1) % self.players + 1
        missing = self.players + 1 - len(self.hands)
        self.hands = (self.hands + [[] for _ in range(missing)])[: self.players + 1]
        self.hands = [list(_cards(hand)) for hand in self.hands]
        self.scores = ([*self.scores] + [0] * self.players)[: self.players + 1]
        self.misdealt = self.check_deal()
        for seat in range(1, self.players + 1):
            self.hands[seat] = self.hands[seat] or [UNKNOWN] * CARDS
        if self.turnups and self.turnups[0] < 52:
            self.trump = self.turnups[0] // 13
        self.tricks: Tricks | None = None
        self.ring: list[int] = []
        self.blind = False

    # -- the deal -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def deal_law(self) -> tuple[str, str]:
        """The law that a wrong deal breaks, and what it asks for."""

    def check_deal(self) -> bool:
        """Rule on hands of a wrong number of cards, and on those the pack did not deal."""
        wrong = len(self.rulings)
        law, remedy = self.deal_law
        for seat in range(1, self.players + 1):
            have = len(self.hands[seat])
            if have not in (0, CARDS):
                self.rule(f"{have} cards in the hand, wanted 5", law, remedy, seat=seat)
        order = self.deal.order_after_cut
        if order is not None and len(order) == len(self.pack) and len(self.rulings) == wrong:
            self._check_order(order, law, remedy)
        return len(self.rulings) > wrong

    def _check_order(self, order: bytes, law: str, remedy: str) -> None:
        said = self.deal.options.get("packets")
        ways = [said] if said in ("2+3", "3+2") else ["2+3", "3+2"]
        if all(self._deviates(order, int(way[0])) for way in ways):
            what = f"the hands are not those that the pack deals by {' or '.join(ways)}"
            self.rule(what, law, remedy, code=self.packets_code(order, said))
        at = CARDS * self.players
        if self.turnups and UNKNOWN != self.turnups[0] != order[at]:
            self.rule(
                f"{show(self.turnups[:1])} turned, the pack has {show(order[at : at + 1])}",
                law,
                remedy,
            )

    def packets_code(self, order: bytes, said: str | None) -> str:
        """Return the warning that hands dealt otherwise than *said* answer."""
        return "LAW"

    def _deviates(self, order: bytes, first: int) -> bool:
        for seat, at in zip(self.in_order(), places(self.players, first), strict=True):
            known = {c for c in self.hands[seat] if c != UNKNOWN}
            if not known <= {order[p] for p in at}:
                return True
        return False

    def choice(self, name: str, allowed: Sequence[str], default: str) -> str:
        """Return the option *name* of the log; one that is not known counts as unjudged."""
        said = self.deal.options.get(name)
        if said is None or said in allowed:
            return said or default
        self.unjudged += 1
        return default

    @property
    def pack(self) -> tuple[int, ...]:
        """The pack of the deal; the book's own where the log names one that the law has not."""
        name = self.deal.options.get("pack")
        return self.law.packs.get(name, self.law.pack) if name else self.law.pack

    def take(self, event: Event) -> None:
        if event.cards and max(event.cards) > 51:
            event = structs.replace(event, cards=_cards(event.cards))
        super().take(event)

    def at_table(self, event: Event) -> bool:
        """Whether *event* is of a seat that there is; one that is not counts as unjudged."""
        there = 1 <= event.seat <= self.players or event.kind in ("irregular", "redeal", "look")
        self.unjudged += not there
        return there

    # -- hands --------------------------------------------------------------------------------

    def known(self, seat: int) -> list[int]:
        """Return the cards that *seat* is known to hold."""
        hand = self.hands[seat]
        return [c for c in hand if c != UNKNOWN] if UNKNOWN in hand else hand

    def give_up(self, seat: int, cards: bytes) -> list[int]:
        """Take *cards* out of the hand of *seat*; return those it did not hold.

        Where one given up is not known, nothing of what is left is.
        """
        hand, foreign = self.hands[seat], []
        for card in cards:
            if card in hand:
                hand.remove(card)
            elif UNKNOWN in hand:
                hand.remove(UNKNOWN)
            elif card == UNKNOWN and hand:
                hand[:] = [UNKNOWN] * (len(hand) - 1)
            else:
                foreign.append(card)
        return foreign

    # -- tricks -------------------------------------------------------------------------------

    @property
    @abstractmethod
    def duty(self) -> Duty:
        """What the second and later players owe."""

    @abstractmethod
    def round_of_play(self) -> list[int]:
        """Return the seats that play, the first leader first."""

    @abstractmethod
    def says(self, breach: str) -> tuple[str, str]:
        """Return law and remedy of a *breach*: turn, foreign, extra or trick."""

    @abstractmethod
    def revoked(self, seat: int, card: int) -> None:
        """Rule on a card that the duty did not allow."""

    def table(self) -> Tricks:
        """Return the tricks, begun when first asked for."""
        if self.tricks is None:
            self.ring = self.round_of_play()
            self.tricks = Tricks(
                order=self.law_order(),
                duty=self.duty,
                seats=list(self.ring),
                hands={s: self.hands[s] for s in range(1, self.players + 1)},
            )
        return self.tricks

    @abstractmethod
    def law_order(self) -> Order:
        """Return the order of the cards under the trump of the deal."""

    def want_play(self) -> Want | None:
        """Return the card that is wanted, None after five tricks."""
        tricks = self.table()
        if len(tricks.taken) == CARDS:
            return None
        cards = self.duty(tricks.order, self.known(tricks.turn), tricks.cards)
        return Want(kind="play", seat=tricks.turn, cards=tuple(cards))

    def play(self, event: Event) -> None:
        """Judge a card and put it on the trick."""
        tricks = self.table()
        card = event.cards[0] if event.cards else UNKNOWN
        if self.blind or card >= 52 or self.trump < 0:
            # Who leads to the next trick is not known once a card is not.
            self.blind = True
            self.unjudged += 1
            return
        if len(tricks.taken) == CARDS or event.seat not in tricks.seats:
            law, remedy = self.says("extra")
            self.rule("a card by a seat that has none to play", law, remedy, seat=event.seat)
            return
        seat = self._turn(event.seat)
        self._judge(seat, card)
        self.played.append((event.seat, card))
        best = tricks.play(seat, card)
        if best is not None:
            at = self.ring.index(best)
            tricks.seats = self.ring[at:] + self.ring[:at]
        self.trick = tricks.cards

    def straight(self, events: Sequence[Event], at: int) -> int:
        """Take as many right plays from `events[at]` on as follow at once; return where they end.

        None is taken while anything has to be watched but the turn and the duty.
        """
        tricks, ring = self.table(), self.ring
        first = ring.index(tricks.seats[0])
        odd = self.blind or self.trump < 0 or tricks.seats != ring[first:] + ring[:first]
        if odd or any(UNKNOWN in hand for hand in self.hands[1:]):
            return at
        end = tricks.straight(events, at, CARDS)
        self.played += [(event.seat, event.cards[0]) for event in events[at:end]]
        self.trick = tricks.cards
        return end

    def _turn(self, seat: int) -> int:
        """Rule on a play out of turn; return the seat for which the card counts."""
        tricks = self.table()
        if seat == tricks.turn:
            return seat
        law, remedy = self.says("turn")
        self.rule(f"played by seat {seat}, wanted seat {tricks.turn}", law, remedy, seat=seat)
        at, now = tricks.seats.index(seat), len(tricks.cards)
        if not now:
            tricks.seats = tricks.seats[at:] + tricks.seats[:at]
        elif at > now:
            tricks.seats.insert(now, tricks.seats.pop(at))
        else:
            # A second card to one trick: the trick goes on with it for who is left.
            return tricks.turn
        return seat

    def _judge(self, seat: int, card: int) -> None:
        tricks, hand = self.table(), self.hands[seat]
        if card not in hand:
            if UNKNOWN not in hand:
                law, remedy = self.says("foreign")
                self.rule(f"{show([card])} was not in the hand", law, remedy, seat=seat)
                # One of his cards stays unplayed for it.
                return
            hand[hand.index(UNKNOWN)] = card
        if tricks.cards and UNKNOWN in hand:
            self.unjudged += 1
        if card not in self.duty(tricks.order, self.known(seat), tricks.cards):
            self.revoked(seat, card)

    def gather(self, event: Event) -> None:
        """Judge who takes a trick in."""
        law, remedy = self.says("trick")
        if self.blind:
            self.unjudged += 1
        elif self.tricks is None or self.tricks.cards or not self.tricks.taken:
            self.rule("a trick taken in that is not complete", law, remedy, seat=event.seat)
        elif self.tricks.taken[-1][0] != event.seat:
            won, cards = self.tricks.taken[-1]
            what = f"the trick {show(cards)} taken by seat {event.seat}, won by seat {won}"
            self.rule(what, law, remedy, seat=event.seat)

    def won_by(self, seats: Sequence[int]) -> int:
        """Return how many tricks *seats* have taken."""
        return 0 if self.tricks is None else sum(s in seats for s, _ in self.tricks.taken)

    @property
    def complete(self) -> bool:
        """Whether all five tricks were played and seen."""
        return self.tricks is not None and len(self.tricks.taken) == CARDS
