"""Bierspiel, a Rams of German students (Foster, "Bierspiel").

The seven of diamonds is the second-best trump, below the ace.  Turned first, it
stays for the dealer, the next card makes the trump, and he may take both.  If the dealer
passes, the eldest hand may take the trump.  Nobody looks at his cards before the
trump is turned and the dealer says "Auf".  A leader without a trump leads his
smallest card face down.

Silent: the pack (thirty-two cards as at Rams) and its order (the ace is named
as the best trump, so A K Q J 10 9 8 7, against the order of Rams); how many
trumps are led when more than four play (three, the most that the book asks);
whether there is a general rams (no, for it pays in counters of a pool).
"""

from audit.cards import pack
from audit.games._rams import SILENT, bierspiel_plan, law
from audit.rules.rams import BEER, Rams

RULES = Rams(
    ranks=BEER,
    order="AKQJT987",
    simple=False,
    general=False,
    trumps_first=True,
    auf=True,
    crosses=True,
    sits_out=(6,),
)
LAW = law(
    "bierspiel",
    "Bierspiel",
    "Bierspiel",
    RULES,
    bierspiel_plan(RULES, 6),
    pack=pack("789TJQKA"),
    players=(3, 6),
    silent=(
        "the pack: thirty-two cards as at Rams",
        "the order of the cards: ace high, for the ace is named as the best trump",
        "how many trumps are led with more than four in: three",
        "a general rams: none",
        "whether a trump that answers a card led face down must head: no, any trump will do",
        "who wins where a card led face down is not trumped: its leader",
        "which card the eldest takes after the seven of diamonds: the trump",
        *SILENT[:2],
    ),
)
