"""A seat in a real page at a real house, the other seats being clients in Python."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from audit.wire import Tokens
from tests.service.rig import House, seats_at

SECONDS = 40
ANSWER = """() => {
  const form = document.getElementById("ask");
  const send = form.querySelector("button");
  if (!send) return "";
  const title = form.querySelector("legend").textContent;
  const count = /^Pick ([0-9]+)/.exec(title);
  const all = [...form.querySelectorAll("input")];
  if (count) all.slice(0, Number(count[1])).forEach((i) => { i.checked = true; });
  else if (all[0].type === "radio") all[all.length - 1].checked = true;
  form.requestSubmit();
  return title;
}"""


@contextmanager
def shown_at(browser: Any, url: str, width: int = 390, scheme: str = "light") -> Iterator[Any]:
    """Open a page of a service; fail on any error in it."""
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    shown = context.new_page()
    errors: list[str] = []
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.on(
        "console",
        lambda line: errors.append(line.text) if "Failed to load" not in line.text else None,
    )
    shown.goto(url)
    yield shown
    context.close()
    assert not errors, errors


def seat_url(made: House, tokens: Tokens, seat: int, relay: str | None = None) -> str:
    """Return the link that joins *seat*; *relay* is the relay's address where there is one."""
    asked = f"?relay={relay}" if relay else ""
    return f"{made.url}/seat{asked}#table={tokens.table}&seat={seat}&token={tokens.tokens[seat]}"


@contextmanager
def others(
    made: House,
    tokens: Tokens,
    folder: Path,
    page_seat: int,
    packs: int = 1,
    stay: float = 5,
    relay: str | None = None,
    change: Callable[[Any], None] = lambda _: None,
) -> Iterator[list[str]]:
    """Let clients in Python play every seat but the page's; yield what went wrong.

    *change* is done to each of them before it sits down.
    """
    failed: list[str] = []
    seats = seats_at(made.url, tokens, folder, wait=1, relay=relay)
    seats.pop(page_seat).close()
    for one in seats:
        change(one)

    def run(seat: Any) -> None:
        try:
            seat.run(packs)
        except Exception as err:
            failed.append(str(err))
        finally:
            seat.close()

    threads = [threading.Thread(target=run, args=(seat,), daemon=True) for seat in seats]
    for thread in threads:
        thread.start()
    yield failed
    for thread in threads:
        thread.join(stay)


def play(shown: Any, until: str) -> list[str]:
    """Answer whatever the page asks until its status or alarm holds *until*."""
    titles: list[str] = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        said = " ".join(shown.inner_text(part) for part in ("#status", "#log"))
        said += shown.locator("#alarm").text_content()
        if until in said:
            return titles
        alarm = shown.locator("#alarm").text_content()
        if alarm and until not in alarm:
            raise AssertionError(said)
        title = shown.evaluate(ANSWER)
        if title:
            titles.append(title)
        shown.wait_for_timeout(30)
    raise AssertionError(shown.inner_text("main"))
