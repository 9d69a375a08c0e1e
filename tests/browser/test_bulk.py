"""Sets in bulk by the second verifier, in Node or Chromium, and in the saved page."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from audit.errors import NotVerified
from audit.shuffle.bulk_set import read_bulk_opened, read_bulk_seal
from audit.shuffle.bulk_verdict import verify_bulk
from audit.shuffle.canonical import encode
from tests.browser.second import CHROMIUM, NODE, PAGE, Given, Verifier, chromium, page, second
from tests.shuffle.make_bulk_vectors import PATH

VECTORS: dict[str, Any] = json.loads(PATH.read_text(encoding="ascii"))
SETS: list[dict[str, Any]] = VECTORS["sets"]
ORDERS = """async (asked) => {
  const { parts, bulkParts } = asked.module ? require(asked.module) : window.fairdealVerify;
  const out = [];
  for (const s of asked.sessions) {
    const orders = await bulkParts.sessionOrders(parts.unhex(s.extract), s.cards, s.alg);
    for (const deal of s.deals) out.push([...(await orders(deal, 1))[0]]);
  }
  const w = asked.wrap;
  const length = 16 * Math.ceil((4 * (w.cards - 1)) / 16);
  const blocks = await bulkParts.aesBlocks(parts.unhex(w.key), parts.unhex(w.start), length);
  const bytes = await blocks(0, w.orders.length);
  const wrapped = [];
  for (let i = 0; i < w.orders.length; i++) {
    wrapped.push(await bulkParts.drawn(w.cards, bytes, i * length, (i + 1) * length, null));
  }
  const same = (n) => new Uint8Array(n).fill(n & 255);
  const shaken = asked.shaken.map((n) => parts.hex(bulkParts.shake256(same(n), 300)));
  return { orders: out, wrapped, shaken };
}"""
LENGTHS = [0, 1, 135, 136, 137, 272, 400]


@pytest.fixture(scope="module")
def verify() -> Iterator[Verifier]:
    if NODE is None and CHROMIUM is None:
        pytest.skip("neither Node nor Chromium is here")
    with second() as made:
        yield made


def asked() -> dict[str, Any]:
    sessions = [{**s, "deals": [int(d) for d in s["orders"]]} for s in VECTORS["sessions"]]
    return {"sessions": sessions, "wrap": VECTORS["wrap"], "shaken": LENGTHS, "module": ""}


def check_orders(told: dict[str, Any]) -> None:
    assert told["orders"] == [o for s in VECTORS["sessions"] for o in s["orders"].values()]
    assert told["wrapped"] == VECTORS["wrap"]["orders"]
    shaken = [hashlib.shake_256(bytes([n & 255]) * n).hexdigest(300) for n in LENGTHS]
    assert told["shaken"] == shaken


@pytest.mark.skipif(NODE is None, reason="no node here")
def test_orders_redrawn_ones_among_them_are_the_same_in_node() -> None:
    assert NODE is not None
    script = f"({ORDERS})(JSON.parse(process.argv[1])).then((t) => console.log(JSON.stringify(t)))"
    given = {**asked(), "module": str(PAGE.parent / "verify_bulk.js")}
    command = [NODE, "-e", script, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    check_orders(json.loads(done.stdout))


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
def test_orders_are_the_same_in_the_saved_page_and_its_button_verifies() -> None:
    with chromium() as browser, page(browser) as shown:
        check_orders(shown.evaluate(ORDERS, asked()))
        for one in SETS:
            for text in (one["opened"], one["opened"] + "\n"):
                shown.fill("#transcript", text)
                shown.fill("#anchor", one["seal"])
                shown.click("button")
                shown.wait_for_selector('#verdict:not([data-state=""])')
                assert shown.locator("#verdict").get_attribute("data-state") == "verified"
        assert shown.locator("section .card").count() == 10 * 78


def test_sets_are_verified_by_their_seals(verify: Verifier) -> None:
    sealed = verify([Given(text=s["opened"], anchor=s["seal"], kind="bulk") for s in SETS])
    alone = verify([Given(text=s["opened"], kind="bulk") for s in SETS])
    assert [a["state"] for a in sealed] == ["verified"] * 3
    assert [a["state"] for a in alone] == ["agrees with itself"] * 3
    assert [a["notes"] for a in sealed] == [["the maker could have tried again"], [], []]
    for answer, vector in zip(sealed, SETS, strict=True):
        lines = vector["opened"].splitlines()[1:]
        assert answer["count"] == len(lines) == 10
        assert [bytes(d["dealt"]).hex() for d in answer["deals"]] == lines
    (part,) = verify([Given(text=SETS[0]["second"], anchor=SETS[0]["seal"], kind="bulk")])
    assert [d["deal"] for d in part["deals"]] == [5, 6, 7, 8]


Change = Callable[[Any, list[str]], None]


def _at(*path: Any, to: Any) -> Change:
    def edit(data: Any, lines: list[str]) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to(data[path[-1]]) if callable(to) else to

    return edit


def _flip(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def _lines(change: Callable[[list[str]], Any]) -> Change:
    def edit(data: Any, lines: list[str]) -> None:
        change(lines)

    return edit


def _swap(lines: list[str]) -> None:
    lines[2], lines[8] = lines[8], lines[2]


def _edit(lines: list[str]) -> None:
    lines[6] = lines[6][2:4] + lines[6][:2] + lines[6][4:]


def _double(lines: list[str]) -> None:
    lines[6] = lines[6][:2] * 2 + lines[6][4:]


def _upper(lines: list[str]) -> None:
    lines[6] = lines[6].upper()


M = ("seal", "manifest")
ATTACKS: dict[str, tuple[Change, tuple[str, str]]] = {
    "another value": (_at("value", to=b"448821300018".hex()), ("deal 1", "order")),
    "a value of another form": (_at("value", to="3434"), ("opened", "value")),
    "a deal more": (_lines(lambda lines: lines.append(lines[0])), ("opened", "deals")),
    "a deal fewer": (_lines(lambda lines: lines.pop()), ("opened", "deals")),
    "no deal": (_lines(lambda lines: lines.clear()), ("opened", "deals")),
    "deals permuted": (_lines(_swap), ("deal 3", "place")),
    "a deal edited": (_lines(_edit), ("deal 7", "order")),
    "a card twice": (_lines(_double), ("deal 7", "permutation")),
    "another spelling": (_lines(_upper), ("deal 7", "line")),
    "a set extended": (_at(*M, "deals", to=11), ("seal", "manifest.deals")),
    "another length of session": (_at(*M, "session", to=5), ("seal", "manifest.session")),
    "a session too long": (_at(*M, "session", to=11), ("manifest", "session")),
    "another derivation": (_at(*M, "alg", to="fairdeal-set-bulk-shake256/1"), ("manifest", "alg")),
    "one key a deal": (
        _at(*M, "alg", to="fairdeal-set-hmac-hkdf-sha512/1"),
        ("opened", "seal.manifest.alg"),
    ),
    "another key": (_at("sessions", 0, "key", to=_flip), ("session 1", "key or path")),
    "another path": (_at("sessions", 0, "path", 0, to=_flip), ("session 1", "key or path")),
    "a session twice": (_at("sessions", 1, "session", to=1), ("opened", "session")),
    "a session of no set": (_at("sessions", 2, "session", to=4), ("session 4", "session")),
    "other notes": (_at("notes", to=["fair"]), ("opened", "notes")),
}


def test_attacks_are_refused_by_both_under_their_names(verify: Verifier) -> None:
    """On the set of 78 cards and its three sessions."""
    seal = SETS[2]["seal"]
    # the algorithm is told apart on packs that have the other one
    texts = []
    for name, (change, _) in ATTACKS.items():
        vector = SETS[0] if name == "another derivation" else SETS[2]
        first, *lines = vector["opened"].splitlines(keepends=True)
        data = json.loads(first)
        change(data, lines)
        texts.append(encode(data).decode() + "\n" + "".join(lines))
    answers = verify([Given(text=text, anchor=seal, kind="bulk") for text in texts])
    named = dict(zip(ATTACKS, [(a["where"], a["what"]) for a in answers], strict=True))
    assert named == {name: wanted for name, (_, wanted) in ATTACKS.items()}
    for text, answer in zip(texts, answers, strict=True):
        first, _, rest = text.partition("\n")
        with pytest.raises(NotVerified) as refused:
            verify_bulk(
                read_bulk_opened(first.encode()),
                io.BytesIO(rest.encode()),
                read_bulk_seal(seal.encode()),
            )
        what = {"permutation": "order"}.get(answer["what"], answer["what"])
        assert (refused.value.where, refused.value.what) == (answer["where"], what)


def test_no_byte_of_an_opened_set_can_be_changed(verify: Verifier) -> None:
    raw = SETS[0]["second"].encode()
    given = []
    for at in range(0, len(raw), 7):
        changed = raw[:at] + bytes([raw[at] ^ 1 << at // 7 % 7]) + raw[at + 1 :]
        given.append(Given(text=changed.decode("latin-1"), anchor=SETS[0]["seal"], kind="bulk"))
    assert {answer["state"] for answer in verify(given)} == {"does not verify"}
    assert len(given) > 200


def test_a_secret_chosen_after_the_value_is_refused_by_the_seal(verify: Verifier) -> None:
    first, second_set = SETS[1], SETS[2]
    (answer,) = verify([Given(text=first["opened"], anchor=second_set["seal"], kind="bulk")])
    assert (answer["state"], answer["where"]) == ("does not verify", "seal")
    changed = json.loads(first["seal"])
    changed["root"] = _flip(changed["root"])
    seal = encode(changed).decode()
    (answer,) = verify([Given(text=first["opened"], anchor=seal, kind="bulk")])
    assert (answer["where"], answer["what"]) == ("seal", "root")


@pytest.mark.parametrize("text", ["", "{}", "\n", '{"kind":"fairdeal-bulk-opened/1"}\n'])
def test_other_text_is_refused_by_form(verify: Verifier, text: str) -> None:
    (answer,) = verify([Given(text=text, kind="bulk")])
    assert (answer["state"], answer["where"]) == ("does not verify", "opened")
