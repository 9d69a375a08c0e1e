"""Hands written down after a card was taken in: such deals can have happened, and are no filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from audit.cards import RANKS, UNKNOWN, parse
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._random import Words
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers import parquet
from audit.readers.jsonl import encode
from audit.record import Deal
from audit.run.audit import audit
from audit.run.integrity import written_late
from tests._suspected import dealt

ACE, JACK = RANKS.index("A"), RANKS.index("J")


def openings(game: str, players: int, count: int, seed: int) -> Iterator[Deal]:
    """Yield deals as far as the turn-up, without the order of the pack."""
    for deal in dealt(GAMES[game], players, count, seed):
        yield replace(deal, order_after_cut=None)


def with_hand(deal: Deal, seat: int, hand: bytes) -> Deal:
    return replace(deal, hands=(*deal.hands[: seat - 1], hand, *deal.hands[seat:]))


def lowest_for(hand: bytes, card: bytes, keep: int = -1) -> bytes:
    """Return *hand* with *card* for its lowest card but *keep*."""
    low = min((c for c in hand if c != keep), key=lambda c: c % 13)
    return bytes(c for c in hand if c != low) + card


def picked_up(deal: Deal) -> Deal:
    """Return *deal* as written after the dealer took up a Jack, Queen, King or Ace."""
    hand = deal.hands[(deal.dealer_seat or 1) - 1]
    takes = deal.turnups[0] % 13 >= JACK
    return with_hand(deal, deal.dealer_seat or 1, lowest_for(hand, deal.turnups)) if takes else deal


def six_cards(deal: Deal) -> Deal:
    """Return *deal* as written before the dealer threw a card away."""
    hand = deal.hands[(deal.dealer_seat or 1) - 1]
    takes = deal.turnups[0] % 13 >= JACK
    return with_hand(deal, deal.dealer_seat or 1, hand + deal.turnups) if takes else deal


def robbed(deal: Deal) -> Deal:
    """Return *deal* as written after who holds the ace of trumps, or turned an ace, robbed."""
    master = deal.turnups[0] // 13 * 13 + ACE
    for seat, hand in enumerate(deal.hands, start=1):
        if master in hand or (deal.turnups[0] == master and seat == deal.dealer_seat):
            return with_hand(deal, seat, lowest_for(hand, deal.turnups, master))
    return deal


def widow_taken(deal: Deal) -> Deal:
    """Return *deal* as written after the eldest left a hand without a trump for the widow."""
    eldest = (deal.dealer_seat or 1) % len(deal.hands) + 1
    trump = any(c // 13 == deal.turnups[0] // 13 for c in deal.hands[eldest - 1])
    return deal if trump else with_hand(deal, eldest, deal.widow)


def kept_of_run(deal: Deal) -> Deal:
    """Return *deal* as written when each place had kept six cards, trumps first."""
    hands, n, runs = list(deal.hands), len(deal.hands), deal.runs
    for seat in range(1, n + 1):
        at = 3 * ((seat - (deal.dealer_seat or 1) - 1) % n)
        more = b"".join(runs[k + at : k + at + 3] for k in range(0, len(runs), 3 * n))
        trump = deal.turnups[-1] // 13
        hand = sorted(hands[seat - 1] + more, key=lambda c: (c // 13 == trump, c % 13))
        hands[seat - 1] = bytes(hand[-6:])
    return replace(deal, hands=tuple(hands)) if runs else deal


def sold(deal: Deal) -> Deal:
    """Return *deal* as written after the player at place 2 had bought the highest trump."""
    trump = deal.turnups[0] // 13
    best = max((c for hand in deal.hands for c in hand if c // 13 == trump), default=None)
    if best is None or best in deal.hands[1]:
        return deal
    hands = [bytes(c for c in hand if c != best) for hand in deal.hands]
    hands[1] += bytes([best])
    return replace(deal, hands=tuple(hands))


def ran(count: int, seed: int) -> Iterator[Deal]:
    law = GAMES["seven_up_4"]
    table = simulate(law, LAB["fair"], count, Fraction(0), seed, player=PLAY["sensible"])
    return (replace(deal, order_after_cut=None) for deal in table.records())


def report(path: Path, deals: list[Deal]) -> dict[str, Any]:
    path.write_bytes(b"".join(encode(deal) + b"\n" for deal in deals))
    return audit([str(path)], form=None, game=None)


@pytest.mark.parametrize(
    ("game", "players", "count", "write"),
    [
        ("spoil_five", 5, 1500, robbed),
        ("euchre_4", 4, 400, picked_up),
        ("euchre_4", 4, 400, six_cards),
        ("loo3_limited_double", 5, 400, widow_taken),
        ("seven_up_4", 4, 400, kept_of_run),
        ("speculation", 5, 300, sold),
    ],
)
def test_hands_after_a_card_was_taken_in_contradict_nothing(
    tmp_path: Path, game: str, players: int, count: int, write: Callable[[Deal], Deal]
) -> None:
    """Set aside, they left a log without the cards worth taking.

    The first was flagged for an ace that was not in the pack, at 10^12, and 3 of 20 of the
    second for court cards that nobody turned; the last for a buyer to whom every highest trump
    that was not sold seemed to be dealt, at 10^50, in 10 of 10.
    """
    fair = ran(count, 5) if game == "seven_up_4" else openings(game, players, count, 5)
    deals = [write(deal) for deal in fair]
    found = report(tmp_path / "late.jsonl", deals)
    assert found["verdict"] == "clear"
    assert found["inputs"][0]["deals"] == count
    assert found["inputs"][0]["contradictions"] == 0


def test_a_dealer_who_turns_jacks_and_takes_them_up_is_found(tmp_path: Path) -> None:
    """His Jacks were all set aside as impossible."""
    lots = Words(9).words(600)
    deals = []
    for deal, word in zip(openings("euchre_4", 4, 600, 6), lots, strict=True):
        made = deal
        if deal.dealer_seat == 4 and word % 3 == 0:
            held = {c for hand in deal.hands for c in hand}
            jacks = [c for c in GAMES["euchre_4"].pack if c % 13 == JACK and c not in held]
            made = replace(deal, turnups=bytes(jacks[:1]) or deal.turnups)
        deals.append(picked_up(made))
    found = report(tmp_path / "jacks.jsonl", deals)
    named = {f["detector"] for f in found["findings"] if f["flagged"]}
    assert "turned_honours" in named


def three_each(deal: Deal) -> Deal:
    """Return *deal* of Matrimony with the card turned for each place in its hand, too."""
    eldest = (deal.dealer_seat or 0) % len(deal.hands)
    turned = [deal.turnups[(place - eldest) % len(deal.hands) :][:1] for place in range(6)]
    return replace(deal, hands=tuple(h + c for h, c in zip(deal.hands, turned, strict=True)))


@pytest.mark.parametrize(
    ("game", "players", "write"), [("spoil_five", 5, robbed), ("matrimony", 6, three_each)]
)
def test_rows_and_columns_say_the_same(
    tmp_path: Path, game: str, players: int, write: Callable[[Deal], Deal]
) -> None:
    deals = [write(deal) for deal in openings(game, players, 200, 7)]
    parquet.write(tmp_path / "late.parquet", deals, arrow=False)
    rows = report(tmp_path / "late.jsonl", deals)
    columns = audit([str(tmp_path / "late.parquet")], form=None, game=None)
    assert rows["inputs"][0]["contradictions"] == columns["inputs"][0]["contradictions"] == 0
    assert rows["flag"] == columns["flag"]


@pytest.mark.parametrize(
    ("game", "change"),
    [
        ("euchre_4", lambda d: with_hand(d, 2, lowest_for(d.hands[1], d.turnups))),
        ("spoil_five", lambda d: with_hand(d, 1, lowest_for(d.hands[0], d.hands[1][:1]))),
        ("spoil_five", lambda d: with_hand(d, 1, d.hands[0] + d.widow + parse("2S"))),
        ("nap", lambda d: with_hand(d, 1, lowest_for(d.hands[0], d.hands[1][:1]))),
        ("speculation", lambda d: with_hand(d, 1, d.hands[0] + d.hands[1][:1])),
    ],
)
def test_a_card_that_nobody_may_take_in_stays_impossible(
    tmp_path: Path, game: str, change: Callable[[Deal], Deal]
) -> None:
    """At Euchre only the dealer takes the card up; a card in two hands was never taken in."""
    law = GAMES[game]
    deals = list(openings(game, 4, 3, 8))
    wrong = change(deals[1])
    assert written_late(wrong, law) is wrong
    found = report(tmp_path / "wrong.jsonl", [deals[0], wrong, deals[2]])
    assert found["inputs"][0]["contradictions"] == 1


def beside(deal: Deal, change: Callable[[Deal, int], Deal]) -> Deal:
    """Return *deal*, its turn-up in the dealer's hand, as *change* makes it for the next place."""
    seat = deal.dealer_seat or 1
    taken = with_hand(deal, seat, lowest_for(deal.hands[seat - 1], deal.turnups))
    return change(taken, seat % len(deal.hands) + 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda d, seat: with_hand(d, seat, d.hands[seat - 1][1:] + parse("2S")),
        lambda d, seat: replace(d, widow=d.hands[seat - 1][:2]),
        lambda d, seat: replace(d, runs=d.hands[seat - 1][:2]),
        lambda d, seat: replace(d, board=d.hands[seat - 1][:2]),
        lambda d, _: replace(d, hands=(*d.hands, b""), players=4),
    ],
)
def test_a_card_taken_in_hides_nothing_else_that_cannot_be(
    tmp_path: Path, change: Callable[[Deal, int], Deal]
) -> None:
    """Who forged a deal had but to write the card turned into the dealer's hand beside it."""
    wrong = beside(next(openings("euchre_4", 4, 1, 8)), change)
    assert written_late(wrong, GAMES["euchre_4"]) is wrong
    found = report(tmp_path / "wrong.jsonl", [wrong])
    assert found["inputs"][0]["contradictions"] == 1


