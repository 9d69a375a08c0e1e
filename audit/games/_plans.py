"""The plans of the deal, as data, that games of the books share or vary.

Sources: Foster (Écarté, Spoil Five, Rams, Bierspiel, Loo, Seven-Up, California
Jack) and the household book (Écarté 118-119, Cassino 110-112, Vingt-un
113-116, Euchre 120-121).  Where a book leaves 2+3 or 3+2 open, the dealer says
which before he sees a card; the first is the default.
"""

from __future__ import annotations

from audit.plan import (
    PACKETS,
    Above,
    Again,
    Ask,
    Count,
    Deal,
    Draw,
    Each,
    Lay,
    Named,
    PerSeat,
    Pick,
    Size,
    Step,
    Turn,
    When,
    Who,
)

Plan = tuple[Step, ...]


def twos_and_threes(*, widow: int = 0) -> Plan:
    """Five to each by 2+3 or 3+2; a widow of five falls in the same packets."""
    two = Deal(cards=2, widow=2 if widow else 0)
    three = Deal(cards=3, widow=widow - 2 if widow else 0)
    return (
        Ask(who="dealer", name=PACKETS, choices=("2+3", "3+2")),
        When(name=PACKETS, answers=("2+3",), then=(two, three), otherwise=(three, two)),
    )


def singly(cards: int, *, widow: int = 0) -> Plan:
    """*cards* to each, one at a time."""
    return (Deal(cards=1, widow=widow),) * cards


TURN: Plan = (Lay(to="turnup"),)


def _swap(who: Who, cards: Count) -> Plan:
    return (
        Pick(who=who, source="hand", to="discard", cards=cards, hidden=True),
        Pick(who=who, source="turnup", to="hand"),
    )


