"""Sealed sets: accepted against their seal, refused when a single field moves."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from audit.errors import UsageError
from audit.shuffle import canonical
from audit.shuffle.canonical import encode
from audit.shuffle.manifest import file_value, manifest_hash, new_manifest, utc
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sealed import (
    SEARCHED,
    TRIED_AGAIN,
    Opened,
    Seal,
    SetSecret,
    commitment,
    make_set,
    next_place,
    open_set,
    read_opened,
    read_seal,
    read_secret,
)
from audit.shuffle.tree import Tree, leaf_hash
from audit.shuffle.verdict import NO_ANCHOR, NO_TIME, closed_spans, verify_set
from tests.shuffle.make_vectors import PATH, vectors

MOMENT = 1_900_000_000
VALUE = b"448821300017"


def new_set(bits: int | None = 32, deals: int = 5) -> tuple[Seal, SetSecret]:
    rule = None if bits is None else file_value(r"\d{12}", moment=MOMENT, bits=bits)
    return make_set(
        new_manifest(
            game="seven-up", law="1", players=4, pack=52, deals=deals, min_cut=4, entropy=rule
        )
    )


SEAL, SECRET = new_set()
OPENED = open_set(SEAL, SECRET, VALUE, range(2, 5))


def test_the_committed_vectors_are_current() -> None:
    assert json.loads(PATH.read_text(encoding="ascii")) == vectors()


def test_vectors_verify() -> None:
    for one in json.loads(PATH.read_text(encoding="ascii"))["sets"]:
        seal, opened = read_seal(one["seal"].encode()), read_opened(one["opened"].encode())
        assert verify_set(opened, seal).verified


def test_a_set_is_accepted_against_its_seal() -> None:
    verdict = verify_set(OPENED, SEAL)
    assert verdict.verified
    assert (verdict.count, verdict.closed) == (3, ((1, 1), (5, 5)))
    assert NO_TIME in verdict.lines
    assert verify_set(OPENED, SEAL, sealed_before=MOMENT - 1).verified


def test_a_session_opens_alone_and_shows_no_other_key() -> None:
    raw = encode(open_set(SEAL, SECRET, VALUE, range(3, 4))).decode()
    shown = [key.reveal().hex() in raw for key in SECRET.keys]
    assert shown == [False, False, True, False, False]


def test_without_a_seal_nothing_is_called_verified() -> None:
    verdict = verify_set(OPENED)
    assert not verdict.verified
    assert NO_ANCHOR in verdict.lines


def test_a_set_without_value_says_that_its_maker_could_have_tried_again() -> None:
    seal, secret = new_set(bits=None)
    opened = open_set(seal, secret)
    assert TRIED_AGAIN in opened.notes
    assert TRIED_AGAIN in verify_set(opened, seal).lines


def test_a_value_of_few_bits_says_that_the_maker_could_have_searched() -> None:
    seal, secret = new_set(bits=31)
    assert SEARCHED in verify_set(open_set(seal, secret, VALUE), seal).lines


def test_a_seal_not_older_than_the_value_is_refused() -> None:
    with pytest.raises(NotVerified) as refused:
        verify_set(OPENED, SEAL, sealed_before=MOMENT)
    assert refused.value.what == "time"


def test_a_new_self_consistent_set_is_refused_against_the_published_seal() -> None:
    seal, secret = make_set(SEAL.manifest)
    with pytest.raises(NotVerified) as refused:
        verify_set(open_set(seal, secret, VALUE), SEAL)
    assert refused.value.what == "root"


def _set(*path: Any, to: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to(data[path[-1]]) if callable(to) else to

    return change


def _flip(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def _swap(order: list[int]) -> list[int]:
    return [order[1], order[0], *order[2:]]


M = ("seal", "manifest")
TAMPERED: list[tuple[str, Callable[[Any], None]]] = [
    ("manifest.game", _set(*M, "game", to="whist")),
    ("manifest.law", _set(*M, "law", to="2")),
    ("manifest.players", _set(*M, "players", to=3)),
    ("manifest.pack", _set(*M, "pack", to=51)),
    ("manifest.deals", _set(*M, "deals", to=6)),
    ("manifest.min_cut", _set(*M, "min_cut", to=5)),
    ("manifest.nonce", _set(*M, "nonce", to=_flip)),
    ("manifest.place", _set(*M, "place", "list", to=_flip)),
    ("place.previous", _set(*M, "place", "place", to=2)),
    ("manifest.entropy", _set(*M, "entropy", "moment", to=MOMENT + 1)),
    ("manifest.entropy", _set(*M, "entropy", "bits", to=33)),
    ("entropy.bits", _set(*M, "entropy", "bits", to=64)),
    ("entropy.pattern", _set(*M, "entropy", "pattern", to=r"\d{11}")),
    ("manifest.entropy", _set(*M, "entropy", "source", to="from:another-exchange")),
    ("manifest.entropy", _set(*M, "entropy", "late", to="void")),
    ("manifest.entropy", _set(*M, "entropy", "corrected", to="void")),
    ("entropy", _set(*M, "entropy", "missing", to="none")),
    ("entropy.source", _set(*M, "entropy", "source", to="from:Any One")),
    ("entropy.source", _set(*M, "entropy", "source", to="coin:1")),
    ("value", _set("value", to="")),
    ("seal.manifest.alg", _set(*M, "alg", to="other/1")),
    ("seal.manifest.ledger_key", _set(*M, "ledger_key", to="x")),
    ("seal.manifest.title", _set(*M, "title", to=lambda _: "x")),
    ("root", _set("seal", "root", to=_flip)),
    ("value", _set("value", to=b"44,882130001".hex())),
    ("order", _set("value", to=b"448821300018".hex())),
    ("notes", _set("notes", to=["fair"])),
    ("key or path", _set("sessions", 0, "key", to=_flip)),
    ("key or path", _set("sessions", 0, "path", 0, to=_flip)),
    ("key or path", _set("sessions", 0, "path", to=lambda path: path[:-1])),
    ("key or path", _set("sessions", 0, "deal", to=1)),
    ("deal", _set("sessions", 2, "deal", to=3)),
    ("order", _set("sessions", 1, "order", to=_swap)),
    ("order", _set("sessions", 1, "order", to=lambda order: order[:-1])),
    ("order", _set("sessions", 1, "order", to=lambda order: [order[1], *order[1:]])),
    ("order", _set("sessions", 1, "order", to=lambda order: [52, *order[1:]])),
    ("sessions[0].key", _set("sessions", 0, "key", to="AB" * 64)),
]


@pytest.mark.parametrize(("what", "change"), TAMPERED)
def test_a_changed_field_is_refused_by_name(what: str, change: Callable[[Any], None]) -> None:
    data = copy.deepcopy(json.loads(encode(OPENED)))
    if what == "seal.manifest.title":
        data["seal"]["manifest"]["title"] = ""
    change(data)
    with pytest.raises(NotVerified) as refused:
        verify_set(read_opened(encode(data)), SEAL)
    assert what in refused.value.what


def test_a_deal_sealed_under_one_number_is_not_good_for_another() -> None:
    first, second = OPENED.sessions[:2]
    data = json.loads(encode(OPENED))
    data["sessions"] = [json.loads(encode(first)), json.loads(encode(second))]
    data["sessions"][1]["key"] = first.key
    data["sessions"][1]["order"] = list(first.order)
    with pytest.raises(NotVerified, match="key or path"):
        verify_set(read_opened(encode(data)), SEAL)


def test_secrets_are_not_printed_nor_pickled_and_survive_their_file() -> None:
    shown = f"{SECRET!r} {SECRET} {SECRET.keys} {SECRET.keys[0]!r}"
    assert not any(key.reveal().hex()[:8] in shown for key in SECRET.keys)
    with pytest.raises(TypeError):
        pickle.dumps(SECRET)
    assert read_secret(SECRET.reveal()) == SECRET
    with pytest.raises(NotVerified) as refused:
        read_secret(SECRET.reveal()[:-9])
    assert SECRET.keys[-1].reveal().hex()[:8] not in str(refused.value)


def test_a_secret_of_another_seal_opens_nothing() -> None:
    other, _ = new_set()
    with pytest.raises(NotVerified):
        open_set(other, SECRET, VALUE)


def test_a_range_or_value_not_to_be_had_is_a_usage_error() -> None:
    for value, deals in ((None, None), (VALUE, range(2)), (VALUE, range(5, 7))):
        with pytest.raises(UsageError):
            open_set(SEAL, SECRET, value, deals)


def test_a_moment_that_no_calendar_has_stays_a_number() -> None:
    assert utc(MOMENT) == "2030-03-17T17:46:40Z"
    assert utc(2**53 - 1) == "second 9007199254740991"


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        ((1, 2, 3), ()),
        ((2,), ((1, 1), (3, 3))),
        ((1,), ((2, 3),)),
        ((3,), ((1, 2),)),
        ((), ((1, 3),)),
    ],
)
def test_what_is_not_opened_is_told_in_spans(
    opened: tuple[int, ...], closed: tuple[tuple[int, int], ...]
) -> None:
    assert closed_spans(opened, 3) == closed


def test_the_paths_of_opened_sessions_commit_to_the_others_and_do_not_show_them() -> None:
    mh = manifest_hash(SEAL.manifest)
    opened = {session.deal: session for session in OPENED.sessions}
    told = {bytes.fromhex(step) for session in opened.values() for step in session.path}
    hidden = [deal for deal in range(1, 6) if deal not in opened]
    right = {leaf_hash(commitment(mh, d, SECRET.keys[d - 1].reveal())) for d in hidden}
    guessed = {
        leaf_hash(commitment(mh, d, key))
        for d in hidden
        for key in (bytes(64), *(bytes.fromhex(session.key) for session in opened.values()))
    }
    assert told & right
    assert not told & guessed


def test_sets_of_one_event_form_one_list() -> None:
    manifest = new_manifest(
        game="nap", law="1", players=4, pack=52, deals=1, min_cut=4, place=next_place(SEAL)
    )
    seal, secret = make_set(manifest)
    assert verify_set(open_set(seal, secret), seal).list_size == 2


def test_a_pack_of_more_than_78_cards_is_refused_with_the_reason() -> None:
    with pytest.raises(UsageError, match="512-bit"):
        new_manifest(game="panguingue", law="1", players=4, pack=320, deals=1, min_cut=4)


def test_a_repeating_source_of_randomness_is_refused() -> None:
    with pytest.raises(UsageError, match="repeats"):
        make_set(SEAL.manifest, draw=bytes)


def test_opened_type_is_immutable() -> None:
    assert isinstance(OPENED, Opened)
    with pytest.raises(AttributeError):
        OPENED.value = ""  # type: ignore[misc]


SIGNS = b'0123456789abcdef"\\{}[],:-. n\x7f\n\xc3'


def _changed(raw: bytes, seed: int) -> bytes:
    """Return *raw* with one thing done to it, by the numbers of a hash."""
    number = int.from_bytes(hashlib.sha256(f"changed {seed}".encode()).digest(), "big")
    at, number = number % len(raw), number // len(raw)
    sign, number = SIGNS[number % len(SIGNS)], number // len(SIGNS)
    way = number % 3
    return raw[:at] + (bytes([sign]) if way else b"") + raw[at + (way < 2) :]


SPELLED = [
    b'"deal":02', b'"deal":2.0', b'"deal":2e0', b'"deal": 2', b'"deal":null', b'"deal":-2',
    b'"deal":true', b'"deal":9007199254740992', b'"deal":2,"deal":2', b'"de\\u0061l":2',
    b'"deal":"2"',
]  # fmt: skip


def test_bytes_read_at_once_are_those_that_are_read_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each change is taken or refused alike, and under one name, with the short way and without."""
    raw = encode(OPENED)
    spelled = [raw.replace(b'"deal":2', said) for said in SPELLED]
    cases = [raw, *spelled, *(_changed(raw, seed) for seed in range(1500))]

    def told(case: bytes) -> Opened | str:
        try:
            return canonical.read_as(case, Opened, "opened")
        except NotVerified as err:
            return str(err)

    assert canonical.at_once(raw, Opened) == OPENED
    short = [told(case) for case in cases]
    assert [type(one) for one in short[1 : 1 + len(SPELLED)]] == [str] * len(SPELLED)
    assert sum(isinstance(one, Opened) for one in short) > 100
    monkeypatch.setattr(canonical, "at_once", lambda raw, kind: None)
    assert [told(case) for case in cases] == short


def test_a_path_or_key_that_is_no_hex_is_named() -> None:
    for name, change in (
        ("sessions[1].path[2]", _set("sessions", 1, "path", 2, to="G" * 64)),
        ("sessions[2].key", _set("sessions", 2, "key", to="A" * 128)),
    ):
        data = json.loads(encode(OPENED))
        change(data)
        with pytest.raises(NotVerified) as refused:
            read_opened(encode(data))
        assert (refused.value.where, refused.value.what) == ("opened", name)


def test_paths_in_hex_are_the_paths() -> None:
    for size in (1, 2, 3, 8, 13):
        tree = Tree([bytes([i]) for i in range(size)])
        paths = [tuple(step.hex() for step in tree.path(i)) for i in range(size)]
        for first in range(size):
            for last in range(first, size):
                assert tree.hex_paths(first, last) == paths[first : last + 1]
    with pytest.raises(IndexError):
        tree.hex_paths(4, 13)
