"""Put: cards of any suit, a challenge at any time, five points or two tricks of three.

Source: the household book, sections 101-104.  Before he plays, a player may say "put"
or throw up ("throw", his cards go on the pack), else he says nothing or "play"; a
challenge is answered by "see" or "decline".  With four, "give" and "receive" say who
of a pair gives his best card; cards are exchanged with the words "discard" and "partner".
"""

from __future__ import annotations

from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._astray import astray, doubled
from audit.referee._put_hands import better, extremes
from audit.referee.machine import Due, Machine, Maker
from audit.rules._chosen import chosen
from audit.rules.put import Put

BOOK = "household book"
LAWS = f"{BOOK}, section 104"
PLAY = f"{BOOK}, section 102"
FOUR = f"{BOOK}, section 103"


class PutDeal(Machine):
    """One deal; phases are extra, pairs, speak, answer, play, trick, redeal and over."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, Put)
        self.rules: Put = chosen(law.rules, deal.options)
        self.order = self.rules.ranks.order(-1)
        self.pairs = [self.eldest, self.dealer] if self.rules.sides else []
        self.giver, self.receiver, self.thrown, self.gave = 0, 0, False, False
        self.players_of: list[int] = []
        self.by, self.lead, self.winner = 0, 0, 0
        self.won: dict[int, int] = {}
        self.done = 0
        self.accepted = False
        self.points: list[tuple[int, str, int]] = []
        self.again, self.extra = False, 0
        self.may_redeal, self._gift = False, b""
        self.phase = "pairs" if self.rules.sides else "speak"
        self._look_at_deal()
        if self.phase != "extra":
            self._resume()

    def _look_at_deal(self) -> None:
        if doubled(self.deal) or list(astray(self.law, self.deal, self.players, self.dealer)):
            self.rule(
                "hands are not the cards at their places of the pack",
                f"{BOOK}, section 101",
                "deal again",
                seat=self.dealer,
            )
        for seat, hand in enumerate(self.deal.hands, start=1):
            if 0 < len(hand) < 3:
                self.unjudged += 1
            if len(hand) <= 3:
                continue
            self.extra, self.phase = seat, "extra"
            mine = seat == self.dealer
            self.rule(
                f"{len(hand)} cards dealt to seat {seat}, wanted 3",
                f"{LAWS}, {'v' if mine else 'iv'}",
                "the adversary adds a point, and calls a fresh deal or draws the extra cards"
                if mine
                else "the adversary calls a fresh deal, or the dealer draws the extra cards",
                seat=self.dealer,
                code="W82",
            )

    def _resume(self) -> None:
        """Go on with hands of three: pairs change cards first, two players begin."""
        if self.rules.sides:
            self.phase = "pairs"
        else:
            self._engage([self.eldest, self.dealer])

    def _engage(self, seats: list[int]) -> None:
        """Let these two play, the first in dealing order leading."""
        self.players_of = sorted(seats, key=self.in_order().index)
        self.by = self.lead = self.players_of[0]
        self.won = dict.fromkeys(self.players_of, 0)
        self.phase = "speak"

    def other(self, seat: int) -> int:
        """Return the adversary of *seat* among the two who play."""
        return next((s for s in self.players_of if s != seat), 0)

    def side(self, seat: int) -> int:
        """Return who scores for *seat*: himself, or the lower seat of his pair."""
        return (seat - 1) % 2 + 1 if self.rules.sides else seat

    def hand(self, seat: int) -> list[int] | None:
        """Return what *seat* holds, None where it is not known."""
        if not 0 < seat < len(self.hands) or not self.deal.hands[seat - 1]:
            return None
        held = self.hands[seat]
        return None if any(c > 51 for c in held) else held

    # -- what is wanted -----------------------------------------------------------------------

    def wants(self) -> Want | None:
        match self.phase:
            case "redeal":
                return Want(kind="redeal", seat=0, words=("fresh deal",))
            case "extra":
                return self._want_extra()
            case "pairs":
                return self._want_pair()
            case "speak":
                return Want(kind="call", seat=self.by, words=("play", "put", "throw"))
            case "answer":
                return Want(kind="call", seat=self.other(self.by), words=("see", "decline"))
            case "play":
                held = tuple(self.hand(self.by) or ())
                return Want(kind="play", seat=self.by, cards=held)
            case "trick":
                return Want(kind="trick", seat=0)
            case _:
                return None

    def _want_extra(self) -> Want:
        """The adversary chooses; then the extra cards are drawn out of the hand."""
        if self.again:
            held = tuple(self.hand(self.extra) or ())
            count = len(held) - 3
            return Want(kind="exchange", seat=self.extra, cards=held, count=count, words=("extra",))
        chooser = self.extra if self.extra != self.dealer else self.eldest
        return Want(kind="call", seat=chooser, words=("fresh deal", "draw"))

    def _want_pair(self) -> Want:
        if not self.giver:
            return Want(kind="call", seat=self.pairs[0], words=("receive", "give"))
        if not self.thrown:
            cards = extremes(self.order, self.hand(self.receiver) or [], best=False)
            return Want(kind="exchange", seat=self.receiver, cards=tuple(cards), words=("discard",))
        if not self.gave:
            cards = extremes(self.order, self.hand(self.giver) or [], best=True)
            return Want(kind="exchange", seat=self.giver, cards=tuple(cards), words=("partner",))
        return Want(kind="draw", seat=0)

    def nature(self, want: Want) -> Event:
        if want.kind == "trick":
            return Event(kind="trick", seat=self.winner)
        if want.kind == "draw":
            return Event(kind="draw", seat=self.receiver, cards=self._gift, word="partner")
        if want.kind == "redeal":
            return Event(kind="redeal", word=want.words[0])
        return super().nature(want)

    # -- events -------------------------------------------------------------------------------

    def step(self, event: Event) -> None:
        if self.phase == "redeal" and event.kind != "redeal":
            self.rule("play went on where a new deal was due", LAWS, "deal again", code="W83")
            self._resume()
        match event.kind:
            case "call":
                self._call(event)
            case "exchange":
                self._exchange(event)
            case "draw":
                self._draw(event)
            case "play":
                self._play(event)
            case "trick":
                self._trick(event)
            case "claim" if event.word == "retract":
                self._retract(event.seat)
            case "look" | "irregular":
                self._found(event)
            case "redeal":
                self._redeal(event)
            case _:
                self.unjudged += 1

    def _call(self, event: Event) -> None:
        self.calls.append(event)
        want = self.wants()
        seat, word = event.seat, event.word
        if word in ("fresh deal", "draw") and self.phase == "extra":
            self._choose_extra(event)
            return
        if word == "retract":
            self._retract(seat)
            return
        if want is None or want.kind != "call":
            self.rule(f"{word[:20]} when nothing is asked", PLAY, "it is void", seat=seat)
            return
        if seat != want.seat:
            self.rule(
                f"{word[:20]} by seat {seat}, wanted seat {want.seat}",
                FOUR if self.phase == "pairs" else PLAY,
                "only who has to play may put, and his adversary answers",
                seat=seat,
            )
        if word not in want.words:
            self.rule(
                f"{word[:20]}, wanted {' or '.join(want.words)}", PLAY, "it is void", seat=seat
            )
            return
        self._said(want.seat, word)

    def _said(self, seat: int, word: str) -> None:
        if word in ("give", "receive"):
            partner = self.after(seat, 2)
            self.giver, self.receiver = (seat, partner) if word == "give" else (partner, seat)
        elif word == "play":
            self.phase = "play"
        elif word == "put":
            if self.accepted:
                self.rule("a put after one was seen", PLAY, "it is void", seat=seat)
            self.phase = "answer"
        elif word == "see":
            self.accepted, self.phase = True, "play"
        elif word == "throw":
            self.points.append((self.other(seat), "thrown up", 1))
            self.phase = "over"
        elif word == "decline":
            self.points.append((self.by, "put", 1))
            self.phase = "over"

    def _retract(self, seat: int) -> None:
        self.rule(
            "a put was taken back",
            f"{LAWS}, vii",
            "he abides the event of the game, or pays the stakes",
            seat=seat,
            code="W84",
        )

    def _choose_extra(self, event: Event) -> None:
        want = self._want_extra()
        if event.seat != want.seat:
            self.rule(
                f"{event.word} by seat {event.seat}, wanted seat {want.seat}",
                LAWS,
                "the adversary chooses",
                seat=event.seat,
                code="W82",
            )
        fresh = event.word == "fresh deal"
        if self.extra == self.dealer and (fresh or self.rules.point_and_cards):
            self.points.append((want.seat, "extra cards", 1))
        if fresh:
            self.phase = "redeal"
        else:
            self.again = True

    def _exchange(self, event: Event) -> None:
        if self.phase == "extra":
            self._draw_extra(event)
            return
        want = self._want_pair() if self.phase == "pairs" and self.giver else None
        if want is None or want.kind != "exchange":
            self.rule("cards changed that may not be", FOUR, "deal again", seat=event.seat)
            return
        if event.seat != want.seat or len(event.cards) != 1:
            self.rule(
                f"{len(event.cards)} cards of seat {event.seat}, wanted 1 of seat {want.seat}",
                FOUR,
                "the partner first throws his worst, then has the other's best card",
                seat=event.seat,
            )
        elif self.hand(event.seat) is not None and event.cards[0] not in (*want.cards, 255):
            which = "best" if self.thrown else "worst"
            self.rule(
                f"the card is not the {which} of the hand",
                FOUR,
                "he gives his best card, and the partner throws his worst",
                seat=event.seat,
            )
        self._give_up(event)
        if not self.thrown:
            self.thrown = True
        else:
            self.gave, self._gift = True, event.cards

    def _give_up(self, event: Event) -> None:
        if not 0 < event.seat < len(self.hands):
            return
        held = self.hands[event.seat]
        if any(c > 51 for c in event.cards):
            held[:] = [255] * (len(held) - len(event.cards))
        for card in event.cards:
            if card in held and card < 52:
                held.remove(card)
            elif self.hand(event.seat) is not None:
                self.rule("a card that was not in the hand", FOUR, "deal again", seat=event.seat)

    def _draw(self, event: Event) -> None:
        if self.phase != "pairs" or not self.gave:
            self.rule("a card taken that was not given", FOUR, "deal again", seat=event.seat)
            return
        if event.seat != self.receiver or (event.cards != self._gift and event.cards != b"\xff"):
            self.rule(
                f"the card taken by seat {event.seat} is not the one given to {self.receiver}",
                FOUR,
                "the partner has the best card of the other",
                seat=event.seat,
            )
        if self.receiver < len(self.hands):
            self.hands[self.receiver] += event.cards
        self.players_of.append(self.receiver)
        self.pairs = self.pairs[1:]
        self.giver, self.thrown, self.gave, self._gift = 0, False, False, b""
        if not self.pairs:
            self._engage(self.players_of)

    def _draw_extra(self, event: Event) -> None:
        held = self.hand(self.extra)
        over = len(held or ()) - 3
        if event.seat != self.extra or (held is not None and len(event.cards) != over):
            self.rule(
                f"{len(event.cards)} cards drawn of seat {event.seat}, "
                f"wanted {over} of seat {self.extra}",
                LAWS,
                "the extra cards are drawn from the hand",
                seat=event.seat,
                code="W82",
            )
        self._give_up(event)
        self._resume()

    def _play(self, event: Event) -> None:
        seat, card = event.seat, event.cards[0] if event.cards else 255
        if self.phase in ("trick", "speak", "answer"):
            if self.phase == "answer":
                self.rule("a card before the challenge was answered", PLAY, "it is answered first")
            self.phase = "play"
        if self.phase != "play" or card > 51:
            self._stray(seat, card)
            return
        if seat != self.by:
            self.rule(
                f"played by seat {seat}, wanted seat {self.by}",
                PLAY,
                "the eldest leads, then the winner of the trick",
                seat=seat,
            )
        held = self.hand(seat)
        gone = card in {c for _, c in self.played}
        if gone or (held is not None and card not in held):
            self.rule("a card that was not in the hand", f"{BOOK}, section 101", "deal again")
        elif held is not None:
            held.remove(card)
        self._lay(seat, card)

    def _stray(self, seat: int, card: int) -> None:
        if card > 51 or self.phase == "pairs":
            self.unjudged += 1
            self.phase = "over"
        else:
            self.rule("a card when none is due", PLAY, "it is void", seat=seat)

    def _lay(self, seat: int, card: int) -> None:
        self.played.append((seat, card))
        self.trick.append(card)
        if len(self.trick) == 1:
            self.lead = seat
            self.by, self.phase = self.other(seat), "play" if self.accepted else "speak"
            return
        result = better(self.order, self.trick[0], self.trick[1])
        self.winner = 0 if not result else self.lead if result > 0 else self.other(self.lead)
        self.trick = []
        self.done += 1
        if self.winner:
            self.won[self.winner] = self.won.get(self.winner, 0) + 1
        # After a tie the same hand leads again.
        self.by = self.lead = self.winner or self.lead
        self.phase = "trick"

    def _trick(self, event: Event) -> None:
        if self.phase != "trick":
            self.unjudged += 1
            return
        if event.seat != self.winner:
            whom = f"seat {self.winner}" if self.winner else "nobody, it is a tie"
            self.rule(
                f"the trick taken by seat {event.seat}, won by {whom}",
                f"{BOOK}, section 101",
                "the trick belongs to the higher card, a tie to nobody",
                seat=event.seat,
            )
        if self.done == 3 or (self.accepted and 2 in self.won.values()):
            self.phase = "over"
        else:
            self.phase = "play" if self.accepted else "speak"

    def _found(self, event: Event) -> None:
        word = event.word
        if word == "faced card":
            self.phase = "redeal"
        elif word == "bystander":
            self.rule(
                "a bystander interfered",
                f"{LAWS}, vi",
                "he pays the stakes",
                seat=event.seat,
                code="W84",
            )
        elif word == "adversary's card" and event.seat == self.dealer:
            self.may_redeal = True
        elif word == "own card" and event.seat == self.dealer:
            self.may_redeal = False
        else:
            self.unjudged += 1

    def _redeal(self, event: Event) -> None:
        if self.phase != "redeal" and not self.may_redeal:
            self.rule(
                "a new deal that no law gives",
                f"{LAWS}, i and ii",
                "who sees his own cards in dealing abides by the deal",
                seat=event.seat,
                code="W81",
            )
        self.phase = "over"

    # -- points -------------------------------------------------------------------------------

    def due(self) -> list[Due]:
        out = [
            Due(kind="score", seat=self.side(seat), word=word, number=number)
            for seat, word, number in self.points
        ]
        taken = [seat for seat, tricks in self.won.items() if tricks >= 2]
        if self.accepted and taken:
            # The score is at an end: the tricks decide the whole game.
            out.append(
                Due(kind="score", seat=self.side(taken[0]), word="game", number=self.rules.game)
            )
        elif self.rules.unput and taken and self.done == 3:
            out.append(Due(kind="score", seat=self.side(taken[0]), word="tricks", number=1))
        return out


MACHINE = Maker(family="put", make=PutDeal)
