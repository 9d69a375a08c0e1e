"""Auction Pitch, Sell Out, or Commercial Pitch: what its forms share.

Source: Foster, "Auction Pitch".  Six cards each by threes to four to seven players, each for
himself; no misdeal loses the deal; the first card that the pitcher leads makes its suit
trumps, even by mistake.

The worked example of setting back has bids of three and of two to a seller with two to go,
which the text forbids where the bid is sold: it fits only the custom of bidding the full
value (`auction_pitch_full_bid`).

Silent: what follows when nobody bids and the eldest makes nothing (nothing to make, we say);
what an eldest who pitches without waiting loses by a revoke (no bid was made: two).
"""

from __future__ import annotations

from audit.games._all_fours import member
from audit.games._plans import THREES
from audit.law import Law, Status
from audit.rules.pitch import Pitch

SILENT = ("no bid made", "a revoke by who pitches without waiting for a bid")


def pitch(
    name: str,
    title: str,
    section: str,
    rules: Pitch,
    *,
    silent: tuple[str, ...] = (),
    status: Status = "whole",
) -> Law:
    """Return the law of one form."""
    return member(
        name,
        title,
        section,
        players=(4, 7),
        plan=THREES,
        rules=rules,
        silent=(*SILENT, *silent),
        status=status,
    )
