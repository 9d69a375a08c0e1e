"""Pool Écarté: three persons, of whom two play, and every loser stakes again.

Source: Foster, Pool Écarté.  The law of the deal is that of `ecarte_foster`;
the two at the table have places 1 and 2, the outsider is place 3.  Whoever wins
two games in succession takes the pool: three stakes and one of every loser.
The lowest écarté card sits out first, so of knave, ace and queen the ace.

Silent: a dispute over the stakes of a pool left unfinished.
"""

from audit.games._ecarte import LOST, POOL, family

LAW = family("pool_ecarte", "Pool Écarté", POOL, stakes="all", silent=(*LOST, "an unfinished pool"))
