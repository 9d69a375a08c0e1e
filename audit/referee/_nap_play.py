"""The tricks of Napoleon, from the bidder's lead until the bid is made or lost.

Source: Foster, Napoleon, Method of Playing, Playing Out of Turn, Revokes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.duty import follow
from audit.event import Event, Want
from audit.referee.tricks import Tricks, foreign
from audit.rules.nap import ALL

if TYPE_CHECKING:
    from audit.referee.nap import NapDeal

TURN = "Foster, Napoleon, Playing Out of Turn"
REVOKES = "Foster, Napoleon, Revokes"
METHOD = "Foster, Napoleon, Method of Playing"


class Play:
    """The tricks of one deal; *winner* is who has yet to gather the last trick, else 0."""

    def __init__(self, deal: NapDeal) -> None:
        self.deal = deal
        self.tricks: Tricks | None = None
        self.winner = 0
        self.blind = False
        self.revokers: list[int] = []
        self.void: dict[int, set[int]] = {}
        self.gone: set[int] = set()

    # -- what is wanted -----------------------------------------------------------------------

    def want(self) -> Want | None:
        """Return the next card or trick, None when the bid is made or lost."""
        if self.winner:
            return Want(kind="trick", seat=0)
        if self.deal.result is not None or self.blind:
            return None
        tricks = self.begin()
        if not tricks.left():
            return None
        legal = tricks.legal(tricks.turn) or []
        return Want(kind="play", seat=tricks.turn, cards=tuple(legal))

    def begin(self) -> Tricks:
        """Return the tricks, begun by the highest bidder."""
        if self.tricks is None:
            deal = self.deal
            hands = {s: deal.hand(s) for s in deal.seats}
            order = deal.rules.ranks.order(-1)
            self.tricks = Tricks(order=order, duty=follow, seats=[], hands=hands)
            self._seat_from(deal.bids.bidder or deal.seats[0])
        return self.tricks

    def _seat_from(self, leader: int) -> None:
        """Seat the next trick to the left from *leader*; who is out of cards has no part in it."""
        assert self.tricks is not None
        ring = [self.deal.after(leader, k) for k in range(self.deal.players)]
        hands = self.tricks.hands
        self.tricks.seats = [s for s in ring if s in hands and hands[s] != []]

    # -- cards --------------------------------------------------------------------------------

    def card(self, event: Event) -> None:
        """Take one card played."""
        deal, tricks = self.deal, self.begin()
        seat, card = event.seat, event.cards[0] if event.cards else 255
        self.winner = 0
        # Without the bid nobody knows whether there are trumps, where a misere may be bid.
        self.blind = self.blind or (not deal.bids.top and "misere" in deal.rules.ladder)
        if self.blind or card > 51 or seat not in tricks.hands or not tricks.seats:
            self.blind = self.blind or card > 51
            deal.unjudged += 1
            return
        if len(tricks.taken) == ALL:
            deal.rule("a card after the last trick", METHOD, "it is void", seat=seat)
            return
        self._turn(seat)
        if seat not in tricks.seats[len(tricks.cards) :]:
            return
        if not tricks.cards and not tricks.taken and deal.bids.top != "misere":
            deal.trump = card // 13
            tricks.order = deal.rules.ranks.order(deal.trump)
        self._judge(seat, card)
        deal.played.append((seat, card))
        self.gone.add(card)
        won = tricks.play(seat, card)
        deal.trick = tricks.cards
        if won is not None:
            self.winner = won
            self._seat_from(won)
            self._decide()

    def _turn(self, seat: int) -> None:
        """Rule on a card out of turn, and let it lie where it was played."""
        deal, tricks = self.deal, self.begin()
        at = len(tricks.cards)
        wanted = tricks.turn
        if seat == wanted:
            return
        leads = not at
        bidder = deal.bids.bidder
        remedy = "the card is taken back unless all have followed" if leads else "no penalty"
        if seat != bidder:
            remedy = "he forfeits three counters and has nothing where the bid is defeated"
        what = "led" if leads else "played"
        deal.rule(f"{what} by seat {seat}, wanted seat {wanted}", TURN, remedy, seat=seat)
        (deal.account.leads if leads else deal.account.plays).append(seat)
        if leads:
            self._seat_from(seat)
        elif seat in tricks.seats[at:]:
            tricks.seats.remove(seat)
            tricks.seats.insert(at, seat)

    def _judge(self, seat: int, card: int) -> None:
        deal, tricks = self.deal, self.begin()
        held = tricks.hands[seat]
        # Who plays a card that he was dealt is not blamed for another who played it before him.
        if card in self.gone if held is None else foreign(card, held):
            deal.rule(
                "a card that was not in the hand",
                "Foster, Napoleon, Irregularities in Hands",
                "the hand is foul",
                seat=seat,
            )
            return
        group = tricks.order.group
        if held is None:
            self._judge_unknown(seat, group[card], group[tricks.cards[0]] if tricks.cards else -1)
        elif card not in tricks.duty(tricks.order, held, tricks.cards):
            self._revoke(seat)

    def _judge_unknown(self, seat: int, suit: int, led: int) -> None:
        """Find a revoke of a hand that is not known: a suit played after it was not followed."""
        void = self.void.setdefault(seat, set())
        if suit in void:
            self._revoke(seat)
            void.discard(suit)
        if led not in (-1, suit):
            void.add(led)

    def _revoke(self, seat: int) -> None:
        deal = self.deal
        self.revokers.append(seat)
        again = "the cards are taken back and played again, he pays all the stakes"
        thrown = "when claimed the hands are abandoned and he pays all that hangs on it"
        deal.rule(
            "did not follow suit, though able to",
            REVOKES,
            again if deal.rules.replay else thrown,
            seat=seat,
        )

    def _decide(self) -> None:
        deal, tricks = self.deal, self.begin()
        bid = deal.bids.top
        if not bid or deal.result is not None:
            return
        won = sum(seat == deal.bids.bidder for seat, _ in tricks.taken)
        lost = len(tricks.taken) - won
        needs = deal.rules.needs(bid)
        if bid == "misere":
            deal.result = False if won else True if lost == ALL else None
        elif won >= needs:
            deal.result = True
        elif lost > ALL - needs:
            deal.result = False

    # -- tricks gathered and claims -----------------------------------------------------------

    def gathered(self, event: Event) -> None:
        """Take who gathered the last trick: any adversary may gather for his side."""
        deal, winner = self.deal, self.winner
        if not winner:
            deal.unjudged += 1
            return
        bidder = deal.bids.bidder
        if event.seat not in deal.seats or (event.seat == bidder) != (winner == bidder):
            deal.rule(
                f"the trick gathered by seat {event.seat}, won by seat {winner}",
                METHOD,
                "the trick belongs to the winner's side",
                seat=event.seat,
            )
        self.winner = 0

    def claim(self, event: Event) -> None:
        """Take a claim: a revoke, or the bidder's word that his bid is lost."""
        deal = self.deal
        if event.word == "revoke":
            self._claim_revoke(event)
        elif event.word == "lost" and event.seat == deal.bids.bidder and deal.bids.top:
            if deal.result is None:
                deal.result = False
        else:
            deal.unjudged += 1

    def _claim_revoke(self, event: Event) -> None:
        deal = self.deal
        offender = event.to or next(iter(self.revokers), 0)
        if offender not in self.revokers:
            if self.tricks is None or self.blind or None in self.tricks.hands.values():
                deal.unjudged += 1
                return
            deal.rule(
                f"a revoke of seat {offender} claimed that is not in the tricks",
                REVOKES,
                "the play stands",
                seat=event.seat,
            )
            return
        deal.revoker = offender
        if not deal.rules.replay:
            # The hands are abandoned: who revoked is taken to have lost.
            deal.result = offender != deal.bids.bidder
            deal.phase, self.winner = "over", 0

    def again(self) -> None:
        """Take the cards back to be played once more, as the English rule has it."""
        deal = self.deal
        for seat, card in deal.played:
            held = self.begin().hands.get(seat)
            if held is not None and card not in held:
                held.append(card)
        self.tricks, self.winner, deal.result = None, 0, None
        deal.trump, deal.trick = -1, []
        deal.played.clear()
        self.gone.clear()
        self.void.clear()

    def take_back(self, event: Event) -> bool:
        """Undo the lead that lies alone; return whether there was one by that seat."""
        deal, tricks = self.deal, self.begin()
        if len(tricks.cards) != 1 or not deal.played or deal.played[-1][0] != event.seat:
            return False
        seat, card = deal.played.pop()
        held = tricks.hands[seat]
        if held is not None:
            held.append(card)
        self.gone.discard(card)
        tricks.cards = deal.trick = []
        leader = tricks.taken[-1][0] if tricks.taken else deal.bids.bidder
        if not tricks.taken:
            deal.trump = -1
        self._seat_from(leader or seat)
        return True
