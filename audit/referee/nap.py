"""Napoleon and its variants: buying or peeping, bids, the tricks, and what is paid.

Source: Foster, "Napoleon, or Nap".  Bids are the words of `rules/nap.py`; a look at
the widow is the event `look` with the word "widow".  A claim of "revoke" names the
claimant as seat and the revoker as `to`.
"""

from __future__ import annotations

from dataclasses import replace

from audit.event import Event, Seen, Want
from audit.law import Law
from audit.record import Deal
from audit.referee import _nap_purchase as purchase
from audit.referee import _nap_widow as widow
from audit.referee._astray import astray, doubled
from audit.referee._nap_bids import LAW, Bids, word_of
from audit.referee._nap_irregular import irregular, redeal
from audit.referee._nap_pay import Account
from audit.referee._nap_play import Play
from audit.referee.machine import Due, Machine, Maker, Ruling
from audit.rules.nap import Nap
from audit.rules.options import chosen, whole

POOL_WORDS = ("stake", "pool")


class NapDeal(Machine):
    """One deal; phases are buy, bid, take (the widow), play, redeal and over."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        if self.dealer > self.players:
            # A place that nobody has: the last one deals, and the record is in doubt.
            self.dealer, self.unjudged = self.players, self.unjudged + 1
        assert isinstance(law.rules, Nap)
        # The option "pool" is a number of counters in a record, and no rule.
        said = {name: text for name, text in deal.options.items() if name != "pool"}
        rules, refused = chosen(law.rules, said)
        self.rules: Nap = rules
        self.unjudged += refused
        self.out = self._dealer_without()
        self.seats = [s for s in self.in_order() if s != self.out]
        self.bids = Bids(rules=self.rules, waiting=list(self.seats))
        self.phase = "buy" if self.rules.extra == "purchase" else "bid"
        self.buyers = list(self.seats)
        self.owed = self.buyer = 0
        self.looked: set[int] = set()
        self.looking = list(self.seats) if self.rules.extra == "peep" else []
        self.taken = False
        self.misdealt, self.wrong_dealer, self.redealt = "", False, False
        self.result: bool | None = None
        self.revoker = 0
        self.below = self.stock()
        self.left = self._cards_left()
        before = whole(deal.options, "pool") if "pool" in deal.options else None
        self.account = Account(
            rules=self.rules,
            seats=self.seats,
            everybody=self.in_order(),
            dealer=self.dealer,
            before=before,
        )
        self.play = Play(self)
        self._look_at_deal()

    def _dealer_without(self) -> int:
        """Return the dealer where he took no cards, else 0.

        A record that says nothing of it shows it by his empty hand alone, with five or
        six at the table and neither call nor card of his.
        """
        hands, dealer = self.deal.hands, self.dealer
        if self.players < 5 or not 0 < dealer <= len(hands) == self.players or hands[dealer - 1]:
            return 0
        acts = any(e.seat == dealer and e.kind in ("call", "play") for e in self.deal.events)
        return 0 if acts or sum(map(bool, hands)) < self.players - 1 else dealer

    def _cards_left(self) -> int:
        return len(self.law.pack) - 5 * len(self.seats) - self.law.widow

    def _look_at_deal(self) -> None:
        hands = len(self.seats)
        for seat in astray(self.law, self.deal, self.players, self.dealer, hands=hands):
            what = f"the hand of seat {seat}" if seat else "the widow"
            self.rule(
                f"{what} is not the cards at its places of the pack",
                "Foster, Napoleon, Dealing",
                "the misdealer deals again",
                seat=self.dealer,
            )
        if doubled(self.deal):
            self.rule(
                "a card lies twice in the deal",
                "Foster, Napoleon, Cards",
                "the misdealer deals again",
                seat=self.dealer,
            )

    def hand(self, seat: int) -> list[int] | None:
        """Return what *seat* holds, None where it is not known."""
        if not 0 < seat < len(self.hands) or not self.deal.hands[seat - 1]:
            return None
        held = self.hands[seat]
        return None if any(c > 51 for c in held) else held

    def seen(self, seat: int) -> Seen:
        out = super().seen(seat)
        if seat in self.looked:
            out.shown = list(self.deal.widow)
        return out

    # -- what is wanted -----------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.rules.pool and self.account.before is None and self.at < 0:
            return Want(kind="pool", seat=0)
        if self.phase == "redeal":
            return Want(kind="redeal", seat=0, words=("misdeal",))
        if self.phase == "buy":
            return purchase.want(self)
        if self.phase == "bid":
            return self._want_bid()
        if self.phase == "take":
            return widow.want(self)
        return self.play.want() if self.phase == "play" else None

    def _want_bid(self) -> Want | None:
        waiting = self.bids.waiting
        if self.looking and (self.bids.closed or not waiting or waiting[0] == self.looking[0]):
            return Want(kind="look", seat=self.looking[0], words=("nothing", "widow"))
        if not waiting or self.bids.closed:
            return None
        return Want(kind="call", seat=waiting[0], words=self.bids.words(waiting[0]))

    def nature(self, want: Want) -> Event:
        if want.kind == "pool":
            return Event(kind="pool", word="pool", number=0)
        if want.kind == "trick":
            return Event(kind="trick", seat=self.play.winner)
        if want.kind == "draw" and self.phase == "take":
            return Event(kind="draw", seat=self.bids.bidder, cards=self.deal.widow, word="widow")
        if want.kind == "draw":
            cards = bytes(self.below[: want.count])
            return Event(kind="draw", seat=self.buyers[0], cards=cards, word="stock")
        if want.kind == "redeal":
            return Event(kind="redeal", word=want.words[0])
        return super().nature(want)

    # -- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        if event.kind == "pool" and self.at < 0:
            # The first word of a deal about the pool says what it holds before the deal.
            self.at += 1
            self.account.before = event.number
            return
        super().take(event)

    def step(self, event: Event) -> None:
        if self.phase == "redeal" and event.kind not in ("redeal", "irregular"):
            self.rule(
                f"play went on after {self.misdealt}",
                "Foster, Napoleon, Misdealing",
                "the misdealer deals again with the same pack",
                seat=self.dealer,
            )
            self.phase = "bid"
        if self.phase == "bid" and self.looking and event.kind in ("draw", "exchange", "play"):
            # Who did not peep need not be on record.
            spared, self.looking = self.looking, []
            self.after_bid()
            self.looking = spared if self.phase == "bid" else []
        match event.kind:
            case "look":
                widow.look(self, event)
            case "call":
                self._call(event)
            case "exchange":
                self._changed(event)
            case "draw":
                self._drawn(event)
            case "play":
                self._begin_play(event)
                self.play.card(event)
            case "trick":
                self.play.gathered(event)
            case "claim":
                self.play.claim(event)
            case "irregular":
                irregular(self, event)
            case "redeal":
                redeal(self, event)
            case _:
                self.unjudged += 1

    def _call(self, event: Event) -> None:
        self.calls.append(event)
        seat, word = event.seat, word_of(event)
        if self.phase == "buy":
            purchase.end(self)
        if seat not in self.seats:
            self.rule(f"{word[:20]} by a seat without cards", LAW, "it is void", seat=seat)
            return
        what, remedy = self.bids.fault(seat, word)
        if what:
            self.rule(what, LAW, remedy, seat=seat)
        held = self.hand(seat)
        if held is not None and len(held) != 5 and seat not in self.bids.spoken:
            self.account.foul[seat] = len(held)
            self.rule(
                f"spoke with {len(held)} cards, wanted 5",
                "Foster, Napoleon, Irregularities in Hands",
                "a misdeal had to be claimed before; the deal stands and is played out",
                seat=seat,
            )
        self.bids.say(seat, word)
        if self.phase == "bid":
            self.looking = [s for s in self.looking if s != seat]
            self.after_bid()

    def after_bid(self) -> None:
        """Go on to the widow or to play when nobody has anything to say or to see."""
        if (self.bids.waiting and not self.bids.closed) or not self.bids.top:
            return
        if self.looking:
            return
        peep = self.rules.extra == "peep"
        self.phase = "take" if peep or self.bids.top == "widow" else "play"

    def _changed(self, event: Event) -> None:
        if self.phase == "take":
            widow.lay_aside(self, event)
        else:
            purchase.exchange(self, event)

    def _drawn(self, event: Event) -> None:
        if self.phase == "take":
            widow.take(self, event)
        else:
            purchase.draw(self, event)

    def take_up(self, event: Event) -> None:
        """Add the cards of a draw to the hand of its seat."""
        if 0 < event.seat < len(self.hands):
            self.hands[event.seat] += event.cards

    def unknown(self, seat: int, count: int) -> None:
        """Take the hand of *seat* as *count* cards that nobody knows."""
        if 0 < seat < len(self.hands):
            self.hands[seat][:] = [255] * count

    def give_up(self, event: Event) -> None:
        seat = event.seat
        held = self.hands[seat] if 0 < seat < len(self.hands) else []
        if self.hand(seat) is None or any(c > 51 for c in event.cards):
            self.unknown(seat, max(0, len(held) - len(event.cards)))
            return
        for card in event.cards:
            if card in held:
                held.remove(card)
                continue
            self.rule(
                "a card laid aside that was not held",
                "Foster, Napoleon, Irregularities in Hands",
                "the hand is foul",
                seat=seat,
            )

    def _begin_play(self, event: Event) -> None:
        """Go on to play where the record does not say all that comes before."""
        if self.phase in ("play", "over"):
            return
        if self.phase == "buy":
            purchase.end(self)
        if self.phase == "bid" and self.bids.top and self.bids.waiting and not self.bids.closed:
            self.rule(
                f"a card led before seat {self.bids.waiting[0]} had bid or passed",
                LAW,
                "each bids in turn",
                seat=event.seat,
            )
        elif self.phase == "bid" and not self.bids.top:
            # The first to lead is the bidder, whatever he bid.
            self.unjudged += 1
            self.bids.bidder = event.seat
        if self.phase == "take":
            self.unjudged += 1
            self.unknown(self.bids.bidder, 5)
        self.phase = "play"

    # -- payments -----------------------------------------------------------------------------

    def due(self) -> list[Due]:
        account = self.account
        account.bid, account.bidder = self.bids.top, self.bids.bidder
        account.made = self.result
        account.revoker = self.revoker
        account.over = self.result is not None or self.redealt
        return account.due()

    def finish(self) -> list[Ruling]:
        open_words: tuple[str, ...] = ()
        if self.account.before is None:
            open_words += POOL_WORDS
        if self.result is None and not self.redealt:
            open_words += ("bid", "pool")
        if self.rules.extra == "peep" and not self.account.peeps:
            # Where no peep is on record, who peeped is known by what was paid for it.
            self.account.peeps = {
                e.seat: 1 for _, e in self.settled if e.word == "peep" and e.seat in self.seats
            }
            self.unjudged += len(self.account.peeps)
        kept = [(at, e) for at, e in self.settled if e.word not in open_words]
        self.unjudged += len(self.settled) - len(kept)
        self.settled = kept
        rulings = super().finish()
        for i, ruling in enumerate(rulings):
            if " for peep" in ruling.what:
                rulings[i] = replace(ruling, code="W42")
        return rulings


MACHINE = Maker(family="nap", make=NapDeal)
