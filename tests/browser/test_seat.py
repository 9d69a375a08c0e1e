"""Seats and pages in a headless Chromium against a running house."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.checkpoint import sign_checkpoint
from audit.keyfile import read_private
from audit.note import Signer
from audit.service.pages.build import page_hashes
from audit.service.pages_routes import PAGES, read_page
from audit.shuffle.messages import sign
from audit.shuffle.transcript import verify_transcript
from tests.browser.second import CHROMIUM, chromium
from tests.browser.table import others, play, seat_url, shown_at
from tests.service.rig import ORIGIN, House, house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
Spoil = Callable[[str, Any], Any]


def private(made: House) -> Ed25519PrivateKey:
    return read_private(made.settings.key)


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
        titles = play(shown, "Pack 1: verified")
        assert titles
        with shown.expect_download() as download:
            shown.click("#download")
        raw = Path(download.value.path()).read_bytes()
        assert shown.evaluate("document.documentElement.scrollWidth") <= 390
        shown.goto(f"{made.url}/packs/{tokens.table}/1")
        shown.wait_for_selector("#check:not([hidden])")
        assert shown.locator("#entries li").count() == 6
        shown.click("#check")
        shown.wait_for_selector('#verdict[data-state="agrees with itself"]')
        assert shown.locator("#result .card").count() > 52
    assert failed == []
    verdict = verify_transcript(raw)
    assert (verdict.opened, verdict.pack) == (True, 1)
    assert json.loads(raw)["entries"]


def spoiled(browser: Any, made: House, folder: Path, spoil: Spoil) -> str:
    """Play a pack with a page whose answers of the house go through *spoil*; return its alarm."""
    tokens = made.table("seven_up_2", 2)
    with others(made, tokens, folder, 0, stay=0.1), shown_at(browser, f"{made.url}/") as shown:

        def change(route: Any) -> None:
            answer = route.fetch()
            told = spoil(route.request.url, answer.json()) if answer.ok else None
            if told is None:
                route.fulfill(response=answer)
            else:
                route.fulfill(response=answer, json=told)

        shown.route(lambda url: "/log?" in url or url.endswith("/cards"), change)
        shown.goto(seat_url(made, tokens, 0))
        play(shown, "Stopped")
        return str(shown.inner_text("#alarm"))


def flip_a_card(made: House) -> Spoil:
    """Give another card in the first delivery, signed by the house."""

    def change(url: str, told: Any) -> Any:
        if not url.endswith("/cards") or not told["items"]:
            return None
        body = bytearray.fromhex(told["items"][0]["signed"]["body"])
        # The card's number ends 20 bytes before the salt's length and the salt.
        body[-21] = (body[-21] + 1) % 52
        told["items"][0]["signed"] = msgspec.to_builtins(sign(private(made), bytes(body)))
        return told

    return change


def another_path(made: House) -> Spoil:
    """Prove the first card by another path."""

    def change(url: str, told: Any) -> Any:
        if not url.endswith("/cards") or not told["items"]:
            return None
        told["items"][0]["leaves"][0]["path"][0] = "00" * 32
        return told

    return change


def another_root(made: House) -> Spoil:
    """Name another root in the root entry."""

    def change(url: str, told: Any) -> Any:
        for entry in told.get("entries", []):
            if '"kind":"root"' in entry["entry"]:
                entry["entry"] = entry["entry"][:-4] + '00"}'
                return told
        return None

    return change


def second_closing(made: House) -> Spoil:
    """Give the closing once more after itself."""

    def change(url: str, told: Any) -> Any:
        for entry in told.get("entries", []):
            if '"kind":"closing"' in entry["entry"]:
                told["entries"].append(entry)
                return told
        return None

    return change


def fork(made: House) -> Spoil:
    """Sign a checkpoint over another tree, after a true one."""
    told_before: list[str] = []

    def change(url: str, told: Any) -> Any:
        if "/log?" not in url:
            return None
        told_before.append(url)
        if len(told_before) < 3:
            return None
        signer = Signer(ORIGIN, private(made))
        size = int(bytes.fromhex(told["checkpoint"]).split(b"\n")[1]) + 1
        told["checkpoint"] = sign_checkpoint(signer, size, bytes(32)).hex()
        return told

    return change


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (flip_a_card, "card is not in the pack"),
        (another_path, "card is not in the pack"),
        (another_root, "log, path"),
        (second_closing, "log, index"),
        (fork, "does not extend the one kept"),
    ],
)
def test_a_lie_on_the_way_is_caught_by_name(
    browser: Any, made: House, tmp_path: Path, spoil: Callable[[House], Spoil], said: str
) -> None:
    assert said in spoiled(browser, made, tmp_path, spoil(made))


def test_tables_and_checkpoint_are_shown_narrow_and_wide(browser: Any, made: House) -> None:
    name = made.table("seven_up_3", 3).table
    for width, scheme in ((390, "light"), (1200, "dark")):
        with shown_at(browser, f"{made.url}/", width, scheme) as shown:
            shown.wait_for_selector("#note:not(:empty)")
            shown.wait_for_selector("#tables li")
            assert name in shown.inner_text("#tables")
            assert "no witness" in shown.inner_text("#ledger")
            assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_a_second_page_of_one_seat_stays_still(browser: Any, made: House) -> None:
    tokens = made.table("seven_up_2", 2)
    with shown_at(browser, seat_url(made, tokens, 1)) as shown:
        shown.wait_for_selector("#log li")
        other = shown.context.new_page()
        other.goto(seat_url(made, tokens, 1))
        other.locator("#status", has_text="another page").wait_for()
        assert other.locator("#log li").count() == 0


def test_every_page_has_a_strict_policy(made: House) -> None:
    for path, name, _ in PAGES:
        with urlopen(made.url + path.replace("{table}", "t").replace("{pack:int}", "1")) as answer:
            policy = answer.headers["content-security-policy"]
            assert answer.read() == read_page(name)
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert name in page_hashes()


def test_a_page_opened_again_goes_on_with_its_key_and_bytes(
    browser: Any, made: House, tmp_path: Path
) -> None:
    tokens = made.table("seven_up_2", 2, packs=2)
    with (
        others(made, tokens, tmp_path, 0, packs=2) as failed,
        shown_at(browser, seat_url(made, tokens, 0)) as shown,
    ):
        play(shown, "Root: the order is fixed")
        shown.reload()
        play(shown, "Pack 1: verified")
        play(shown, "Pack 2: ")
        shown.reload()
        play(shown, "Pack 2: verified")
        assert shown.inner_text("#log").count("Pack 1: verified") == 1
    assert failed == []
