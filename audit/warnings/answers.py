"""Who answers a warning of the books, or a row of the battery, or why nobody can.

A row is answered by detectors, by suspicions, by the check that every deal passes, or by
rulings of the referee; of what is left a log of the deals says nothing, see `BEYOND`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: What is answered while logs are read and joined, before any detector.
ENGINES: Mapping[str, str] = {
    "T05": "audit.run.integrity",
    "T18": "audit.run.repeats",
    "W10": "audit.run.integrity",
    "W60": "audit.run.integrity",
    "W77": "audit.run.integrity",
    "W106": "audit.run.integrity",
}
#: Answered by a duty that the referee keeps in all games, which names no warning.
DUTIES: Mapping[str, str] = {
    "W17": "A trump on a suit that is held is no revoke; what is one is ruled on.",
    "W37": "A revoke is seen from the hands as dealt, shown at the end or not.",
    "W52": "What each dealer stakes is an option, and the pool is counted by it.",
    "W62": "What the looed pay is counted; how far a pool runs away is no chance of the cards.",
    "W74": "A packet of the cut smaller than the game's law allows is ruled on; cards that were"
    " seen in it stand in no field.",
}
_STYLE = "it shows how somebody plays, which no chance of the cards foretells"
_AFTER = "it was chosen after others had acted, so that what they did had told something"
#: Why a log of the deals cannot show it.
BEYOND: Mapping[str, str] = {
    "W21": f"Begging by the own hand and the turn-up is judgement: {_STYLE}.",
    "W29": f"A low bid on a good hand is free to be made: {_STYLE}.",
    "W30": f"The seller's answer is free, and {_AFTER}.",
    "W35": "That a sure hand is bid up costs nothing under that rule: a fault of the rule, which"
    " shows in the rule alone.",
    "W38": f"Who wins in the long run depends on the cards and on skill: {_STYLE}.",
    "W49": f"When the five is played is free: {_STYLE}.",
    "W51": "No field says that a sitting was over: deals of unequal number may be of a log that"
    " stops early.",
    "W55": f"Pone may decline and pay, and {_AFTER}.",
    "W66": f"How takers of the miss fared hangs on who stood, and {_AFTER}.",
    "W72": f"Proposing on a strong hand is free: {_STYLE}.",
    "W73": "No field says where a pack was shuffled.",
    "W103": f"A vole that was missed is a matter of the play: {_STYLE}.",
    "W104": f"Game is played for: {_STYLE}; High and Low are tested as cards dealt.",
    "W105": "It is a reason to look, and names nothing that a log could show.",
}


@dataclass(frozen=True, kw_only=True)
class Answers:
    """The detectors and suspicions by name, the engine by module, and the referee.

    *duty* says which duty it is where the ruling names no warning; *beyond* is why no log can
    show it, "" where one can.
    """

    detectors: tuple[str, ...] = ()
    suspicions: tuple[str, ...] = ()
    engine: str = ""
    ruled: bool = False
    duty: str = ""
    beyond: str = ""

    @property
    def anybody(self) -> bool:
        """Whether somebody answers."""
        return bool(self.detectors or self.suspicions or self.engine or self.ruled or self.duty)


def answers(code: str) -> Answers:
    """Return who answers *code*, a warning or a row of the battery; of unknown ones nobody."""
    from audit.detect import DETECT
    from audit.referee._codes import RULED
    from audit.suspect import SUSPECT

    found = Answers(
        detectors=tuple(n for n in DETECT.names if code in DETECT[n].codes),
        suspicions=tuple(n for n in SUSPECT.names if code in SUSPECT[n].codes),
        engine=ENGINES.get(code, ""),
        ruled=code in RULED,
        duty=DUTIES.get(code, ""),
    )
    return found if found.anybody else Answers(beyond=BEYOND.get(code, ""))
