"""The parts that everything rests on: sampler, tree, framing, canonical JSON, pattern."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from math import factorial, log2

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import UsageError
from audit.shuffle import canonical, pattern, sampler
from audit.shuffle.derive import pack_order, pack_orders
from audit.shuffle.framing import frame, unframe
from audit.shuffle.messages import Face, card_leaf, pack_tree
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sampler import order, side_by_side
from audit.shuffle.tree import Tree, check_inclusion


def test_every_order_of_five_cards_comes_equally_often_from_three_bit_words() -> None:
    accepted = [range(8 - 8 % k) for k in (5, 4, 3, 2)]
    seen = Counter(tuple(sampler.order(5, w, bits=3)) for w in product(*accepted))
    assert len(seen) == 120
    assert set(seen.values()) == {5 * 8 * 6 * 8 // 120}


def test_all_streams_of_a_fixed_length_reach_orders_equally_often() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for words in product(range(8), repeat=5):
        try:
            seen[tuple(sampler.order(4, words, bits=3))] += 1
        except ValueError:
            continue
    assert len(seen) == 24
    assert len(set(seen.values())) == 1


def test_a_word_past_the_limit_is_thrown_away() -> None:
    assert sampler.below(3, iter([2**32 - 1, 5])) == 2
    assert sampler.order(3, [2**32 - 1, 0, 1]) == [2, 1, 0]


def test_the_extract_has_128_bits_to_spare_up_to_the_largest_pack_and_no_further() -> None:
    assert log2(factorial(sampler.MOST)) + 128 <= 512 < log2(factorial(sampler.MOST + 1)) + 128
    for size in (1, 79, 104):
        with pytest.raises(UsageError, match="pack"):
            sampler.check_size(size)


# Source: the reference tree of certificate transparency (eight inputs, roots by size).
CT_INPUTS = [
    bytes.fromhex(h)
    for h in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
CT_ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


@pytest.mark.parametrize("size", sorted(CT_ROOTS))
def test_tree_roots_are_those_of_certificate_transparency(size: int) -> None:
    assert Tree(CT_INPUTS[:size]).root.hex() == CT_ROOTS[size]


@pytest.mark.parametrize("size", range(1, 18))
def test_each_path_leads_to_the_root_and_no_other_does(size: int) -> None:
    entries = [bytes([i]) for i in range(size)]
    tree = Tree(entries)
    for index, entry in enumerate(entries):
        path = tree.path(index)
        check_inclusion(entry, index, size, path, tree.root, "t")
        bad = [(b"x", index, path), (entry, index, [*path, b"\0" * 32]), (entry, size, path)]
        if path:
            bad.append((entry, index, path[:-1]))
        for e, i, p in bad:
            with pytest.raises(NotVerified):
                check_inclusion(e, i, size, p, tree.root, "t")


def test_frames_keep_their_parts_apart() -> None:
    assert frame("a", b"bc", b"") != frame("a", b"b", b"c")
    assert unframe("a", frame("a", b"bc", 7), 2) == [b"bc", bytes(7) + b"\x07"]
    for wrong in (b"", frame("b", b""), frame("a", b"", b""), frame("a", b"x")[:-1]):
        with pytest.raises(NotVerified):
            unframe("a", wrong, 1)


def test_the_tree_of_a_pack_is_that_of_its_cards() -> None:
    mh, order = bytes(range(32)), [2, 0, 3, 1]
    salt = [bytes([n]) * 16 for n in range(4)]
    faces = [Face(leaf=n, card=order[n], salt=salt[n]) for n in range(4)]
    wanted = Tree([card_leaf(mh, 300, face) for face in faces])
    assert pack_tree(mh, 300, order, salt).root == wanted.root


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b'{"a":1,"a":2}', "a"),
        (b'{"a":1.5}', "float"),
        (b'{"a":null}', "null"),
        (b'{"a":true}', "bool"),
        (b'{"a": 1}', "spelling"),
        (b'{"b":1,"a":1}', "spelling"),
        (b'{"a":9007199254740992}', "integer"),
        (b'{"a":-1}', "integer"),
        (b"[" * 65 + b"]" * 65, "nesting"),
        (b'{"a":"\\u0041"}', "spelling"),
        ('{"a":"é"}'.encode(), "string"),
        (b'{"a":1', "json"),
    ],
)
def test_every_other_spelling_of_json_is_refused(raw: bytes, what: str) -> None:
    with pytest.raises(NotVerified) as refused:
        canonical.read(raw, "t")
    assert refused.value.what == what


def _slowly(raw: bytes) -> bool:
    """Whether *raw* is JSON that holds only what the narrow form has, part by part."""
    try:
        canonical._narrow(msgspec.json.decode(raw), "t")
    except (NotVerified, msgspec.DecodeError):
        return False
    return True


PIECES = [
    b'"',
    b"\\",
    b'\\"',
    b"\\\\",
    b"\\n",
    b"\\u0041",
    b"a",
    b"~",
    b"\x7f",
    b"\n",
    "é".encode(),
]
PIECES += [b"{", b"}", b"[", b"]", b":", b",", b'"a":', b"[[[[[[[[", b"]]]]]]]]", b"-", b".", b"e9"]
PIECES += ["é".encode(), b"0", b"7", b"12345678901234", b"9007199254740991", b"true", b"null"]
WHOLE = st.recursive(
    st.integers(0, 10**15 - 1) | st.text(st.characters(min_codepoint=32, max_codepoint=126)),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b", '"', "\\"]), inner),
)


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(WHOLE, st.lists(st.tuples(st.integers(0, 200), st.sampled_from(PIECES)), max_size=2))
def test_what_is_read_at_once_is_what_is_read_part_by_part(
    value: object, put: list[tuple[int, bytes]]
) -> None:
    raw = canonical.encode(value)
    assert canonical._plainly_narrow(raw)
    for at, piece in put:
        raw = raw[: at % (len(raw) + 1)] + piece + raw[at % (len(raw) + 1) :]
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        msgspec.json.decode(raw)
        assert _slowly(raw) or not canonical._plainly_narrow(raw)


@pytest.mark.parametrize("depth", [63, 64, 65, 66])
def test_nesting_is_counted_alike_at_once_and_part_by_part(depth: int) -> None:
    for raw in (b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth):
        assert canonical._plainly_narrow(raw) == _slowly(raw) == (depth <= 64)


def test_patterns_match_the_whole_value_and_count_their_forms() -> None:
    assert pattern.matches(r"\d{1,3}\.\d{2}", b"44.13")
    assert not pattern.matches(r"\d{5}\.\d{2}", b"44,882.13")
    assert pattern.matches("[a-c]{1,2}[a-c]{1,2}a", b"abca")
    assert pattern.matches("[0-9a-f]{64}", b"0" * 64)
    assert not pattern.matches("[0-9a-f]{64}", b"0" * 65)
    assert pattern.forms(r"\d{5}") == 100_000
    assert pattern.forms("[01]{0,63}") == 2**64 - 1
    for bad in ("", "a*", "(a)", "a{3,1}", "a{2000}", "[b-a]"):
        with pytest.raises(UsageError):
            pattern.parse(bad)


def test_many_packs_side_by_side_are_the_packs_one_by_one() -> None:
    keys = [bytes([n]) * 64 for n in range(40)]
    for size in (2, 3, 32, 52, 65, 66, 78):
        assert pack_orders(keys, size).tolist() == [pack_order(key, size) for key in keys]


def test_a_pack_that_has_to_redraw_does_not_stand_side_by_side() -> None:
    """Words of three bits, all streams of two words: orders of three cards as `order` has them."""
    streams = [(a, b) for a in range(8) for b in range(8)]
    words = np.array(streams, np.uint32).T
    orders, stands = side_by_side(words, 3, bits=3)
    for at, stream in enumerate(streams):
        redraws = stream[0] >= 6
        assert stands[at] == (not redraws)
        if not redraws:
            assert orders[:, at].tolist() == order(3, stream, bits=3)
