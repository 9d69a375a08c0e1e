"""Spoil Five and Forty-Five: rob, five tricks, jink, and the pool or the points.

Source: Foster, "Spoil Five" and "Forty-Five, or Five and Ten".  A record whose
option "calls" is "none" does not show who robbed; then nothing is said of
silence, and a hand that may have robbed is not judged.
"""

from __future__ import annotations

from dataclasses import replace

from audit.duty import ACE_OF_HEARTS, FIVE, JACK, LOWEST_TRUMP, Duty, renege
from audit.event import Event, Want
from audit.law import Law
from audit.ranks import NO_TRUMP, Order
from audit.record import Deal
from audit.referee._five_tricks import HAND, OVER, FiveTricks
from audit.referee.machine import Due, Maker
from audit.rules.options import chosen, whole
from audit.rules.spoil_five import SpoilFive

BOOK = "Foster, Spoil Five"
ROBBING = f"{BOOK}, Robbing the trump card"
JINK = f"{BOOK}, Jink game"
IN_PLAY = f"{BOOK}, Irregularities in play"
IN_HANDS = f"{BOOK}, Irregularities in the hands"
BARRED = "he cannot win this pool, in this or any later deal"
ACE, KING = 12, 11


class SpoilFiveDeal(FiveTricks):
    """One deal; phases are ace (the dealer is asked), give, play, jink, over.

    *pool* are the counters before the deal, 0 where a new pool is to be formed.
    """

    book = BOOK

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        assert isinstance(law.rules, SpoilFive)
        self.rules, refused = chosen(law.rules, deal.options)
        self.keeps = self.rules.misdealer_keeps
        super().__init__(law, deal, scores)
        self.silent = False
        self.asked: set[int] = set()
        self.robber = 0
        self.jinked = False
        self.says = deal.options.get("calls") != "none"
        pool = whole(deal.options, "pool")
        self.unjudged += refused + (pool is None)
        self.pool = pool or 0
        barred = deal.options.get("barred", "").split()
        self.barred = {int(s) for s in barred if s.isascii() and s.isdigit()}
        if not self.turnups or self.turnups[0] >= 52:
            self.blind = True
            return
        self.trump = self.turnups[0] // 13
        if self.turnups[0] % 13 == ACE:
            self.phase = "ace"

    # -- trumps -------------------------------------------------------------------------------

    def order(self) -> Order:
        order = self.rules.ranks.order(self.trump)
        if not self.silent:
            return order
        worth = list(order.worth)
        worth[13 * self.trump + ACE] = LOWEST_TRUMP
        return replace(order, worth=tuple(worth))

    def duty(self) -> Duty:
        return renege

    def first_leaders(self) -> list[int]:
        return [s for s in self.in_order() if s not in self.fouls]

    def robs_with(self, seat: int) -> int | None:
        """Return the card that lets *seat* rob when no ace was turned, None for none."""
        if self.trump == NO_TRUMP or self.turnups[0] % 13 == ACE:
            return None
        ace, king = 13 * self.trump + ACE, 13 * self.trump + KING
        if ace in self.hands[seat]:
            return ace
        if not self.rules.king_robs or self.robber or king not in self.hands[seat]:
            return None
        held = any(ace in hand for hand in self.deal.hands) or len(self.known) < self.players
        return None if held else king

    def _first_trick(self) -> bool:
        return self.tricks is None or not self.tricks.taken

    # -- what is wanted -----------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.void or (self.blind and not self.gather):
            return None
        if self.phase == "ace":
            return Want(kind="call", seat=self.dealer, words=("leave", "rob"))
        if self.phase == "give":
            gives = [c for c in self.hands[self.robber] if c != self.robs_with(self.robber)]
            return Want(kind="exchange", seat=self.robber, cards=tuple(gives))
        if self.gather:
            return self.play_want()
        if self.phase == "jink":
            return Want(kind="call", seat=self.three(), words=("pool", "jink"))
        if self.phase == "play" and self._first_trick():
            seat = self.table().turn
            if self.says and seat not in self.asked and self.robs_with(seat) is not None:
                return Want(kind="call", seat=seat, words=("turn down", "rob"))
        return self.play_want()

    # -- calls --------------------------------------------------------------------------------

    def call(self, event: Event) -> None:
        self.calls.append(event)
        want, seat = self.wants(), event.seat
        right = want is not None and want.kind == "call" and seat == want.seat
        if right and self.phase == "ace" and event.word == "turn down":
            self._answer("leave", seat)
        elif right and want is not None and event.word in want.words:
            self._answer(event.word, seat)
        elif event.word in ("rob", "turn down") and self.phase in ("play", "ace", "give"):
            self._wrong_rob(event)
        elif event.word in ("pool", "jink"):
            self.rule(f"{event.word} said by seat {seat}", JINK, "it is void", seat=seat)
        else:
            self.rule(f"{event.word} when it is not asked", ROBBING, "it is void", seat=seat)

    def _answer(self, word: str, seat: int) -> None:
        if word == "rob":
            self.robber, self.phase = seat, "give"
        elif word == "pool":
            self.phase = OVER
        else:
            self.jinked |= word == "jink"
            self.phase = "play"
        self.asked.add(seat)

    def _wrong_rob(self, event: Event) -> None:
        """Rule on who robs or announces what he may not, or too late; go on as it was done."""
        seat = event.seat
        if not 1 <= seat <= self.players:
            self.unjudged += 1
            return
        if seat not in self.known and self.phase == "play":
            self.unjudged += 1
        elif self.silent or seat in self.asked:
            self.rule(
                f"the ace of trumps announced too late by seat {seat}",
                ROBBING,
                "an ace kept silent is the lowest trump, and its holder may not rob",
                seat=seat,
                code="W50",
            )
        elif self.robs_with(seat) is not None:
            what = f"the ace of trumps announced by seat {seat} before he comes to play"
            self.rule(what, ROBBING, "he announces it at his turn", seat=seat)
        elif event.word == "rob":
            self.offence(f"seat {seat} robs and does not hold the ace", seat, code="W47")
        else:
            self.rule(f"seat {seat} announces an ace that he has not", ROBBING, "void", seat=seat)
        self.asked.add(seat)
        if event.word == "rob" and not self.robber:
            self.robber, self.phase = seat, "give"

    def exchange(self, event: Event) -> None:
        seat = event.seat
        if self.phase != "give" or seat != self.robber:
            self.rule("a card exchanged by who does not rob", ROBBING, "void", seat=seat)
            return
        if len(event.cards) != 1:
            self.rule(
                f"{len(event.cards)} cards given for the turn-up, wanted 1",
                ROBBING,
                "a foul hand: one card is given",
                seat=seat,
            )
        for card in event.cards:
            self._give(seat, card)
        self.hands[seat].append(self.turnups[0])
        self.phase = "play"

    def _give(self, seat: int, card: int) -> None:
        if card in self.hands[seat]:
            # The book does not foresee that the ace itself is given away.
            self.unjudged += card == self.robs_with(seat)
            self.hands[seat].remove(card)
        elif seat in self.known and card < 52:
            self.rule("a card given that was not held", ROBBING, "a foul hand", seat=seat)
        else:
            self._lose_sight(seat)

    def _lose_sight(self, seat: int) -> None:
        self.known.discard(seat)
        if self.tricks is not None:
            self.tricks.hands[seat] = None

    # -- play ---------------------------------------------------------------------------------

    def before_play(self, seat: int) -> None:
        if self.phase == "jink":
            self.jinked, self.phase = True, "play"
        if self.phase in ("ace", "give"):
            # Whether the dealer, or what the robber, exchanged is not in the record.
            self.unjudged += 1
            self._lose_sight(self.robber or self.dealer)
            self.phase = "play"
        if not self._first_trick() or seat in self.asked or seat not in self.known:
            return
        if self.robs_with(seat) != 13 * self.trump + ACE:
            return
        self.asked.add(seat)
        if not self.says:
            self.unjudged += 1
            self._lose_sight(seat)
            return
        self.rule(
            f"seat {seat} played without announcing the ace of trumps",
            ROBBING,
            "he may not rob, and his ace is the lowest trump of the deal",
            seat=seat,
            code="W50",
        )
        self.silent = True
        self.table().order = self.order()

    def breach(self, seat: int, card: int) -> None:
        tricks = self.table()
        led = tricks.cards[0]
        if tricks.order.group[led] != 4:
            what, law = "neither followed suit nor trumped, though able to", "Method of playing"
        elif all(self._best(c) for c in self.hands[seat] if tricks.order.group[c] == 4):
            what, law = "reneged to the lead of a higher trump", "Reneging"
        else:
            what, law = "renounced in trumps while holding a smaller one", "Reneging"
        self.rule(what, f"{BOOK}, {law}", self._cost(), seat=seat)
        self.bar(seat)

    def _best(self, card: int) -> bool:
        best = (13 * self.trump + FIVE, 13 * self.trump + JACK, ACE_OF_HEARTS)
        return card in best and self.table().order.worth[card] > LOWEST_TRUMP

    def _cost(self) -> str:
        return BARRED if self.rules.count == "pool" else "the book names none without a pool"

    def bar(self, seat: int) -> None:
        """Take the right to this pool from *seat*."""
        self.offenders.add(seat)

    def offence(self, what: str, seat: int, *, code: str = "LAW") -> None:
        self.rule(what, IN_PLAY, self._cost(), seat=seat, code=code)
        self.bar(seat)

    def wrong_count(self, seat: int) -> None:
        self.rule(
            f"seat {seat} plays with {len(self.hands[seat])} cards, wanted {HAND}",
            IN_HANDS,
            "a foul hand: it is abandoned, without right to the pool of the deal",
            seat=seat,
        )
        self.fouls.add(seat)

    def irregular(self, event: Event) -> bool:
        if event.word == "foul hand" and 1 <= event.seat <= self.players:
            if event.seat not in self.fouls:
                self.wrong_count_found(event.seat)
            return True
        if event.word == "exposed":
            if max(self.won().values()) >= 2:
                self.offence("a card exposed after a player has two tricks", event.seat, code="W48")
            return True
        return False

    def wrong_count_found(self, seat: int) -> None:
        """Abandon a hand that was found foul in play."""
        self.rule(
            f"the hand of seat {seat} is foul",
            IN_HANDS,
            "it is abandoned, without right to the pool of the deal",
            seat=seat,
        )
        self.abandon(seat)

    # -- objects ------------------------------------------------------------------------------

    def side(self, seat: int) -> int:
        """Return who scores for *seat*: himself, or the lower seat of his side."""
        if self.rules.count == "pool" or self.players == 2:
            return seat
        return (seat - 1) % 2 + 1

    def side_tricks(self) -> dict[int, int]:
        """Return the tricks of each side."""
        out: dict[int, int] = {}
        for seat, tricks in self.won().items():
            out[self.side(seat)] = out.get(self.side(seat), 0) + tricks
        return out

    def three(self) -> int:
        """Return the seat with three tricks, 0 for none."""
        return next((s for s, n in self.won().items() if n >= 3), 0)

    def may_win(self, seat: int) -> bool:
        """Whether *seat* has a right to the pool."""
        return seat not in self.barred | self.offenders | self.fouls

    def gathered(self, seat: int) -> None:
        won = self.won()[seat]
        if self.rules.count == "per trick":
            side = self.side(seat)
            if self.scores[side] + 5 * self.side_tricks()[side] >= self.rules.game:
                self.phase = OVER
        elif self.rules.count == "pool" and won == 3 and self.may_win(seat):
            self.phase = "jink"

    def due(self) -> list[Due]:
        if self.rules.count == "pool":
            return self.told(self._pool())
        out: list[Due] = []
        shown = self.turnups and not self.void
        if self.rules.honour_pays and shown and self.turnups[0] % 13 in (ACE, KING):
            to = self.side(self.dealer)
            out.append(Due(kind="score", seat=to, word="honour turned", number=5))
        return out if self.void or self.phase != OVER else out + self._points()

    def _points(self) -> list[Due]:
        tricks = self.side_tricks()
        best = max(tricks, key=lambda s: tricks[s])
        won, lost = tricks[best], sum(tricks.values()) - tricks[best]
        for side, n in tricks.items():
            if self.rules.count == "per trick" and self.scores[side] + 5 * n >= self.rules.game:
                return [Due(kind="score", seat=side, word="out", number=5 * n)]
        number = 10 if won == HAND else 5
        if self.rules.count == "per trick":
            number = 5 * (won - lost)
        return [Due(kind="score", seat=best, word="tricks", number=number)]

    def stakes(self) -> list[Due]:
        """Return what is put up before the deal."""
        each = dict.fromkeys(range(1, self.players + 1), 0 if self.pool else 1)
        if self.rules.dealer_stakes_all:
            each = {self.dealer: self.players}
        elif self.pool or self.rules.first_dealer_adds:
            each[self.dealer] += 1
        return [
            Due(kind="pay", seat=s, word="stake", number=n) for s, n in sorted(each.items()) if n
        ]

    def _pool(self) -> list[Due]:
        out = [Due(kind="pool", seat=0, word="before", number=self.pool), *self.stakes()]
        pool = self.pool + sum(d.number for d in out[1:])
        if self.void and self.keeps and self.why not in ("faced card", "imperfect pack"):
            out.append(Due(kind="pay", seat=self.dealer, word="misdeal", number=2))
            pool += 2
        winner = self._winner()
        if winner:
            out.append(Due(kind="pay", seat=0, word="pool", number=pool, to=winner))
            pool = 0
        if winner and self.won()[winner] == HAND:
            others = (s for s in range(1, self.players + 1) if s != winner)
            out += [Due(kind="pay", seat=s, word="all five", number=1, to=winner) for s in others]
        return [*out, Due(kind="pool", seat=0, word="after", number=pool)]

    def _winner(self) -> int:
        """Return who takes the pool, 0 where the deal is spoiled."""
        seat = self.three()
        if self.void or not seat or not self.may_win(seat):
            return 0
        return 0 if self.jinked and self.won()[seat] < HAND else seat


MACHINE = Maker(family="spoil_five", make=SpoilFiveDeal)
