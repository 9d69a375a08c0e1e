"""Texas hold'em, a guest: no seed describes it, but real logs hold it.

Two cards each, then up to five on the board, a card laid aside before each
street.  No count of a hand's strength is laid down before the board is known,
so tests on strength stay silent.
"""

from audit.cards import RANKS, pack
from audit.games._plans import singly
from audit.law import Law, Source
from audit.plan import Ask, Lay, Step, When


def _street(cards: int) -> tuple[Step, ...]:
    return (Lay(to="aside"), Lay(to="board", cards=cards))


LAW = Law(
    id="holdem",
    name="Texas hold'em",
    source=Source(book="guest", section="common rules"),
    pack=pack(RANKS),
    players=(2, 10),
    plan=(
        *singly(2),
        Ask(who="dealer", name="flop", choices=("no", "yes")),
        When(
            name="flop",
            answers=("yes",),
            then=(
                *_street(3),
                Ask(who="dealer", name="turn", choices=("no", "yes")),
                When(
                    name="turn",
                    answers=("yes",),
                    then=(
                        *_street(1),
                        Ask(who="dealer", name="river", choices=("no", "yes")),
                        When(name="river", answers=("yes",), then=_street(1)),
                    ),
                ),
            ),
        ),
    ),
    status="guest",
)
