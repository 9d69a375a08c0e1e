"""The bidding of Napoleon: each speaks once, and every bid is above the last.

Source: Foster, Napoleon, Bidding; Widows; Peep Nap.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from audit.event import Event
from audit.rules.nap import Nap

LAW = "Foster, Napoleon, Bidding"


def word_of(event: Event) -> str:
    """Return the bid of a call: its word, or the number of tricks where that is given."""
    word = event.word.strip().lower().replace("è", "e")
    return str(event.number) if word in ("", "bid") and event.number else word


@dataclass(kw_only=True)
class Bids:
    """Who has yet to speak, and the highest bid so far, "" for none."""

    rules: Nap
    waiting: list[int]
    top: str = ""
    bidder: int = 0
    spoken: dict[int, str] = field(default_factory=dict)

    @property
    def closed(self) -> bool:
        """Whether no higher bid is left."""
        return self.top in ("widow", self.rules.ladder[-1])

    def words(self, seat: int) -> tuple[str, ...]:
        """Return what *seat* may say in his turn."""
        ladder = self.rules.ladder
        above = ladder[ladder.index(self.top) + 1 :] if self.top in ladder else ladder
        if self.rules.extra == "widow" and "nap" in above:
            above = (*above, "widow")
        bound = not self.top and self.waiting in ([seat], [])
        return above if bound else ("pass", *above)

    def fault(self, seat: int, word: str) -> tuple[str, str]:
        """Return what is wrong with a bid, and the remedy; two times "" where it is sound."""
        if seat in self.spoken:
            return f"a second call, {word}", "a bid can neither be amended nor recalled"
        if self.closed:
            return f"{word} after {self.top}", "it precludes any further bidding"
        if not self.waiting or seat != self.waiting[0]:
            wanted = f"seat {self.waiting[0]}" if self.waiting else "nobody"
            return f"{word} out of turn by seat {seat}, wanted {wanted}", "each bids in turn"
        if word in self.words(seat):
            return "", ""
        if word == "pass":
            return "the last to speak passed", "he is bound to bid at least one"
        if word not in (*self.rules.ladder, "widow"):
            return f"{word[:20]} is no bid of this game", "it is void"
        return f"{word} after {self.top}, wanted a higher bid or pass", "it counts as a pass"

    def say(self, seat: int, word: str) -> None:
        """Take a call, whether sound or not: a bid counts where it is above the last."""
        sound = seat not in self.spoken and not self.closed and word in self.words(seat)
        self.spoken.setdefault(seat, word)
        if seat in self.waiting:
            self.waiting.remove(seat)
        if sound and word != "pass":
            self.top, self.bidder = word, seat
        if not self.waiting and not self.top:
            # Either he plays for one, or he pays for one.
            self.top, self.bidder = self.rules.ladder[0], seat
