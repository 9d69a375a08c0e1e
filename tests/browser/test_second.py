"""The second verifier against the vectors and against the first one."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from audit.cards import RANKS, pack
from audit.cli.doctor import doctor
from audit.cli.verify import verify as verify_command
from audit.curve import SMALL_ORDER, fault
from audit.errors import NotVerified
from audit.games import GAMES
from audit.games._plans import VINGT_UN
from audit.plan import Again, Ask, Deal
from audit.service.pages.build import FOLDER, SCRIPTS, verifier_page
from audit.shuffle.local import Room
from audit.shuffle.sealed import read_opened
from audit.shuffle.transcript import verify_transcript
from tests.browser import laws
from tests.browser.agree import disagreements, packs
from tests.browser.second import CHROMIUM, NODE, Given, Verifier, second
from tests.shuffle.make_table_vectors import law, seeded

VECTORS = Path(__file__).parents[1] / "vectors"
TABLES: dict[str, Any] = json.loads((VECTORS / "tables" / "anchors.json").read_text())["tables"]
SETS: list[dict[str, Any]] = json.loads((VECTORS / "sealed_set.json").read_text())["sets"]
NOBODY = 254
TAMPERED = ["ecarte_relay_1", "bierspiel_1", "california_jack_1"]


@pytest.fixture(scope="module")
def verify() -> Iterator[Verifier]:
    if NODE is None and CHROMIUM is None:
        pytest.skip("neither Node nor Chromium is here")
    with second() as made:
        yield made


def table(name: str) -> str:
    return (VECTORS / "tables" / f"{name}.json").read_text(encoding="ascii")


def anchor(name: str) -> str:
    return f"{TABLES[name]['size']} {TABLES[name]['root']}"


def canonical(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def test_page_is_current() -> None:
    assert (FOLDER / "verify.html").read_bytes() == verifier_page()


def test_page_holds_the_verifier_unchanged() -> None:
    page = (FOLDER / "verify.html").read_bytes()
    for name in SCRIPTS:
        assert b"<script>" + (FOLDER / name).read_bytes() + b"</script>" in page


def test_scripts_make_no_code_or_markup_of_data() -> None:
    text = "".join((FOLDER / name).read_text() for name in SCRIPTS)
    for word in (
        "eval(",
        "Function(",
        "innerHTML",
        "insertAdjacentHTML",
        "document.write",
        "fetch(",
    ):
        assert word not in text


def test_every_table_is_verified_with_its_anchor(verify: Verifier) -> None:
    names = list(TABLES)
    answers = verify([Given(text=table(n), anchor=anchor(n)) for n in names])
    assert len(answers) == 26
    for name, answer in zip(names, answers, strict=True):
        assert (answer["state"], answer["where"], answer["what"]) == ("verified", "", ""), name
        assert answer["dealt"] == TABLES[name]["dealt"]
        first = verify_transcript(table(name).encode())
        delivered = [(s["place"], s["to"]) for s in answer["shown"] if s["by"] == "delivery"]
        assert sorted(delivered) == sorted(s for s in first.shown if s[1] != NOBODY), name


def test_a_table_without_anchor_agrees_with_itself(verify: Verifier) -> None:
    answers = verify([Given(text=table(name)) for name in TABLES])
    assert {a["state"] for a in answers} == {"agrees with itself"}


@pytest.mark.parametrize(
    ("given", "what"),
    [("15 " + "0" * 64, "root"), ("2 " + "0" * 64, "size"), ("16 " + "0" * 64, "size")],
)
def test_an_anchor_of_another_ledger_is_refused(verify: Verifier, given: str, what: str) -> None:
    (answer,) = verify([Given(text=table("bridge_1"), anchor=given)])
    assert (answer["state"], answer["where"]) == ("does not verify", "anchor")
    assert answer["what"] == what
    size, root = given.split()
    with pytest.raises(NotVerified) as refused:
        verify_transcript(table("bridge_1").encode(), (int(size), bytes.fromhex(root)))
    assert (refused.value.where, refused.value.what) == ("anchor", what)


def test_a_kept_note_is_an_anchor(verify: Verifier) -> None:
    text = table("ecarte_relay_1")
    note = bytes.fromhex(json.loads(text)["checkpoint"]).decode()
    changed = note.replace("\n15\n", "\n14\n")
    good, bad = verify([Given(text=text, anchor=note), Given(text=text, anchor=changed)])
    assert good["state"] == "verified"
    assert (bad["state"], bad["where"], bad["what"]) == ("does not verify", "anchor", "signature")


def test_a_pack_before_its_opening_is_not_opened_yet(verify: Verifier) -> None:
    whole = json.loads(table("seven_up_3_session_1"))
    given = []
    for last in range(3, 8):
        items = whole["items"][: 0 if last < 6 else 9 if last == 6 else None]
        part = {**whole, "entries": whole["entries"][:last], "items": items}
        given.append(Given(text=canonical(part), anchor=anchor("seven_up_3_session_1")))
        kept = TABLES["seven_up_3_session_1"]
        verdict = verify_transcript(
            given[-1].text.encode(), (kept["size"], bytes.fromhex(kept["root"]))
        )
        assert (verdict.opened, verdict.verified, verdict.dealt) == (False, False, ())
    answers = verify(given)
    assert [a["state"] for a in answers] == ["not opened yet"] * 5
    assert all(a["dealt"] == [] for a in answers)


def test_what_a_pack_before_its_opening_holds_is_checked(verify: Verifier) -> None:
    whole = json.loads(table("seven_up_3_session_1"))
    early, late = whole["entries"][:5], whole["entries"][:7]
    cases = [
        {**whole, "entries": early},
        {**whole, "entries": late, "items": whole["items"][:-1]},
        {**whole, "entries": late, "items": whole["items"][1:]},
        {**whole, "entries": late[:6], "items": [whole["items"][1], whole["items"][0]]},
        {**whole, "entries": late, "anchors": []},
    ]
    answers = verify([Given(text=canonical(c)) for c in cases])
    assert {a["state"] for a in answers} == {"does not verify"}
    for case in cases:
        with pytest.raises(NotVerified):
            verify_transcript(canonical(case).encode())


def test_a_name_left_out_is_refused_by_both(verify: Verifier) -> None:
    whole = json.loads(table("bridge_1"))
    opened = json.loads(SETS[1]["opened"])
    del whole["kind"]
    seal = {k: v for k, v in opened["seal"].items() if k != "kind"}
    manifest = {k: v for k, v in opened["seal"]["manifest"].items() if k != "alg"}
    cases = [
        {k: v for k, v in opened.items() if k != "kind"},
        {**opened, "seal": seal},
        {**opened, "seal": {**opened["seal"], "manifest": manifest}},
    ]
    answers = verify([Given(text=canonical(whole))])
    answers += verify([Given(text=canonical(c), kind="set") for c in cases])
    assert {a["state"] for a in answers} == {"does not verify"}
    with pytest.raises(NotVerified) as refused:
        verify_transcript(canonical(whole).encode())
    assert (refused.value.what, refused.value.why) == ("kind", "is left out")
    for case, field in zip(cases, ("kind", "seal.kind", "seal.manifest.alg"), strict=True):
        with pytest.raises(NotVerified) as refused:
            read_opened(canonical(case).encode())
        assert refused.value.what == field


def test_keys_that_nobody_can_hold_are_refused_by_both() -> None:
    prime = 2**255 - 19
    signs = [0, 1 << 255]
    weak = [(y | s).to_bytes(32, "little") for y in SMALL_ORDER for s in signs]
    weak += [(prime + y | s).to_bytes(32, "little") for y in (0, 1, 18) for s in signs]
    good = [bytes.fromhex(SETS[0]["seal"][-66:-2])[:31] + b"\x01", (9).to_bytes(32, "little")]
    script = """
    const { parts } = require(process.argv[1]);
    console.log(JSON.stringify(process.argv.slice(2).map((k) => parts.weakKey(parts.unhex(k)))));
    """
    if NODE is None:
        pytest.skip("no node here")
    keys = [key.hex() for key in [*weak, *good]]
    done = subprocess.run(
        [NODE, "-e", script, FOLDER / "verify.js", *keys],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [True] * len(weak) + [False] * len(good)
    assert [bool(fault(bytes.fromhex(key))) for key in keys] == json.loads(done.stdout)


@pytest.mark.skipif(NODE is None, reason="no node here")
def test_laws_by_lot_are_followed_alike_by_both() -> None:
    found, followed = laws.disagreements(90_000, 300)
    assert found == []
    assert 150 < followed < 290


def tampered() -> Iterator[bytes]:
    """Yield copies of transcripts, each with one thing changed."""
    for name in TAMPERED:
        whole = json.loads(table(name))
        for k, item in enumerate(whole["items"][:8]):
            for part in ("body", "sig"):
                for at in (1, len(item[part]) // 2, len(item[part]) - 1):
                    digit = "1" if item[part][at] == "0" else "0"
                    text = item[part][:at] + digit + item[part][at + 1 :]
                    items = [*whole["items"]]
                    items[k] = {**item, part: text}
                    yield canonical({**whole, "items": items}).encode()
            yield canonical(
                {**whole, "items": whole["items"][:k] + whole["items"][k + 1 :]}
            ).encode()
        for k, entry in enumerate(whole["entries"]):
            for at in range(9, len(entry["entry"]), 197):
                digit = "1" if entry["entry"][at] == "0" else "0"
                text = entry["entry"][:at] + digit + entry["entry"][at + 1 :]
                entries = [*whole["entries"]]
                entries[k] = {**entry, "entry": text}
                yield canonical({**whole, "entries": entries}).encode()


def test_both_refuse_what_was_changed(verify: Verifier) -> None:
    given = list(tampered())
    answers = verify([Given(text=raw.decode()) for raw in given])
    assert len(given) > 150
    named_alike = 0
    for raw, answer in zip(given, answers, strict=True):
        with pytest.raises(NotVerified) as refused:
            verify_transcript(raw)
        assert answer["state"] == "does not verify"
        named_alike += (refused.value.where, refused.value.what) == (
            answer["where"],
            answer["what"],
        )
    assert named_alike >= 0.95 * len(given)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "\xff",
        '{"kind":"fairdeal-transcript/1"}',
        "[" * 100_000,
        '"' + "a" * 9,
    ],
)
def test_other_text_is_refused_by_form(verify: Verifier, text: str) -> None:
    table_answer, set_answer = verify([Given(text=text), Given(text=text, kind="set")])
    assert table_answer["state"] == set_answer["state"] == "does not verify"
    assert table_answer["where"] == "transcript"
    assert set_answer["where"] == "opened"


def test_sets_are_verified_by_their_seals(verify: Verifier) -> None:
    sealed = verify([Given(text=s["opened"], anchor=s["seal"], kind="set") for s in SETS])
    alone = verify([Given(text=s["opened"], kind="set") for s in SETS])
    assert [a["state"] for a in sealed] == ["verified", "verified"]
    assert [a["state"] for a in alone] == ["agrees with itself"] * 2
    assert [a["notes"] for a in sealed] == [["the maker could have tried again"], []]
    for answer, vector in zip(sealed, SETS, strict=True):
        orders = [s["order"] for s in json.loads(vector["opened"])["sessions"]]
        assert [d["dealt"] for d in answer["deals"]] == orders


def test_changed_sets_are_refused(verify: Verifier) -> None:
    opened = json.loads(SETS[1]["opened"])
    first = opened["sessions"][0]
    swapped = [first["order"][1], first["order"][0], *first["order"][2:]]
    key = ("0" if first["key"][0] != "0" else "1") + first["key"][1:]
    cases = [
        ({**opened, "sessions": [{**first, "order": swapped}]}, ("deal 1", "order")),
        ({**opened, "sessions": [{**first, "key": key}]}, ("deal 1", "commitment")),
        ({**opened, "sessions": [first, first]}, ("opened", "sessions[1].deal")),
        ({**opened, "value": "3434"}, ("opened", "value")),
        ({**opened, "notes": ["none"]}, ("opened", "notes")),
    ]
    answers = verify([Given(text=canonical(c), kind="set") for c, _ in cases])
    assert [(a["where"], a["what"]) for a in answers] == [wanted for _, wanted in cases]
    (other,) = verify([Given(text=SETS[1]["opened"], anchor=SETS[0]["seal"], kind="set")])
    assert (other["state"], other["where"]) == ("does not verify", "seal")


def test_packs_by_lot_are_told_alike_by_both(verify: Verifier) -> None:
    given = list(packs(5000, 30))
    assert len({pack.game for pack in given}) == 13
    assert disagreements(verify, given) == []


def short_pack() -> bytes:
    """Return a pack whose last round ran out of cards in its middle."""
    step = GAMES["bridge"].plan[0]
    again, *_ = VINGT_UN
    assert isinstance(step, Deal)
    assert isinstance(again, Again)
    ask = next(s for s in again.steps if isinstance(s, Ask))
    plan = (replace(again, steps=(replace(step, cards=5, widow=3), ask)),)
    made = law("short", plan, pack(RANKS), 4)
    room = Room(made, 4, dealer=0, draw=seeded("short"))
    room.contribute(10)
    room.play(lambda seat, question, hand: "no")
    room.finish()
    return room.transcript(1)


def test_a_round_that_runs_short_ends_with_its_last_whole_packet(verify: Verifier) -> None:
    raw = short_pack()
    (answer,) = verify([Given(text=raw.decode())])
    assert answer["state"] == "agrees with itself"
    assert len(answer["shown"]) == 2 * 20 + 5
    first = verify_transcript(raw)
    assert answer["dealt"] == list(first.dealt)


@pytest.mark.skipif(NODE is None and CHROMIUM is not None, reason="the page's tests run instead")
def test_a_law_without_end_is_cut_off() -> None:
    script = """
    const { parts } = require(process.argv[1]);
    const law = { pack: Array.from({ length: 52 }, (_, i) => i), plan: [
      { step: "again", needs: 0, most: "any", while: new Map(), steps: [{ step: "turn" }] }] };
    try { [...new parts.Course(law, 4, () => 0, null).run()]; console.log("ended"); }
    catch (error) { console.log(error.where + ": " + error.what); }
    """
    assert NODE is not None
    done = subprocess.run(
        [NODE, "-e", script, FOLDER / "verify.js"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "course: steps without end"


def test_the_command_tells_a_pack_that_is_not_opened_yet(tmp_path: Path) -> None:
    whole = json.loads(table("seven_up_3_session_1"))
    path = tmp_path / "part.json"
    path.write_text(canonical({**whole, "entries": whole["entries"][:7]}))
    told = CliRunner().invoke(verify_command, [str(path)], standalone_mode=False)
    assert (told.return_value, told.output.splitlines()[0]) == (
        3,
        "not opened yet: one pack of a table",
    )
    path.write_text(canonical({**whole, "entries": whole["entries"][:6], "items": []}))
    assert CliRunner().invoke(verify_command, [str(path)], standalone_mode=False).return_value == 3
    path.write_text(canonical({**whole, "entries": whole["entries"][:5]}))
    assert CliRunner().invoke(verify_command, [str(path)], standalone_mode=False).return_value == 1


def test_doctor_prints_the_hash_of_every_page() -> None:
    told = CliRunner().invoke(doctor, standalone_mode=False).output
    words = told.split()
    for name in ("verify.html", "seat.js", "verify.css"):
        digest = hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()
        assert words[words.index(name) + 2] == digest
