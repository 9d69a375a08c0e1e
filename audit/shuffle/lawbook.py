"""The law of a table as canonical bytes that the manifest binds, and back to a plan.

A stranger's verifier follows these bytes and needs no library of games.

Source: PROTOCOL.md, "The law as data".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from audit.law import Law
from audit.plan import (
    PACKETS,
    Above,
    Again,
    Ask,
    ByPlayers,
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
)
from audit.shuffle.framing import digest, frame
from audit.shuffle.refusal import NotVerified

#: Rules of public cards that a plan may ask; see PROTOCOL.md.
SHOWN = ("ace", "seven of diamonds", "suit", "winner")
WHO = frozenset({"eldest", "pone", "dealer", "it", "lead", "next", "cards"})
FLAGS = frozenset({"seat", "hidden"})
#: Zones are named in small letters; hands are named by whose they are, never by number.
ZONE = re.compile("[a-z]{1,16}")
HAND = re.compile("hand [1-9][0-9]?")
OPEN_ZONES = frozenset({"turnup", "board", "trick", "won"})
NOT_LAID = frozenset({"hand", "stock"})
NOT_FROM = frozenset({"stock", "under"})
NOT_TO = frozenset({"stock"})
#: Every number of players that a table may have.
TABLES = tuple(range(1, 100))
#: A hand is counted by `above`; what lies under the stock is the stock.
NOT_COUNTED = frozenset({"hand", "under"})
T = TypeVar("T")


def law_object(law: Law, players: int, options: Mapping[str, str]) -> dict[str, Any]:
    """Return the law of a table of *players* as plain data, its options applied."""
    plan = _steps_out(law.plan, players)
    shown = sorted(set(_asked(law.plan)))
    return {"id": law.id, "pack": sorted(law.pack_of(options)), "plan": plan, "shown": shown}


def law_hash(raw: bytes) -> bytes:
    """Return H(T(law, canonical law bytes))."""
    return digest(frame("law", raw))


def _asked(steps: Sequence[Step]) -> list[str]:
    found: list[str] = []
    for step in steps:
        match step:
            case Ask(who="cards", name=name):
                found.append(name)
            case When(then=then, otherwise=otherwise):
                found += [*_asked(then), *_asked(otherwise)]
            case Each(steps=inner) | Again(steps=inner):
                found += _asked(inner)
    return found


def _count_out(count: Count, players: int) -> Any:
    match count:
        case Named(name=name):
            return {"named": name}
        case PerSeat(each=each, plus=plus):
            return {"each": each, "plus": plus}
        case Above(keep=keep):
            return {"above": keep}
        case Size(zone=zone):
            return {"size": zone}
        case ByPlayers(cards=cards):
            return cards[players]
        case int():
            return count


def _steps_out(steps: Sequence[Step], players: int) -> list[dict[str, Any]]:
    return [_step_out(step, players) for step in steps]


def _step_out(step: Step, n: int) -> dict[str, Any]:
    match step:
        case Deal():
            deal = {"step": "deal", "cards": _count_out(step.cards, n), "widow": step.widow}
            return deal | _out(step.sits_out, n)
        case Lay():
            return {"step": "lay", "to": step.to, "cards": _count_out(step.cards, n)}
        case Draw():
            return {"step": "draw", "who": step.who, "cards": _count_out(step.cards, n)}
        case Ask():
            return {
                "step": "ask",
                "who": step.who,
                "name": step.name,
                "choices": list(step.choices),
                "seat": int(step.seat),
                "least": step.least,
                "most": _count_out(step.most, n),
                "once": list(step.once),
            }
        case Pick():
            cards = "all" if step.cards is None else _count_out(step.cards, n)
            return {
                "step": "pick",
                "who": step.who,
                "from": step.source,
                "to": step.to,
                "cards": cards,
                "hidden": int(step.hidden),
            }
        case When():
            return {
                "step": "when",
                "name": step.name,
                "answers": list(step.answers),
                "then": _steps_out(step.then, n),
                "else": _steps_out(step.otherwise, n),
            }
        case Each():
            each = {"step": "each", "from": step.start, "steps": _steps_out(step.steps, n)}
            return each | _out(step.sits_out, n)
        case Again():
            return {
                "step": "again",
                "needs": _count_out(step.needs, n),
                "most": "any" if step.most is None else step.most,
                "while": {name: list(said) for name, said in step.while_.items()},
                "steps": _steps_out(step.steps, n),
            }
        case Turn():
            return {"step": "turn"}


def _out(numbers: Sequence[int], players: int) -> dict[str, Any]:
    """Return the name that says that the dealer has no part, none where he has."""
    return {"out": 1} if players in numbers else {}


def _sits_out(step: object) -> tuple[tuple[int, ...], object]:
    """Return for which numbers of players the dealer of *step* is out, and the rest of it."""
    if not isinstance(step, dict) or "out" not in step:
        return (), step
    if step["out"] != 1 or isinstance(step["out"], bool):
        raise NotVerified("law", "out", "is of another kind", "1")
    # The law of a table is made for its number of players, whatever that is.
    return TABLES, {name: value for name, value in step.items() if name != "out"}


class _Reader:
    """Reads one object of the law and refuses what is missing, foreign or of another kind."""

    def __init__(self, value: object, names: Sequence[str]) -> None:
        if not isinstance(value, dict) or set(value) != set(names):
            raise NotVerified("law", "plan", "holds a step with other names", " ".join(names))
        self.value = value

    def get(self, name: str, kind: type[T]) -> T:
        got = self.value[name]
        if name in FLAGS and got not in (0, 1):
            raise NotVerified("law", name, "is neither 0 nor 1")
        if not isinstance(got, kind) or isinstance(got, bool) or (isinstance(got, int) and got < 0):
            raise NotVerified("law", name, "is of another kind", kind.__name__)
        return got

    def words(self, name: str) -> tuple[str, ...]:
        got = self.get(name, list)
        if not all(isinstance(word, str) for word in got):
            raise NotVerified("law", name, "holds something else than words")
        return tuple(got)

    def who(self, name: str, *, cards: bool = False) -> Any:
        got = self.get(name, str)
        if got not in WHO or (got == "cards" and not cards):
            raise NotVerified("law", name, "is nobody at the table", " ".join(sorted(WHO)), got)
        return got

    def zone(self, name: str, refused: frozenset[str]) -> str:
        got = self.get(name, str)
        if ZONE.fullmatch(got) is None or got in refused:
            raise NotVerified("law", name, "is no zone that a plan may name here", "", got)
        return got

    def steps(self, name: str) -> tuple[Step, ...]:
        return steps_in(self.get(name, list))

    def count(self, name: str) -> Count:
        return _count_in(self.value[name])


def _count_in(value: object) -> Count:
    if type(value) is int and value >= 0:
        return value
    if isinstance(value, dict):
        match sorted(value.items()):
            case [("named", str(name))]:
                return Named(name=name)
            case [("each", int(each)), ("plus", int(plus))]:
                return PerSeat(each=each, plus=plus)
            case [("above", int(keep))]:
                return Above(keep=keep)
            case [("size", str(zone))] if ZONE.fullmatch(zone) and zone not in NOT_COUNTED:
                return Size(zone=zone)
    raise NotVerified("law", "count", "is no count")


def _answers(value: object) -> tuple[str | int, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str | int) for v in value):
        raise NotVerified("law", "answers", "holds something else than words and numbers")
    return tuple(value)


def _when(step: object) -> Step:
    row = _Reader(step, ("step", "name", "answers", "then", "else"))
    return When(
        name=row.get("name", str),
        answers=_answers(row.value["answers"]),
        then=row.steps("then"),
        otherwise=row.steps("else"),
    )


def _ask(step: object) -> Step:
    names = ("step", "who", "name", "choices", "seat", "least", "most", "once")
    row = _Reader(step, names)
    if row.get("seat", int) and row.words("choices"):
        raise NotVerified("law", "choices", "stand where a seat is the answer")
    return Ask(
        who=row.who("who", cards=True),
        name=row.get("name", str),
        choices=row.words("choices"),
        seat=row.get("seat", int) == 1,
        least=row.get("least", int),
        most=row.count("most"),
        once=row.words("once"),
    )


def _pick(step: object) -> Step:
    row = _Reader(step, ("step", "who", "from", "to", "cards", "hidden"))
    source, named = row.zone("from", NOT_FROM), row.value["to"]
    given = isinstance(named, str) and HAND.fullmatch(named) is not None
    to = str(named) if given else row.zone("to", NOT_TO)
    if row.get("hidden", int) and (
        source != "hand" or given or to in OPEN_ZONES | {"hand", "under"}
    ):
        raise NotVerified("law", "hidden", "is a pick from a hand to where nobody looks")
    return Pick(
        who=row.who("who"),
        source=source,
        to=to,
        cards=None if row.value["cards"] == "all" else row.count("cards"),
        hidden=row.get("hidden", int) == 1,
    )


def _again(step: object) -> Step:
    row = _Reader(step, ("step", "needs", "most", "while", "steps"))
    said = row.get("while", dict)
    return Again(
        needs=row.count("needs"),
        most=None if row.value["most"] == "any" else row.get("most", int),
        while_={str(name): _answers(value) for name, value in said.items()},
        steps=row.steps("steps"),
    )


def _deal(step: object) -> Step:
    out, rest = _sits_out(step)
    row = _Reader(rest, ("step", "cards", "widow"))
    return Deal(cards=row.count("cards"), widow=row.get("widow", int), sits_out=out)


def _lay(step: object) -> Step:
    row = _Reader(step, ("step", "to", "cards"))
    return Lay(to=row.zone("to", NOT_LAID), cards=row.count("cards"))


def _draw(step: object) -> Step:
    row = _Reader(step, ("step", "who", "cards"))
    return Draw(who=row.who("who"), cards=row.count("cards"))


def _each(step: object) -> Step:
    out, rest = _sits_out(step)
    row = _Reader(rest, ("step", "from", "steps"))
    return Each(start=row.who("from"), steps=row.steps("steps"), sits_out=out)


def _turn(step: object) -> Step:
    _Reader(step, ("step",))
    return Turn()


_KINDS: Mapping[str, Callable[[object], Step]] = {
    "deal": _deal,
    "lay": _lay,
    "draw": _draw,
    "ask": _ask,
    "pick": _pick,
    "when": _when,
    "each": _each,
    "again": _again,
    "turn": _turn,
}


def steps_in(value: object) -> tuple[Step, ...]:
    """Return the plan of plain data.

    Raises: NotVerified for anything that is no plan.
    """
    if not isinstance(value, list):
        raise NotVerified("law", "plan", "is no list of steps")
    plan: list[Step] = []
    for step in value:
        kind = step.get("step") if isinstance(step, dict) else None
        if not isinstance(kind, str) or kind not in _KINDS:
            raise NotVerified("law", "plan", "holds an unknown step", "", str(kind))
        plan.append(_KINDS[kind](step))
    return tuple(plan)


def check_shown(shown: object, plan: Sequence[Step]) -> None:
    """Refuse a law that asks public cards what they cannot answer, or takes up hidden picks."""
    asked = sorted(set(_asked(plan)))
    if shown != asked or not set(asked) <= set(SHOWN):
        raise NotVerified("law", "shown", "is not the list of rules that the plan asks")
    packets = [step for step in _all(plan) if isinstance(step, Ask) and step.name == PACKETS]
    if len(packets) > 1 or any(
        step not in plan or step.who != "dealer" or not step.choices or step.once
        for step in packets
    ):
        raise NotVerified("law", PACKETS, "is not asked once, outright, of the dealer, in words")
    if _it_outside(plan):
        raise NotVerified("law", "plan", "names it outside each")
    picks = [step for step in _all(plan) if isinstance(step, Pick)]
    hidden = {step.to for step in picks if step.hidden}
    if hidden & {step.source for step in picks}:
        raise NotVerified("law", "plan", "takes up cards that were laid aside hidden")


def _it_outside(steps: Sequence[Step]) -> bool:
    """Whether a step that stands in no `each` names the seat in turn."""
    for step in steps:
        match step:
            case Ask(who="it") | Draw(who="it") | Pick(who="it") | Each(start="it"):
                return True
            case When(then=then, otherwise=otherwise):
                if _it_outside(then) or _it_outside(otherwise):
                    return True
            case Again(steps=inner):
                if _it_outside(inner):
                    return True
    return False


def _all(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        match step:
            case When(then=then, otherwise=otherwise):
                yield from _all(then)
                yield from _all(otherwise)
            case Each(steps=inner) | Again(steps=inner):
                yield from _all(inner)
