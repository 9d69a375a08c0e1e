"""Who plays at Rams, with which hand, and who announces all five tricks.

Source: Foster, Rams, Declaring to play, Dividing the pool, General rams.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from audit.rules.rams import Rams


@dataclass(kw_only=True)
class Declarations:
    """The words of one deal; *order* are the seats with a hand from the eldest.

    *simple*: nothing but the dealer's five lies in the pool.  *stage* is
    "declare", "after widow" (he may yet announce), or "after general" (who has
    not refused the widow may yet take it).
    """

    rules: Rams
    order: list[int]
    dealer: int
    simple: bool
    at: int = 0
    stage: str = "declare"
    playing: set[int] = field(default_factory=set)
    widow: int = 0
    announcer: int = 0
    declined: bool = False

    def over(self) -> bool:
        """Whether nobody is left to be asked."""
        return self.at >= len(self.order) or self.declined

    def plays(self) -> list[int]:
        """Return the seats that play, from the eldest."""
        return [s for s in self.order if s in self.playing]

    def _opposed(self) -> bool:
        return self.dealer in self.order

    def asked(self) -> tuple[int, tuple[str, ...]]:
        """Return the seat in turn and what it may say."""
        seat = self.order[self.at]
        if self.stage == "after general":
            return seat, ("keep", "widow")
        if self.stage == "after widow":
            return seat, ("play", "general")
        words = ["play"] if self.widow else ["play", "widow"]
        if self.rules.general:
            words.append("general")
        return seat, (*self._way_out(seat), *words)

    def _way_out(self, seat: int) -> tuple[str, ...]:
        """Return how *seat* may stay out, nothing where he has to play."""
        if self.rules.simple and self.simple:
            return ()
        if self.rules.eldest_plays and seat == self.order[0]:
            return ()
        if self._opposed() and seat == self.order[-2] and not self.playing:
            return ("decline",)
        if seat == self.dealer and len(self.playing) == 1:
            return ()
        return ("pass",)

    def remedy(self) -> str:
        """Return what the law asks for after a word that is not allowed."""
        seat, words = self.asked() if not self.over() else (0, ())
        if "pass" not in words and seat:
            return "he must play, with his own hand or with the widow where it is open"
        return "he plays the hand dealt to him"

    def say(self, word: str) -> None:
        """Take one of the words that were asked for."""
        seat = self.order[self.at]
        if word == "decline":
            self.declined = True
            return
        if word == "widow":
            self.widow = seat
        if word not in ("pass", "keep"):
            self.playing.add(seat)
        if word == "general":
            self._general(seat)
        elif word == "widow" and self.stage == "declare" and self.rules.general:
            self.stage = "after widow"
        elif self.stage == "after general":
            self.at = len(self.order) if self.widow else self.at + 1
        else:
            self.stage = "declare"
            self.at += 1

    def _general(self, seat: int) -> None:
        """All play; who has not spoken yet, and the announcer, may take the widow."""
        self.announcer = seat
        self.playing = set(self.order)
        self.stage = "after general"
        if self.widow:
            self.at = len(self.order)
