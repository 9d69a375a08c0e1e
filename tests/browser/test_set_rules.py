"""Both verifiers take the same manifests of sets, and the same values for the same patterns."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from audit.errors import NotVerified
from audit.shuffle.canonical import encode
from audit.shuffle.verdict import verify_set
from tests.browser.second import CHROMIUM, NODE, Given, Verifier, second
from tests.shuffle.make_vectors import PATH

OPENED: dict[str, Any] = json.loads(
    json.loads(PATH.read_text(encoding="ascii"))["sets"][1]["opened"]
)
#: Parts of patterns, good and bad, each with bytes that it may stand for.
PIECES = {
    **{sign: sign for sign in "aZ09 _,:;/=@#%&!~'\"<>-.[]{}()*+?|^$\\"},
    "[a-f]": "b",
    "[0-9a-f]": "0",
    "[a-]": "-",
    "[-a]": "a",
    "[ -.]": "+",
    "[z-a]": "m",
    "[+--]": ",",
    "[]": "",
    "[^a]": "b",
    "[\\d]": "1",
    "[a.b]": ".",
    "[a-c-e]": "-",
    r"\d": "9",
    r"\n": "\n",
    r"\t": "\t",
    r"\r": "\r",
    r"\.": ".",
    r"\-": "-",
    r"\_": "_",
    r"\]": "]",
    r"\d{2}": "42",
    "{1}": "",
    "{0}": "",
    "{0,1}": "",
    "{3,2}": "",
    "{1,3}": "",
    "{,2}": "",
    "{1,}": "",
    "a{0,63}": "aa",
    "b{900}": "b",
    "{0,200}": "",
    "{1,1025}": "",
}
LONG, LONG_VALUE = "[0-9a-f]{8}", "0123abcd"


@pytest.fixture(scope="module")
def verify() -> Iterator[Verifier]:
    if NODE is None and CHROMIUM is None:
        pytest.skip("neither Node nor Chromium is here")
    with second() as made:
        yield made


def changed(fields: dict[str, Any], value: bytes = b"448821300017") -> str:
    """Return the opened set with fields of its manifest (`entropy.bits`) changed."""
    data = json.loads(encode(OPENED))
    data["value"] = value.hex()
    for name, to in fields.items():
        at, (*path, last) = data["seal"]["manifest"], name.split(".")
        for step in path:
            at = at[step]
        at[last] = to
    return encode(data).decode()


def taken_by_the_first(text: str) -> bool:
    """Whether it is refused for what its keys are, and not for its rules."""
    with pytest.raises(NotVerified) as refused:
        verify_set(text.encode())
    return refused.value.where == "deal 1"


def by_pattern(form: str, value: bytes) -> str:
    return changed({"entropy.pattern": form, "entropy.source": "from:a", "entropy.bits": 32}, value)


def disagreements(verify: Verifier, texts: list[str]) -> tuple[list[str], int]:
    """Return what the two tell apart, and how many both take."""
    answers = verify([Given(text=text, kind="set") for text in texts])
    first = [taken_by_the_first(text) for text in texts]
    other = [answer["where"] == "deal 1" for answer in answers]
    pairs = zip(texts, first, other, strict=True)
    return [text for text, one, two in pairs if one != two], sum(first)


def test_patterns_by_lot_are_read_alike(verify: Verifier) -> None:
    rng = random.Random(20_301)
    texts = []
    for _ in range(1500):
        some = rng.choices(list(PIECES), k=rng.randint(1, 4))
        value = "".join(PIECES[piece] for piece in some)
        texts.append(by_pattern("".join(some) + LONG, (value + LONG_VALUE).encode()))
    found, taken = disagreements(verify, texts)
    assert found == []
    assert 300 < taken < 1200


ANY = {"entropy.source": "from:a"}
RULES: list[tuple[dict[str, Any], bool]] = [
    ({"nonce": "0" * 64}, True),
    ({"game": "Seven Up"}, False),
    ({"law": "v 1"}, False),
    ({"law": "1.2+b"}, True),
    ({"players": 78}, True),
    ({"players": 79}, False),
    ({"players": 0}, False),
    ({"min_cut": 26}, True),
    ({"min_cut": 27}, False),
    ({"deals": 10_000_001}, False),
    ({"place.place": 2}, False),
    ({"place.previous": "1" * 64}, False),
    ({"place.previous": "1" * 64, "place.place": 2}, True),
    ({"entropy.moment": 0}, False),
    ({"entropy.bits": 39}, True),
    ({"entropy.bits": 40}, False),
    ({"entropy.source": "from:Exchange"}, False),
    ({"entropy.source": "from:" + "a" * 64}, True),
    ({"entropy.source": "from:" + "a" * 65}, False),
    ({"entropy.source": "file:x"}, False),
    ({"entropy.source": "beacon:drand@12"}, True),
    ({"entropy.source": "beacon:drand"}, False),
    ({"entropy.source": "beacon:Drand@1"}, False),
    ({"entropy.source": "coin:1"}, False),
    ({**ANY, "entropy.pattern": "[0-9]{0,1024}", "entropy.bits": 3401}, True),
    ({**ANY, "entropy.pattern": "[0-9]{0,1024}", "entropy.bits": 3402}, False),
    ({**ANY, "entropy.pattern": "[!-~]{12}"}, False),
    ({**ANY, "entropy.pattern": "[ -z]{1024}", "entropy.bits": 6600}, False),
]


def test_rules_of_a_set_are_the_same_for_both(verify: Verifier) -> None:
    texts = [changed(fields) for fields, _ in RULES]
    assert disagreements(verify, texts)[0] == []
    assert [taken_by_the_first(text) for text in texts] == [wanted for _, wanted in RULES]


def test_forms_are_counted_exactly(verify: Verifier) -> None:
    """2^64 - 1 forms do not hold 64 bits, though a logarithm rounds to it."""
    said = {"entropy.pattern": "[01]{0,63}", "entropy.source": "from:a"}
    texts = [changed({**said, "entropy.bits": bits}, b"01") for bits in (63, 64)]
    assert disagreements(verify, texts) == ([], 1)
