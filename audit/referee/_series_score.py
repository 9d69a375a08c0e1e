"""Scores from one deal of a game to the next, and the game's end."""

from __future__ import annotations

from collections import Counter

from audit.record import Deal
from audit.referee._docket import BELOW, NO_SCORE, RIGHTED, TORN, Docket, Link, Scores, Table
from audit.referee._facts import Facts, Scoring, scoring_of
from audit.referee.machine import Ruling

#: A game of more deals than this is not followed back to its start: they are held in memory.
LONGEST_GAME = 24


class Scored:
    """Judges the scores that records claim by the points that the deals before earned."""

    def __init__(self, docket: Docket) -> None:
        self.docket = docket
        self.scoring = scoring_of(docket.law, {}, docket.law.players[1])
        self._by_players: dict[int, Scoring | None] = {}

    def scoring_for(self, deal: Deal, players: int) -> Scoring | None:
        """Return who scores at *deal*, None where the game keeps no score."""
        if self.scoring is None:
            return None
        if "game" in deal.options or "sides" in deal.options:
            return scoring_of(self.docket.law, deal.options, players)
        if players not in self._by_players:
            self._by_players[players] = scoring_of(self.docket.law, {}, players)
        return self._by_players[players]

    # -- counting -----------------------------------------------------------------------------

    def total(self, base: Scores | None, deal: Facts) -> Scores | None:
        """Return the scores after *deal* by the points on its record, None where not known."""
        if base is None or not deal.earned:
            return base
        total = list(base)
        for seat, number in deal.earned:
            if not 1 <= seat <= len(total):
                return None
            total[seat - 1] += number
        return tuple(total)

    def won(self, deal: Facts, total: Scores | None) -> bool:
        """Whether *total*, after *deal*, makes the game."""
        scoring = deal.scoring
        return bool(scoring and scoring.target and total and max(total) >= scoring.target)

    def link(self, before: Facts, here: Facts) -> Link:
        """Return whether the scores that two records claim say that the game went on."""
        if here.claimed is None or before.claimed is None:
            return "unknown"
        if not any(here.claimed):
            return "new" if any(before.claimed) or before.earned else "unknown"
        total = self.total(before.claimed, before)
        # After a game that was won another may begin with odds given.
        return "same" if total == here.claimed or not self.won(before, total) else "unknown"

    # -- the game -----------------------------------------------------------------------------

    def begin(self, table: Table, here: Facts, *, fresh: bool) -> None:
        """Begin a game with *here*, *fresh* where it is known to be the first deal of one."""
        table.game = [here]
        table.scores, table.also_scores = here.claimed, None
        if fresh and here.claimed is None and here.scoring is not None:
            table.scores = (0,) * (2 if here.scoring.sides else here.players)
        table.from_start = here.claimed is not None and not any(here.claimed)

    def went_on(self, table: Table, here: Facts) -> None:
        """Add a deal to the game."""
        table.game.append(here)
        if len(table.game) > LONGEST_GAME:
            table.game.pop(0)
            table.from_start = False

    def ended(self, table: Table, before: Facts) -> None:
        """Count a game that ended when it was won."""
        if self.won(before, self.total(table.scores, before)):
            table.kept["end"] += 1

    # -- judging ------------------------------------------------------------------------------

    def anew(self, before: Facts, here: Facts) -> bool:
        """Whether scores of nothing show that games are counted from the first again."""
        if here.claimed is None or any(here.claimed):
            return False
        return any(before.claimed or ()) or bool(before.earned)

    def exact(self, before: Facts, here: Facts) -> bool:
        """Whether the scores that two records claim leave no room for a deal between them."""
        scoring, claimed = before.scoring, here.claimed
        if scoring is None or not scoring.least or claimed is None:
            return False
        return self.total(before.claimed, before) == claimed

    def judge(self, table: Table, before: Facts, here: Facts, *, in_turn: bool, off: bool) -> bool:
        """Judge the scores before *here*, a later deal of the game; False where they differ.

        *in_turn*: whether the deal is dealt by whose turn it is; *off*: by another.
        """
        base, also = table.scores, table.also_scores
        total, rightful = self.total(base, before), self.total(also, before)
        table.scores, table.also_scores = here.claimed, None
        if here.claimed is None:
            # A game that goes on by its number carries what its records add up to.
            sure = before.earned or _redealt(before)
            table.scores = total if sure and also is None else None
        unjudged = self.docket.unjudged
        if total is None:
            unjudged[NO_SCORE] += 1
            return here.claimed is None
        if here.claimed in (None, total, rightful):
            table.kept["score"] += here.claimed is not None
            over = self.won(before, total) and (also is None or self.won(before, rightful))
            if over and not self.won(before, base):
                self._played_on(table, before, here, total)
            return True
        if off:
            unjudged[TORN] += 1
        elif not before.earned and not _redealt(before):
            unjudged[NO_SCORE] += 1
        elif min(total) < 0 and here.claimed == tuple(max(0, n) for n in total):
            unjudged[BELOW] += 1
        elif not self._sure(table, before):
            unjudged[RIGHTED] += 1
        else:
            self._wrong(table, here, total, in_turn=in_turn)
        return False

    def _wrong(self, table: Table, here: Facts, total: Scores, *, in_turn: bool) -> None:
        assert here.claimed is not None
        assert here.scoring is not None
        off = [claimed - due for claimed, due in zip(here.claimed, total, strict=True)]
        # In turn, as many deals as there are players would be missing, and each scores.
        few = in_turn and sum(map(abs, off)) < here.players * here.scoring.least
        few = few and here.scoring.falls != "bid"
        fallen = max(off) <= 0 and here.scoring.falls == "never"
        # Without its number the game may be another than that of the deal before.
        certain = bool(here.game) and (few or fallen)
        ecarte = self.docket.family == "ecarte"
        late = "household book, Écarté, law xv: a score is put right before the next deal"
        said, wanted = (" ".join(map(str, s)) for s in (here.claimed, total))
        ruling = Ruling(
            event=-1,
            seat=next(k for k, n in enumerate(total, start=1) if here.claimed[k - 1] != n),
            what=f"scores of {said} before the deal, wanted {wanted}",
            law=late if ecarte else f"{self.docket.cite}, scoring",
            remedy="correct the score",
            code="W78" if ecarte else "LAW",
        )
        # A deal of no play may have scored: a Jack turned, a point for extra cards.
        unwritten = not here.scoring.least and min(off) >= 0
        self.docket.find(table, here, "score", ruling, unwritten=unwritten, lost=not certain)
        table.also_scores = total

    def _played_on(self, table: Table, before: Facts, here: Facts, total: Scores) -> None:
        """Rule on the first deal of a game that somebody had won before."""
        scoring = before.scoring
        if scoring is None or not self._sure(table, before):
            self.docket.unjudged[RIGHTED] += 1
            return
        seat = next(k for k, n in enumerate(total, start=1) if n >= scoring.target)
        ruling = Ruling(
            event=-1,
            seat=0,
            what=f"dealt in a game that seat {seat} had won with {total[seat - 1]} points",
            law=f"{self.docket.cite}: the game is {scoring.target} points",
            remedy="the game was over; a new one begins",
        )
        self.docket.find(table, here, "end", ruling)

    # -- whether a score can have been put right ----------------------------------------------

    def _sure(self, table: Table, before: Facts) -> bool:
        """Whether no earlier score of this game can have been put right by now.

        Écarté's law xv closes a score with the next deal; elsewhere the whole game counts.
        """
        if self.docket.family == "ecarte":
            return self._right(before, before.claimed)
        return self._from_start(table)

    def _from_start(self, table: Table) -> bool:
        """Whether the log has the whole game so far, every deal scored as the law has it."""
        if not table.from_start:
            return False
        base = table.game[0].claimed
        for deal in table.game:
            base = base if deal.claimed is None else deal.claimed
            if not self._right(deal, base):
                return False
            base = self.total(base, deal)
        return True

    def _right(self, deal: Facts, base: Scores | None) -> bool:
        """Whether the points on the record of a whole deal are those that the law gives."""
        again = self.docket.replay(deal, base)
        told = Counter[int]()
        for seat, number in deal.earned:
            told[seat] += number
        # Points after the game is won may be left out.
        points = {s: n for s, n in told.items() if n}
        return again.whole and points in (again.must, again.may)


def _redealt(deal: Facts) -> bool:
    return any(e.kind == "redeal" for e in deal.odd)
