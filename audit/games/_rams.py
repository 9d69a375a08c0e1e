"""Rams, Rounce and Bierspiel: what they share, and how their cards leave the pack.

Source: Foster, "Rams, or Rammes", "Rounce" and "Bierspiel".  Five to each, two
and three or three and two, with a widow that falls just before the dealer's
cards in each round; with six at Rams the dealer takes no cards and the widow is
the last hand.  Shuffle, cut, first deal and misdeals are those of Spoil Five.
"""

from __future__ import annotations

from audit.games._plans import TURN, Plan
from audit.law import Law, Source
from audit.plan import PACKETS, Ask, ByPlayers, Count, Deal, Each, Lay, Pick, Step, When
from audit.rules.rams import Rams

SILENT = (
    "whether a ruffed trick must still be headed in the plain suit: no",
    "whether a void player must overtrump: no, any trump will do",
    "the widow in a simple pool: open to the first who wants it",
    "what the others pay besides in a general rams: nothing",
    "whom a single player opposes when the dealer is out: nobody, he takes the pool",
    "what the tricks of an offender would have drawn: it stays in the pool",
)


def packets(widows: tuple[tuple[str, int, int], ...], sits_out: tuple[int, ...]) -> Plan:
    """Return the deal: each choice names 2+3 or 3+2 and how the widow falls in the two rounds."""
    steps: tuple[Step, ...] = ()
    for name, first, second in reversed(widows):
        one, two = (2, 3) if name.startswith("2") else (3, 2)
        rounds = (
            Deal(cards=one, widow=first, sits_out=sits_out),
            Deal(cards=two, widow=second, sits_out=sits_out),
        )
        otherwise = steps
        steps = (When(name=PACKETS, answers=(name,), then=rounds, otherwise=otherwise),)
    return (Ask(who="dealer", name=PACKETS, choices=tuple(w[0] for w in widows)), *steps)


def _widow(drop: int) -> Plan:
    return (
        Pick(who="it", source="hand", to="dead"),
        Pick(who="it", source="widow", to="hand"),
        *((Pick(who="it", source="hand", to="discard", cards=drop, hidden=True),) if drop else ()),
    )


def declarations(*, general: bool, drop: int, sits_out: tuple[int, ...]) -> Plan:
    """Each says whether he plays, and with which hand; who announces five tricks may yet change."""
    once = ("general", "widow") if general else ("widow",)
    words = ("pass", "play", *once)
    steps: tuple[Step, ...] = (
        Ask(who="it", name="declare", choices=words, once=once),
        When(name="declare", answers=("widow",), then=_widow(drop)),
    )
    if general:
        again = Ask(who="it", name="declare", choices=("play", "widow"), once=("widow",))
        taken = When(name="declare", answers=("widow",), then=_widow(drop))
        steps += (When(name="declare", answers=("general",), then=(again, taken)),)
    return (Each(steps=steps, sits_out=sits_out),)


def dealer_takes(cards: Count) -> Plan:
    """The dealer may take *cards* of the turn-up for as many of his own."""
    return (
        Ask(who="dealer", name="rob", choices=("leave", "rob")),
        When(
            name="rob",
            answers=("rob",),
            then=(
                Pick(who="dealer", source="hand", to="discard", cards=cards, hidden=True),
                Pick(who="dealer", source="turnup", to="hand", cards=cards),
            ),
        ),
    )


def if_dealt(cards: int, most: int, sits_out: tuple[int, ...]) -> ByPlayers:
    """Return *cards* for each number of players, none where the dealer has no hand."""
    return ByPlayers(cards={n: cards * (n not in sits_out) for n in range(1, most + 1)})


FIVES = (("2+3", 2, 3), ("3+2", 3, 2))
#: How six cards fall in two rounds is not said: evenly, or with the packets.
SIXES = (("2+3", 3, 3), ("3+2", 3, 3), ("2+3, widow 2+4", 2, 4), ("3+2, widow 4+2", 4, 2))


def plan(
    rules: Rams, most: int, deal: tuple[tuple[str, int, int], ...] = FIVES, turn: Plan = TURN
) -> Plan:
    """Return the plan of Rams or Rounce for at most *most* players."""
    return (
        *packets(deal, rules.sits_out),
        *turn,
        *declarations(general=rules.general, drop=rules.widow_drop, sits_out=rules.sits_out),
        *dealer_takes(if_dealt(1, most, rules.sits_out)),
    )


def bierspiel_plan(rules: Rams, most: int) -> Plan:
    """As Rams, with a second card turned after the seven of diamonds, which stays the dealer's."""
    both = When(
        name="seven of diamonds",
        answers=("yes",),
        then=dealer_takes(if_dealt(2, most, rules.sits_out)),
        otherwise=dealer_takes(if_dealt(1, most, rules.sits_out)),
    )
    return (
        *packets(FIVES, rules.sits_out),
        *TURN,
        Ask(who="cards", name="seven of diamonds", choices=("no", "yes")),
        When(name="seven of diamonds", answers=("yes",), then=(Lay(to="turnup"),)),
        *declarations(general=rules.general, drop=rules.widow_drop, sits_out=rules.sits_out),
        both,
        When(
            name="rob",
            answers=("leave",),
            then=(
                Ask(who="eldest", name="eldest takes", choices=("leave", "rob")),
                When(
                    name="eldest takes",
                    answers=("rob",),
                    then=(
                        Pick(who="eldest", source="hand", to="discard", cards=1, hidden=True),
                        Pick(who="eldest", source="turnup", to="hand", cards=1),
                    ),
                ),
            ),
        ),
    )


def law(
    name: str,
    title: str,
    section: str,
    rules: Rams,
    steps: Plan,
    *,
    pack: tuple[int, ...],
    players: tuple[int, int],
    silent: tuple[str, ...],
) -> Law:
    """Return the law of one of the three games."""
    return Law(
        id=name,
        name=title,
        source=Source(book="Foster", section=section),
        pack=pack,
        players=players,
        plan=steps,
        rules=rules,
        cut_by_players=True,
        silent=silent,
    )
