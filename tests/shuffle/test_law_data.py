"""Law data and transcripts from strangers: refused by name, in bounded time, by nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.games import GAMES
from audit.shuffle import canonical
from audit.shuffle.canonical import encode
from audit.shuffle.entries import TableEntry, TableManifest, table_hash
from audit.shuffle.framing import frame
from audit.shuffle.lawbook import check_shown, law_hash, law_object, steps_in
from audit.shuffle.play import Play
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import book_of
from audit.shuffle.transcript import verify_transcript
from tests.shuffle.forge import STRANGER, Hooks, build, world
from tests.shuffle.make_table_vectors import FOLDER, play, tables

TURN = {"step": "turn"}
DEAL = {"step": "deal", "cards": 1, "widow": 0}


def lay(to: str, cards: object = 1) -> dict[str, Any]:
    return {"step": "lay", "to": to, "cards": cards}


def pick(source: str, to: str, cards: object = "all", hidden: int = 0) -> dict[str, Any]:
    return {
        "step": "pick",
        "who": "eldest",
        "from": source,
        "to": to,
        "cards": cards,
        "hidden": hidden,
    }


def again(*steps: dict[str, Any], needs: object = 0, most: object = "any") -> dict[str, Any]:
    return {"step": "again", "needs": needs, "most": most, "while": {}, "steps": list(steps)}


def each(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"step": "each", "from": "eldest", "steps": list(steps)}


def ask(who: str = "eldest", name: str = "beg", **more: object) -> dict[str, Any]:
    usual = {"choices": [], "seat": 0, "least": 0, "most": 3, "once": []}
    return {"step": "ask", "who": who, "name": name, **usual, **more}


def nested(depth: int) -> dict[str, Any]:
    made: dict[str, Any] = TURN
    for _ in range(depth):
        made = each(made)
    return made


REFUSED: dict[str, list[Any]] = {
    "endless": [again()],
    "endless, turning": [again(TURN)],
    "endless, to and fro": [DEAL, again(pick("hand", "dead"), pick("dead", "hand"))],
    "endless, many times": [again(TURN, most=2**53 - 1)],
    "endless, each in each": [nested(25)],
    "endless, rule after rule": [lay("turnup"), again(ask("cards", "ace", choices=["no", "yes"]))],
    "a place of nobody": [lay("hand 99")],
    "a hand by number": [lay("hand 1")],
    "a hand without number": [lay("hand x")],
    "a hand of nobody": [lay("hand")],
    "the stock onto itself": [lay("stock")],
    "from the stock by choice": [pick("stock", "board", 1)],
    "from under": [pick("under", "board")],
    "an empty zone": [lay("")],
    "a zone in capitals": [lay("Board")],
    "hidden for all to see": [DEAL, pick("hand", "turnup", 1, 1)],
    "hidden from the board": [lay("board"), pick("board", "discard", 1, 1)],
    "hidden under the stock": [DEAL, pick("hand", "under", 1, 1)],
    "hidden and taken up": [DEAL, pick("hand", "discard", 1, 1), pick("discard", "hand")],
    "hidden and moved whole": [DEAL, DEAL, pick("hand", "discard", 1, 1), pick("hand", "board")],
    "hidden by two": [pick("hand", "discard", 1, 2)],
    "cards asked nothing known": [ask("cards", "colour", choices=["red"])],
    "no turn-up to ask": [ask("cards", "suit", choices=["new", "same"])],
    "no trick to ask": [ask("cards", "winner", seat=1)],
    "a rule outside its choices": [lay("turnup"), ask("cards", "ace", choices=["maybe"])],
    "it outside each": [{"step": "draw", "who": "it", "cards": 1}],
    "cards draw a card": [{"step": "draw", "who": "cards", "cards": 1}],
    "a number never asked": [lay("board", {"named": "nothing"})],
    "above the hand of nobody": [lay("board", {"above": 3})],
    "a negative count": [lay("board", -1)],
    "a count of words": [lay("board", "three")],
    "a count of two kinds": [lay("board", {"named": "a", "size": "b"})],
    "packets inside a step": [each(ask("dealer", "packets", choices=["2+3", "3+2"]))],
    "packets twice": [ask("dealer", "packets", choices=["2+3", "3+2"])] * 2,
    "packets of another": [ask("eldest", "packets", choices=["2+3", "3+2"])],
    "packets in numbers": [ask("dealer", "packets")],
    "an unknown step": [{"step": "shuffle"}],
    "no step": [7],
    "a step too rich": [{"step": "turn", "twice": 1}],
    "a step too poor": [{"step": "lay", "to": "board"}],
    "seat neither 0 nor 1": [ask(seat=2)],
    "choices of numbers": [ask(choices=[1])],
    "most in words": [again(TURN, most="many")],
    "nobody at the table": [{"step": "draw", "who": "stranger", "cards": 1}],
}


def follow(plan: object, seats: int = 4, size: int = 52) -> Play:
    """Read a plan and play it to its end, the first choice everywhere."""
    steps = steps_in(plan)
    check_shown(sorted(asked_rules(plan)), steps)
    made = Play(plan=steps, pack=range(size), seats=seats, dealer=0)
    while not made.over:
        for place, to in made.moves():
            if to == 255:
                made.learn(place, place)
        if not made.over and not made.settle():
            answer_first(made)
    return made


def answer_first(made: Play) -> None:
    question = made.question
    assert question is not None
    if not question.places:
        if not question.choices:
            raise NotVerified("test", "choices", "are none")
        made.answer(question.name, str(question.choices[0]))
    elif question.hidden:
        made.hide(question.name.removeprefix("pick "), question.count)
    else:
        zone = question.name.removeprefix("pick ")
        made.show(zone, {p: p for p in question.places[: question.count]})


def asked_rules(plan: object) -> set[str]:
    found: set[str] = set()
    for step in plan if isinstance(plan, list) else []:
        if not isinstance(step, dict):
            continue
        if step.get("step") == "ask" and step.get("who") == "cards":
            found.add(step["name"])
        for inner in ("steps", "then", "else"):
            found |= asked_rules(step.get(inner))
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_law_data_is_refused_by_name(name: str) -> None:
    with pytest.raises(NotVerified) as refused:
        follow(REFUSED[name])
    assert refused.value.where == "law"


def test_huge_counts_end_the_plan_as_short() -> None:
    for plan in ([lay("board", 2**53 - 1)], [{**DEAL, "cards": {"each": 2**50, "plus": 1}}]):
        made = follow(plan)
        assert made.over
        assert made.short


def test_public_cards_do_not_stand_twice_in_a_hidden_pick() -> None:
    """A hand of which three of four cards are public, and all but one are laid aside."""
    steps = steps_in(
        [lay("turnup", 3), DEAL, pick("turnup", "hand"), pick("hand", "discard", 3, 1)]
    )
    made = Play(plan=steps, pack=range(52), seats=2, dealer=0)
    made.moves()
    made.hide("discard", 3)
    made.moves()
    assert made.over


def test_a_refused_show_changes_nothing() -> None:
    """One card that may be shown and one that may not: the first is not moved either."""
    plan = [{**DEAL, "cards": 4}, pick("hand", "discard", 2, 1), pick("hand", "trick", 2)]
    made = Play(plan=steps_in(plan), pack=range(52), seats=2, dealer=0)
    made.moves()
    made.hide("discard", 2)
    made.moves()
    before = {zone: list(places) for zone, places in made._state.zones.items()}
    laid = before["discard"][0]
    with pytest.raises(NotVerified, match="not in that hand"):
        made.show("trick", {laid: laid, 30: 30})
    assert made._state.zones == before
    made.show("trick", {laid: laid, before["discard"][1]: 1})
    made.moves()
    assert made.over


@pytest.mark.parametrize("trump", ["SH", "X", "s"])
def test_a_trump_that_is_no_suit_is_refused(trump: str) -> None:
    plan = steps_in([lay("trick", 2), ask("cards", "winner", seat=1)])
    made = Play(plan=plan, pack=range(52), seats=2, dealer=0, trump=trump)
    for place, _ in made.moves():
        made.learn(place, place)
    with pytest.raises(NotVerified, match="manifest: trump"):
        made.settle()


def entry_of(law: Any, **fields: Any) -> TableEntry:
    """Return a table entry of one honest signature scheme around any law."""
    base: TableManifest = world("bridge", "plain", 0).entry(0).manifest
    room = world("bridge", "plain", 0).room
    made = msgspec.structs.replace(base, law=law_hash(encode(law)).hex(), **fields)
    sigs = tuple(s.key.sign(frame("sign-manifest", table_hash(made))).hex() for s in room.seats)
    return TableEntry(law=law, manifest=made, sigs=sigs)


def test_a_law_around_the_plan_is_read_strictly() -> None:
    good = law_object(GAMES["bridge"], 4, {})
    assert book_of(entry_of(good)).pack == tuple(range(52))
    bad: list[dict[str, Any]] = [
        {**good, "pack": list(reversed(good["pack"]))},
        {**good, "pack": [0] * 52},
        {**good, "pack": [*range(51), 78]},
        {**good, "pack": "52"},
        {**good, "plan": {}},
        {**good, "plan": "deal"},
        {**good, "shown": ["suit"]},
        {**good, "shown": 0},
        {**good, "id": 4},
        {**good, "more": 1},
        {k: v for k, v in good.items() if k != "shown"},
    ]
    for law in bad:
        with pytest.raises(NotVerified):
            book_of(entry_of(law))


def test_long_runs_of_escapes_and_names_are_read_in_one_pass() -> None:
    """Quadratic readers would take hours for these."""
    for raw in (
        b'"' + b'\\"' * 500_000,
        b'"' * 500_001,
        b"{" + b",".join(b'"%d":1' % n for n in range(200_000, 100_000, -1)) + b"}",
    ):
        with pytest.raises(NotVerified):
            canonical.read(raw, "t")


LEAVES = st.one_of(
    st.integers(0, 60),
    st.sampled_from([-1, 2**53 - 1, 2**53, 10**30, 1.5, None, True, "", "hand 99", "all", "any"]),
    st.sampled_from(["stock", "hand", "under", "turnup", "discard", "it", "cards", "winner"]),
    st.sampled_from([[], {}, [[]], {"named": "beg"}, {"each": 3, "plus": 9}, {"size": "hand"}]),
)


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every part of plain data."""
    found = [here] if here else []
    if isinstance(value, dict):
        for key in value:
            found += paths(value[key], (*here, key))
    elif isinstance(value, list):
        for at in range(len(value)):
            found += paths(value[at], (*here, at))
    return found


