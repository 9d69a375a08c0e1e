"""A live table of four: the honest run is accepted, each breach is refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from audit.shuffle import messages, rules
from audit.shuffle.canonical import encode
from audit.shuffle.entries import ClosingEntry, Ledger, Signed
from audit.shuffle.framing import unframe
from audit.shuffle.house import Table
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import EVERYBODY, Decision, Move
from audit.shuffle.seat import Seat
from audit.shuffle.transcript import NO_ANCHOR, verify_transcript


def moves(decisions: Sequence[Decision]) -> list[Move]:
    """Six cards each by threes, a turn-up, and three more each if the dealer runs."""
    if not decisions:
        first = [(p, (1 + p // 3 % 4) % 4) for p in range(24)]
        return [*first, (24, EVERYBODY)]
    if decisions[-1] == (0, "run"):
        return [(25 + p, (1 + p // 3) % 4) for p in range(12)]
    return []


def new_table() -> Table:
    return Table(game="seven-up", law="1", pack=52, players=4, min_cut=4, next_moves=moves)


def play(depth: int = 20) -> tuple[bytes, bytes, Table]:
    table = new_table()
    root = table.seal()
    table.contribute(depth)
    table.decide(1, "beg")
    table.decide(0, "run")
    return table.finish(), root, table


RAW, ROOT, TABLE = play()


def test_an_honest_table_is_verified_against_its_anchor() -> None:
    verdict = verify_transcript(RAW, moves, (3, ROOT))
    assert verdict.verified
    assert sorted(verdict.dealt) == list(range(52))
    assert verdict.decisions == ((1, "beg"), (0, "run"))
    assert all(verdict.dealt[p] == card for p, (_, card) in TABLE.dealt.items())
    assert [len(seat.hand) for seat in TABLE.seats] == [9, 9, 9, 9]


def test_without_an_anchor_it_is_not_called_verified() -> None:
    verdict = verify_transcript(RAW, moves)
    assert not verdict.verified
    assert NO_ANCHOR in verdict.lines


def test_a_new_self_consistent_table_is_refused_against_the_anchor() -> None:
    with pytest.raises(NotVerified, match="anchor"):
        verify_transcript(play()[0], moves, (3, ROOT))


def test_the_ledger_survives_its_plain_file() -> None:
    lines = TABLE.ledger.lines()
    assert Ledger.from_lines(lines).entries == TABLE.ledger.entries
    with pytest.raises(NotVerified):
        Ledger.from_lines(lines[:-1])


def entry(index: int, **new: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        made = json.loads(data["ledger"][index])
        for name, to in new.items():
            made[name] = to(made[name]) if callable(to) else to
        data["ledger"][index] = encode(made).decode()

    return change


def second_closing(data: Any) -> None:
    data["ledger"].insert(4, data["ledger"][3])


def swap_items(data: Any) -> None:
    data["items"][0], data["items"][1] = data["items"][1], data["items"][0]


def drop_item(data: Any) -> None:
    del data["items"][2]


def flip_card(data: Any) -> None:
    body = bytearray.fromhex(data["items"][0]["body"])
    body[-21] ^= 1
    data["items"][0]["body"] = body.hex()


def flip(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("manifest, seat 0: signature", entry(0, manifest=lambda m: {**m, "min_cut": 5})),
        ("batch: root", entry(1, root=flip)),
        ("call: pone", entry(2, pone=1)),
        ("call: prev", entry(2, prev=flip)),
        ("closing: seats", entry(3, commits=lambda c: c[:3])),
        ("closing: stands twice", second_closing),
        ("root: root", entry(4, root=flip)),
        ("root: opens", entry(4, opens=lambda o: o[:3])),
        ("cut: depth", entry(5, depth=21)),
        ("cut: nonce", entry(5, nonce="0")),
        ("end: secret", entry(6, secret=flip)),
        ("end: th", entry(6, items=3)),
        ("signature", flip_card),
        ("delivery to 0: seat", swap_items),
        ("delivery to 2: seat", drop_item),
    ],
)
def test_a_tampered_transcript_is_refused_by_name(text: str, change: Callable[[Any], None]) -> None:
    data = json.loads(RAW)
    change(data)
    with pytest.raises(NotVerified) as refused:
        verify_transcript(encode(data), moves, None)
    assert text in str(refused.value)


def test_a_law_that_deals_otherwise_refuses_the_transcript() -> None:
    def other(decisions: Sequence[Decision]) -> list[Move]:
        return [(p + 1, to) for p, to in moves(decisions)]

    with pytest.raises(NotVerified):
        verify_transcript(RAW, other)


def test_a_seat_refuses_a_second_closing_entry() -> None:
    table = new_table()
    table.seal()
    table.contribute(9)
    forged = list(table.ledger.entries)
    made = json.loads(forged[3])
    made["pack"] = 2
    forged[3] = encode(made)
    with pytest.raises(NotVerified, match="second"):
        table.seats[2].open(table.manifest, Ledger(forged), b"", b"")


def test_a_seat_opens_over_no_closing_without_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table()
    table.seal()
    monkeypatch.setattr(Ledger, "append", _appending(table.ledger, ClosingEntry))
    with pytest.raises(NotVerified, match="seats"):
        table.contribute(9)


def _appending(ledger: Ledger, kind: type[ClosingEntry]) -> Callable[..., bytes]:
    def append(_: Ledger, made: Any) -> bytes:
        data = json.loads(encode(made))
        if isinstance(made, kind):
            data["commits"] = data["commits"][:3]
        ledger._entries.append(encode(data))
        return encode(data)

    return append


def test_a_house_that_swaps_two_cards_is_caught_at_the_delivery(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = messages.delivery

    def swapped(mh: bytes, seat: int, th: bytes, cards: Sequence[tuple[int, int, bytes]]) -> bytes:
        (a, x, s), (b, y, t), *rest = [*cards, *cards][:6]
        return honest(mh, seat, th, [(a, y, s), (b, x, t), *rest] if len(cards) > 1 else cards)

    table = new_table()
    table.seal()
    monkeypatch.setattr("audit.shuffle.house.delivery", swapped)
    with pytest.raises(NotVerified, match="path"):
        table.contribute(9)


def test_a_house_that_ignores_the_cut_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = rules.cards_for
    monkeypatch.setattr("audit.shuffle.house.cards_for", lambda m, s, d, n: honest(m, s, 0, n))
    raw, root, _ = play()
    with pytest.raises(NotVerified, match="leaves"):
        verify_transcript(raw, moves, (3, root))


def test_a_cut_out_of_range_is_refused_by_the_seat_and_by_the_verifier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for depth in (0, 3, 49, 60):
        with pytest.raises(NotVerified, match="packets"):
            play(depth)
    monkeypatch.setattr("audit.shuffle.seat.check_depth", lambda manifest, depth: None)
    raw, root, _ = play(3)
    with pytest.raises(NotVerified, match="cut: depth"):
        verify_transcript(raw, moves, (3, root))


def test_a_seat_resends_the_same_commitment() -> None:
    table = new_table()
    table.seal()
    first = table.seats[1].commit(table.manifest, table.ledger, b"x", None)
    assert table.seats[1].commit(table.manifest, table.ledger, b"y", None) is first


def test_seats_and_house_print_no_secret() -> None:
    data = json.loads(json.loads(RAW)["ledger"][4])["opens"][0]["body"]
    secret = unframe("msg", bytes.fromhex(data), 8)[7][32:].hex()
    assert secret not in repr(TABLE.seats[0])
    assert isinstance(TABLE.items[0], Signed)
    assert isinstance(TABLE.seats[0], Seat)
