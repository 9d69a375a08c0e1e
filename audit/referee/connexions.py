"""Connexions: tricks with diamonds for trumps, and the three connexions made in them.

Source: household book, sections 106-107.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.event import Event, Want
from audit.law import Law
from audit.ranks import Order, winner
from audit.record import Deal
from audit.referee._asked import Asked
from audit.referee.machine import Due, Maker, Ruling
from audit.rules.connexions import CARDS, DIAMONDS, PAIRS, Connexions
from audit.rules.options import chosen


def legal(order: Order, hand: Sequence[int], trick: Sequence[int], *, must: bool) -> list[int]:
    """Return the cards of *hand* that may be played to *trick*.

    A single card of connexion in the trick wants its answer where *must*; after two, any
    trump may be played; a card of connexion may always be played; else suit is followed.
    """
    if not trick:
        return list(hand)
    mine = [c for c in hand if c in CARDS]
    shown = sum(c in CARDS for c in trick)
    if must and shown == 1 and mine:
        return mine
    led = order.group[trick[0]]
    if not any(order.group[c] == led for c in hand):
        return list(hand)
    free = shown > 1
    return [
        c for c in hand if order.group[c] == led or c in CARDS or (free and order.group[c] == 4)
    ]


def best(order: Order, trick: Sequence[int]) -> int:
    """Return the index of the card that wins: after a connexion a trump, or its first card."""
    first = [k for k, c in enumerate(trick) if c in CARDS]
    if len(first) > 1 and not any(order.group[c] == 4 for c in trick):
        return first[0]
    return winner(order, list(trick))


class ConnexionsDeal(Asked):
    """One deal; *seats* are in the order of play to the trick in hand."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, Connexions)
        self.rules, refused = chosen(law.rules, deal.options)
        self.unjudged += refused
        self.trump = DIAMONDS
        self.order = self.rules.ranks.order(DIAMONDS)
        self.sizes(self.rules.hand)
        self.whole = [self.known(s, self.rules.hand) for s in range(self.players + 1)]
        self.seats = self.in_order()
        self.made: list[tuple[int, tuple[int, ...]]] = []
        self.last = -1

    def wants(self) -> Want | None:
        if len(self.made) == self.rules.hand or self.over:
            return None
        seat = self.seats[len(self.trick)]
        must, hand = self.rules.answer == "must", self.hands[seat]
        cards = legal(self.order, hand, self.trick, must=must) if self.whole[seat] else hand
        return Want(kind="play", seat=seat, cards=tuple(cards))

    def step(self, event: Event) -> None:
        if self.unseen(event):
            return
        if event.kind == "trick":
            self._gather(event)
        elif not self.aside(event):
            self._play(event)

    def _gather(self, event: Event) -> None:
        if self.trick or not self.made:
            self.breach("a trick gathered before it is full", "play to it", seat=event.seat)
        elif event.seat != self.made[-1][0]:
            self.breach(
                f"trick gathered by seat {event.seat}, wanted seat {self.made[-1][0]}",
                "a trump in a trick of connexion, else its first card, wins",
                seat=event.seat,
            )

    def _play(self, event: Event) -> None:
        want = self.wants()
        if not self.fits(event, want) or want is None:
            return
        if len(event.cards) != 1:
            self.breach(f"{len(event.cards)} cards played, wanted one", "one card", seat=event.seat)
            self.blind = self.partial = True
            return
        card, seat = event.cards[0], event.seat
        if not 1 <= seat <= self.players:
            return
        if card not in self.law.pack:
            self.breach("a card that is none of the pack", "the pack is foul", seat=seat)
            self.blind = self.partial = True
            return
        if not self.whole[seat] and any(card == c for c, _ in self.played):
            self.breach("a card that was played before", "the pack is foul", seat=seat)
            if (card, seat) in self.played:
                return  # he cannot play it again
        self._judge(card, seat)
        if card in self.hands[seat]:
            self.hands[seat].remove(card)
        self.played.append((card, seat))
        self._seat(seat)
        self.trick.append(card)
        self.last = self.at
        if len(self.trick) == self.players:
            self._close()

    def _judge(self, card: int, seat: int) -> None:
        hand = self.hands[seat]
        if not self.whole[seat]:
            self.unjudged += 1
        elif card not in hand:
            self.breach("a card that is not of his hand", "the pack is foul", seat=seat)
        elif card not in legal(self.order, hand, self.trick, must=self.rules.answer == "must"):
            answer = sum(c in CARDS for c in self.trick) == 1 and any(c in CARDS for c in hand)
            what = "a connexion was not answered" if answer else "suit was not followed"
            self.breach(what, "a revoke: the book names no penalty", seat=seat)

    def _seat(self, seat: int) -> None:
        """Let *seat* stand next in the order of this trick, though it was not his turn."""
        at = len(self.trick)
        if self.seats[at] == seat:
            return
        if seat in self.seats[:at]:
            self.breach("a second card to one trick", "it is taken back", seat=seat)
            # From here on no card is sure to belong to the trick in which it stands.
            self.blind = self.partial = True
        self.seats.remove(seat)
        self.seats.insert(min(at, len(self.seats)), seat)

    def _close(self) -> None:
        who = self.seats[best(self.order, self.trick)]
        self.made.append((who, tuple(self.trick)))
        self.trick = []
        self.seats = [self.after(who, k) for k in range(self.players)]

    def due(self) -> list[Due]:
        """Return what is drawn from the pool, by precedence and no more than lies in it."""
        if len(self.made) < self.rules.hand:
            self.partial = True
            return []
        winners = [
            (word, who) for word, pair in PAIRS for who, cards in self.made if pair <= set(cards)
        ]
        count = {s: sum(who == s for who, _ in self.made) for s in self.in_order()}
        top = max(count.values())
        first = [s for s, n in count.items() if n == top]
        enough = self.rules.most == "plurality" or 2 * top > self.rules.hand
        if len(first) == 1 and enough:
            winners.append(("most tricks", first[0]))
        rewards = dict(
            zip((*[w for w, _ in PAIRS], "most tricks"), self.rules.rewards, strict=True)
        )
        before = self.before() + self.counted()
        stated = "pool" in self.deal.options or any(
            (e.kind, e.word) == ("pool", "before") for _, e in self.settled
        )
        left, paid = before, list[Due]()
        for word, who in winners:
            number = min(rewards[word], left) if stated else rewards[word]
            paid += self.pays(0, word, number, who)
            left -= number
        return self.pooled(before, paid) if stated else paid

    def finish(self) -> list[Ruling]:
        super().finish()
        if not self.partial:
            self._precedence()
        return self.rulings

    def _precedence(self) -> None:
        """Rule on money drawn before the hands are finished, or out of its order."""
        words = (*[w for w, _ in PAIRS], "most tricks")
        drawn = [
            (at, words.index(e.word), e.to)
            for at, e in self.settled
            if e.kind == "pay" and not e.seat and e.word in words
        ]
        for k, (self.at, place, seat) in enumerate(drawn):
            if self.at < self.last:
                self.breach(
                    "money drawn before the hands were finished", "it is put back", seat=seat
                )
                continue
            first = min((p for _, p, _ in drawn[k:]), default=place)
            if first < place:
                self.breach(
                    f"{words[place]} drawn before {words[first]}",
                    "they draw by precedence, most tricks last",
                    seat=seat,
                )


MACHINE = Maker(family="connexions", make=ConnexionsDeal)