@pytest.mark.parametrize("more", ["2S", ""])
def test_a_misdeal_hides_no_card_that_cannot_be(tmp_path: Path, more: str) -> None:
    """One that is none of the pack, or else one of another hand."""
    deal = next(openings("euchre_4", 4, 1, 8))
    wrong = with_hand(deal, 1, deal.hands[0] + (parse(more) or deal.hands[1][:1]))
    found = report(tmp_path / "wrong.jsonl", [replace(wrong, irregularity="misdeal")])
    assert found["inputs"][0]["contradictions"] == 1


def test_a_trump_sold_hides_no_card_that_stands_twice(tmp_path: Path) -> None:
    deal = next(d for d in map(sold, openings("speculation", 5, 50, 5)) if len(d.hands[1]) > 3)
    wrong = replace(deal, widow=deal.hands[1][:1])
    found = report(tmp_path / "wrong.jsonl", [deal, wrong])
    assert found["inputs"][0]["contradictions"] == 1


def test_a_card_that_is_not_known_was_not_taken_in() -> None:
    deal = replace(next(openings("euchre_4", 4, 1, 8)), turnups=bytes([UNKNOWN]))
    hidden = with_hand(deal, deal.dealer_seat or 1, bytes([UNKNOWN]) * 5)
    assert written_late(hidden, GAMES["euchre_4"]) is hidden


def test_beside_the_order_of_the_pack_a_hand_is_held_to_what_was_dealt() -> None:
    law = GAMES["spoil_five"]
    some = [robbed(deal) for deal in dealt(law, 5, 100, 9)]
    assert all(written_late(deal, law) is deal for deal in some)


def test_hands_that_are_written_with_the_card_turned_for_them_are_read_without_it() -> None:
    """Matrimony: three cards to each place, the third turned, and by some scribes written twice."""
    law = GAMES["matrimony"]
    for deal in openings("matrimony", 6, 20, 10):
        three = three_each(deal)
        assert written_late(three, law) == deal
        one = replace(deal, hands=(three.hands[0], *deal.hands[1:]))
        assert written_late(one, law) is one
