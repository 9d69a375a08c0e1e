"""Napoleon: whole deals, cases of its laws, breaches made on purpose, and odds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event, Seen, Want
from audit.games import GAMES
from audit.games._nap import card_out, lowest_cut
from audit.lab._random import Words, uniform_orders
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.simulate import Lots, first_deal, play_deal
from audit.rules._first_jack import first_jack
from audit.shuffle.local import Room
from tests.laws import second_nap
from tests.laws._by_hand import (
    Change,
    call,
    changed,
    found,
    hands,
    held,
    judge,
    misses,
    pay,
    plays,
    simulated,
    whats,
)
from tests.laws._odd import disordered
from tests.laws.long import cards_kept, check, counters_kept
from tests.shuffle.make_table_vectors import chooser, seeded, verdict_of

GAMES_OF_NAP = tuple(name for name in GAMES.names if name == "nap" or name.startswith("nap_"))
POOLS = ("nap_pool", "nap_purchase", "nap_peep")


def test_there_are_nine_forms() -> None:
    assert len(GAMES_OF_NAP) == 9


@pytest.mark.parametrize("game", GAMES_OF_NAP)
@pytest.mark.parametrize("player", ["by_lot", "nap"])
def test_deals_end_and_the_referee_accepts_them(game: str, player: str) -> None:
    assert check(game, count=300, choose=PLAY[player].choose) == 300


@pytest.mark.parametrize("game", GAMES_OF_NAP)
@pytest.mark.parametrize("packets", ["singly", "3+2"])
def test_other_packets(game: str, packets: str) -> None:
    assert check(game, count=100, options={"packets": packets}) == 100


@pytest.mark.parametrize("game", GAMES_OF_NAP)
def test_a_dealer_without_cards_takes_no_part(game: str) -> None:
    law, choose, lots = GAMES[game], PLAY["by_lot"].choose, Lots(8)
    assert choose is not None
    for order in uniform_orders(Words(3), 60, 52):
        five = first_deal(law, bytes(order.tolist()), 5, 5, {})
        six = structs.replace(five, players=6, dealer_seat=6, hands=(*five.hands, b""))
        deal = play_deal(law, six, dict.fromkeys(range(1, 7), choose), lots)
        assert referee(law, deal) == ([], 0)
        assert cards_kept(law, deal) == counters_kept(deal) == ""
        acts = [e.kind for e in deal.events if e.seat == 6 or e.to == 6]
        assert set(acts) <= {"pay"}
        one = structs.replace(
            deal, hands=(b"".join((six.hands[0][:4], six.hands[1][:1])), *deal.hands[1:])
        )
        assert referee(law, one)[0]


@pytest.mark.parametrize("game", GAMES_OF_NAP)
def test_a_sealed_pack_is_dealt_and_verified(game: str) -> None:
    room = Room(GAMES[game], 5, packs=2, draw=seeded(f"test {game}"))
    for number in (1, 2):
        room.contribute(10 + number, number)
        room.play(chooser(game))
        room.finish()
        assert verdict_of(room.transcript(number))


# -- cases ------------------------------------------------------------------------------------

#: Seat 4 deals, seat 1 is the eldest.
FOUR = hands("AH KH QH JH TH", "9H 8H AS KS QS", "7H 6H AD KD QD", "5H 4H AC KC QC")


def deal(game: str = "nap", four: tuple[bytes, ...] = FOUR, **options: str) -> Deal:
    return Deal(game=game, players=4, dealer_seat=4, hands=four, options=options)


def bids(*words: str) -> list[Event]:
    return [call(seat, word) for seat, word in enumerate(words, start=1)]


HEARTS = plays(
    "1:AH 2:9H 3:7H 4:5H 1:KH 2:8H 3:6H 4:4H 1:QH 2:AS 3:AD 4:AC "
    "1:JH 2:KS 3:KD 4:KC 1:TH 2:QS 3:QD 4:QC"
)
#: Seat 2 bids nap and loses the first trick.
LOST = plays("2:9H 3:7H 4:5H 1:AH")


def paid_by(number: int, bidder: int = 1) -> list[Event]:
    return [pay(s, bidder, "bid", number) for s in range(1, 5) if s != bidder]


def paid_to(number: int, bidder: int) -> list[Event]:
    return [pay(bidder, s, "bid", number) for s in range(1, 5) if s != bidder]


def test_bidding_the_dealer_is_bound_to_bid_when_all_pass() -> None:
    assert whats(deal(), bids("pass", "pass", "pass", "pass")) == ["the last to speak passed"]
    assert judge(deal(), bids("pass", "pass", "pass", "1")) == []


def test_bidding_each_must_increase_or_pass() -> None:
    assert whats(deal(), bids("2", "2")) == ["2 after 2, wanted a higher bid or pass"]


def test_bidding_nap_precludes_any_further_bid_but_in_the_variations() -> None:
    assert whats(deal(), bids("nap", "pass")) == ["pass after nap"]
    assert whats(deal("nap_wellington"), bids("nap", "wellington")) == []
    assert whats(deal("nap_wellington"), bids("wellington", "pass")) == ["pass after wellington"]
    assert whats(deal(), bids("pass", "wellington")) == ["wellington is no bid of this game"]


def test_bidding_there_is_no_second_bid() -> None:
    said = [*bids("1", "2"), call(1, "3")]
    assert whats(deal(), said) == ["a second call, 3"]


@pytest.mark.parametrize(
    ("game", "bid", "won"),
    [
        ("nap", "4", 4),
        ("nap", "1", 1),
        ("nap", "nap", 10),
        ("nap_wellington", "wellington", 10),
        ("nap_blucher", "blucher", 10),
        ("nap_treble_english", "wellington", 20),
        ("nap_treble_english", "blucher", 30),
    ],
)
def test_payments_of_a_bid_made(game: str, bid: str, won: int) -> None:
    closes = bid == GAMES[game].rules.ladder[-1]  # type: ignore[union-attr]
    rest = bids(bid) if closes else bids(bid, "pass", "pass", "pass")
    assert judge(deal(game), [*rest, *HEARTS, *paid_by(won)]) == []
    assert len(judge(deal(game), [*rest, *HEARTS, *paid_by(won + 1)])) == 3


@pytest.mark.parametrize(
    ("game", "bid", "lost"),
    [("nap", "nap", 5), ("nap_wellington", "wellington", 10), ("nap_blucher", "blucher", 20)],
)
def test_payments_of_a_bid_lost(game: str, bid: str, lost: int) -> None:
    said = [*bids("pass", bid), *LOST]
    assert judge(deal(game), [*said, *paid_to(lost, 2)]) == []
    assert len(judge(deal(game), [*said, *paid_to(lost - 1, 2)])) == 3


def test_payments_in_coin_a_nap_wins_twelve_and_loses_six() -> None:
    assert judge(deal(coin="yes"), [*bids("nap"), *HEARTS, *paid_by(12)]) == []
    assert judge(deal(coin="yes"), [*bids("pass", "nap"), *LOST, *paid_to(6, 2)]) == []


def test_bidding_a_misere_outranks_three_and_has_no_trumps() -> None:
    said = bids("3", "misere", "pass", "pass")
    # Clubs led first are no trumps: the ace of diamonds is not beaten by a club.
    four = hands("2S 3S 4S 5S 6S", "2C 2D 3D 4D 5D", "3C AD KD QD JD", "4C 5C 6C 7C 8C")
    cards = "2:2C 3:3C 4:4C 1:2S 4:5C 1:3S 2:5D 3:AD 4:6C 1:4S 2:4D 3:KD"
    cards += " 4:7C 1:5S 2:3D 3:QD 4:8C 1:6S 2:2D 3:JD"
    done = [*said, *plays(cards), *paid_by(3, 2)]
    assert judge(deal("nap_misere", four), done) == []
    assert whats(deal("nap_misere"), bids("4", "misere"))


def test_method_of_playing_one_must_follow_but_need_not_win() -> None:
    cards = plays("1:AH 2:8H 3:6H 4:4H")
    assert judge(deal(), [*bids("4", "pass", "pass", "pass"), *cards]) == []
    wrong = plays("1:AH 2:AS")
    (ruling,) = judge(deal(), [*bids("4", "pass", "pass", "pass"), *wrong])
    assert (ruling.seat, ruling.law) == (2, "Foster, Napoleon, Revokes")


OUT_OF_TURN = [*bids("pass", "nap"), *plays("2:9H 4:5H 3:7H 1:AH")]


def test_an_adversary_out_of_turn_forfeits_three_and_has_nothing_of_a_lost_bid() -> None:
    due = [pay(4, 2, "out of turn", 3), pay(2, 1, "bid", 5), pay(2, 3, "bid", 5)]
    rulings = judge(deal(), [*OUT_OF_TURN, *due])
    assert [r.what for r in rulings] == ["played by seat 4, wanted seat 3"]
    also = judge(deal(), [*OUT_OF_TURN, *due, pay(2, 4, "bid", 5)])
    assert [r.what for r in also[1:]] == ["pay of 5 for bid, wanted nothing"]


def test_a_bidder_who_leads_out_of_turn_takes_the_card_back_and_pays_nothing() -> None:
    said = bids("pass", "3", "pass", "pass")
    first = plays("2:9H 3:7H 4:5H 1:AH")
    wrong = [*said, *first, *plays("2:AS"), found("taken back", 2)]
    after = plays("1:KH 2:8H 3:6H 4:4H 1:QH 2:QS 3:QD 4:QC")
    rulings = judge(deal(), [*wrong, *after, *paid_to(3, 2)])
    assert [(r.what, r.seat) for r in rulings] == [("led by seat 2, wanted seat 1", 2)]


def test_in_a_pool_a_lead_out_of_turn_pays_three_to_the_pool() -> None:
    said = [Event(kind="pool", number=6), *bids("pass", "nap")]
    cards = plays("3:7H 4:5H 1:AH 2:9H")
    due = [pay(4, 0, "stake", 2), pay(3, 0, "out of turn", 3), pay(2, 0, "pool", 11)]
    due += [pay(2, 1, "bid", 5), pay(2, 4, "bid", 5), Event(kind="pool", word="pool", number=22)]
    rulings = judge(deal("nap_pool"), [*said, *cards, *due])
    assert [r.what for r in rulings] == ["led by seat 3, wanted seat 2"]


def test_a_bidder_who_fails_against_a_foul_hand_neither_wins_nor_loses() -> None:
    foul = (*FOUR[:2], FOUR[2] + parse("2C"), FOUR[3])
    said = [call(1, "pass"), call(2, "3"), call(3, "pass"), call(4, "pass")]
    cards = plays("2:9H 3:7H 4:5H 1:AH 1:KH 2:8H 3:6H 4:4H 1:QH 2:QS 3:QD 4:QC")
    rulings = judge(deal(four=foul), [*said, *cards, *paid_to(3, 2)])
    assert [r.what for r in rulings] == ["spoke with 6 cards, wanted 5"] + [
        "pay of 3 for bid, wanted nothing"
    ] * 3
    made = judge(deal(four=foul), [*bids("nap"), *HEARTS, *paid_by(10)])
    assert made == [], "who spoke with it was never asked, and the bidder is paid"


def test_a_bidder_with_too_many_cards_pays_but_wins_nothing() -> None:
    many = (FOUR[0] + parse("2C"), *FOUR[1:])
    said = bids("nap")
    rulings = judge(deal(four=many), [*said, *HEARTS, *paid_by(10)])
    assert [r.what for r in rulings][1:] == ["pay of 10 for bid, wanted nothing"] * 3
    many = (FOUR[0], FOUR[1] + parse("2C"), *FOUR[2:])
    rulings = judge(deal(four=many), [*bids("pass", "nap"), *LOST, *paid_to(5, 2)])
    assert [r.what for r in rulings] == ["spoke with 6 cards, wanted 5"]


def test_a_bidder_with_too_few_cards_loses_the_trick_he_cannot_play_to() -> None:
    few = (FOUR[0][:4], *FOUR[1:])
    rest = plays("2:QS 3:QD 4:QC")
    said = [*bids("nap"), *HEARTS[:16], *rest, *paid_to(5, 1)]
    assert whats(deal(four=few), said) == ["spoke with 4 cards, wanted 5"]


REVOKED = [*bids("nap"), *plays("1:AH 2:AS"), Event(kind="claim", seat=1, to=2, word="revoke")]


def test_revokes_an_adversary_pays_for_himself_and_for_each_partner() -> None:
    rulings = judge(deal(), [*REVOKED, pay(2, 1, "bid", 30)])
    assert [r.law for r in rulings] == ["Foster, Napoleon, Revokes"]
    assert len(judge(deal(), [*REVOKED, *paid_by(10)])) == 4


def test_revokes_the_bidder_pays_each_adversary() -> None:
    said = [*bids("pass", "3", "pass", "pass"), *plays("2:9H 3:7H 4:5H 1:AH 1:KH 2:AS")]
    claim = Event(kind="claim", seat=1, to=2, word="revoke")
    assert len(judge(deal(), [*said, claim, *paid_to(3, 2)])) == 1


def test_revokes_the_hand_is_played_again_in_england_and_nowhere_else() -> None:
    again = [*REVOKED, found("replay", 1), *HEARTS, pay(2, 1, "bid", 30)]
    assert [r.code for r in judge(deal(replay="yes"), again)] == ["LAW"]
    assert "W36" in [r.code for r in judge(deal(), again)]


def test_a_revoke_claimed_in_vain_is_no_revoke() -> None:
    said = [*bids("nap"), *HEARTS[:8], Event(kind="claim", seat=1, to=3, word="revoke")]
    assert whats(deal(), said)[0] == "a revoke of seat 3 claimed that is not in the tricks"


def test_a_revoke_is_found_where_no_hand_is_on_record() -> None:
    unknown = deal(four=())
    said = [*bids("nap"), *plays("1:AH 2:AS 3:7H 4:5H 1:KH 2:8H")]
    (ruling,) = judge(unknown, said)
    assert (ruling.event, ruling.seat, ruling.law) == (6, 2, "Foster, Napoleon, Revokes")


def test_pools_each_stakes_two_then_the_dealer_and_a_nap_takes_it() -> None:
    first = [pay(s, 0, "stake", 2) for s in range(1, 5)]
    end = [pay(0, 1, "pool", 8), *paid_by(10), Event(kind="pool", word="pool", number=0)]
    new = [Event(kind="pool", number=0), *bids("nap"), *HEARTS, *first, *end]
    assert judge(deal("nap_pool"), new) == []
    end = [pay(0, 1, "pool", 10), *paid_by(10), Event(kind="pool", word="pool", number=0)]
    later = [Event(kind="pool", number=8), *bids("nap"), *HEARTS, pay(4, 0, "stake", 2), *end]
    assert judge(deal("nap_pool"), later) == []


def test_pools_a_nap_that_fails_doubles_the_pool() -> None:
    said = [Event(kind="pool", number=8), *bids("pass", "nap"), *LOST, pay(4, 0, "stake", 2)]
    due = [pay(2, 0, "pool", 10), *paid_to(5, 2), Event(kind="pool", word="pool", number=20)]
    assert judge(deal("nap_pool"), [*said, *due]) == []
    assert len(judge(deal("nap_pool", double="no"), [*said, *due])) == 2


def test_pools_what_a_record_does_not_say_of_the_pool_is_not_judged() -> None:
    said = [*bids("nap"), *HEARTS, *paid_by(10), pay(4, 0, "stake", 2)]
    unknown = structs.replace(deal("nap_pool"), events=tuple(said))
    assert referee(GAMES["nap_pool"], unknown) == ([], 1)


def change(seat: int, cards: str) -> list[Event]:
    gone = Event(kind="exchange", seat=seat, cards=parse(cards), word="stock")
    return [gone]


def test_purchase_nap_a_number_once_named_cannot_be_amended() -> None:
    drawn = Event(kind="draw", seat=1, cards=parse("2D 2S"))
    (ruling,) = judge(deal("nap_purchase"), [*change(1, "TH"), drawn])
    assert (ruling.seat, ruling.code) == (1, "W45")
    none = Event(kind="exchange", seat=1)
    rulings = judge(deal("nap_purchase"), [none, *change(1, "TH")])
    assert [r.code for r in rulings] == ["W45"]


def test_widows_the_bidder_keeps_five_of_ten_and_bids_nap() -> None:
    four = hands("9H KH QH JH TH", "2H 8H AS KS QS", "7H 6H AD KD QD", "5H 4H AC KC QC")
    table = structs.replace(deal("nap_widow", four), widow=parse("AH 2C 3C 4C 5C"))
    took = Event(kind="draw", seat=1, cards=parse("AH 2C 3C 4C 5C"), word="widow")
    gave = Event(kind="exchange", seat=1, cards=parse("9H 2C 3C 4C 5C"), word="widow")
    cards = plays("1:AH 2:2H 3:7H 4:5H 1:KH 2:8H 3:6H 4:4H") + HEARTS[8:]
    assert judge(table, [call(1, "widow"), took, gave, *cards, *paid_by(10)]) == []
    assert whats(table, [call(1, "nap"), call(2, "widow")]) == ["widow after nap"]


def test_peep_nap_a_look_is_paid_for_and_comes_before_the_bid() -> None:
    table = structs.replace(deal("nap_peep"), widow=parse("2C"), options={"pool": "4"})
    look = Event(kind="look", seat=2, word="widow")
    said = [call(1, "pass"), look, call(2, "1"), call(3, "pass"), call(4, "pass")]
    took = Event(kind="draw", seat=2, cards=parse("2C"), word="widow")
    gave = Event(kind="exchange", seat=2, cards=parse("2C"), word="widow")
    cards = plays("2:9H 3:7H 4:5H 1:AH 1:KH 2:8H 3:6H 4:4H")
    due = [pay(4, 0, "stake", 2)]
    rulings = judge(table, [*said, took, gave, *cards, *due])
    assert [r.code for r in rulings] == ["W42"]
    late = [call(1, "1"), Event(kind="look", seat=1, word="widow")]
    assert [r.code for r in judge(table, late)] == ["W42"]
    again = [call(1, "nap"), Event(kind="look", seat=4, word="widow")]
    assert judge(table, again) == [], "who follows a nap may still peep"


def test_misdealing_the_misdealer_deals_again_and_nothing_else_ends_a_deal() -> None:
    redeal = Event(kind="redeal", word="misdeal")
    assert judge(deal(), [found("faced card"), redeal]) == []
    assert whats(deal(), [call(1, "pass"), redeal]) == ["the deal was abandoned without a misdeal"]
    stands = judge(deal(), [found("dealt out of turn", 4), redeal])
    assert [r.code for r in stands] == ["W41"]
    went_on = judge(deal(), [found("exposed", 4), call(1, "pass")])
    assert [r.law for r in went_on] == ["Foster, Napoleon, Misdealing"]


def test_irregular_hands_a_wrong_number_is_claimed_before_speaking() -> None:
    late = [call(1, "pass"), found("too many cards", 1)]
    assert whats(deal(), late) == ["too many cards claimed by seat 1 after he had spoken"]


def test_tricks_quitted_are_not_seen_again_nor_gathered_face_up() -> None:
    said = [*bids("nap"), *HEARTS[:4], Event(kind="look", seat=3, word="trick")]
    assert [r.code for r in judge(deal(), said)] == ["W39"]
    said = [*bids("nap"), *HEARTS[:4], found("gathered face up", 1)]
    assert [r.code for r in judge(deal(), said)] == ["W31"]


def test_without_the_bids_a_misere_cannot_be_told_from_a_game_with_trumps() -> None:
    record = structs.replace(deal("nap_misere"), events=tuple(HEARTS[:8]))
    rulings, unjudged = referee(GAMES["nap_misere"], record)
    assert rulings == []
    assert unjudged >= 8
    with_trumps = structs.replace(deal(), events=tuple(plays("1:AH 2:AS")))
    assert len(referee(GAMES["nap"], with_trumps)[0]) == 1


def test_an_open_result_leaves_payments_unjudged() -> None:
    said = [*bids("4", "pass", "pass", "pass"), *HEARTS[:4], *paid_by(4)]
    record = structs.replace(deal(), events=tuple(said))
    rulings, unjudged = referee(GAMES["nap"], record)
    assert rulings == []
    assert unjudged >= 3


# -- breaches made on purpose -----------------------------------------------------------------


def off_suit(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    before = [e for e in deal.events[:at] if e.kind in ("play", "trick")]
    if event.kind != "play" or not before or before[-1].kind == "trick":
        return None
    led = next(
        e.cards[0]
        for e, prior in zip(reversed(before), [*reversed(before[:-1]), None], strict=True)
        if prior is None or prior.kind == "trick"
    )
    mine = held(deal, at)[event.seat]
    others = [c for c in mine if c // 13 != led // 13]
    if event.cards[0] // 13 != led // 13 or not others:
        return None
    return changed(deal, at, structs.replace(event, cards=bytes(others[:1])), cut=True)


def trick_to_loser(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "trick":
        return None
    bidder = next(e.seat for e in deal.events if e.kind == "play")
    seat = bidder if event.seat != bidder else bidder % len(deal.hands) + 1
    return changed(deal, at, structs.replace(event, seat=seat))


def pay_one_more(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    more = structs.replace(event, number=event.number + 1)
    return changed(deal, at, more) if event.kind == "pay" else None


def pay_to_wrong_seat(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "pay" or not event.to or not event.seat:
        return None
    to = next(s for s in range(1, 5) if s not in (event.to, event.seat))
    return changed(deal, at, structs.replace(event, to=to))


def pay_left_out(deal: Deal, at: int) -> Deal | None:
    return changed(deal, at) if deal.events[at].kind == "pay" else None


def pool_one_off(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "pool" or not at:
        return None
    return changed(deal, at, structs.replace(event, number=event.number + 1))


def extra_card(deal: Deal, at: int) -> Deal | None:
    if deal.events[at].kind != "call":
        return None
    seat = deal.events[at].seat
    spare = next(c for c in range(52) if not any(c in h for h in (*deal.hands, deal.widow)))
    dealt = [h + bytes([spare]) if s == seat else h for s, h in enumerate(deal.hands, start=1)]
    return structs.replace(deal, hands=tuple(dealt), order_after_cut=None)


def bid_out_of_turn(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call" or any(e.kind == "call" for e in deal.events[:at]):
        return None
    return changed(deal, at, structs.replace(event, seat=event.seat % 4 + 1), cut=True)


def bid_not_higher(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    made = [e.word for e in deal.events[:at] if e.kind == "call" and e.word != "pass"]
    if event.kind != "call" or not made:
        return None
    return changed(deal, at, structs.replace(event, word=made[-1]), cut=True)


def last_passes(deal: Deal, at: int) -> Deal | None:
    if deal.events[at].kind != "call":
        return None
    eldest = deal.events[at].seat
    passes = [call((eldest - 1 + k) % 4 + 1, "pass") for k in range(4)]
    return changed(deal, at, *passes, cut=True)


def second_bid(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    return changed(deal, at, event, event) if event.kind == "call" else None


def no_such_bid(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call":
        return None
    return changed(deal, at, structs.replace(event, word="grand"), cut=True)


def card_out_of_turn(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "play":
        return None
    return changed(deal, at, structs.replace(event, seat=event.seat % 4 + 1), cut=True)


def card_of_another(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "play":
        return None
    theirs = held(deal, at)[event.seat % 4 + 1]
    wrong = structs.replace(event, cards=bytes(theirs[:1]))
    return changed(deal, at, wrong, cut=True) if theirs else None


def card_twice(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    mine = [e for e in deal.events[:at] if e.kind == "play" and e.seat == event.seat]
    if event.kind != "play" or not mine:
        return None
    return changed(deal, at, structs.replace(event, cards=mine[0].cards), cut=True)


def abandoned(deal: Deal, at: int) -> Deal | None:
    if deal.events[at].kind not in ("call", "play"):
        return None
    return changed(deal, at, Event(kind="redeal", word="bad cards"), cut=True)


def hand_not_as_dealt(deal: Deal, at: int) -> Deal | None:
    one, two, *rest = deal.hands
    swapped = (one[:-1] + two[-1:], two[:-1] + one[-1:], *rest)
    return structs.replace(deal, hands=swapped)


def drawn_out_of_order(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "draw" or event.word != "stock" or len(event.cards) < 2:
        return None
    return changed(deal, at, structs.replace(event, cards=event.cards[::-1]))


def drawn_too_few(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "draw" or event.word != "stock" or len(event.cards) < 2:
        return None
    return changed(deal, at, structs.replace(event, cards=event.cards[:-1]))


def second_purchase(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call":
        return None
    mine = held(deal, at)[event.seat]
    late = Event(kind="exchange", seat=event.seat, cards=bytes(mine[:1]), word="stock")
    return changed(deal, at, late, event, cut=True)


def widow_to_another(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "draw" or event.word != "widow":
        return None
    return changed(deal, at, structs.replace(event, seat=event.seat % 4 + 1))


def peep_unpaid(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    return changed(deal, at) if event.kind == "pay" and event.word == "peep" else None


BREACHES: dict[str, tuple[Change, tuple[str, ...], str, str]] = {
    "an off-suit card": (off_suit, GAMES_OF_NAP, "Revokes", ""),
    "a trick to the loser": (trick_to_loser, GAMES_OF_NAP, "Method of Playing", ""),
    "a payment one off": (pay_one_more, GAMES_OF_NAP, "Napoleon", ""),
    "a payment to the wrong seat": (pay_to_wrong_seat, GAMES_OF_NAP, "Napoleon", ""),
    "a payment left out": (pay_left_out, GAMES_OF_NAP, "Napoleon", ""),
    "a pool one off": (pool_one_off, POOLS, "Napoleon", ""),
    "an extra card": (extra_card, GAMES_OF_NAP, "Irregularities in Hands", ""),
    "a bid out of turn": (bid_out_of_turn, GAMES_OF_NAP, "Bidding", ""),
    "a bid that is not higher": (bid_not_higher, GAMES_OF_NAP, "Bidding", ""),
    "all pass": (last_passes, GAMES_OF_NAP, "Bidding", ""),
    "a second bid": (second_bid, GAMES_OF_NAP, "Bidding", ""),
    "no such bid": (no_such_bid, GAMES_OF_NAP, "Bidding", ""),
    "a card out of turn": (card_out_of_turn, GAMES_OF_NAP, "Playing Out of Turn", ""),
    "another's card": (card_of_another, GAMES_OF_NAP, "Irregularities in Hands", ""),
    "a card twice": (card_twice, GAMES_OF_NAP, "Irregularities in Hands", ""),
    "a deal abandoned": (abandoned, GAMES_OF_NAP, "Misdealing", ""),
    "a hand not as dealt": (hand_not_as_dealt, GAMES_OF_NAP, "Dealing", ""),
    "draws out of order": (drawn_out_of_order, ("nap_purchase",), "Purchase Nap", ""),
    "fewer drawn than named": (drawn_too_few, ("nap_purchase",), "Purchase Nap", "W45"),
    "a second purchase": (second_purchase, ("nap_purchase",), "Purchase Nap", "W45"),
    "the widow to another": (widow_to_another, ("nap_widow", "nap_peep"), "Napoleon", ""),
    "a peep unpaid": (peep_unpaid, ("nap_peep",), "Peep Nap", "W42"),
}


@pytest.mark.parametrize("kind", BREACHES)
def test_every_breach_is_ruled_on_under_its_law(kind: str) -> None:
    breach, games, law, code = BREACHES[kind]
    made, missed = misses(games, breach, law, code, count=60, players=4)
    assert made >= 25
    assert not missed, missed[0]


# -- a second reading -------------------------------------------------------------------------


def compare(deal: Deal) -> int:
    """Follow *deal* with both readings; return how many events were compared."""
    made = machine(GAMES[deal.game], deal)
    assert made is not None
    said: list[str] = []
    cards: list[tuple[int, int]] = []
    at_table, compared = len(deal.hands), 0
    for at, event in enumerate(deal.events):
        want = made.wants()
        if event.kind == "call":
            assert want is not None
            last = len(said) == at_table - 1
            assert set(want.words) == second_nap.bids(deal.game, said, last_to_speak=last)
            said.append(event.word)
        elif event.kind == "play":
            assert want is not None
            led = cards[-(len(cards) % at_table)][1] if len(cards) % at_table else None
            legal = second_nap.may_play(held(deal, at)[event.seat], led)
            assert set(want.cards) == legal
            cards.append((event.seat, event.cards[0]))
        made.take(event)
        compared += 1
    compare_result(deal, said, cards)
    return compared


def compare_result(deal: Deal, said: list[str], cards: list[tuple[int, int]]) -> None:
    bid = [word for word in said if word != "pass"][-1]
    bidder, table = cards[0][0], len(deal.hands)
    trump = None if bid == "misere" else cards[0][1] // 13
    tricks = [e.seat for e in deal.events if e.kind == "trick"]
    assert tricks == second_nap.takers(cards, table, trump)
    won = second_nap.result(deal.game, bid, bidder, cards, table)
    assert won is not None
    each = second_nap.each_pays(deal.game, bid, made=won)
    others = [s for s in range(1, table + 1) if s != bidder]
    wanted = [(s, bidder, each) if won else (bidder, s, -each) for s in others]
    paid = [(e.seat, e.to, e.number) for e in deal.events if e.kind == "pay" and e.word == "bid"]
    assert sorted(paid) == sorted(wanted)


@pytest.mark.parametrize("game", GAMES_OF_NAP)
def test_a_second_reading_of_the_book_agrees(game: str) -> None:
    for players in (2, 4, 6):
        assert all(compare(d) > 0 for d in simulated(game, 100, players, seed=17))


# -- odds and the player ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "chances"),
    [(2, {0: "433/833"}), (5, {0: "2519/10829"}), (6, {0: "837/4165"})],
)
def test_the_first_jack_does_not_come_to_all_alike(players: int, chances: dict[int, str]) -> None:
    found = first_jack(GAMES["nap"].pack, players)
    assert sum(found) == 1
    assert {seat: found[seat] for seat in chances} == {s: Fraction(c) for s, c in chances.items()}
    assert round(float(first_jack(GAMES["nap"].pack, 5)[4]), 4) == 0.1693
    assert round(float(first_jack(GAMES["nap"].pack, 6)[5]), 4) == 0.135


def test_the_lowest_cut_comes_to_all_alike() -> None:
    assert [lowest_cut(n) for n in (2, 6)] == [Fraction(1, 2), Fraction(1, 6)]


def test_the_ace_is_not_out_against_three_at_32_to_15() -> None:
    law = GAMES["nap"]
    assert [card_out(law, n) for n in (1, 2, 3, 5)] == [
        Fraction(5, 47),
        Fraction(10, 47),
        Fraction(15, 47),
        Fraction(25, 47),
    ]


def bid_on(cards: str, words: tuple[str, ...]) -> str:
    choose = PLAY["nap"].choose
    assert choose is not None
    seen = Seen(game="nap", seat=1, dealer=4, players=4, hand=list(parse(cards)))
    return choose(Want(kind="call", seat=1, words=words), seen, lambda bound: 0).word


def test_the_player_bids_as_many_tricks_as_his_hand_promises() -> None:
    words = ("pass", "1", "2", "3", "4", "nap")
    assert bid_on("AH KH QH JH TH", words) == "nap"
    assert bid_on("2H 3S 4D 5C 7C", words) == "pass"
    assert bid_on("AH KH QH 5C 4C", words) == "3"
    assert bid_on("2H 3S 4D 5C 7C", words[1:]) == "1"


WORDS = (
    "pass",
    "1",
    "nap",
    "misere",
    "widow",
    "trick",
    "revoke",
    "replay",
    "lost",
    "stake",
    "pool",
    "bid",
    "taken back",
    "faced card",
    "",
    "è" * 50,
)


@pytest.mark.parametrize("game", GAMES_OF_NAP)
def test_no_record_stops_the_referee(game: str) -> None:
    judged = 0
    for k, one in enumerate(simulated(game, 25, 5, seed=9)):
        for odd in disordered(one, WORDS, seed=k):
            rulings, unjudged = referee(GAMES[game], odd)
            judged += bool(rulings or unjudged)
    assert judged > 200


@pytest.mark.parametrize("game", ["nap", "nap_misere", "nap_blucher", "nap_widow", "nap_peep"])
def test_the_player_gains_against_players_by_lot(game: str) -> None:
    law, lots, gain = GAMES[game], Lots(4), [0] * 5
    good, lot = PLAY["nap"].choose, PLAY["by_lot"].choose
    assert good is not None
    assert lot is not None
    for i, order in enumerate(uniform_orders(Words(6), 200, 52)):
        dealt = first_deal(law, bytes(order.tolist()), 4, i % 4 + 1, {})
        deal = play_deal(law, dealt, {1: good, 2: lot, 3: lot, 4: lot}, lots)
        for event in deal.events:
            if event.kind == "pay":
                gain[event.seat] -= event.number
                gain[event.to] += event.number
    assert gain[1] > 200
    assert sum(gain) == 0


def test_the_player_counts_the_card_that_he_peeped_at() -> None:
    choose = PLAY["nap"].choose
    assert choose is not None
    hand = list(parse("AH KH 6S 5C 4C"))
    words = ("pass", "1", "2", "3", "4", "nap")
    want = Want(kind="call", seat=1, words=words)
    seen = Seen(game="nap_peep", seat=1, dealer=4, players=4, hand=hand)
    assert choose(want, seen, lambda bound: 0).word == "2"
    seen.shown = list(parse("QH"))
    assert choose(want, seen, lambda bound: 0).word == "3"