def mutated(value: Any, rng: random.Random, leaf: Any) -> Any:
    """Return plain data with one part replaced, doubled, dropped or moved."""
    made = json.loads(json.dumps(value))
    way = rng.choice(paths(made))
    at = made
    for step in way[:-1]:
        at = at[step]
    kind = rng.randrange(4)
    if kind == 0 or not isinstance(at, list):
        at[way[-1]] = leaf
    elif kind == 1:
        at.insert(way[-1], at[way[-1]])
    elif kind == 2:
        del at[way[-1]]
    else:
        rng.shuffle(at)
    return made


@cache
def laws() -> list[dict[str, Any]]:
    """Return the laws of the vectors as data."""
    return [law_object(law, players, {}) for law, players, _, _ in tables().values()]


@settings(max_examples=250, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**32), st.lists(LEAVES, min_size=1, max_size=3))
def test_no_mutated_law_raises_anything_but_not_verified(seed: int, leaves: list[Any]) -> None:
    rng = random.Random(seed)
    law: Any = rng.choice(laws())
    for leaf in leaves:
        law = mutated(law, rng, leaf)
    if not isinstance(law, dict) or not isinstance(law.get("plan"), list):
        return
    with suppress(NotVerified):
        canonical.read(json.dumps(law).encode(), "law")
    try:
        made = follow(law["plan"], seats=rng.choice([2, 3, 5]))
    except NotVerified:
        return
    zones = made._state.zones.values()
    assert sorted(p for zone in zones for p in zone) == list(range(52))


