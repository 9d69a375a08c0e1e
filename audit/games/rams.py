"""Rams, or Rammes, for three to six players (Foster, "Rams, or Rammes").

Thirty-two cards, K Q J A 10 9 8 7; the later fashion A K Q J 10 is the option
"piquet ranks".  With six the dealer takes no cards.  Only the dealer may take
the turn-up, and only if he plays.
"""

from audit.cards import pack
from audit.games._rams import SILENT, law, plan
from audit.rules.rams import Rams

RULES = Rams()
LAW = law(
    "rams",
    "Rams",
    "Rams, or Rammes",
    RULES,
    plan(RULES, 6),
    pack=pack("789TJQKA"),
    players=(3, 6),
    silent=SILENT,
)
