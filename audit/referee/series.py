"""What holds from one deal of a table to the next: dealer, pool, scores, packets, game's end.

Judged are only deals of one table whose numbers follow one another, and only where the
records themselves say that the game, or its pool, went on.  What an agreement, a new
game, other players or a misdeal that nobody wrote down would explain is counted as not
judged, with the reason.  A breach is ruled on where its table kept the same law at least
four times before and four times after it: what is done for long is its own law and no slip.

Source: the laws cited in `_next_dealer.py`, `_series_deal.py`, `_series_pool.py` and
`_series_score.py`; the options of records in `_facts.py`.
"""

from __future__ import annotations

from collections import Counter

from audit.law import Law
from audit.record import Deal
from audit.referee._docket import (
    ALONE,
    ANOTHER_DAY,
    ENDED,
    NO_NUMBER,
    NOT_AS_DEALT,
    PLAYERS,
    TORN,
    Docket,
    Found,
    Link,
    Table,
)
from audit.referee._facts import Facts, facts
from audit.referee._hidden import without_hidden
from audit.referee._series_deal import Dealing
from audit.referee._series_pool import Pools
from audit.referee._series_score import Scored

#: So many tables are followed at once; the one first seen is closed for another.
MOST_TABLES = 512
#: A longer number is no number of a deal.
LONGEST_NUMBER = 18
#: A time begins with so many characters of the day, as in 1876-11-30.
DAY = 10
PLAYED = ("", "opened")


class Series:
    """Follows the deals of one log of one game in the order of its rows.

    *followed* is how many deals were compared with the one before; *holes* whether rows of
    the log were not taken, so that a number missing is no sign of what numbers were given to.
    """

    def __init__(self, law: Law) -> None:
        self.law = law
        self.followed = 0
        self.holes = False
        self._docket = Docket(law)
        self._dealing = Dealing(self._docket)
        self._pools = Pools(self._docket)
        self._scored = Scored(self._docket)
        self._tables: dict[str, Table] = {}
        self._has_pool = self._pools.pooling is not None
        self._has_score = self._scored.scoring is not None

    @property
    def unjudged(self) -> Counter[str]:
        """What could not be judged, by reason."""
        return self._docket.unjudged

    def take(self, deal: Deal, packed: bytes = b"") -> None:
        """Take the next deal of the log, of which *packed* is the whole if it lacks its plays.

        Then what is hidden in it has been taken out already.
        """
        if not packed:
            deal = without_hidden(self.law, deal)
        name, text = deal.table, deal.number
        if not name or not text or len(text) > LONGEST_NUMBER or not _digits(text):
            self.unjudged[NO_NUMBER] += 1
            return
        players = deal.players or len(deal.hands)
        scoring = self._scored.scoring_for(deal, players)
        here = facts(deal, players, scoring, self._pools.pooling, packed)
        table, number = self._tables.get(name), int(text)
        if table is None:
            table = self._open(name, here, number)
        elif number == table.number + 1:
            self._follow(table, here)
        else:
            self.unjudged[ALONE] += 1
            # A number that stands twice leaves both deals in doubt.
            table.doubtful = number == table.number
            table.counted |= number > table.number + 1
            self._new_game(table, here)
        table.number, table.last = number, here
        if here.odd and any(e.kind in ("irregular", "redeal") for e in here.odd):
            table.writes_misdeals = True

    def finish(self, *, as_dealt: bool) -> list[Found]:
        """Return the breaches that stand, by line.

        *as_dealt*: whether the rows may be taken to stand in the order of dealing.
        """
        for table in self._tables.values():
            self._docket.close(table)
        self._tables.clear()
        if self.holes:
            self._docket.distrust()
        found = self._docket.found
        if not as_dealt and found:
            self.unjudged[NOT_AS_DEALT] += len(found)
            found.clear()
        return sorted(found, key=lambda one: one.deal.line)

    # -- one deal after another ---------------------------------------------------------------

    def _open(self, name: str, here: Facts, number: int) -> Table:
        if len(self._tables) >= MOST_TABLES:
            self._docket.close(self._tables.pop(next(iter(self._tables))))
        table = self._tables[name] = Table(last=here, number=number)
        self.unjudged[ALONE] += 1
        self._new_game(table, here)
        return table

    def _follow(self, table: Table, here: Facts) -> None:
        before = table.last
        why = _apart(table, before, here)
        if why:
            self.unjudged[why] += 1
            table.doubtful = False
            self._new_game(table, here)
            return
        self.followed += 1
        link = self._link(before, here)
        in_turn = self._dealing.in_turn(before, here)
        off = self._dealing.off(table, before, here)
        carried = self._has_pool and self._pools.carried(
            table, before, here, link, in_turn=in_turn, off=off
        )
        linked = link == "same" or (link == "unknown" and carried)
        may = self._dealing.out_of_turn(table, before, here, linked=linked)
        fits = True
        if link == "same":
            table.fresh = False
            if self._has_score:
                fits = self._scored.judge(table, before, here, in_turn=in_turn, off=off)
                self._scored.went_on(table, here)
            if self._dealing.keeps_plan and (fits or here.game):
                self._dealing.packets(table, here)
            _name(table, here)
        else:
            self._other_game(table, before, here, link)
        # An empty pool shows nothing: another deal may have emptied it again.
        if may and fits and (carried or not self._has_pool):
            sure = carried and self._pools.steady(before)
            lost = not (sure or self._scored.exact(before, here))
            self._dealing.rule(table, before, here, may, lost=lost)
        elif may:
            self.unjudged[TORN] += 1

    def _other_game(self, table: Table, before: Facts, here: Facts, link: Link) -> None:
        """Begin another game, or what may be one."""
        if link == "new" and self._has_score:
            self._scored.ended(table, before)
        self._new_game(table, here, fresh=link == "new")
        if table.fresh and "cut_for_deal" in here.deal.options:
            self._dealing.cut(table, here)

    def _link(self, before: Facts, here: Facts) -> Link:
        if before.game and here.game:
            if before.game != here.game or self._scored.anew(before, here):
                return "new"
            return "same"
        return self._scored.link(before, here)

    def _new_game(self, table: Table, here: Facts, *, fresh: bool = False) -> None:
        table.fresh, table.also_deals, table.names = fresh, set(), {}
        self._scored.begin(table, here, fresh=fresh)
        self._dealing.begin(table, here)
        _name(table, here)


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _name(table: Table, here: Facts) -> None:
    if here.dealer and here.deal.dealer:
        table.names[here.dealer] = here.deal.dealer


def _apart(table: Table, before: Facts, here: Facts) -> str:
    """Return why two deals whose numbers follow one another are not to be compared."""
    was, now = before.deal, here.deal
    if table.doubtful:
        return ALONE
    if not here.players or before.players != here.players:
        return PLAYERS
    if was.parties and now.parties and was.parties[1:] != now.parties[1:]:
        return PLAYERS
    if here.dealer and now.dealer and table.names.get(here.dealer, now.dealer) != now.dealer:
        return PLAYERS
    if was.time and now.time and was.time[:DAY] != now.time[:DAY]:
        return ANOTHER_DAY
    if was.ended not in PLAYED or now.ended not in PLAYED:
        return ENDED
    return ""
