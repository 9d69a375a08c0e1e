"""Five-card Loo of the household book (section 100); see `_loo.py`.

Counters are pence: half a crown staked and for a loo, sixpence a trick.  Pam is the
knave of clubs, by agreement the knave of trumps (option pam); after "Pam be civil"
he lets the ace of trumps pass.  A flush looes those who stand.  The exemption, "each,
except a player holding pam, of an inferior flush", is misprinted; we read "or of an
inferior flush" for the holder of a younger or inferior flush (option younger), and a
flush in trumps as superior to another (option best).

"The rules in this game are the same as in Three Card Loo", which are lost: play is
Foster's (option play), the only assumption under which it can be played at all.
"""

from dataclasses import replace

from audit.games._loo import DRAW_SILENT, FIVE, PACK, exchanging
from audit.law import Law, Source

LAW = Law(
    id="loo5_enquire",
    name="Five-card Loo of the household book",
    source=Source(book="household book", section="100, Five-Card Loo"),
    pack=PACK,
    players=(3, 10),
    plan=exchanging(5),
    rules=replace(
        FIVE,
        pam="clubs",
        civil="asked",
        red=1,
        stake=30,
        loo=30,
        fine=30,
        claim="changed",
        pays="in",
        younger="free",
        best="superior",
    ),
    silent=(
        *DRAW_SILENT,
        "number of players",
        "rules of play (Foster's)",
        "penalties (one loo, twice for a revoke)",
        "which flush is superior (one in trumps)",
        "whether a holder of Pam without a flush is exempt (no)",
    ),
)
