"""Machines whose every event answers a want: what all of them say of one that does not."""

from __future__ import annotations

from collections.abc import Sequence

from audit.cards import UNKNOWN
from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee.machine import Due, Machine, Ruling


class Asked(Machine):
    """A machine with hands for every seat, and rulings in the words of its source.

    *partial* is set where the record does not say enough for points and payments;
    they are then counted as not judged.  *blind* is set by a card that the record does
    not show, after which the rest of the deal cannot be judged.  *trusted* is how many
    payments are taken as told.
    """

    def __init__(self, law: Law, deal: Deal, scores: Sequence[int] = ()) -> None:
        super().__init__(law, deal, scores)
        self.hands += [[] for _ in range(self.players + 1 - len(self.hands))]
        self.source = f"{law.source.book}, {law.source.section}"
        self.partial = False
        self.blind = False
        self.lost = ""
        self.trusted = 0
        low, high = law.players
        if not low <= self.players <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            self.breach(f"{self.players} players, wanted {wanted}", "another game")
        if self.dealer > self.players:
            self.breach(f"the dealer at seat {self.dealer} of {self.players}", "name the dealer")
            self.dealer, self.partial = self.players, True

    def known(self, seat: int, size: int) -> bool:
        """Whether the first hand of *seat* is on record, all its *size* cards."""
        hand = self.hands[seat]
        return len(hand) == size and UNKNOWN not in hand

    def below(self, dealt: int) -> list[int]:
        """Return the cards under the first *dealt* of the pack, none where it is not on record."""
        order = self.deal.order_after_cut
        return [] if order is None or UNKNOWN in order else list(order[dealt:])

    def sizes(self, size: int) -> None:
        """Rule on first hands of more or fewer cards than *size*, before any event."""
        for seat in range(1, self.players + 1):
            have = len(self.hands[seat])
            if have not in (0, size):
                self.breach(f"a hand of {have} cards, wanted {size}", "deal again", seat=seat)

    def breach(self, what: str, remedy: str, *, seat: int = 0, code: str = "LAW") -> None:
        """Add a ruling under the section of the book."""
        self.rule(what, self.source, remedy, seat=seat, code=code)

    def fits(self, event: Event, want: Want | None) -> bool:
        """Rule where *event* is not of the kind, seat or words wanted.

        False where it cannot be taken at all: another kind, a word that means nothing here.
        """
        if want is None:
            self.breach(f"{event.kind} when nothing more is to come", "it is void", seat=event.seat)
            return False
        if event.kind != want.kind:
            self.breach(
                f"{event.kind}, wanted {want.kind} by seat {want.seat}",
                "it is void",
                seat=event.seat,
            )
            return False
        if want.seat and event.seat != want.seat:
            self.breach(
                f"{event.kind} by seat {event.seat}, wanted seat {want.seat}",
                "out of turn",
                seat=event.seat,
            )
        if want.words and event.word not in want.words:
            self.breach(
                f"{event.word or 'no word'}, wanted {' or '.join(want.words)}",
                "it is void",
                seat=event.seat,
            )
            return False
        return True

    def aside(self, event: Event) -> bool:
        """Take what may come at any time; False for events that belong to the play."""
        if event.kind == "redeal":
            self.over = self.partial = True
            self.lost = ""
            return True
        if self.lost:
            self.breach(f"the deal went on after {self.lost}", "deal again", code="W91")
            self.lost = ""
        if event.kind in ("look", "claim", "irregular"):
            return self.said(event)
        return False

    def unseen(self, event: Event) -> bool:
        """Whether *event* cannot be judged, for its card or one played before is not shown."""
        self.blind |= event.kind == "play" and UNKNOWN in event.cards
        self.partial |= self.blind
        self.unjudged += self.blind
        return self.blind

    def said(self, event: Event) -> bool:
        """Take a look, a claim or an irregularity; by itself none is judged."""
        self.unjudged += 1
        return True

    def before(self, name: str = "pool") -> int:
        """Return the counters left on *name* by earlier deals (an option of the record)."""
        text = self.deal.options.get(name, "0")
        return int(text) if text.isdecimal() else 0

    def counted(self) -> int:
        """Return what the record counts in the pool before the deal where no option tells it.

        What one deal leaves "stands over to the next", so its first count is no fault of this.
        """
        if any(name == "pool" or name.startswith("pool ") for name in self.deal.options):
            return 0
        counts = [e.number for _, e in self.settled if e.kind == "pool" and e.word == "before"]
        return max(0, counts[0]) if counts else 0

    def stood_over(self, takes: Sequence[tuple[str, int]], board: dict[str, int]) -> int:
        """Add to *board* what *takes* (of what, by whom) draw more than it, and return the rest.

        Of counters that earlier deals left the record gives the sum alone: any part of it may
        have stood on what is taken, and that part is not judged.
        """
        rest = self.counted()
        self.trusted = 0
        for word, seat in takes:
            told = [
                e.number
                for _, e in self.settled
                if (e.kind, e.seat, e.to, e.word) == ("pay", 0, seat, word)
            ]
            more = told[0] - board.get(word, 0) if told else 0
            if 0 < more <= rest:
                board[word] = board.get(word, 0) + more
                rest -= more
                self.trusted += 1
        return rest

    def pays(self, seat: int, word: str, number: int, to: int = 0) -> list[Due]:
        """Return the payment, none where it would be of nothing or to oneself."""
        if number <= 0 or seat == to:
            return []
        return [Due(kind="pay", seat=seat, word=word, number=number, to=to)]

    def pooled(self, before: int, paid: list[Due]) -> list[Due]:
        """Return *paid* between what lay in the pool before and what lies in it after."""
        after = before + sum(d.number * ((d.to == 0) - (d.seat == 0)) for d in paid)
        first = Due(kind="pool", seat=0, word="before", number=before)
        last = Due(kind="pool", seat=0, word="after", number=after)
        return [first, *paid, last]

    def finish(self) -> list[Ruling]:
        # What is due says whether the record is enough for it.
        self.due()
        self.unjudged += self.trusted
        if not self.partial:
            return super().finish()
        self.unjudged += max(1, len(self.settled))
        return self.rulings
