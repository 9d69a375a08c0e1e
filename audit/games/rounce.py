"""Rounce, for three to nine players (Foster, "Rounce"): Rams with the full pack.

Cards rank as at Whist.  The widow has six cards, one of which is thrown away by
who takes it; all pools are alike, there is no general, and nobody need head,
trump or under-trump.  The winner of the first trick leads a trump if he has one.
With nine players the deal is exactly the pack.

Silent: how six cards fall in two rounds (evenly, with the option of the packets
"2+3, widow 2+4" and "3+2, widow 4+2"); whether suit must still be followed (yes);
whether the dealer takes cards with any number of players, and alone takes the turn-up (yes).
"""

from audit.cards import RANKS, pack
from audit.games._rams import SILENT, SIXES, law, plan
from audit.rules.rams import WHIST, Rams

RULES = Rams(
    ranks=WHIST,
    order="AKQJT98765432",
    head=False,
    simple=False,
    general=False,
    widow=6,
    widow_drop=1,
    first_winner_leads_trump=True,
    sits_out=(),
)
LAW = law(
    "rounce",
    "Rounce",
    "Rounce",
    RULES,
    plan(RULES, 9, SIXES),
    pack=pack(RANKS),
    players=(3, 9),
    silent=(
        "how the six cards of the widow fall: three in each round",
        "whether suit must be followed: yes",
        "whether the dealer alone takes the turn-up: yes",
        *SILENT[-1:],
    ),
)
