"""The second verifier before the lies of the tamper table, and hides against an oracle."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import pytest

from audit.plan import Step
from audit.service.pages.build import FOLDER
from audit.shuffle.lawbook import steps_in
from audit.shuffle.play import Play
from audit.shuffle.refusal import NotVerified
from tests.browser.second import CHROMIUM, NODE, Given, Verifier, second
from tests.shuffle.forge import Forged, World, anchor_of, build, verifier
from tests.shuffle.tamper import TABLE, Tampering, places

PLACES = 4
#: What the first verifier alone is asked: which pack the verdict is about.
OTHER = {"replay: the first pack's transcript"}


@pytest.fixture(scope="module")
def verify() -> Iterator[Verifier]:
    if NODE is None and CHROMIUM is None:
        pytest.skip("neither Node nor Chromium is here")
    with second() as made:
        yield made


def lies() -> Iterator[tuple[Tampering, World, Forged]]:
    for one in TABLE:
        if one.name in OTHER:
            continue
        for made, rng in places(one, PLACES):
            hooks = one.make(made, rng)
            assert hooks is not None
            yield one, made, build(made, hooks)


def test_a_lie_that_the_first_verifier_refuses_is_refused_by_the_second(verify: Verifier) -> None:
    told = list(lies())
    given = []
    for _, made, forged in told:
        size, root = anchor_of(made)
        text = forged.transcript.decode("latin-1")
        given.append(Given(text=text, anchor=f"{size} {root.hex()}"))
    answers = verify(given)
    assert len(answers) == PLACES * (len(TABLE) - len(OTHER))
    for (one, made, forged), answer in zip(told, answers, strict=True):
        first = verifier(made, forged)
        wanted = "verified" if first is None else "does not verify"
        if first is not None and (first.where, first.what) == ("verdict", "opened"):
            wanted = "not opened yet"
        assert answer["state"] == wanted, one.name


def test_the_two_lies_of_a_hidden_pick_have_one_name(verify: Verifier) -> None:
    for one in TABLE:
        if one.games != ("taken_up",):
            continue
        for made, rng in places(one, 6):
            hooks = one.make(made, rng)
            assert hooks is not None
            forged = build(made, hooks)
            (answer,) = verify([Given(text=forged.transcript.decode())])
            assert answer["where"] == one.verifier.partition(":")[0]


DEAL = [
    {"step": "lay", "to": "turnup", "cards": 1},
    {"step": "deal", "cards": 3, "widow": 0},
    {"step": "pick", "who": "eldest", "from": "turnup", "to": "hand", "cards": "all", "hidden": 0},
]
CARDS = 12
#: What the eldest hand does with the turn-up (place 0) and places 1 to 3, then 7, 8, ..
WAYS = (
    "hide 1, play, play, play",
    "hide 2, draw 2, play, play, play, play",
    "hide 3, draw 3, hide 1, play, play, play",
    "keep, hide 2, draw 1, keep, hide 1, play, play",
    "hide 1, keep, draw 1, hide 2, play",
    "hide 1, hide 1, draw 2, hide 1, keep, play, play",
)
SCRIPT = """
const { parts } = require(process.argv[1]);
const [law, tries] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const read = parts.readLaw(parts.parse(law, "law"));
const taken = (shows) => {
  const walk = new parts.Course(read, 2, (p) => p, new Map()).run();
  let rest = shows.slice();
  let reply;
  try {
    for (;;) {
      const { value: q, done } = walk.next(reply);
      reply = undefined;
      if (done || (!q.hidden && !rest.length)) return true;
      if (q.hidden) continue;
      reply = [rest.shift()];
      if (!q.from.includes(reply[0])) return false;
    }
  } catch (error) {
    if (error.where !== "decide") throw error;
    return false;
  }
};
console.log(JSON.stringify(tries.map(taken)));
"""


def steps_of(way: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [*DEAL]
    usual: dict[str, Any] = {"step": "pick", "who": "eldest", "from": "hand", "cards": 1}
    for word in way.split(", "):
        name, _, count = word.partition(" ")
        if name == "draw":
            made.append({"step": "draw", "who": "eldest", "cards": int(count)})
        elif name == "hide":
            made.append({**usual, "to": "discard", "cards": int(count), "hidden": 1})
        else:
            made.append({**usual, "to": "hand" if name == "keep" else "trick", "hidden": 0})
    return made


def possible(way: str) -> set[tuple[int, ...]]:
    """Return every beginning of a row of shown places that some hidden picks allow."""
    found: set[tuple[int, ...]] = {()}

    def go(words: Sequence[str], hand: tuple[int, ...], drawn: int, shown: tuple[int, ...]) -> None:
        found.add(shown)
        if not words:
            return
        name, _, count = words[0].partition(" ")
        if name == "draw":
            more = tuple(range(drawn, drawn + int(count)))
            go(words[1:], (*hand, *more), drawn + int(count), shown)
        elif name == "hide":
            for away in permutations(hand, int(count)):
                go(words[1:], tuple(p for p in hand if p not in away), drawn, shown)
        else:
            for place in hand:
                left = hand if name == "keep" else tuple(p for p in hand if p != place)
                go(words[1:], left, drawn, (*shown, place))

    go(way.split(", "), (0, 1, 2, 3), 7, ())
    return found


def taken(plan: tuple[Step, ...], shows: Sequence[int]) -> bool:
    """Return whether the first verifier takes these shows, hidden picks being unknown to it."""
    play, rest = Play(plan=plan, pack=range(CARDS), seats=2, dealer=1), list(shows)
    while True:
        play.moves()
        question = play.question
        if play.over or question is None or not (question.hidden or rest):
            return True
        zone = question.name.removeprefix("pick ")
        try:
            if question.hidden:
                play.hide(zone, question.count)
            else:
                place = rest.pop(0)
                play.show(zone, {place: place})
        except NotVerified as err:
            if (err.where, err.what) != ("decide", "cards"):
                raise
            return False


@pytest.mark.skipif(NODE is None, reason="no node here")
@pytest.mark.parametrize("way", WAYS)
def test_a_card_may_be_shown_exactly_when_it_may_not_have_been_laid_away(way: str) -> None:
    """Every sequence of shows, against every way to lay away; a turned card may be laid away."""
    steps, reached = steps_of(way), possible(way)
    most = max(map(len, reached))
    tries = [(*before, p) for before in sorted(reached) if len(before) < most for p in range(CARDS)]
    plan = steps_in(steps)
    law = {"id": "hides", "pack": list(range(CARDS)), "plan": steps, "shown": []}
    assert NODE is not None
    done = subprocess.run(
        [NODE, "-e", SCRIPT, FOLDER / "verify.js"],
        input=json.dumps([json.dumps(law, sort_keys=True, separators=(",", ":")), tries]),
        capture_output=True,
        text=True,
        check=True,
    )
    wanted = [one in reached for one in tries]
    assert True in wanted
    assert False in wanted
    assert [taken(plan, one) for one in tries] == wanted
    assert json.loads(done.stdout) == wanted


def test_a_turned_card_may_be_laid_away_and_all_the_others_played() -> None:
    plan = steps_in(steps_of("hide 1, play, play, play"))
    assert taken(plan, (1, 2, 3))
    assert taken(plan, (0, 1, 2))
    assert not taken(plan, (0, 1, 4))
