"""A line read at once is the deal that it is read as with care, or none."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.cards import NAMES, _parse, parse
from audit.event import Event
from audit.games import GAMES
from audit.readers import _plain_line
from audit.readers._plain_line import plain_line
from audit.readers.jsonl import _deal, encode
from audit.record import Deal
from audit.referee._facts import facts, pooling_of

FULL = encode(
    Deal(
        game="seven_up_4",
        table="1",
        number="7",
        options={"scores": "3 4"},
        players=4,
        dealer="Ann",
        dealer_seat=2,
        order_after_cut=bytes(range(52)),
        hands=tuple(bytes(range(6 * k, 6 * k + 6)) for k in range(4)),
        turnups=b"\x18",
        runs=bytes(range(25, 37)),
        events=(
            Event(kind="call", seat=3, word="stand"),
            Event(kind="play", seat=3, cards=b"\x0c"),
            Event(kind="score", seat=1, word="high", number=1),
        ),
        ended_by=(1, 2),
        parties=("house", "a"),
    )
)


def test_a_line_as_programs_write_it_is_read_at_once() -> None:
    assert plain_line(FULL, 5) == _deal(FULL, 5)
    assert isinstance(_deal(FULL, 5), Deal)


@pytest.mark.parametrize(
    "line",
    [
        b'{"game":"x","events":["\xff"],"events":[]}',
        b'{"game":"x","events":[],"\\u0065vents":[]}',
        b'{"game":"x","order_after_cut":null}',
        b'{"game":"x","hands":null}',
        b'{"game":"x","events":[{"kind":"play","seat":true}]}',
        b'{"game":"x","events":[{"kind":"play","x":' + b"[" * 70 + b"]" * 70 + b"}]}",
        b'{"game":"x","events":[{"kind":"play","cards":["AS"]}]}',
        b'{"game":"x","events":[7]}',
        b'{"game":"x","events":[{"kind":"play","more":"\xff"}]}',
        b'{"game":"x","hands":["AS","KS "]} ,',
        b'{"game":"x","players":0}',
        b'{"game":"x","cut":1e400}',
        b'{"game":"x","line":3}',
        b'{"game":"x","hands":[' + b",".join([b'"AS"'] * 100) + b"]}",
        b'{"game":"x","turnups":"1S"}',
        b'{"game":"x"} {}',
    ],
)
def test_what_may_be_amiss_is_left_to_the_careful_reader(line: bytes) -> None:
    assert plain_line(line, 1) is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"game":"x","widow":"","gathered_order":"","hands":["","?? AS"],"events":[]}',
        b'{"game":"x","hands":["AS KD","10S5D","AS-KS","as ks","AS KS"]}',
        b'{"game":"x","hands":["AS KD","2S 3S","JC TD"],"turnups":"as"}',
        b'{"game":"x","game":"y","players":3,"players":4}',
        b'{"game":"x","events":[ {"seat":2 ,"kind":"play","cards":"10d"} ]}',
        b'{"game":"x","events":[{"kind":"pool","number":123456789012345678901}]}',
        b'{"game":"x","dealer":"' + b"[" * 70 + b'","events":[{"kind":"call","word":"[[{"}]}',
        b'{"game":"\xc3\xa9","turnups":"J\xe2\x99\xa3","dealt_by":"machine"}',
    ],
)
def test_odd_lines_that_are_deals_give_the_same_deal(line: bytes) -> None:
    found = plain_line(line, 3)
    assert found is not None
    assert repr(found) == repr(_deal(line, 3))


@given(at=st.integers(0, len(FULL)), cut=st.integers(0, 8), more=st.binary(max_size=6))
@settings(max_examples=2000, deadline=None, derandomize=True)
def test_a_damaged_line_is_never_read_otherwise(at: int, cut: int, more: bytes) -> None:
    line = FULL[:at] + more + FULL[at + cut :]
    found = plain_line(line, 1)
    assert found is None or repr(found) == repr(_deal(line, 1))


def test_values_put_in_the_place_of_others_are_never_read_otherwise() -> None:
    rng, read = Random(1), 0
    values = [b"0", b"-1", b"4.0", b"true", b"null", b'"KH ??"', b"[]", b"{}", b'"a"', b"[1,2]"]
    names = ["players", "cut", "hands", "runs", "events", "options", "ended", "ended_by", "time"]
    for _ in range(2000):
        fields = [
            b'"' + rng.choice(names).encode() + b'":' + rng.choice(values)
            for _ in range(rng.randrange(4))
        ]
        line = b'{"game":"x"' + b"".join(b"," + field for field in fields) + b"}"
        found = plain_line(line, 1)
        read += found is not None
        assert found is None or repr(found) == repr(_deal(line, 1))
    assert read > 200


def test_the_events_that_are_known_stay_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_plain_line, "_KNOWN", known := dict[bytes, Event]())
    for start in range(0, 10_000, 100):
        counts = (Event(kind="pool", number=k) for k in range(start, start + 100))
        line = encode(Deal(game="x", events=tuple(counts)))
        assert plain_line(line, 1) == _deal(line, 1)
        assert len(known) <= _plain_line.MOST_KNOWN
    long = encode(Deal(game="x", events=(Event(kind="call", word="a" * 1000),)))
    assert plain_line(long, 1) == _deal(long, 1)
    assert all(len(raw) <= _plain_line.LONGEST_KNOWN for raw in known)


def test_the_same_count_of_the_pool_twice_is_not_the_first_of_the_deal_twice() -> None:
    line = b'{"kind":"pool","word":"pool","number":5}'
    deal = plain_line(b'{"game":"rams","events":[' + line + b"," + line + b"]}", 1)
    assert deal is not None
    assert deal.events[0] is deal.events[1]
    said = facts(deal, 4, None, pooling_of(GAMES["rams"]))
    assert (said.before, said.after) == (5, 5)


@given(cards=st.lists(st.integers(0, 51), min_size=8, max_size=60), at=st.integers(0, 400))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_many_cards_are_read_as_one_by_one(cards: list[int], at: int) -> None:
    text = " ".join(NAMES[card] for card in cards)
    assert parse(text) == bytes(cards)
    for letter in (" ", "1", "s", "é", "-"):
        spoilt = text[: at % len(text)] + letter + text[at % len(text) + 1 :]
        assert _read(spoilt) == _apart(spoilt)


def _read(text: str) -> bytes | str:
    try:
        return parse(text)
    except ValueError as err:
        return str(err)


def _apart(text: str) -> bytes | str:
    """Return what `parse` makes of *text* read by the rule alone."""
    try:
        return _parse(text)
    except ValueError as err:
        return str(err)
