"""Écarté as far as Foster's fragment gives it.

Source: Foster, Écarté (the deal itself is lost; the plan 2+3 and the turn-up
at the eleventh card are those of the household book, law v).  A King turned
scores one for the dealer.  Proposals may be repeated as long as there is a
stock, and a follower has to win the trick if he can.

Silent: whether 3+2 is dealt instead of 2+3 makes no difference to any chance
here; we take 2+3.  Least packets of the cut: lost; the household book says two.
"""

from audit.games._ecarte import FOSTER, family

LAW = family("ecarte_foster", "Écarté", FOSTER)
