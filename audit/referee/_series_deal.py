"""Who deals after whom, who deals first, and by which packets: between the deals of a table."""

from __future__ import annotations

from audit.cards import RANKS, parse
from audit.referee._docket import (
    AGREED,
    NO_CUT,
    NO_DEALER,
    NO_LAW,
    NO_LINK,
    OTHER_DEALER,
    UNKNOWN_END,
    Docket,
    Table,
)
from audit.referee._facts import Facts, plan
from audit.referee._next_dealer import next_dealers, turn_of
from audit.referee.machine import Ruling

#: Ranks from the one that deals last to the one that deals first.
_HIGH, _ECARTE, _LOW = RANKS, "789TAJQK", "KQJT98765432A"
CUTS = {
    "seven_up": _HIGH,
    "pitch": _HIGH,
    "california": _HIGH,
    "ecarte": _ECARTE,
    "nap": _LOW,
}
#: Games of those families whose first dealer is not said, or lost.
NO_FIRST = frozenset({"all_fours_old", "ecarte_foster", "pool_ecarte", "pool_ecarte_two_pay"})


class Dealing:
    """Judges dealers and packets."""

    def __init__(self, docket: Docket) -> None:
        self.docket = docket
        self.turn = turn_of(docket.law)
        household = docket.law.source.book != "Foster"
        self.keeps_plan = docket.family == "ecarte" and household
        self.cuts = "" if docket.law.id in NO_FIRST else CUTS.get(docket.family, "")

    # -- the next dealer ----------------------------------------------------------------------

    def in_turn(self, before: Facts, here: Facts) -> bool:
        """Whether *here* is dealt by the only place that may deal after *before*.

        False also where a misdeal may lose the deal: then one that is not in the log,
        and a deal played, would bring the turn round as well.
        """
        if self.turn is None or self.turn.moves or not here.dealer or not before.dealer:
            return False
        return self._may_deal(before) == {here.dealer}

    def off(self, table: Table, before: Facts, here: Facts) -> bool:
        """Whether *here* is dealt by a place that may not deal after *before*."""
        if self.turn is None or not here.dealer or not before.dealer:
            return False
        if not before.odd and here.dealer == before.dealer % before.players + 1:
            return False
        may = self._may_deal(before)
        return bool(may) and here.dealer not in may | table.also_deals

    def out_of_turn(self, table: Table, before: Facts, here: Facts, *, linked: bool) -> set[int]:
        """Judge who deals *here*; return who should have, none where nothing is to be ruled.

        *linked* where the records say that the game went on.
        """
        unjudged, also = self.docket.unjudged, table.also_deals
        if also:
            table.also_deals = set()
        if self.turn is None:
            unjudged[NO_LAW] += 1
        elif not before.dealer or not here.dealer:
            unjudged[NO_DEALER] += 1
        elif not linked:
            unjudged[NO_LINK] += 1
        elif "next_dealer" in before.deal.options or "next_dealer" in here.deal.options:
            unjudged[AGREED] += 1
        elif not before.odd and here.dealer == before.dealer % before.players + 1:
            # In every game the deal may go to the left after a deal without a fault.
            table.kept["dealer"] += 1
        else:
            may = self._may_deal(before)
            if here.dealer in may or here.dealer in also:
                table.kept["dealer"] += 1
            elif not may or not self._certain(before, here):
                unjudged[UNKNOWN_END] += 1
            else:
                return may
        return set()

    def _may_deal(self, before: Facts) -> set[int]:
        """Return the places that may deal after *before*, none where nobody can say."""
        was, dealer = before.deal, before.dealer
        if not before.odd and self.docket.family != "vingt_un":
            may = {dealer % before.players + 1}
        else:
            may = next_dealers(self.docket.law, was, before.odd, dealer, before.players)
        if may and (was.irregularity or was.cut_short):
            may.add(dealer)
        return may

    def _certain(self, before: Facts, here: Facts) -> bool:
        """Whether *before* is known to have ended as its record says.

        Else it may have been a misdeal after which the same dealer dealt again, and at
        vingt-un anybody may have had a natural.
        """
        if any(e.kind == "redeal" for e in before.odd):
            return True
        if self.docket.family == "vingt_un":
            natural = any(e.kind == "claim" and e.word == "natural" for e in before.odd)
            return natural or self.docket.replay(before).whole
        return here.dealer != before.dealer or self.docket.replay(before).whole

    def rule(self, table: Table, before: Facts, here: Facts, may: set[int], *, lost: bool) -> None:
        """Rule that one of *may* had to deal; *lost* where a deal may lie between unseen."""
        turn = self.turn
        assert turn is not None
        misdealt = any(e.kind == "redeal" for e in before.odd)
        wanted = " or ".join(f"seat {seat}" for seat in sorted(may))
        ruling = Ruling(
            event=-1,
            seat=here.dealer,
            what=f"dealt by seat {here.dealer}, wanted {wanted}",
            law=turn.misdeal if misdealt else turn.law,
            remedy=turn.remedy,
            code=turn.code,
        )
        self.docket.find(table, here, "dealer", ruling, unwritten=turn.moves, lost=lost)
        # The table may go on from who dealt, or come back to its order.
        table.also_deals = may | {seat % before.players + 1 for seat in may}

    # -- the first dealer ---------------------------------------------------------------------

    def cut(self, table: Table, here: Facts) -> None:
        """Compare the dealer of a first deal with the cards cut for it, one a place."""
        try:
            cards = parse(here.deal.options["cut_for_deal"])
        except ValueError:
            cards = b""
        worth = [self.cuts.find(RANKS[card % 13]) for card in cards]
        best = max(worth, default=-1)
        known = self.cuts and here.dealer and len(worth) == here.players and min(worth) >= 0
        if not known or worth.count(best) > 1:
            self.docket.unjudged[NO_CUT] += 1
        elif worth[here.dealer - 1] == best:
            table.kept["cut"] += 1
        else:
            wanted, how = worth.index(best) + 1, "lowest" if self.cuts is _LOW else "highest"
            ruling = Ruling(
                event=-1,
                seat=here.dealer,
                what=f"first dealt by seat {here.dealer}, wanted seat {wanted}",
                law=f"{self.docket.cite}, cutting: the {how} cut deals",
                remedy="the deal is his who cut it",
            )
            # Scores of nothing show a first deal; else others may have been dealt before it.
            first = here.claimed is not None and not any(here.claimed)
            self.docket.find(table, here, "cut", ruling, lost=not first)

    # -- packets ------------------------------------------------------------------------------

    def begin(self, table: Table, here: Facts) -> None:
        """Note the packets of the first deal of a game."""
        table.plans = {}
        if self.keeps_plan and here.dealer:
            now = plan(here.deal, here.players, here.dealer)
            table.plans = {here.dealer: now} if now else {}

    def packets(self, table: Table, here: Facts) -> None:
        """Judge the packets of a later deal of a game.

        The law may be read of the game or of each dealer: ruled is what breaks both.
        """
        if not self.keeps_plan or not here.dealer:
            return
        now = plan(here.deal, here.players, here.dealer)
        plans = table.plans
        if not now or not plans:
            return
        mine = plans.get(here.dealer)
        if mine is not None and mine != now:
            ruling = Ruling(
                event=-1,
                seat=here.dealer,
                what=f"dealt by {now}, wanted {mine}",
                law="household book, Écarté, law v: the plan is not changed during the game",
                remedy="an incorrect deal: a new deal",
                code="W75",
            )
            self.docket.find(table, here, "plan", ruling)
            return
        plans[here.dealer] = now
        if len(set(plans.values())) > 1:
            self.docket.unjudged[OTHER_DEALER] += 1
        else:
            table.kept["plan"] += 1
