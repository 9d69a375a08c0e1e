"""Seats and pages in a headless Chromium against a running house."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.shuffle.transcript import verify_transcript
from tests.browser.second import CHROMIUM, chromium
from tests.browser.table import others, play, seat_url, shown_at
from tests.service.rig import House, house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("house")) as started:
        yield started


def test_a_pack_of_seven_up_between_a_page_and_a_client(
    browser: Any, made: House, tmp_path: Path
) -> None:
    tokens = made.table("seven_up_2", 2)
    with (
        others(made, tokens, tmp_path, 0) as failed,
        shown_at(browser, seat_url(made, tokens, 0)) as shown,
    ):
        titles = play(shown, "Pack 1 verified")
        assert titles
        with shown.expect_download() as download:
            shown.click("#download")
        raw = Path(download.value.path()).read_bytes()
        assert shown.evaluate("document.documentElement.scrollWidth") <= 390
        shown.screenshot(path="/tmp/js_png/seat_390.png", full_page=True)
    assert failed == []
    verdict = verify_transcript(raw)
    assert (verdict.opened, verdict.pack) == (True, 1)
    assert json.loads(raw)["entries"]
