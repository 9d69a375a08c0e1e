"""Écarté as far as Foster's fragment gives it.

Source: Foster, Écarté (the deal itself is lost; the plan 2+3 and the turn-up
at the eleventh card are those of the household book, law v).  A King turned
scores one for the dealer.

Silent: whether 3+2 is dealt instead of 2+3 makes no difference to any chance
here; we take 2+3.  Least packets of the cut: lost; the household book says two.
"""

from audit.cards import pack
from audit.games._plans import ecarte
from audit.law import Law, Source

LAW = Law(
    id="ecarte_foster",
    name="Écarté",
    source=Source(book="Foster", section="Écarté"),
    pack=pack("789TJQKA"),
    players=(2, 2),
    plan=ecarte(exchanges=None),
    honours={"K": "W79"},
    cut_least=2,
    silent=("packet plan", "least cut"),
)
