"""Five-card Loo with Pam (Foster, "Five-card Loo"); see `loo5_foster.py`.

The knave of clubs is the best trump and makes a flush with four of any suit.  He
lets a led ace of trumps pass if his holder can do so without revoking; as the only
trump of the hand he has to follow suit.
"""

from dataclasses import replace

from audit.games._loo import DRAW_SILENT, FIVE, PACK, exchanging
from audit.law import Law, Source

LAW = Law(
    id="loo5_foster_pam",
    name="Five-card Loo with Pam",
    source=Source(book="Foster", section="Five-card Loo"),
    pack=PACK,
    players=(3, 10),
    plan=exchanging(5),
    rules=replace(FIVE, pam="clubs"),
    silent=(*DRAW_SILENT, "number of players", "forfeits for irregularities (three and six reds)"),
)
