"""Écarté of the household book, sections 118-119.

Five cards each by 2+3 or 3+2, the same way all game; the eleventh turned.  The
cards are changed once, a second time only by agreement made beforehand (option
`second_discard`), which the plan of the deal does not foresee.  Whether a
follower has to win is worded so that both readings stand: see `must_win` in
`audit/rules/ecarte.py`.

Misprints: "rôle" for vole in section 118; rule xiii gives two "tricks" for two
points.  Silent: who is served first from the stock (the non-dealer is taken),
who deals again after a new deal (the same dealer), and what all five tricks
against a hand that stood are worth beyond two.
"""

from audit.games._ecarte import HOUSEHOLD, family

LAW = family(
    "ecarte_enquire",
    "Écarté (household book)",
    HOUSEHOLD,
    exchanges=1,
    book="household",
    silent=("who is served first", "who deals again", "vole against a hand that stood"),
)