#: The eldest may beg once; the dealer gives a point or runs the cards until another suit is
#: turned, and hands are cut down to six (Foster: "In some clubs" nine are kept).  A pack that
#: cannot serve a whole run and a turn-up is bunched.
BEG: Plan = (
    Ask(who="eldest", name="beg", choices=("stand", "beg")),
    When(
        name="beg",
        answers=("beg",),
        then=(
            Ask(who="dealer", name="answer", choices=("give", "run")),
            When(
                name="answer",
                answers=("run",),
                then=(
                    Again(
                        needs=PerSeat(each=3, plus=1),
                        while_={"suit": ("same",)},
                        steps=(
                            Deal(cards=3),
                            *TURN,
                            Ask(who="cards", name="suit", choices=("new", "same")),
                        ),
                    ),
                    When(
                        name="suit",
                        answers=("new",),
                        then=(
                            Each(
                                steps=(
                                    Pick(
                                        who="it",
                                        source="hand",
                                        to="discard",
                                        cards=Above(keep=6),
                                        hidden=True,
                                    ),
                                )
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
)

#: Six each by threes.
THREES: Plan = (Deal(cards=3), Deal(cards=3))

SEVEN_UP: Plan = (*THREES, *TURN, *BEG)


def _exchange(who: Who, least: int) -> Plan:
    return (
        Ask(who=who, name="discard", least=least, most=5),
        Pick(who=who, source="hand", to="discard", cards=Named(name="discard"), hidden=True),
        Draw(who=who, cards=Named(name="discard")),
    )


def ecarte(*, exchanges: int | None) -> Plan:
    """Five each, the eleventh card turned, at most *exchanges* exchanges (None: to the end)."""
    return (
        *twos_and_threes(),
        *TURN,
        Again(
            needs=1,
            most=exchanges,
            while_={"propose": ("propose",), "accept": ("accept",)},
            steps=(
                Ask(who="pone", name="propose", choices=("play", "propose")),
                When(
                    name="propose",
                    answers=("propose",),
                    then=(
                        Ask(who="dealer", name="accept", choices=("refuse", "accept")),
                        When(
                            name="accept",
                            answers=("accept",),
                            then=(*_exchange("pone", 1), *_exchange("dealer", 0)),
                        ),
                    ),
                ),
            ),
        ),
    )


#: An ace turned is the dealer's to rob; else whoever holds the ace of trumps may take the turn-up.
SPOIL_FIVE: Plan = (
    *twos_and_threes(),
    *TURN,
    Ask(who="cards", name="ace", choices=("no", "yes")),
    When(
        name="ace",
        answers=("yes",),
        then=(
            Ask(who="dealer", name="rob", choices=("leave", "rob")),
            When(name="rob", answers=("rob",), then=_swap("dealer", 1)),
        ),
        otherwise=(
            Each(
                steps=(
                    Ask(who="it", name="rob", choices=("leave", "rob"), once=("rob",)),
                    When(name="rob", answers=("rob",), then=_swap("it", 1)),
                )
            ),
        ),
    ),
)

#: Widow of three before the dealer; the first who wants it takes it, hands given up go under.
LOO_DOUBLE: Plan = (
    *singly(3, widow=1),
    *TURN,
    Each(
        steps=(
            Ask(who="it", name="stand", choices=("stand", "pass", "widow"), once=("widow",)),
            When(
                name="stand", answers=("pass",), then=(Pick(who="it", source="hand", to="under"),)
            ),
            When(
                name="stand",
                answers=("widow",),
                then=(
                    Pick(who="it", source="hand", to="under"),
                    Pick(who="it", source="widow", to="hand"),
                ),
            ),
        )
    ),
)


def a_card_a_trick(*, turned_over: bool) -> Plan:
    """Six each; the winner of a trick draws first, the loser next, until the stock is gone.

    California Jack with the stock *turned_over* bodily draws its last card first;
    the book does not say which end is then on top, so it is an option.
    """
    return (
        Deal(cards=3),
        Deal(cards=3),
        *((Turn(),) if turned_over else ()),
        Again(
            needs=PerSeat(each=1),
            steps=(
                Each(start="lead", steps=(Pick(who="it", source="hand", to="trick", cards=1),)),
                Ask(who="cards", name="winner", seat=True),
                Pick(who="lead", source="trick", to="won"),
                Draw(who="lead"),
                Draw(who="next"),
            ),
        ),
    )


#: Four each and four on the board, then four each until the pack is gone.
CASSINO: Plan = (
    Ask(who="dealer", name=PACKETS, choices=("board last", "board one a round")),
    When(
        name=PACKETS,
        answers=("board last",),
        then=(*singly(4), Lay(to="board", cards=4)),
        otherwise=(Deal(cards=1), Lay(to="board")) * 4,
    ),
    Again(
        needs=PerSeat(each=4),
        steps=(Each(steps=(Pick(who="it", source="hand", to="played"),)), *singly(4)),
    ),
)

#: One pack over several coups; a natural, which the dealer calls out for whoever shows it, ends
#: the pack, and cards owed at its end are of the next.
VINGT_UN: Plan = (
    Again(
        while_={"natural": ("no",)},
        steps=(
            *singly(2),
            Ask(who="dealer", name="natural", choices=("yes", "no")),
            When(
                name="natural",
                answers=("no",),
                then=(
                    Each(
                        steps=(
                            Again(
                                while_={"card": ("card",)},
                                steps=(
                                    Ask(who="it", name="card", choices=("stand", "card")),
                                    When(name="card", answers=("card",), then=(Draw(who="it"),)),
                                ),
                            ),
                        )
                    ),
                    Each(steps=(Pick(who="it", source="hand", to="played"),)),
                ),
            ),
        ),
    ),
)

#: Rams with a second turn-up after the seven of diamonds, which stays the dealer's.
BIERSPIEL: Plan = (
    *twos_and_threes(widow=5),
    *TURN,
    Ask(who="cards", name="seven of diamonds", choices=("no", "yes")),
    When(name="seven of diamonds", answers=("yes",), then=TURN),
    Each(
        steps=(
            Ask(who="it", name="play", choices=("pass", "play", "widow"), once=("widow",)),
            When(
                name="play",
                answers=("widow",),
                then=(
                    Pick(who="it", source="hand", to="dead"),
                    Pick(who="it", source="widow", to="hand"),
                ),
            ),
        )
    ),
    Ask(who="dealer", name="rob", choices=("leave", "rob")),
    When(
        name="rob",
        answers=("rob",),
        then=_swap("dealer", Size(zone="turnup")),
        otherwise=(
            Ask(who="eldest", name="rob", choices=("leave", "rob")),
            When(name="rob", answers=("rob",), then=_swap("eldest", Size(zone="turnup"))),
        ),
    ),
)

#: The dealer may take the turn-up for one of his cards, ordered to or of his own will.
EUCHRE: Plan = (
    *twos_and_threes(),
    *TURN,
    Ask(who="dealer", name="take", choices=("leave", "take")),
    When(name="take", answers=("take",), then=_swap("dealer", 1)),
)
