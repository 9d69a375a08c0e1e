"""A house that takes what a page hands in and then has not had it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit.client.receipts import check_dropped
from audit.keyfile import read_private
from audit.service.room import Room
from audit.shuffle.entries import Limits
from audit.shuffle.messages import sign
from tests.browser.second import CHROMIUM, chromium
from tests.browser.table import others, play, seat_url, shown_at
from tests.client.test_receipts import STRANGER, dropping
from tests.service.rig import House, house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
SOON = Limits(commit=3, open=3, choice=3, decide=3)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("house")) as started:
        yield started


@pytest.mark.parametrize(("step", "entry"), [("commit", "void"), ("open", "unfinished")])
def test_a_page_holds_the_proof_of_what_the_house_took_and_left_out(
    browser: Any,
    made: House,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    entry: str,
) -> None:
    monkeypatch.setattr(Room, "message", dropping(step, 0))
    tokens = made.table("seven_up_2", 2, limits=SOON)
    with (
        others(made, tokens, tmp_path, 0, stay=0.1),
        shown_at(browser, seat_url(made, tokens, 0)) as shown,
    ):
        play(shown, f"{entry}, leaves out the {step} of seat 0")
        with shown.expect_download() as download:
            shown.click("#download")
        raw = Path(download.value.path()).read_bytes()
    newest = made.hall.newest(0)
    assert newest is not None
    breach = check_dropped(raw, newest.note)
    assert (breach.who, breach.step, breach.seat) == ("house", step, 0)


@pytest.mark.parametrize("how", ["none", "another key", "another message"])
def test_a_page_stops_at_no_or_a_false_receipt(
    browser: Any, made: House, tmp_path: Path, how: str
) -> None:
    key = read_private(made.settings.key)
    tokens = made.table("seven_up_2", 2)

    def change(route: Any) -> None:
        answer = route.fetch()
        told = answer.json()
        body = bytes.fromhex(told["receipt"]["body"])
        if how == "none":
            told["receipt"] = None
        elif how == "another key":
            told["receipt"] = msgspec.to_builtins(sign(STRANGER, body))
        else:
            other = body[:-1] + bytes([body[-1] ^ 1])
            told["receipt"] = msgspec.to_builtins(sign(key, other))
        route.fulfill(response=answer, json=told)

    with (
        others(made, tokens, tmp_path, 0, stay=0.1),
        shown_at(browser, f"{made.url}/") as shown,
    ):
        shown.route(lambda url: url.endswith("/messages"), change)
        shown.goto(seat_url(made, tokens, 0))
        said = {
            "none": "did not come, and the message was taken",
            "another key": "signature",
            "another message": "is of another message",
        }[how]
        play(shown, f"receipt for the commit, {said}")
