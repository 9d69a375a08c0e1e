"""Seven-Up: beg, gift or run, six tricks, and the points of the deal.

Source: Foster, "All Fours family"; games.md B14.  Further members of the family follow
the same machine with other rules.
"""

from __future__ import annotations

from msgspec import structs

from audit.duty import follow_or_trump
from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee.machine import Due, Machine, Maker
from audit.referee.tricks import Tricks, foreign
from audit.rules.seven_up import SevenUp

LAW = "Foster, Seven-Up"
PIPS = {8: 10, 12: 4, 11: 3, 10: 2, 9: 1}
JACK = 9


class SevenUpDeal(Machine):
    """One deal; phases are beg, answer, (runs), discard, play, over."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, SevenUp)
        self.rules: SevenUp = law.rules
        self.phase = "beg" if self.rules.beg else "play"
        self.gift = False
        self.jacks = 0
        self.runs = 0
        self._more, self._cards = list(deal.turnups[1:]), list(deal.runs)
        if not self._more and deal.order_after_cut is not None:
            self._more, self._cards = self._from_stock()
        self.dealt: list[list[int]] = [list(h) for h in self.hands]
        self.tricks: Tricks | None = None
        self.set_trump()

    # -- the deal -----------------------------------------------------------------------------

    def _from_stock(self) -> tuple[list[int], list[int]]:
        """Return what the pack would turn and give if it were run to its end."""
        more, cards, n = [], [], self.players * 3
        left = self.stock()
        while len(left) > n:
            cards += left[:n]
            more.append(left[n])
            left = left[n + 1 :]
        return more, cards

    def record(self, dealt: Deal, events: tuple[Event, ...]) -> Deal:
        runs = b"".join(
            bytes(self.dealt[s][6 + 3 * k : 9 + 3 * k])
            for k in range(self.runs)
            for s in self.in_order()
        )
        turned = bytes(self.turnups)
        return structs.replace(dealt, events=events, turnups=turned, runs=runs)

    def set_trump(self) -> None:
        """Take the last card turned as trumps; a Jack of a new suit scores for the dealer."""
        if not self.turnups:
            return
        card = self.turnups[-1]
        if len(self.turnups) > 1 and card // 13 == self.turnups[0] // 13:
            return
        self.trump = card // 13
        self.jacks += card % 13 == JACK

    def _run(self) -> None:
        """Give three more cards to each and turn the next, until another suit is turned."""
        n = self.players * 3
        while self._more:
            self.runs += 1
            cards, self._cards = self._cards[:n], self._cards[n:]
            for k, seat in enumerate(self.in_order()):
                self.hands[seat] += cards[3 * k : 3 * k + 3]
                self.dealt[seat] += cards[3 * k : 3 * k + 3]
            self.turnups.append(self._more.pop(0))
            if self.turnups[-1] // 13 != self.turnups[0] // 13:
                self.set_trump()
                self.phase = "discard"
                return
        self.phase = "over" if self.turnups else "play"

    # -- what is wanted -------------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.phase == "beg":
            return Want(kind="call", seat=self.eldest, words=("stand", "beg"))
        if self.phase == "answer":
            words = ("run",) if self._gift_goes_out() else ("give", "run")
            return Want(kind="call", seat=self.dealer, words=words)
        if self.phase == "discard":
            for seat in self.in_order():
                extra = len(self.hands[seat]) - 6
                if extra > 0:
                    cards = tuple(self.hands[seat])
                    return Want(kind="exchange", seat=seat, cards=cards, count=extra)
            self.phase = "play"
        if self.phase == "play":
            tricks = self._tricks()
            if tricks.left():
                legal = tricks.legal(tricks.turn) or []
                return Want(kind="play", seat=tricks.turn, cards=tuple(legal))
        return None

    def _gift_goes_out(self) -> bool:
        """Whether a gift would put a player out, which the dealer may not give (B14.5)."""
        least = self.rules.game - 1
        gifted = [s for s in range(1, self.players + 1) if self.gains_gift(s)]
        return self.players == 3 and any(self.scores[s] >= least for s in gifted)

    def gains_gift(self, seat: int) -> bool:
        """Whether a gift counts for *seat*: the eldest, his side, or both adversaries of three."""
        if self.players == 3:
            return seat != self.dealer
        if self.rules.sides:
            return (seat - self.eldest) % 2 == 0
        return seat == self.eldest

    def _tricks(self) -> Tricks:
        if self.tricks is None:
            seats = [self.after(self.eldest, k) for k in range(self.players)]
            hands = {s: (self.hands[s] if len(self.hands) > s else None) for s in seats}
            order = self.rules.ranks.order(self.trump)
            self.tricks = Tricks(order=order, duty=follow_or_trump, seats=seats, hands=dict(hands))
        return self.tricks

    # -- events ---------------------------------------------------------------------------------

    def step(self, event: Event) -> None:
        match event.kind:
            case "call":
                self._call(event)
            case "exchange":
                self._exchange(event)
            case "play":
                self._play(event)
            case _:
                self.unjudged += 1

    def _call(self, event: Event) -> None:
        want = self.wants()
        self.calls.append(event)
        if want is None or want.kind != "call":
            self.rule(f"{event.word} when nothing is asked", LAW, "it is void", seat=event.seat)
            return
        if event.seat != want.seat:
            self.rule(
                f"{event.word} by seat {event.seat}, wanted seat {want.seat}",
                LAW,
                "only the eldest may beg and the dealer answers",
                seat=event.seat,
            )
        if event.word not in want.words:
            self.rule(
                f"{event.word}, wanted {' or '.join(want.words)}",
                f"{LAW}, gift and run",
                "the dealer must run",
                seat=event.seat,
            )
        if self.phase == "beg":
            self.phase = "answer" if event.word == "beg" else "play"
        elif event.word == "run":
            self._run()
        else:
            self.gift, self.phase = True, "play"

    def _exchange(self, event: Event) -> None:
        hand = self.hands[event.seat]
        extra = len(hand) - 6
        if self.phase != "discard" or len(event.cards) != extra:
            self.rule(
                f"{len(event.cards)} cards laid aside, wanted {max(0, extra)}",
                f"{LAW}, after a run hands are cut down to six",
                "the hand is made right before the first lead",
                seat=event.seat,
            )
        for card in event.cards:
            if card in hand:
                hand.remove(card)
            elif card < 52:
                self.rule("a card laid aside that was not held", LAW, "foul hand", seat=event.seat)

    def _play(self, event: Event) -> None:
        self.phase = "play"
        tricks, card = self._tricks(), event.cards[0]
        if event.seat != tricks.turn:
            self.rule(
                f"played by seat {event.seat}, wanted seat {tricks.turn}",
                f"{LAW}, leading and playing out of turn",
                "the card may be called",
                seat=event.seat,
            )
        seat = tricks.turn
        legal = tricks.legal(seat)
        if foreign(card, tricks.hands[seat]):
            self.rule("a card that was not in the hand", LAW, "foul hand", seat=event.seat)
        elif legal is not None and card not in legal:
            self.rule(
                "neither followed suit nor trumped, though able to",
                f"{LAW}, revokes",
                "2 points where the Jack was in play, else 1; no score for Jack and Game",
                seat=event.seat,
                code="W26",
            )
        self.played.append((event.seat, card))
        tricks.play(seat, card)
        self.trick = tricks.cards
        if not tricks.left():
            self.phase = "over"

    # -- points ---------------------------------------------------------------------------------

    def side(self, seat: int) -> int:
        """Return who scores for *seat*: himself, or the lower seat of his side."""
        return (seat - 1) % 2 + 1 if self.rules.sides else seat

    def due(self) -> list[Due]:
        source: list[Due] = []
        if self.jacks:
            jacks = Due(kind="score", seat=self.side(self.dealer), word="jack", number=self.jacks)
            source.append(jacks)
        if self.gift:
            to = dict.fromkeys(
                self.side(s) for s in range(1, self.players + 1) if self.gains_gift(s)
            )
            source += [Due(kind="score", seat=s, word="gift", number=1) for s in to]
        if self.tricks is None or self.tricks.left():
            return source
        source += self._high_low_jack()
        game = self._game()
        if game is not None:
            source.append(Due(kind="score", seat=game, word="game", number=1))
        return source

    def _high_low_jack(self) -> list[Due]:
        assert self.tricks is not None
        trumps = [(card, seat) for seat, card in self.played if card // 13 == self.trump]
        if not trumps:
            return []
        high, low = max(trumps), min(trumps)
        found = [("high", high[1]), ("low", low[1])]
        if self.rules.low_to == "taken":
            found = [("high", self._taker(high[0])), ("low", self._taker(low[0]))]
        jack = 13 * self.trump + JACK
        if any(card == jack for card, _ in trumps):
            found.append(("catch jack", self._taker(jack)))
        return [Due(kind="score", seat=self.side(s), word=w, number=1) for w, s in found]

    def _taker(self, card: int) -> int:
        assert self.tricks is not None
        return next(seat for seat, cards in self.tricks.taken if card in cards)

    def pips(self) -> dict[int, int]:
        """Return the pips toward Game by who scores them."""
        assert self.tricks is not None
        out = {self.side(s): 0 for s in range(1, self.players + 1)}
        for seat, cards in self.tricks.taken:
            out[self.side(seat)] += sum(PIPS.get(c % 13, 0) for c in cards)
        return out

    def _game(self) -> int | None:
        """Return who scores Game (B14.11), None for nobody."""
        pips = self.pips()
        most = max(pips.values())
        top = [s for s, p in pips.items() if p == most]
        if len(top) == 1:
            return top[0] if most else self._tied(top, pips)
        return self._tied(top, pips)

    def _tied(self, top: list[int], pips: dict[int, int]) -> int | None:
        if self.rules.tie == "nobody":
            return None
        others = [s for s in top if s != self.side(self.dealer)]
        return others[0] if len(others) == 1 else None


MACHINE = Maker(family="seven_up", make=SevenUpDeal)
