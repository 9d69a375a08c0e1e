"""What may be said of a deal of Loo, and where the book says it."""

from __future__ import annotations

BOOK = "Foster, Loo"
DEALING = f"{BOOK}, Irregularities in the Deal"
DECLARING = f"{BOOK}, In Double Pools"
SIMPLE = f"{BOOK}, In Simple Pools"
FLUSHES = f"{BOOK}, Flushes"
OFFENCES = f"{BOOK}, Irregularities and Penalties"
REVOKES = f"{BOOK}, Revokes"
IRISH = "Foster, Irish Loo"
PAM = "Foster, Five-card Loo, Pam"
CLUB = "Household book, section 99, Club Law"

#: Words with which a player declares to play; "defend" is the dealer's for the pool.
IN = frozenset({"stand", "play", "widow", "miss", "defend"})
CIVIL = "Pam be civil"

#: Found in the deal: the dealer loses it and forfeits three reds to the current pool.
MISDEALS = frozenset(
    {
        "not cut",
        "reshuffled",
        "dealt wrong",
        "exposed in dealing",
        "wrong number",
        "wrong hands",
        "widow dealt",
    }
)
#: The same dealer deals again without penalty.
AGAIN = frozenset({"imperfect pack", "faced card"})
#: Liable to the penalty of three reds to the next pool.
FOULS = frozenset({"exposed", "out of turn", "abandoned", "foul hand"})

SPLIT = "hands are abandoned, the others divide the pool, six reds to the next pool"
EARLY = "three reds to the current pool; he cannot win anything this deal"
LOOED = "three reds to the next pool; his tricks stay in the pool"
