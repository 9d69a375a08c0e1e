"""How a game moves cards off the pack: a list of steps, as data, and its interpreter.

A place is where a card lay in the pack before the deal, counted from 0, the top
card after the cut; a card keeps the number of its place for the whole deal,
wherever it goes.  Seats are counted from 1 in dealing order: seat 1 is the
eldest hand, seat n the dealer, the seat before him the pone.

A plan says in which order places leave the stock, to whom, and who is asked
what on the way.  `course` follows it: it yields a `Move` for cards that
go somewhere and a `Question` that wants an answer, so that which place is
opened next, and to whom, is a function of the plan and of the answers so far.
When the plan is through, what was never moved lies in the stock: every place
is in exactly one zone, whatever was answered.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

#: More than any game takes; a plan that goes on for longer is endless.
MOST_STEPS = 100_000

#: Where cards lie.  A hand is "hand 1" to "hand n".
Zone = str
Who = Literal["eldest", "pone", "dealer", "it", "lead", "next", "cards"]


@dataclass(frozen=True, kw_only=True)
class Named:
    """The number that was answered to the question *name* (of the seat in turn)."""

    name: str


@dataclass(frozen=True, kw_only=True)
class PerSeat:
    """*each* cards for every seat and *plus* more."""

    each: int
    plus: int = 0


@dataclass(frozen=True, kw_only=True)
class ByPlayers:
    """A number that the book gives for each number of players."""

    cards: Mapping[int, int]


@dataclass(frozen=True, kw_only=True)
class Above:
    """What the hand of the seat in turn holds above *keep* cards."""

    keep: int


@dataclass(frozen=True, kw_only=True)
class Size:
    """As many cards as lie in *zone*."""

    zone: Zone


Count = int | Named | PerSeat | ByPlayers | Above | Size


@dataclass(frozen=True, kw_only=True)
class Deal:
    """One round of the deal: *cards* to each seat in order, *widow* just before the dealer's.

    With a number of players in *sits_out* the dealer takes no cards.
    """

    cards: Count
    widow: int = 0
    sits_out: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lay:
    """The next *cards* of the stock go to *to*: "turnup", "board", "widow" or "aside"."""

    to: Zone
    cards: Count = 1


@dataclass(frozen=True, kw_only=True)
class Draw:
    """The next *cards* of the stock go to the hand of *who*."""

    who: Who
    cards: Count = 1


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A question to *who*, or to the public cards where *who* is "cards".

    *choices* are words, from the answer that moves fewest cards to the one
    that moves most; with *seat* the answer is the number of a seat, who then
    has the lead; else it is a number of cards from *least* to *most* and never
    more than the stock holds.  A choice in *once* is open to the first who takes it.
    """

    who: Who
    name: str
    choices: tuple[str, ...] = ()
    seat: bool = False
    least: int = 0
    most: Count = 0
    once: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Pick:
    """*who* picks *cards* of *source* (all where None), which go to *to*.

    *hidden* picks are known to nobody else before the deal is over.
    "under" puts them below the stock, in the order picked.
    """

    who: Who
    source: Zone
    to: Zone
    cards: Count | None = None
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class When:
    """*then* where the last answer to *name* (of the seat in turn) is among *answers*."""

    name: str
    answers: tuple[str | int, ...]
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Each:
    """*steps* for each seat in order from *start*, the seat in turn being "it".

    With a number of players in *sits_out* the dealer is passed over.
    """

    steps: tuple[Step, ...]
    start: Who = "eldest"
    sits_out: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Again:
    """*steps* over and over, at most *most* times, while the stock holds *needs* cards.

    It ends after a round in which the last answer to some name of *while_* is not
    among the answers given there.
    """

    steps: tuple[Step, ...]
    needs: Count = 0
    most: int | None = None
    while_: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The stock is turned over bodily: its last card is drawn first."""


#: The question about 2+3 or 3+2, which the dealer answers before he sees a card.
PACKETS = "packets"

Step = Deal | Lay | Draw | Ask | Pick | When | Each | Again | Turn


@dataclass(frozen=True, kw_only=True)
class Move:
    """*places* go from *source* to *to*, in that order."""

    places: tuple[int, ...]
    source: Zone
    to: Zone


@dataclass(frozen=True, kw_only=True)
class Question:
    """What the plan wants to know: *seat* 0 stands for the public cards.

    *choices* are words or numbers; where *places* is not empty the answer is a
    tuple of *count* different ones of them.
    """

    seat: int
    name: str
    choices: tuple[str | int, ...] = ()
    places: tuple[int, ...] = ()
    count: int = 0
    hidden: bool = False


Answer = str | int | tuple[int, ...]
Course = Generator[Move | Question, Answer | None, None]


@dataclass(kw_only=True)
class State:
    """Where every place lies, and what was answered, while a course runs."""

    players: int
    zones: dict[Zone, list[int]]
    answers: dict[tuple[str, int], Answer] = field(default_factory=dict)
    taken: set[tuple[str, str]] = field(default_factory=set)
    lead: int = 1
    short: bool = False
    steps: int = 0

    @property
    def stock(self) -> list[int]:
        """The places still in the stock, next one first."""
        return self.zones["stock"]


def start(players: int, size: int) -> State:
    """Return the state before the deal of a pack of *size* cards to *players* seats."""
    zones: dict[Zone, list[int]] = {"stock": list(range(size))}
    zones |= {f"hand {seat}": [] for seat in range(1, players + 1)}
    return State(players=players, zones=zones)


def course(plan: tuple[Step, ...], state: State) -> Course:
    """Follow *plan* from *state*, which always stands as after the last event.

    Ends early, with `state.short` set, where the stock cannot serve a step:
    those cards come from the next pack.

    Raises: ValueError for an answer that the question does not allow, and for a plan
    that does not come to an end.
    """
    yield from _steps(plan, state, 0)


def _seat(who: Who, state: State, it: int) -> int:
    n = state.players
    if who == "it":
        return it
    table = {"eldest": 1, "pone": max(1, n - 1), "dealer": n, "cards": 0, "lead": state.lead}
    return table[who] if who in table else state.lead % n + 1


def _last(state: State, name: str, seat: int) -> Answer | None:
    """Return the last answer of *seat* to *name*, or where he was never asked, of anybody."""
    if (name, seat) in state.answers:
        return state.answers[name, seat]
    return next((a for (n, _), a in reversed(state.answers.items()) if n == name), None)


def _number(count: Count, state: State, seat: int) -> int:
    match count:
        case Named(name=name):
            answer = _last(state, name, seat)
            if not isinstance(answer, int):
                raise ValueError(f"{name}: no number was answered")
            return answer
        case PerSeat(each=each, plus=plus):
            return each * state.players + plus
        case ByPlayers(cards=cards):
            return cards[state.players]
        case Above(keep=keep):
            return max(0, len(state.zones[f"hand {seat}"]) - keep)
        case Size(zone=zone):
            return len(state.zones.get(zone, ()))
        case int():
            return count


def _move(state: State, places: list[int], source: Zone, to: Zone) -> Move:
    for place in places:
        state.zones[source].remove(place)
    target = state.zones.setdefault("stock" if to == "under" else to, [])
    target.extend(places)
    return Move(places=tuple(places), source=source, to=to)


def _serve(state: State, cards: int, to: Zone) -> Generator[Move, None, bool]:
    if len(state.stock) < cards:
        state.short = True
        return False
    if cards:
        yield _move(state, state.stock[:cards], "stock", to)
    return True


def _ask(step: Ask, state: State, it: int) -> Generator[Question, Answer | None, None]:
    seat = _seat(step.who, state, it)
    choices: tuple[str | int, ...]
    if step.choices:
        choices = tuple(c for c in step.choices if (step.name, c) not in state.taken)
    elif step.seat:
        choices = tuple(range(1, state.players + 1))
    else:
        most = min(_number(step.most, state, seat), len(state.stock))
        choices = tuple(range(min(step.least, most), most + 1))
    answer = yield Question(seat=seat, name=step.name, choices=choices)
    if answer not in choices or isinstance(answer, tuple):
        raise ValueError(f"{step.name}: one of {choices} wanted, got {answer!r}")
    if answer in step.once:
        state.taken.add((step.name, str(answer)))
    # Written anew so that the last answer of any seat stands last.
    state.answers.pop((step.name, seat), None)
    state.answers[step.name, seat] = answer
    if step.seat and isinstance(answer, int):
        state.lead = answer


def _pick(step: Pick, state: State, it: int) -> Course:
    seat = _seat(step.who, state, it)
    source = f"hand {seat}" if step.source == "hand" else step.source
    to = f"hand {seat}" if step.to == "hand" else step.to
    have = state.zones.setdefault(source, [])
    if step.cards is None:
        if have:
            yield _move(state, list(have), source, to)
        return
    count = min(_number(step.cards, state, seat), len(have))
    if not count:
        return
    question = Question(
        seat=seat, name=f"pick {to}", places=tuple(have), count=count, hidden=step.hidden
    )
    answer = yield question
    if not isinstance(answer, tuple) or len(set(answer)) != count or not set(answer) <= set(have):
        raise ValueError(f"{question.name}: {count} different places of {have} wanted")
    yield _move(state, list(answer), source, to)


def _deal(step: Deal, state: State, it: int) -> Generator[Move, None, None]:
    cards = _number(step.cards, state, it)
    for seat in range(1, state.players + 1):
        if (
            seat == state.players
            and step.widow
            and not (yield from _serve(state, step.widow, "widow"))
        ):
            return
        if seat == state.players and state.players in step.sits_out:
            continue
        if not (yield from _serve(state, cards, f"hand {seat}")):
            return


def _tick(state: State) -> None:
    state.steps += 1
    if state.steps > MOST_STEPS:
        raise ValueError(f"more than {MOST_STEPS} steps")


def _steps(steps: tuple[Step, ...], state: State, it: int) -> Course:
    for step in steps:
        if state.short:
            return
        _tick(state)
        match step:
            case Deal():
                yield from _deal(step, state, it)
            case Lay():
                yield from _serve(state, _number(step.cards, state, it), step.to)
            case Draw():
                seat = _seat(step.who, state, it)
                yield from _serve(state, _number(step.cards, state, seat), f"hand {seat}")
            case Ask():
                yield from _ask(step, state, it)
            case Pick():
                yield from _pick(step, state, it)
            case When():
                met = _last(state, step.name, it) in step.answers
                yield from _steps(step.then if met else step.otherwise, state, it)
            case Each():
                first = _seat(step.start, state, it)
                for turn in range(state.players):
                    seat = (first - 1 + turn) % state.players + 1
                    if seat == state.players and state.players in step.sits_out:
                        continue
                    _tick(state)
                    yield from _steps(step.steps, state, seat)
            case Again():
                yield from _again(step, state, it)
            case Turn():
                state.stock.reverse()


def _again(step: Again, state: State, it: int) -> Course:
    turn = 0
    while step.most is None or turn < step.most:
        _tick(state)
        if state.short or len(state.stock) < _number(step.needs, state, it):
            return
        yield from _steps(step.steps, state, it)
        if any(_last(state, name, it) not in wanted for name, wanted in step.while_.items()):
            return
        turn += 1


def every(plan: Iterable[Step]) -> Iterator[Step]:
    """Yield each step of *plan*, and after it those inside of it."""
    for step in plan:
        yield step
        if isinstance(step, When):
            yield from every((*step.then, *step.otherwise))
        elif isinstance(step, Each | Again):
            yield from every(step.steps)


def longest(plan: tuple[Step, ...], players: int, size: int) -> list[Move]:
    """Return the moves of the course in which every answer is the one that moves most cards."""
    state = start(players, size)
    running, moves = course(plan, state), []
    answer: Answer | None = None
    try:
        while True:
            event = running.send(answer)
            answer = None
            if isinstance(event, Move):
                moves.append(event)
            else:
                answer = event.places[: event.count] or event.choices[-1]
    except StopIteration:
        return moves


def _open(plan: tuple[Step, ...], state: State, packets: str | None = None) -> list[Move]:
    running = course(plan, state)
    moves: list[Move] = []
    answer: Answer | None = None
    try:
        while True:
            event = running.send(answer)
            answer = None
            if isinstance(event, Move):
                if event.source.startswith("hand "):
                    _take_back(state, event)
                    return moves
                moves.append(event)
            elif event.name == PACKETS:
                answer = packets or event.choices[0]
            else:
                return moves
    except StopIteration:
        return moves


def _take_back(state: State, move: Move) -> None:
    """Put the cards of *move*, the last one made, back in front of what they came from."""
    target = state.zones[move.to]
    del target[len(target) - len(move.places) :]
    state.zones[move.source] = [*move.places, *state.zones[move.source]]


def opening(plan: tuple[Step, ...], players: int, size: int, packets: str | None = None) -> State:
    """Return the state when the first hands are dealt and the first card is turned.

    The deal is over when a card leaves a hand, or at the first question that is not about
    the packets; these are dealt as *packets* says, by default as the first choice of the plan.
    """
    state = start(players, size)
    _open(plan, state, packets)
    return state


def rounds(plan: tuple[Step, ...], players: int, size: int) -> list[Move]:
    """Return the moves of the first deal, in order; see `opening`."""
    return _open(plan, start(players, size))
