"""Runs the second verifier: in Node, or in the saved page in a headless Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

PAGE = Path(__file__).parents[2] / "audit" / "service" / "pages" / "verify.html"
LINES = Path(__file__).parent / "verify_lines.js"
NODE = shutil.which("node")
CHROMIUM = shutil.which("chromium")
BATCH = """async (given) => {
  const out = [];
  for (const g of given) {
    const v = window.fairdealVerify;
    const verify = { set: v.verifySet, bulk: v.verifyBulk, table: v.verifyTable }[g.kind];
    out.push(await verify(g.text, g.anchor));
  }
  return out;
}"""


@dataclass(frozen=True, kw_only=True)
class Given:
    """One text for the verifier; `anchor` is "size root", the text of a note, or a seal."""

    text: str
    anchor: str | None = None
    kind: str = "table"


class Verifier(Protocol):
    """Returns the verdicts of many texts, in their order."""

    def __call__(self, given: Sequence[Given]) -> list[dict[str, Any]]: ...


def _plain(given: Sequence[Given]) -> list[dict[str, str | None]]:
    return [{"kind": g.kind, "text": g.text, "anchor": g.anchor} for g in given]


def in_node(given: Sequence[Given]) -> list[dict[str, Any]]:
    """Return the verdicts that Node comes to."""
    assert NODE is not None
    lines = "".join(json.dumps(one) + "\n" for one in _plain(given))
    done = subprocess.run([NODE, LINES], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the system's Chromium, headless."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def page(browser: Any, width: int = 390, scheme: str = "light") -> Iterator[Any]:
    """Open the saved page by its file address, without a network; fail on any error in it."""
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, offline=True
    )
    shown = context.new_page()
    errors: list[str] = []
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.on("console", lambda line: errors.append(line.text))
    shown.goto(PAGE.as_uri())
    yield shown
    context.close()
    assert errors == []


@contextmanager
def second() -> Iterator[Verifier]:
    """Give the second verifier in Node, or where that is absent in Chromium."""
    if NODE is not None:
        yield in_node
        return
    with chromium() as browser, page(browser) as shown:
        yield lambda given: list(shown.evaluate(BATCH, _plain(given)))
