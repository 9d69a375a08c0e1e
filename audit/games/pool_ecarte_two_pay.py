"""Pool Écarté where only the two engaged stake.

Source: Foster, Pool Écarté, "in some places": the loser retires without paying
further and the rentrant stakes when he takes the place; all else as in
`pool_ecarte`.  At game g the pool so holds g + 1 stakes.
"""

from audit.games._ecarte import LOST, POOL, family

LAW = family(
    "pool_ecarte_two_pay",
    "Pool Écarté, the two engaged paying",
    POOL,
    stakes="engaged",
    silent=(*LOST, "an unfinished pool"),
)