@cache
def transcripts() -> list[bytes]:
    """Return the transcripts of the vectors."""
    return [path.read_bytes() for path in sorted(FOLDER.glob("*_*.json"))]


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**32), LEAVES)
def test_no_mutated_transcript_raises_anything_but_not_verified(seed: int, leaf: Any) -> None:
    """Data changed anywhere, written canonically again, also inside the entries.

    Proofs of heads that no message names may be left out or come in another order.
    """
    rng = random.Random(seed)
    whole = json.loads(rng.choice(transcripts()))
    told = whole
    if rng.randrange(2):
        told = mutated(told, rng, leaf)
    else:
        told = json.loads(json.dumps(whole))
        entry = rng.choice(told["entries"])
        changed = mutated(json.loads(entry["entry"]), rng, leaf)
        entry["entry"] = json.dumps(changed, separators=(",", ":"), sort_keys=True)
    try:
        verify_transcript(json.dumps(told, separators=(",", ":"), sort_keys=True).encode())
    except NotVerified:
        return
    assert {**told, "anchors": 0} == {**whole, "anchors": 0}


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**32), st.binary(min_size=1, max_size=8))
def test_no_damaged_bytes_raise_anything_but_not_verified(seed: int, junk: bytes) -> None:
    rng = random.Random(seed)
    raw = bytearray(rng.choice(transcripts()))
    at = rng.randrange(len(raw))
    if raw[at : at + len(junk)] == junk:
        return
    raw[at : at + rng.choice([0, 1, len(junk)])] = junk
    with pytest.raises(NotVerified):
        verify_transcript(bytes(raw))


@settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.integers(0, 2**32), LEAVES)
def test_a_mutated_law_in_a_world_signed_by_all_is_played_or_refused(seed: int, leaf: Any) -> None:
    """House and seats agree on a broken law: the verifier plays it or names what is wrong."""
    rng = random.Random(seed)
    made = world(rng.choice(["seven_up_4", "double_loo", "bierspiel"]), "w0", 0)

    def table(entry: TableEntry) -> TableEntry:
        law = mutated(entry.law, rng, leaf)
        fields = {"law": law_hash(msgspec.json.encode(law, order="sorted")).hex()}
        manifest = msgspec.structs.replace(entry.manifest, **fields)
        return msgspec.structs.replace(entry, law=law, manifest=manifest)

    hooks: Hooks = {"table": table, "keys": lambda keys: [STRANGER, *keys[1:]]}
    hooks["table_signed"] = lambda entry: entry
    raw = build(made, {**hooks, "table": with_key(table)}).transcript
    try:
        verdict = verify_transcript(raw)
    except NotVerified:
        return
    assert not verdict.verified


def with_key(table: Callable[[TableEntry], TableEntry]) -> Callable[[TableEntry], TableEntry]:
    """Return a change of the table entry that gives the first seat the stranger's key too."""
    from audit.shuffle.messages import public_hex

    def change(entry: TableEntry) -> TableEntry:
        made = table(entry)
        seats = (public_hex(STRANGER), *made.manifest.seats[1:])
        return msgspec.structs.replace(
            made, manifest=msgspec.structs.replace(made.manifest, seats=seats)
        )

    return change


def test_the_order_of_a_real_table_still_plays() -> None:
    assert verify_transcript(play("bierspiel").transcript(1)).pack == 1
