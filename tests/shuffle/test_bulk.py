"""Sets in bulk: exact orders, and each attack on a set refused by its own name."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import factorial, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.errors import UsageError
from audit.shuffle import sampler
from audit.shuffle.bulk import SHAKE_DEALS, AesStream, Session, block_bytes, orders_of, stream_of
from audit.shuffle.bulk_set import (
    BulkOpened,
    BulkSeal,
    deal_blocks,
    make_bulk,
    open_bulk,
    opened_bytes,
    read_bulk_opened,
    read_bulk_seal,
)
from audit.shuffle.bulk_verdict import verify_bulk
from audit.shuffle.canonical import encode
from audit.shuffle.manifest import (
    BULK_AES,
    BULK_SHAKE,
    MOST_AES,
    bulk_algorithm,
    file_value,
    in_bulk,
    new_manifest,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sealed import SetSecret, make_set, next_place, open_set, read_seal, read_secret
from audit.shuffle.verdict import SetVerdict, verify_set
from tests.shuffle import uniform
from tests.shuffle.make_bulk_vectors import LAST, PATH, REDRAWN, vectors
from tests.shuffle.make_vectors import PATH as OLD

VECTORS: dict[str, Any] = json.loads(PATH.read_text(encoding="ascii"))
MOMENT = 1_900_000_000
VALUE, OTHER = b"448821300017", b"448821300018"


def new_set(deals: int = 10, session: int = 4) -> tuple[BulkSeal, SetSecret]:
    rule = file_value(r"\d{12}", moment=MOMENT, bits=32, source="an-exchange")
    manifest = new_manifest(
        game="seven-up", law="1", players=4, pack=52, deals=deals, min_cut=4, entropy=rule
    )
    return make_bulk(in_bulk(manifest, session))


SEAL, SECRET = new_set()


def text_of(opened: BulkOpened) -> bytes:
    return b"".join(opened_bytes(opened))


def check(raw: bytes, seal: BulkSeal | None = SEAL, **more: Any) -> SetVerdict:
    first, _, lines = raw.partition(b"\n")
    return verify_bulk(read_bulk_opened(first), io.BytesIO(lines), seal, **more)


WHOLE = text_of(open_bulk(SEAL, SECRET, VALUE))


def refusal(raw: bytes, seal: BulkSeal | None = SEAL, **more: Any) -> tuple[str, str]:
    with pytest.raises(NotVerified) as refused:
        check(raw, seal, **more)
    return refused.value.where, refused.value.what


def edited(change: Callable[[Any, list[str]], Any]) -> bytes:
    """Return the opened set with its first line, as data, and its deals changed."""
    first, *lines = WHOLE.decode().splitlines(keepends=True)
    data = json.loads(first)
    change(data, lines)
    return encode(data) + b"\n" + "".join(lines).encode()


# ---- the attacks


def test_a_secret_chosen_after_the_public_value_is_refused_by_the_root() -> None:
    """The value is out; the maker draws secrets until the deals please, and seals again."""
    chosen, secret = make_bulk(SEAL.manifest)
    raw = text_of(open_bulk(chosen, secret, VALUE))
    assert check(raw, chosen).verified
    assert refusal(raw) == ("seal", "root")
    assert refusal(raw, chosen, sealed_before=MOMENT) == ("seal", "time")


def test_another_value_is_refused_by_the_orders_and_by_the_value_published() -> None:
    def put(data: Any, lines: list[str]) -> None:
        data["value"] = OTHER.hex()

    assert refusal(edited(put)) == ("deal 1", "order")
    assert refusal(WHOLE, value=OTHER) == ("opened", "value")
    dealt_by_other = text_of(open_bulk(SEAL, SECRET, OTHER))
    assert check(dealt_by_other).verified
    assert refusal(dealt_by_other, value=VALUE) == ("opened", "value")


def test_a_value_of_another_form_is_refused() -> None:
    def put(data: Any, lines: list[str]) -> None:
        data["value"] = b"44,882130001".hex()

    assert refusal(edited(put)) == ("opened", "value")


def test_a_set_extended_is_refused_wherever_it_is_extended() -> None:
    session = SEAL.manifest.span(3)
    assert session == range(9, 11)

    def more_lines(data: Any, lines: list[str]) -> None:
        lines.append(lines[0])

    def more_deals(data: Any, lines: list[str]) -> None:
        data["seal"]["manifest"]["deals"] = 11
        lines.append(lines[0])

    def longer_sessions(data: Any, lines: list[str]) -> None:
        data["seal"]["manifest"]["session"] = 5

    def another_session(data: Any, lines: list[str]) -> None:
        data["sessions"].append({**data["sessions"][-1], "session": 4})

    def one_session_twice(data: Any, lines: list[str]) -> None:
        data["sessions"].append(data["sessions"][-1])

    assert refusal(edited(more_lines)) == ("opened", "deals")
    assert refusal(edited(more_deals)) == ("seal", "manifest.deals")
    assert refusal(edited(longer_sessions)) == ("seal", "manifest.session")
    assert refusal(edited(another_session)) == ("session 4", "session")
    assert refusal(edited(one_session_twice)) == ("opened", "session")


def test_a_set_cut_short_is_refused() -> None:
    def fewer_lines(data: Any, lines: list[str]) -> None:
        lines.pop()

    def half_a_line(data: Any, lines: list[str]) -> None:
        lines[-1] = lines[-1][:50]

    assert refusal(edited(fewer_lines)) == ("opened", "deals")
    assert refusal(edited(half_a_line)) == ("deal 10", "line")


@pytest.mark.parametrize(("one", "other"), [(2, 3), (1, 8)])
def test_deals_permuted_within_or_across_sessions_are_named(one: int, other: int) -> None:
    def swap(data: Any, lines: list[str]) -> None:
        lines[one], lines[other] = lines[other], lines[one]

    where = f"deal {one + 1}"
    with pytest.raises(NotVerified) as refused:
        check(edited(swap))
    assert (refused.value.where, refused.value.what) == (where, "place")
    assert refused.value.got == str(other + 1)


def _line(change: Callable[[str], str]) -> Callable[[Any, list[str]], None]:
    def edit(data: Any, lines: list[str]) -> None:
        lines[6] = change(lines[6])

    return edit


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("order", _line(lambda line: line[2:4] + line[:2] + line[4:])),
        ("order", _line(lambda line: line[:2] + line[:2] + line[4:])),
        ("order", _line(lambda line: "34" + line[2:])),
        ("line", _line(lambda line: "zz" + line[2:])),
        ("line", _line(lambda line: line[:-1].upper() + "\n")),
        ("line", _line(lambda line: line[:-3] + "\r\n\n")),
    ],
)
def test_a_deal_edited_is_refused_under_its_number(
    what: str, change: Callable[[Any, list[str]], None]
) -> None:
    assert refusal(edited(change)) == ("deal 7", what)


def _at(*path: Any, to: Any) -> Callable[[Any, list[str]], None]:
    def edit(data: Any, lines: list[str]) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to(data[path[-1]]) if callable(to) else to

    return edit


def _flip(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


M = ("seal", "manifest")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (("manifest", "alg"), _at(*M, "alg", to=BULK_SHAKE)),
        (("opened", "seal.manifest.alg"), _at(*M, "alg", to="fairdeal-set-hmac-hkdf-sha512/1")),
        (("opened", "kind"), _at("kind", to="fairdeal-set-opened/1")),
        (("opened", "seal.kind"), _at("seal", "kind", to="fairdeal-set-seal/1")),
        (("manifest", "alg"), _at(*M, "pack", to=58)),
        (("seal", "manifest.pack"), _at(*M, "pack", to=51)),
        (("manifest", "session"), _at(*M, "session", to=11)),
        (("seal", "manifest.nonce"), _at(*M, "nonce", to=_flip)),
        (("seal", "root"), _at("seal", "root", to=_flip)),
        (("session 1", "key or path"), _at("sessions", 0, "key", to=_flip)),
        (("session 1", "key or path"), _at("sessions", 0, "path", 0, to=_flip)),
        (("session 1", "key or path"), _at("sessions", 0, "path", to=lambda path: path[:-1])),
        (("opened", "session"), _at("sessions", 0, "session", to=2)),
        (("opened", "notes"), _at("notes", to=["fair"])),
        (("opened", "sessions[0].key"), _at("sessions", 0, "key", to="AB" * 64)),
        (("opened", "fair"), _at("fair", to="x")),
    ],
)
def test_a_changed_field_is_refused_by_name(
    name: tuple[str, str], change: Callable[[Any, list[str]], None]
) -> None:
    def edit(data: Any, lines: list[str]) -> None:
        if name[1] == "fair":
            data["fair"] = ""
        change(data, lines)

    assert refusal(edited(edit)) == name


def test_a_session_sealed_under_one_number_is_not_good_for_another() -> None:
    def put(data: Any, lines: list[str]) -> None:
        data["sessions"][1]["key"] = data["sessions"][0]["key"]
        lines[4:8] = lines[:4]

    assert refusal(edited(put)) == ("session 2", "key or path")


def test_the_two_forms_are_not_good_for_each_other() -> None:
    """A set with one key a deal and one in bulk of the same secrets have other roots."""
    plain = new_manifest(game="seven-up", law="1", players=4, pack=52, deals=3, min_cut=4)
    keys = [bytes([n]) * 64 for n in range(3)]
    one, bulk = iter(keys), iter(keys)
    seal, _ = make_set(plain, draw=lambda _: next(one))
    other, _ = make_bulk(in_bulk(plain, 1), draw=lambda _: next(bulk))
    assert seal.root != other.root
    with pytest.raises(NotVerified, match="kind"):
        read_bulk_seal(encode(seal))
    with pytest.raises(NotVerified, match="kind"):
        read_seal(encode(other))


def test_no_byte_of_an_opened_set_can_be_changed() -> None:
    vector = VECTORS["sets"][0]
    raw, seal = vector["second"].encode(), read_bulk_seal(vector["seal"].encode())
    assert check(raw, seal).verified
    for at in range(len(raw)):
        changed = bytearray(raw)
        changed[at] ^= 1 << at % 7
        with pytest.raises(NotVerified):
            check(bytes(changed), seal)


# ---- what is promised


def test_a_set_is_accepted_against_its_seal() -> None:
    verdict = check(WHOLE, value=VALUE, sealed_before=MOMENT - 1, now=MOMENT)
    assert (verdict.verified, verdict.count, verdict.closed) == (True, 10, ())
    assert not any("tried again" in line for line in verdict.lines)
    assert not check(WHOLE, None).verified


def test_a_session_opens_alone_and_shows_no_other_key() -> None:
    raw = text_of(open_bulk(SEAL, SECRET, VALUE, range(5, 9)))
    assert [key.reveal().hex() in raw.decode() for key in SECRET.keys] == [False, True, False]
    verdict = check(raw)
    assert (verdict.count, verdict.closed) == (4, ((1, 4), (9, 10)))
    assert WHOLE.splitlines()[5:9] == raw.splitlines()[1:]


@pytest.mark.parametrize("deals", [range(5, 8), range(6, 9), range(11), range(9, 12), range(0)])
def test_a_part_of_a_session_is_not_opened(deals: range) -> None:
    with pytest.raises(UsageError):
        open_bulk(SEAL, SECRET, VALUE, deals)


def test_a_secret_of_another_seal_opens_nothing() -> None:
    other, _ = new_set()
    with pytest.raises(NotVerified):
        open_bulk(other, SECRET, VALUE)
    again = read_secret(SECRET.reveal())
    assert again == SECRET


def test_a_repeating_source_of_randomness_is_refused() -> None:
    with pytest.raises(UsageError, match="repeats"):
        make_bulk(SEAL.manifest, draw=bytes)


@pytest.mark.parametrize(("deals", "session"), [(10, 11), (10_001, 1)])
def test_sessions_too_long_or_too_many_are_refused(deals: int, session: int) -> None:
    made = new_manifest(game="nap", law="1", players=4, pack=52, deals=deals, min_cut=4)
    with pytest.raises(UsageError) as refused:
        in_bulk(made, session)
    assert refused.value.what == "session"


def test_sets_of_both_forms_stand_in_one_list() -> None:
    said = {"game": "nap", "law": "1", "players": 4, "pack": 52, "deals": 4, "min_cut": 4}
    manifest = new_manifest(**said, place=next_place(SEAL))  # type: ignore[arg-type]
    seal, secret = make_set(manifest)
    assert verify_set(open_set(seal, secret), seal).list_size == 2
    last, keys = make_bulk(in_bulk(new_manifest(**said, place=next_place(seal)), 2))  # type: ignore[arg-type]
    assert check(text_of(open_bulk(last, keys)), last).list_size == 3


# ---- exact orders


def test_every_order_of_five_cards_comes_equally_often_over_all_blocks() -> None:
    """All streams of six words of three bits: a block of five, one spare among them, and one
    more word. Those that end early are refused; among the others the orders are equal."""
    blocks = np.array(list(product(range(8), repeat=5)), np.uint32)
    seen: Counter[bytes] = Counter()
    for last in range(8):
        kept = [at for at, block in enumerate(blocks) if _ends((*block, last))]
        orders = orders_of(blocks[kept], 5, lambda _, word=last: iter([word]), bits=3)  # type: ignore[misc]
        seen.update(map(bytes, orders))
    assert len(seen) == 120
    assert len(set(seen.values())) == 1
    assert seen.total() == 8**6 * _share(6)


def _ends(words: tuple[int, ...]) -> bool:
    try:
        sampler.order(5, words, bits=3)
    except ValueError:
        return False
    return True


def _share(words: int) -> float:
    """Return the share of streams of *words* words of three bits that order five cards."""
    chances = {0: 1.0}
    for _ in range(words):
        after: Counter[int] = Counter()
        for done, chance in chances.items():
            good = 1.0 if done == 4 else (8 - 8 % (5 - done)) / 8
            after[min(done + 1, 4)] += chance * good  # type: ignore[assignment]
            after[done] += chance * (1 - good)  # type: ignore[assignment]
        chances = dict(after)
    return chances[4]


def test_a_deal_whose_block_runs_out_goes_on_in_words_of_its_own() -> None:
    one = VECTORS["sampler"]
    asked = []

    def more(at: int) -> Iterator[int]:
        asked.append(at)
        return iter(one["more"])

    blocks = np.array([[0, 0, 0, 0], one["block"], [0, 0, 0, 0]], np.uint32)
    orders = orders_of(blocks, one["cards"], more).tolist()
    assert asked == [1]
    assert orders[1] == one["order"]
    assert orders[0] == orders[2] == sampler.order(5, [0, 0, 0, 0])


@pytest.mark.parametrize("size", sorted(REDRAWN))
def test_the_vectors_hold_deals_that_redraw_and_run_out(size: int) -> None:
    session = next(s for s in VECTORS["sessions"] if s["cards"] == size)
    key, deal, length = bytes.fromhex(session["extract"]), REDRAWN[size], block_bytes(size)
    data = stream_of(key, session["alg"]).blocks(deal, 1, length)
    words = np.frombuffer(data, ">u4").tolist()
    used = words[: size - 1]
    limits = [2**32 - 2**32 % k for k in range(size, 1, -1)]
    assert [word >= limit for word, limit in zip(used, limits, strict=True)].count(True) == 1
    assert (len(words) == size - 1) == (size != 52)
    if size == 52:
        assert sampler.order(size, words) == session["orders"][str(deal)]
    else:
        with pytest.raises(ValueError, match="ended"):
            sampler.order(size, words)


def test_any_deal_is_computed_alone() -> None:
    for size in (2, 5, 52, 57, 58, 78):
        session = Session(bytes(range(64)), size, bulk_algorithm(size))
        whole = session.orders(0, 3 * SHAKE_DEALS).tolist()
        for first, count in ((0, 1), (31, 2), (40, 50), (95, 1)):
            assert session.orders(first, count).tolist() == whole[first : first + count]


def test_the_counter_goes_on_through_its_end() -> None:
    one = VECTORS["wrap"]
    key, start = bytes.fromhex(one["key"]), int(one["start"], 16)
    blocks = [
        AesStream(key, ((start + n) % 2**128).to_bytes(16, "big")).blocks(0, 1, 16)
        for n in range(4 * 13)
    ]
    words = np.frombuffer(b"".join(blocks), ">u4").reshape(4, -1)
    assert start + 2 * 13 > 2**128 - 1 > start
    assert orders_of(words, 52, lambda _: iter(())).tolist() == one["orders"]


def test_the_stream_is_that_of_the_standard() -> None:
    one = VECTORS["nist"]
    stream = AesStream(bytes.fromhex(one["key"]), bytes.fromhex(one["start"]))
    assert stream.blocks(0, 1, 64).hex() == one["output"]
    assert stream.blocks(3, 1, 16).hex() == one["output"][-32:]


def test_the_key_carries_128_bits_more_than_the_orders_up_to_57_cards() -> None:
    assert log2(factorial(MOST_AES)) + 128 <= 256 + 128 < log2(factorial(MOST_AES + 1)) + 128
    assert (bulk_algorithm(57), bulk_algorithm(58)) == (BULK_AES, BULK_SHAKE)


@pytest.mark.parametrize("algorithm", [BULK_AES, BULK_SHAKE])
def test_orders_of_a_session_stay_in_the_ranges_of_a_uniform_dealer(algorithm: str) -> None:
    session = Session(bytes(64), 52, algorithm)
    seen = uniform.count(session.orders(0, 40_000))
    assert uniform.alarms(seen) == []


# ---- vectors


def test_the_committed_vectors_are_current() -> None:
    assert vectors() == VECTORS
    assert all(str(LAST) in session["orders"] for session in VECTORS["sessions"])


def test_vectors_verify() -> None:
    for one in VECTORS["sets"]:
        seal = read_bulk_seal(one["seal"].encode())
        value = None if one["value"] is None else bytes.fromhex(one["value"])
        assert check(one["opened"].encode(), seal, value=value).closed == ()
        if one["second"] is not None:
            assert check(one["second"].encode(), seal, value=value).closed == ((1, 4), (9, 10))


def test_the_form_with_one_key_a_deal_stands_as_it_was() -> None:
    """Its vectors do not change with this form: their hashes are those of before."""
    old = json.loads(OLD.read_text(encoding="ascii"))["sets"]
    assert [one["seal_hash"][:16] for one in old] == ["9eb2e1c3679f3fd8", "5d85f42cd8320ee5"]


def test_lines_come_in_blocks_and_not_all_at_once() -> None:
    seal, secret = new_set(deals=5_000, session=5_000)
    blocks = list(deal_blocks(open_bulk(seal, secret, VALUE)))
    assert [first for first, _ in blocks] == [1, 2049, 4097]
    assert sum(len(lines) for _, lines in blocks) == 5_000 * 105


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_orders_in_plain_node_are_the_same() -> None:
    """Sizes, algorithms, first and last deals, and deals that redraw, by another program."""
    asked = [
        {"extract": s["extract"], "alg": s["alg"], "cards": s["cards"], "deal": int(deal)}
        for s in VECTORS["sessions"]
        for deal in s["orders"]
    ]
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    program = Path(__file__).parent / "orders.js"
    done = subprocess.run(
        ["node", program, "orders"], input=lines, capture_output=True, text=True, check=True
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told == [order for s in VECTORS["sessions"] for order in s["orders"].values()]
