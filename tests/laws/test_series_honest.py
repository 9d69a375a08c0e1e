"""From deal to deal an honest table is never ruled on, whatever its log leaves out or agrees on."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.record import Deal, Ended
from audit.referee import _docket as docket
from audit.referee.series import MOST_TABLES, Series
from tests.laws._night import Fault, night, wrong_night

#: A game of every family that keeps a dealer, a pool or a score from deal to deal.
TABLES = (
    ("seven_up_2", 2),
    ("seven_up_3", 3),
    ("seven_up_4", 4),
    ("all_fours_old", 2),
    ("pitch_blind", 3),
    ("all_fives", 2),
    ("california_jack", 2),
    ("auction_pitch_sell", 5),
    ("auction_pitch_full_bid", 4),
    ("smudge", 4),
    ("pedro", 4),
    ("nap", 4),
    ("nap_pool", 4),
    ("ecarte_enquire", 2),
    ("ecarte_foster", 2),
    ("spoil_five", 5),
    ("forty_five_odd_trick", 4),
    ("forty_five_per_trick", 2),
    ("rams", 4),
    ("irish_loo", 5),
    ("loo5_foster", 4),
    ("cassino_4", 4),
    ("vingt_un", 4),
    ("euchre_4", 4),
    ("put_4", 4),
    ("speculation", 4),
    ("matrimony", 6),
    ("pope_joan", 4),
)
_nights: dict[tuple[str, int], list[Deal]] = {}


def right(game: str, players: int, seed: int = 1) -> list[Deal]:
    """Return a right night, made once."""
    if (game, seed) not in _nights:
        _nights[game, seed] = night(game, players=players, count=70, seed=seed)
    return _nights[game, seed]


def follow(log: Sequence[Deal], *, as_dealt: bool = True) -> tuple[list[str], Series]:
    """Return what is ruled on from deal to deal, and the series."""
    series = Series(GAMES[log[0].game])
    for line, deal in enumerate(log, 1):
        series.take(structs.replace(deal, line=line))
    found = series.finish(as_dealt=as_dealt)
    return [f"{f.deal.number}: {f.ruling.what}" for f in found], series


def numbered(log: Sequence[Deal]) -> list[Deal]:
    """Return *log* numbered anew."""
    return [structs.replace(d, number=str(i)) for i, d in enumerate(log, 1)]


def without(deal: Deal, *names: str) -> Deal:
    """Return *deal* without some options."""
    said = {k: v for k, v in deal.options.items() if k not in names}
    return structs.replace(deal, options=said)


def bare(deal: Deal) -> Deal:
    """Return *deal* without scores, payments and pools."""
    events = tuple(e for e in deal.events if e.kind not in ("score", "pay", "pool"))
    return structs.replace(deal, events=events)


def void(deal: Deal) -> bool:
    return any(e.kind == "redeal" for e in deal.events)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_right_night_is_followed_and_not_ruled_on(game: str, players: int) -> None:
    for seed in (1, 2):
        found, series = follow(right(game, players, seed))
        assert found == []
        assert series.followed == 69


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_rows_missing_and_a_log_that_starts_within_a_game(game: str, players: int) -> None:
    log, rng = right(game, players), random.Random(3)
    assert follow([d for d in log if rng.random() < 0.7])[0] == []
    for start in range(1, 9):
        assert follow(log[start:])[0] == []
        assert follow(numbered(log[start:]))[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_tables_in_one_log(game: str, players: int) -> None:
    one, two = right(game, players, 1), right(game, players, 2)
    named = [structs.replace(d, table="2") for d in two]
    mixed = [d for pair in zip(one, named, strict=True) for d in pair]
    assert follow(mixed)[0] == []
    # No table given, or two tables under one name and one count.
    assert follow([structs.replace(d, table=None) for d in mixed])[0] == []
    same = [structs.replace(d, table="1") for d in mixed]
    assert follow(same)[0] == []
    assert follow(numbered(same))[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_rows_that_do_not_stand_as_dealt(game: str, players: int) -> None:
    log = right(game, players)
    by_dealer = sorted(log, key=lambda d: (d.dealer_seat, len(d.events)))
    assert follow(by_dealer)[0] == []
    assert follow(numbered(by_dealer))[0] == []
    assert follow(log[::-1])[0] == []
    assert follow(numbered(log[::-1]))[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_records_that_say_less(game: str, players: int) -> None:
    log = right(game, players)
    piles = tuple({k for d in log for k in d.options if k.startswith("pool")})
    for some in (
        [without(d, "scores") for d in log],
        [without(d, "game_number") for d in log],
        [without(d, "scores", "game_number") for d in log],
        [without(d, *piles) for d in log],
        [bare(d) for d in log],
        [structs.replace(d, events=()) for d in log],
        [structs.replace(d, hands=(), order_after_cut=None) for d in log],
        [structs.replace(d, dealer=None) for d in log],
        [structs.replace(d, dealer_seat=None) for d in log],
        [structs.replace(d, number=None) for d in log],
        [d if i % 3 else bare(without(d, "scores")) for i, d in enumerate(log)],
    ):
        assert follow(some)[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_misdeals_that_nobody_writes_down(game: str, players: int) -> None:
    for seed in (1, 2):
        log = right(game, players, seed)
        assert follow(numbered([d for d in log if not void(d)]))[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_misdeal_written_down_without_its_new_deal(game: str, players: int) -> None:
    log = [
        structs.replace(d, events=tuple(e for e in d.events if e.kind == "irregular"))
        if void(d)
        else d
        for d in right(game, players)
    ]
    assert follow(log)[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_game_conceded_and_another_begun_by_a_new_cut(game: str, players: int) -> None:
    first, second = right(game, players, 1), right(game, players, 2)
    for stop in range(12, 20):
        later = [
            structs.replace(d, options={**d.options, "game_number": f"9{d.options['game_number']}"})
            for d in second
        ]
        for log in (
            first[:stop] + later,
            [without(d, "game_number") for d in first[:stop] + later],
        ):
            assert follow(numbered(log))[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_players_come_and_go_or_change_places(game: str, players: int) -> None:
    law, first = GAMES[game], right(game, players)
    for other in (players + 1, players - 1):
        if other in law.tables:
            second = night(game, players=other, count=30, seed=4)
            assert follow(numbered(first[:25] + second))[0] == []
    moved = [
        structs.replace(
            d,
            dealer_seat=(d.dealer_seat or 0) % players + 1,
            options=without(d, "scores", "game_number").options,
        )
        for d in first[25:]
    ]
    assert follow(first[:25] + moved)[0] == []
    named = ["a", *(f"k{s}" for s in range(players))]
    turned = ["a", *(f"k{(s + 1) % players}" for s in range(players))]
    log = [structs.replace(d, parties=tuple(named)) for d in first[:25]]
    log += [structs.replace(d, parties=tuple(turned)) for d in moved]
    assert follow(log)[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_another_evening_that_counts_its_games_from_one(game: str, players: int) -> None:
    first, second = right(game, players, 1), right(game, players, 2)
    days = [structs.replace(d, time="1876-11-30T21:00") for d in first[:23]]
    days += [structs.replace(d, time="1876-12-01T20:00") for d in second]
    found, series = follow(numbered(days))
    assert found == []
    assert series.unjudged[docket.ANOTHER_DAY] == 1
    if "scores" in first[0].options:
        assert follow(numbered(first[:23] + second))[0] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_log_that_lost_rows_in_any_way(game: str, players: int) -> None:
    """Numbers kept or given anew, misdeals never written, records short of this or that."""
    for seed in (31, 32):
        log, rng = night(game, players=players, count=60, seed=seed), random.Random(seed)
        unwritten = numbered([d for d in log if not void(d)])
        unnumbered = [without(d, "game_number") for d in log]
        short = [bare(d) if rng.random() < 0.3 else d for d in log]
        unscored = [without(d, "scores") if rng.random() < 0.5 else d for d in log]
        for whole in (log, unwritten, unnumbered, short, unscored):
            for share in (0.03, 0.15, 0.4):
                left = [d for d in whole if rng.random() >= share]
                assert follow(left)[0] == []
                assert follow(numbered(left))[0] == []


@pytest.mark.parametrize(
    ("game", "players"),
    [("seven_up_4", 4), ("california_jack", 2), ("forty_five_odd_trick", 4), ("spoil_five", 5)],
)
def test_a_scribe_who_leaves_out_a_deal_now_and_then(game: str, players: int) -> None:
    """He numbers what he writes, and a page is lost: a dealer is off where score or pool is too."""
    torn = 0
    for seed in range(4):
        log, rng = night(game, players=players, count=120, seed=seed), random.Random(seed)
        kept = [d for i, d in enumerate(log) if void(d) or i % 30 != 17]
        written = numbered(kept)
        written.pop(rng.randrange(20, 40))
        found, series = follow(written)
        assert found == []
        torn += series.unjudged[docket.TORN]
    assert torn


@pytest.mark.parametrize("game", ["nap_pool", "spoil_five", "rams", "irish_loo", "loo5_foster"])
def test_a_pool_divided_by_agreement(game: str) -> None:
    """Two nights in one: the first ends with its pool divided, odd counters stay in it."""
    players = 4
    for seed in range(6):
        first = night(game, players=players, count=20 + seed, seed=seed)
        second = night(game, players=players, count=40, seed=seed + 50)
        assert follow(numbered(first + second))[0] == []


def test_odd_counters_may_be_left_of_a_pool_that_was_divided() -> None:
    log, divided = right("spoil_five", 5), 0
    for at in range(30, 60):
        left = next((e.number for e in log[at].events if e.kind == "pool" and e.word == "after"), 0)
        if left < 6 or left % 5 == 0:
            continue
        odd = structs.replace(
            log[at + 1],
            options={**log[at + 1].options, "pool": str(left % 5)},
            events=tuple(e for e in log[at + 1].events if e.kind != "pool"),
        )
        found, series = follow([*log[: at + 1], odd])
        assert found == []
        divided += series.unjudged[docket.DIVIDED]
    assert divided


def test_a_table_with_its_own_order_of_dealing() -> None:
    """The winner deals: said in the record or not, what is always done is no slip."""
    log = [d for d in right("seven_up_4", 4) if not void(d)]
    own = [
        structs.replace(d, dealer_seat=random.Random(i).randint(1, 4), dealer=None)
        for i, d in enumerate(log)
    ]
    for some in (
        numbered(own),
        numbered([*right("seven_up_4", 4, 2), *own]),
        [structs.replace(d, options={**d.options, "next_dealer": "winner"}) for d in numbered(own)],
    ):
        assert follow(some)[0] == []


def test_a_custom_of_one_night_among_many() -> None:
    """For an hour the deal goes round the other way; the rest of the log keeps the law."""
    log = night("nap", players=4, count=400, seed=5, every=10**9)
    log.pop(3)
    for length in (2, 5, 9):
        own = [
            structs.replace(d, dealer_seat=(d.dealer_seat or 0) % 4 + 1 - i % 2, dealer=None)
            if 200 <= i < 200 + length
            else d
            for i, d in enumerate(log)
        ]
        found, series = follow(own)
        assert len(found) <= 1
        assert found == [] or length == 2
        assert series.unjudged[docket.CUSTOM] > 0 or length == 2


@pytest.mark.parametrize(("game", "players"), [("seven_up_2", 2), ("euchre_4", 4), ("put_2", 2)])
def test_a_table_that_plays_further(game: str, players: int) -> None:
    """To eleven: every game goes on after it was won by the book."""
    option = {"game": "11"}
    log = night(game, players=players, count=80, seed=3)
    first = [d for d in log if d.options["game_number"] == "1"]
    assert len(first) < 40
    longer: list[Deal] = []
    scores = [0, 0]
    games = 1
    for deal in log:
        said = {"game_number": str(games), "scores": " ".join(map(str, scores))}
        longer.append(structs.replace(deal, options=said, dealer=None))
        for event in deal.events:
            if event.kind == "score":
                number = -event.number if event.word == "penalty" else event.number
                scores[(event.seat - 1) % 2] += number
        if max(scores) >= 11:
            games, scores = games + 1, [0, 0]
    assert not any("had won" in what for what in follow(longer)[0])
    told = [structs.replace(d, options={**d.options, **option}) for d in longer]
    assert not any("had won" in what for what in follow(told)[0])


@pytest.mark.parametrize("late", [1, 2, 3])
def test_a_score_put_right_later_in_the_game(late: int) -> None:
    """A point too many is marked in one deal and taken back before a later one."""
    log, tried = night("euchre_4", players=4, count=120, seed=8), 0
    for at in range(40, 110):
        game = log[at].options["game_number"]
        if void(log[at]) or log[at + late].options["game_number"] != game:
            continue
        events = list(log[at].events)
        n = next((i for i, e in enumerate(events) if e.kind == "score"), -1)
        if n < 0:
            continue
        events[n] = structs.replace(events[n], number=events[n].number + 1)
        wrong = [*log]
        wrong[at] = structs.replace(log[at], events=tuple(events))
        for k in range(at + 1, at + late):
            told = [int(x) for x in log[k].options["scores"].split()]
            told[events[n].seat - 1] += 1
            said = {**log[k].options, "scores": " ".join(map(str, told))}
            wrong[k] = structs.replace(log[k], options=said)
        assert follow(wrong)[0] == []
        tried += 1
    assert tried > 5


def test_odds_given_at_the_start_of_a_game_without_a_number() -> None:
    log = [without(d, "game_number") for d in right("seven_up_2", 2)]
    odds, tried = [*log], 0
    for at in range(1, len(log)):
        if log[at].options["scores"] == "0 0" and not void(log[at]) and not void(log[at - 1]):
            said = {**log[at].options, "scores": "2 0"}
            odds[at] = structs.replace(log[at], options=said)
            tried += 1
    assert tried > 5
    assert not any("had won" in what for what in follow(odds)[0])


@pytest.mark.parametrize("ended", ["void", "void after closing", "unfinished"])
def test_packs_that_were_not_played_out(ended: Ended) -> None:
    """A void leaves the deal where it is; its record is no deal of the game."""
    log: list[Deal] = []
    for deal in right("seven_up_4", 4):
        if len(log) % 5 == 2:
            log.append(structs.replace(deal, events=(), ended=ended))
        log.append(structs.replace(deal, ended="opened"))
    assert follow(numbered(log))[0] == []


def test_each_dealer_may_keep_a_plan_of_his_own() -> None:
    """Law v may be read of each dealer: two plans in turn are not ruled on."""
    log = [
        structs.replace(
            d,
            options={**d.options, "packets": "2+3" if d.dealer_seat == 1 else "3+2"},
            hands=(),
            order_after_cut=None,
        )
        for d in right("ecarte_enquire", 2)
    ]
    found, series = follow(log)
    assert found == []
    assert series.unjudged[docket.OTHER_DEALER]


def test_a_number_that_stands_twice_leaves_both_in_doubt() -> None:
    log = right("nap", 4)
    doubled = [d for deal in log for d in (deal, structs.replace(deal, dealer_seat=1))]
    assert follow(doubled)[0] == []


def test_nothing_is_ruled_where_rows_do_not_stand_as_dealt() -> None:
    log, made = wrong_night("nap", Fault("dealer", 20), players=4, count=60, seed=1)
    assert made == 20
    # A number is missing, so that no deal can lie between rows that were numbered anew.
    log.pop(3)
    assert len(follow(log)[0]) == 1
    found, series = follow(log, as_dealt=False)
    assert found == []
    assert series.unjudged[docket.NOT_AS_DEALT] == 1


def test_any_record_is_taken() -> None:
    """Records of other games, of odd numbers, dealers and scores are followed without an error."""
    odd = [
        Deal(game="nap", table="1", number=n, dealer_seat=s, players=p, options=o, events=e)
        for n in ("1", "2", "9" * 19, "x", "²", "")
        for s in (None, 1, 9)
        for p in (None, 1, 4)
        for o in ({}, {"scores": "1 2"}, {"pool": "x"}, {"game_number": "1", "cut_for_deal": "??"})
        for e in (
            (),
            (Event(kind="redeal", word=""),),
            (Event(kind="score", seat=0, number=1), Event(kind="pool", word="left", number=-3)),
        )
    ]
    rng = random.Random(2)
    for game in GAMES.names:
        if GAMES[game].rules is None:
            continue
        series = Series(GAMES[game])
        for i in range(300):
            deal = structs.replace(rng.choice(odd), game=game)
            series.take(structs.replace(deal, number=str(i)) if i % 2 else deal)
        series.finish(as_dealt=True)


def test_tables_are_followed_in_bounded_memory() -> None:
    series = Series(GAMES["nap"])
    for i in range(3 * MOST_TABLES):
        series.take(Deal(game="nap", table=str(i), number="1", dealer_seat=1, players=4))
    assert len(series._tables) == MOST_TABLES
