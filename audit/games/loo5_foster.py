"""Five-card Loo (Foster, "Five-card Loo"); see `_loo.py`.

Irish Loo with five cards; a red is five whites, the dealer puts up five reds.  Five
of any suit take the pool at once, and "every person at the table" pays five reds: we
take the holder of a younger flush for one of them (option younger).  The number of
players is not given: five cards each and a turn-up serve ten.  The three and six reds
for irregularities are not restated and are kept.
"""

from audit.games._loo import DRAW_SILENT, FIVE, PACK, exchanging
from audit.law import Law, Source

LAW = Law(
    id="loo5_foster",
    name="Five-card Loo",
    source=Source(book="Foster", section="Five-card Loo"),
    pack=PACK,
    players=(3, 10),
    plan=exchanging(5),
    rules=FIVE,
    silent=(*DRAW_SILENT, "number of players", "forfeits for irregularities (three and six reds)"),
)
