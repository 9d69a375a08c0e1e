"""The saved page in a headless Chromium, without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.errors import NotVerified
from audit.shuffle.bulk_set import read_bulk_opened
from audit.shuffle.canonical import encode
from audit.shuffle.sealed import read_opened
from tests.browser.second import CHROMIUM, chromium, page
from tests.browser.test_second import SETS, TABLES, VECTORS, anchor, table
from tests.shuffle.make_bulk_vectors import PATH

BULK: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="ascii"))["sets"]
NOT_OPENED = (
    "Not opened yet: what can be checked now holds; the cards are checked after the opening."
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
NO_ED25519 = """() => {
  const real = crypto.subtle.importKey.bind(crypto.subtle);
  crypto.subtle.importKey = (form, key, how, ...rest) => how.name === "Ed25519"
    ? Promise.reject(new DOMException("no", "NotSupportedError")) : real(form, key, how, ...rest);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def shown(browser: Any) -> Iterator[Any]:
    with page(browser) as opened:
        yield opened


def check(shown: Any, text: str, kept: str = "") -> tuple[str, str]:
    """Paste, press the button, and return state and sentence of the verdict."""
    shown.fill("#transcript", text)
    shown.fill("#anchor", kept)
    shown.click("button")
    shown.wait_for_selector('#verdict:not([data-state=""])')
    verdict = shown.locator("#verdict")
    return str(verdict.get_attribute("data-state")), str(verdict.inner_text())


def test_every_vector_by_paste(shown: Any) -> None:
    for name in TABLES:
        assert check(shown, table(name), anchor(name))[0] == "verified", name
    for one in SETS:
        assert check(shown, one["opened"], one["seal"])[0] == "verified"
        assert check(shown, one["opened"])[0] == "agrees with itself"


def test_sentences_of_the_other_verdicts(shown: Any) -> None:
    text = table("bridge_1")
    state, said = check(shown, text)
    assert state == "agrees with itself"
    assert "without an anchor" in said
    changed = text.replace('"index":5', '"index":6')
    assert check(shown, changed) == ("does not verify", "Does not verify: choices, path.")
    whole = json.loads(text)
    part = json.dumps({**whole, "entries": whole["entries"][:7]}, separators=(",", ":"))
    assert check(shown, part)[0] == "not opened yet"


@pytest.mark.parametrize("bulk", [False, True])
def test_a_seal_is_not_opened_yet_and_an_opening_of_nothing_does_not_verify(
    shown: Any, *, bulk: bool
) -> None:
    """Only of a seal alone is nothing opened; the first verifier says the same of both."""
    one = (BULK if bulk else SETS)[0]
    seal, opened = one["seal"], one["opened"]
    assert check(shown, seal) == ("not opened yet", NOT_OPENED)
    assert check(shown, seal.replace('"min_cut":', '"min_cut":-'))[0] == "does not verify"
    head, rest = opened.split("\n", 1) if bulk else (opened, "")
    nothing = encode(json.loads(head) | {"sessions": []}).decode() + ("\n" if bulk else "")
    assert rest or not bulk
    with pytest.raises(NotVerified, match="opened: sessions"):
        (read_bulk_opened if bulk else read_opened)(nothing.strip().encode())
    said = "Does not verify: opened, sessions."
    assert check(shown, nothing) == ("does not verify", said)
    assert check(shown, nothing, seal) == ("does not verify", said)


def test_cards_are_shown_by_seat_and_sign(shown: Any) -> None:
    check(shown, table("seven_up_2_relay_1"), anchor("seven_up_2_relay_1"))
    headings = shown.locator("h3").all_inner_texts()
    assert headings == ["Seat 0", "Seat 1, dealer", "Everybody"]
    dealt = TABLES["seven_up_2_relay_1"]["dealt"]
    rank, suit = "23456789TJQKA"[dealt[0] % 13].replace("T", "10"), "♠♥♦♣"[dealt[0] // 13]
    pack = shown.locator("section:last-child .card").all_inner_texts()
    assert len(pack) == 52
    assert pack[0].rstrip("\ufe0e") == rank + suit
    assert shown.locator(".card").first.get_attribute("aria-label")


def test_nothing_is_wider_than_a_phone(shown: Any) -> None:
    check(shown, table("california_jack_1"), anchor("california_jack_1"))
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390


def test_data_is_shown_as_text(shown: Any) -> None:
    text = '{"<img src=x onerror=alert(1)>":1}'
    state, said = check(shown, text)
    assert state == "does not verify"
    assert "<img" in said
    assert shown.locator("#result img, #verdict img").count() == 0


def test_keyboard_alone(shown: Any) -> None:
    check(shown, "")
    shown.fill("#transcript", table("euchre_4_1"))
    shown.fill("#anchor", anchor("euchre_4_1"))
    shown.focus("#anchor")
    shown.keyboard.press("Tab")
    shown.keyboard.press("Enter")
    shown.wait_for_selector('#verdict[data-state="verified"]')
    for name in ("transcript", "anchor", "file"):
        assert shown.locator(f"label[for={name}]").count() == 1
    assert shown.locator("#verdict").get_attribute("role") == "status"


def test_a_file_is_read_byte_by_byte(shown: Any, tmp_path: Path) -> None:
    good = VECTORS / "tables" / "cassino_1.json"
    bad = tmp_path / "bad.json"
    bad.write_bytes(good.read_bytes() + b"\n")
    for path, state in ((good, "agrees with itself"), (bad, "does not verify")):
        shown.fill("#anchor", "")
        shown.set_input_files("#file", path)
        shown.wait_for_function("document.querySelector('#transcript').value.length > 20000")
        shown.click("button")
        shown.wait_for_selector(f'#verdict[data-state="{state}"]')


def test_a_browser_without_ed25519_cannot_check(browser: Any) -> None:
    with page(browser) as shown:
        shown.evaluate(NO_ED25519)
        state, said = check(shown, table("bridge_1"), anchor("bridge_1"))
    assert state == "cannot check"
    assert said.startswith("Cannot check here: browser, Ed25519 is missing")


def test_the_page_asks_for_nothing(browser: Any) -> None:
    with page(browser, width=1200, scheme="dark") as shown:
        asked: list[str] = []
        shown.on("request", lambda request: asked.append(request.url))
        assert check(shown, table("bridge_1"), anchor("bridge_1"))[0] == "verified"
        assert asked == []
