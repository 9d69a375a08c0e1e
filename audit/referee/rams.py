"""Rams, Rounce and Bierspiel: who plays and with which hand, five tricks, the pool.

Source: Foster, "Rams, or Rammes", "Rounce" and "Bierspiel".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from audit.duty import LOWEST_TRUMP, Duty, follow, head_or_under
from audit.event import Event, Want
from audit.law import Law
from audit.ranks import Order, winner
from audit.record import Deal
from audit.referee._declare import Declarations
from audit.referee._five_tricks import HAND, OVER, FiveTricks
from audit.referee._shares import crosses, pool
from audit.referee.machine import Due, Maker
from audit.rules.options import chosen, whole
from audit.rules.rams import PIQUET, SEVEN_OF_DIAMONDS, Rams

BOOK = "Foster, Rams"
PENALTIES = f"{BOOK}, Penalties"
DECLARING = f"{BOOK}, Declaring to play"
BEER = "Foster, Bierspiel"
AUF, TAKE, GIVE, DROP, DECLARE, TURN = "auf", "take", "give", "drop", "declare", "turn"


class RamsDeal(FiveTricks):
    """One deal; phases are turn, auf, declare, drop, take, give, play, over.

    *before* are the counters that lay in the pool before the dealer put up five.
    """

    book = BOOK

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        assert isinstance(law.rules, Rams)
        self.rules, refused = chosen(law.rules, deal.options)
        self.keeps, self.sits_out = self.rules.misdealer_keeps, self.rules.sits_out
        super().__init__(law, deal, scores)
        before = whole(deal.options, "pool")
        self.unjudged += refused + (before is None)
        self.before = before or 0
        self.auf = not self.rules.auf
        self.leader = 0
        self.taker = 0
        self.called = -1
        self._more = list(deal.turnups[1:2]) or self.stock()[:1]
        self.said = Declarations(
            rules=self.rules, order=self.served(), dealer=self.dealer, simple=self.before == 0
        )
        if not self.turnups or self.turnups[0] >= 52:
            self.blind = True
            return
        self.trump = self.turnups[0] // 13
        self.phase = DECLARE if self.auf else AUF
        if self.rules.auf and self.turnups[0] == SEVEN_OF_DIAMONDS:
            self.phase = TURN

    # -- what is wanted -----------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.void or (self.blind and not self.gather):
            return None
        if self.phase == TURN:
            return Want(kind="turn", seat=0)
        if self.phase == AUF:
            return Want(kind="call", seat=self.dealer, words=("auf",))
        if self.phase == DECLARE:
            seat, words = self.said.asked()
            return Want(kind="call", seat=seat, words=words)
        if self.phase == DROP:
            cards = tuple(self.hands[self.said.widow])
            return Want(
                kind="exchange", seat=self.said.widow, cards=cards, count=self.rules.widow_drop
            )
        if self.phase == TAKE:
            return Want(kind="call", seat=self.taker, words=("leave", "rob"))
        if self.phase == GIVE:
            cards = tuple(self.hands[self.taker])
            return Want(kind="exchange", seat=self.taker, cards=cards, count=len(self.takes()))
        return self.play_want()

    def takes(self) -> list[int]:
        """Return the cards that whoever takes the trump takes: the dealer also the seven first."""
        return list(self.turnups) if self.taker == self.dealer else self.turnups[-1:]

    def nature(self, want: Want) -> Event:
        return Event(kind="turn", cards=bytes(self._more))

    def record(self, dealt: Deal, events: tuple[Event, ...]) -> Deal:
        return structs.replace(dealt, events=events, turnups=bytes(self.turnups))

    # -- before the play ----------------------------------------------------------------------

    def step(self, event: Event) -> None:
        if event.kind == "turn":
            self._turn(event)
        elif event.kind == "look":
            self._look(event)
        else:
            if event.kind in ("call", "play"):
                self._fill_in(event)
            super().step(event)

    def _fill_in(self, event: Event) -> None:
        """Where the record leaves steps out: turn what it shows turned, or judge no more."""
        if self.phase == TURN and self._more and self._more[0] < 52:
            self._turn(Event(kind="turn", cards=bytes(self._more)))
        elif self.phase == TURN:
            self.blind = True
        if event.kind == "play" and self.phase in (AUF, DECLARE, DROP) and not self.blind:
            if self.said.at or self.said.stage != "declare":
                self.offence(f"seat {event.seat} played before all had declared", event.seat)
            # Who plays is not in the record.
            self.blind = True

    def _turn(self, event: Event) -> None:
        if self.blind:
            self.unjudged += 1
            return
        if self.phase != TURN or len(event.cards) != 1:
            self.rule("a card turned when none is asked for", BEER, "it is void", seat=event.seat)
            return
        card = event.cards[0]
        if self._more and card != self._more[0]:
            self.rule("the card turned is not the next of the pack", BEER, "a misdeal")
        if card >= 52:
            self.blind = True
            self.unjudged += 1
            return
        self.turnups.append(card)
        self.trump, self.phase = card // 13, AUF

    def _look(self, event: Event) -> None:
        if self.rules.auf and not self.auf:
            self.rule(
                f"seat {event.seat} looked at cards before the dealer said Auf",
                BEER,
                "a fresh cross",
                seat=event.seat,
                code="W57",
            )
            self.offenders.add(event.seat)
        elif event.word == "dead hand":
            self.rule(
                f"seat {event.seat} looked at the hand given up for the widow",
                DECLARING,
                "it is dead and is seen by nobody",
                seat=event.seat,
                code="W54",
            )
        else:
            self.unjudged += 1

    def call(self, event: Event) -> None:
        self.calls.append(event)
        want, seat, word = self.wants(), event.seat, event.word
        if want is None or want.kind != "call":
            self.rule(f"{word} when nothing is asked", DECLARING, "it is void", seat=seat)
            return
        if self.phase == AUF:
            if word == "auf":
                self._auf(event)
                return
            # A record that does not tell of the word says nothing against it.
            self.phase, self.auf = DECLARE, True
            seat_wanted, words = self.said.asked()
            want = Want(kind="call", seat=seat_wanted, words=words)
        if seat != want.seat:
            what = f"{word} by seat {seat}, wanted seat {want.seat}"
            self.rule(what, DECLARING, "each declares in his turn", seat=seat)
        if word not in want.words:
            what = f"{word}, wanted {' or '.join(want.words)}"
            self.rule(what, DECLARING, self.said.remedy(), seat=seat)
            word = "play" if "play" in want.words else want.words[0]
        if self.phase == TAKE:
            self._take(word)
        else:
            self._declare(want.seat, word)

    def _auf(self, event: Event) -> None:
        if event.seat != self.dealer:
            what = f"Auf said by seat {event.seat}, wanted the dealer, seat {self.dealer}"
            self.rule(what, BEER, "the dealer gives the word", seat=event.seat)
        self.auf, self.phase = True, DECLARE

    def _declare(self, seat: int, word: str) -> None:
        self.said.say(word)
        if word == "widow":
            self.hands[seat][:] = list(self.deal.widow)
            if not self.deal.widow or max(self.deal.widow) >= 52:
                self.known.discard(seat)
            if self.rules.widow_drop:
                self.phase = DROP
                return
        self._go_on()

    def _go_on(self) -> None:
        """After a declaration: the next one, the turn-up, the play, or the end."""
        if not self.said.over():
            self.phase = DECLARE
            return
        plays = self.said.plays()
        if self.said.declined or len(plays) < 2:
            self.phase = OVER
            return
        self.leader = self.said.announcer or plays[0]
        eldest = self.eldest if self.rules.auf and self.eldest in plays else 0
        self.taker = self.dealer if self.dealer in plays else eldest
        self.phase = TAKE if self.taker else "play"

    def _take(self, word: str) -> None:
        self.phase = GIVE if word == "rob" else "play"

    def exchange(self, event: Event) -> None:
        wanted = {DROP: self.said.widow, GIVE: self.taker}.get(self.phase, 0)
        seat = event.seat
        if not wanted or seat != wanted:
            self.rule("a card laid aside when none is asked for", DECLARING, "void", seat=seat)
            return
        count = self.rules.widow_drop if self.phase == DROP else len(self.takes())
        if len(event.cards) != count:
            what = f"{len(event.cards)} cards laid aside, wanted {count}"
            self.rule(what, DECLARING, "the hand is made right before play", seat=seat)
        for card in event.cards:
            if card in self.hands[seat]:
                self.hands[seat].remove(card)
            elif seat in self.known and card < 52:
                self.rule("a card laid aside that was not held", DECLARING, "void", seat=seat)
            else:
                self.known.discard(seat)
        if self.phase == DROP:
            self._go_on()
        else:
            self.hands[seat] += self.takes()
            self.phase = "play"

    # -- play ---------------------------------------------------------------------------------

    def before_play(self, seat: int) -> None:
        if self.phase in (TAKE, GIVE):
            # Whether the trump was taken, or for what, is not in the record.
            self.unjudged += 1
            self.known.discard(self.taker)
            self.table().hands[self.taker] = None
        self.phase = "play"

    def first_leaders(self) -> list[int]:
        plays = self.said.plays() or self.served()
        at = plays.index(self.leader) if self.leader in plays else 0
        return plays[at:] + plays[:at]

    def order(self) -> Order:
        ranks = PIQUET if self.rules.piquet_ranks and not self.rules.auf else self.rules.ranks
        return ranks.order(self.trump)

    def duty(self) -> Duty:
        return self._follow

    def _follow(self, order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
        """Return what may be played: the duty of the game, with the options of the table."""
        if not self.rules.head:
            return follow(order, hand, trick)
        may = head_or_under(order, hand, trick)
        if self.called >= 0 and not self.rules.overtrump:
            # The face-down card "calls for a trump": any trump answers it.
            return [c for c in hand if order.group[c] == 4] or list(hand)
        led = order.group[trick[0]]
        mine = [c for c in hand if order.group[c] == led]
        top = trick[winner(order, list(trick))]
        if mine and led != 4 and order.group[top] == 4 and self.rules.head_a_ruff:
            best = max(order.worth[c] for c in trick if order.group[c] == led)
            return [c for c in mine if order.worth[c] > best] or mine
        if not mine and self.rules.overtrump and order.group[top] == 4:
            over = [c for c in may if order.group[c] == 4 and order.worth[c] > order.worth[top]]
            return over or may
        return may

    def leads(self, seat: int) -> list[int]:
        hand, tricks = self.hands[seat], self.table()
        trumps = [c for c in hand if tricks.order.group[c] == 4]
        if self.rules.first_winner_leads_trump and len(tricks.taken) == 1:
            return trumps or list(hand) if seat == tricks.turn else list(hand)
        if self._trump_asked():
            low = max(self._place(c) for c in hand) if hand else 0
            return trumps or [c for c in hand if self._place(c) == low]
        return list(hand)

    def _place(self, card: int) -> int:
        return self.rules.order.index("23456789TJQKA"[card % 13])

    def _trump_asked(self) -> bool:
        """Whether this trick must be led with a trump (Bierspiel)."""
        asked = min(len(self.said.plays()) - 1, 3)
        return self.rules.trumps_first and len(self.table().taken) < asked

    def _put_order(self, card: int) -> None:
        """Count a card led face down as the lowest of trumps while its trick lasts."""
        tricks = self.table()
        if tricks.cards or not self._trump_asked() or tricks.order.group[card] == 4:
            return
        group, worth = list(tricks.order.group), list(tricks.order.worth)
        group[card], worth[card], self.called = 4, LOWEST_TRUMP, card
        tricks.order = replace(tricks.order, group=tuple(group), worth=tuple(worth))

    def accept(self, seat: int, card: int) -> None:
        self._put_order(card)
        tricks = self.table()
        if self.called < 0 or not self.rules.called_card_has_suit:
            return
        cards = [*tricks.cards, card]
        full = len(cards) == len(tricks.seats)
        if full and all(tricks.order.group[c] != 4 for c in cards[1:]):
            tricks.order = self.order()

    def gathered(self, seat: int) -> None:
        if self.called >= 0:
            self.called = -1
            self.table().order = self.order()
        if self.said.announcer and seat != self.said.announcer:
            self.phase = OVER

    def breach(self, seat: int, card: int) -> None:
        tricks = self.table()
        order, trick = tricks.order, tricks.cards
        if not trick:
            book = "Foster, Rounce" if self.rules.first_winner_leads_trump else BEER
            self._pay_five("did not lead a trump, or his smallest card for one", seat, law=book)
            return
        led = order.group[trick[0]]
        able = [c for c in self.hands[seat] if order.group[c] == led]
        if able and order.group[card] != led:
            self._pay_five("renounced while able to follow suit", seat)
        elif able:
            self._pay_five("did not head the trick, though able to", seat, code="W56")
        else:
            self._pay_five("did not trump the trick, though able to", seat, code="W56")

    def _pay_five(self, what: str, seat: int, *, law: str = PENALTIES, code: str = "LAW") -> None:
        cost = "a fresh cross" if self.rules.crosses else "he wins nothing and pays five"
        self.rule(what, law, cost, seat=seat, code=code)
        self.offenders.add(seat)

    def offence(self, what: str, seat: int, *, code: str = "LAW") -> None:
        self._pay_five(what, seat, code=code)

    def wrong_count(self, seat: int) -> None:
        what = f"seat {seat} plays with {len(self.hands[seat])} cards, wanted {HAND}"
        self._pay_five(what, seat)

    def irregular(self, event: Event) -> bool:
        if event.word in ("exposed", "foul hand"):
            self._pay_five(f"{event.word} by seat {event.seat}", event.seat)
            return True
        return False

    # -- payments -----------------------------------------------------------------------------

    def due(self) -> list[Due]:
        if self.void or self.blind:
            return [] if self.rules.crosses else self.told(pool(self, ended=False))
        ended = self.phase == OVER
        if self.rules.crosses:
            return crosses(self, ended=ended)
        return self.told(pool(self, ended=ended))


MACHINE = Maker(family="rams", make=RamsDeal)
