"""The tallies against plain loops over deals, on logs with gaps of every kind."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.columns import batch_of, columns_of, derived
from audit.count import COUNT
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.record import Batch, Deal, Holds
from audit.referee.simulate import deals as simulated_deals
from audit.stats.bets import LATER_ODDS, OFTEN
from audit.stats.evalue import log_fixed
from audit.stats.tilt import NEVER, SCALE, hit_and_miss
from audit.tally import Looks, Table


def table_of(game: str, deals: int) -> Table:
    law = GAMES[game]
    return Table(
        law=law,
        pack=law.pack,
        players=law.players[1],
        holds=Holds(exposure="dealt"),
        looks=Looks(deals=deals),
        dealers=("P1", "P2"),
        machine=False,
    )


def odd_log(game: str) -> list[Deal]:
    """Return deals of which some lack hands, a card, their dealer or a known turn-up."""
    table = simulate(
        GAMES[game], LAB["stacked_stock"], 400, Fraction(1), 3, 1, player=PLAY["random_beggar"]
    )
    out = []
    for i, deal in enumerate(table.records()):
        match i % 7:
            case 1:
                out.append(replace_deal(deal, hands=()))
            case 2:
                out.append(replace_deal(deal, hands=(deal.hands[0][:4], *deal.hands[1:])))
            case 3:
                out.append(replace_deal(deal, turnups=b"\xff" + deal.turnups[1:]))
            case 4:
                out.append(replace_deal(deal, dealer=None, widow=deal.turnups[:1]))
            case 5:
                out.append(replace_deal(deal, turnups=b""))
            case _:
                out.append(deal)
    return out


def replace_deal(deal: Deal, **new: object) -> Deal:
    import msgspec

    return msgspec.structs.replace(deal, order_after_cut=None, **new)


def count(name: str, deals: list[Deal], table: Table) -> dict[str, NDArray[np.int64]]:
    names = {"P1": 0, "P2": 1, "P3": -1, "P4": -1}
    return dict(COUNT[name].count(fix(batch_of(deals, first=0, names=dict(names))), table))


def fix(batch: Batch) -> Batch:
    """Return *batch* with all dealers but two not known."""
    return replace(batch, dealer=np.where(batch.dealer > 1, -1, batch.dealer).astype(np.int32))


@pytest.mark.parametrize("game", ["seven_up_2", "seven_up_4"])
def test_exposure_is_what_a_plain_loop_counts(game: str) -> None:
    deals, table = odd_log(game), table_of(game, 400)
    got = count("exposure", deals, table)
    wanted = {"deals": np.zeros((200, 53)), "shown": np.zeros((200, 53, 52))}
    partial = bare = 0
    for i, deal in enumerate(deals):
        held = [c for h in deal.hands for c in h]
        partial += 0 < len(held) < table.players * table.law.hand
        bare += not held
        turned = deal.turnups if held else deal.turnups[:1]
        shown = {c for c in (*held, *deal.widow, *turned) if c < 52}
        wanted["deals"][i >> 1, len(shown)] += 1
        wanted["shown"][i >> 1, len(shown), sorted(shown)] += 1
    assert (got["deals"] == wanted["deals"]).all()
    assert (got["shown"] == wanted["shown"]).all()
    assert got["partial"].tolist() == [partial, bare]
    assert partial
    assert bare


@pytest.mark.parametrize("game", ["seven_up_2", "seven_up_4"])
def test_later_turn_ups_are_what_a_plain_loop_counts(game: str) -> None:
    deals, table = odd_log(game), table_of(game, 400)
    log = np.zeros((200, 2, len(LATER_ODDS)), np.int64)
    seen = np.zeros((2, 2), np.int64)
    unnamed = 0
    for i, deal in enumerate(deals):
        who = {"P1": 0, "P2": 1}.get(deal.dealer or "", -1)
        held = {c for h in deal.hands for c in h}
        whole = len(held) == table.players * table.law.hand and deal.turnups[:1] != b"\xff"
        for k in range(1, len(deal.turnups)):
            before, card = deal.turnups[:k], deal.turnups[k]
            suit = before[0] // 13
            if any(c // 13 != suit for c in before):
                break
            unseen = set(table.pack) - held - set(before)
            paying = {c for c in unseen if c % 13 == 9 and c // 13 != suit}
            seen_by_all = table.players * table.law.hand if held else 2 * table.law.hand
            bound = Fraction(3, len(table.pack) - seen_by_all - k)
            chance = Fraction(len(paying), len(unseen)) if whole else bound
            if game == "seven_up_2":
                # Half of the deals that turned nothing may have been bunched.
                chance = 2 * chance / (1 + chance)
            if 0 < chance < 1:
                # What the log leaves out does not pay, and may be any dealer's.
                hit = card % 13 == 9 and card // 13 != suit and 255 not in (before[0], card)
                hit &= who >= 0
                bets = [hit_and_miss(chance, odds)[0 if hit else 1] for odds in LATER_ODDS]
                if who >= 0:
                    seen[who] += (1, hit)
                    log[i >> 1, who] += bets
                else:
                    log[i >> 1] += bets
                    unnamed += 1
    got = count("later", deals, table)
    assert (got["seen"] == seen).all()
    assert (got["log"] == log).all()
    assert got["unnamed"].tolist() == [unnamed]
    assert unnamed > 0
    assert seen[:, 1].sum() > 0


def test_strength_is_what_a_plain_loop_counts() -> None:
    game = "seven_up_4"
    deals, table = odd_log(game), table_of(game, 400)
    log, top = np.zeros((200, 4, 6), np.int64), [0, 0, 0, 0]
    used = 0
    worth = {r: table.law.strength.get(c, 0) for r, c in enumerate("23456789TJQKA")}
    for i, deal in enumerate(deals):
        if [len(h) for h in deal.hands] != [6] * 4:
            continue
        used += 1
        points = [sum(worth[c % 13] for c in h) for h in deal.hands]
        ties = points.count(max(points))
        for place, mine in enumerate(points):
            won = mine == max(points)
            top[place] += won
            always = log_fixed(4, ties) if won else NEVER
            often = [hit_and_miss(Fraction(ties, 4), o)[0 if won else 1] for o in OFTEN]
            log[i >> 1, place] += [always, *(often if ties < 4 else [0] * len(OFTEN))]
    got = count("strength", deals, table)
    assert (got["log"][:, :, :6] == log).all()
    assert got["top"][:, 0].tolist() == top
    assert got["used"].tolist() == [used, 400]


@pytest.mark.parametrize("slot", range(6))
@pytest.mark.parametrize("place", range(4))
def test_a_hand_with_a_card_that_is_not_known_has_no_strength(place: int, slot: int) -> None:
    deals, table = odd_log("seven_up_4")[:1], table_of("seven_up_4", 2)
    hands = [bytearray(hand) for hand in deals[0].hands]
    hands[place][slot] = UNKNOWN
    torn = replace_deal(deals[0], hands=tuple(map(bytes, hands)))
    alone, both = count("strength", deals, table), count("strength", [*deals, torn], table)
    assert both["used"].tolist() == [1, 2]
    for key in sorted(set(both) - {"used"}):
        assert (both[key] == alone[key]).all(), key


def test_a_hand_taken_from_an_order_with_a_gap_has_no_strength() -> None:
    table = table_of("seven_up_4", 1)
    lab = simulate(table.law, LAB["fair"], 1, Fraction(1), 3, 1, player=PLAY["sensible"])
    (deal,) = lab.records()
    order = deal.order_after_cut
    assert order is not None
    dealt = {place for hand in table.law.hand_places(4) for place in hand}
    for gap in range(len(order)):
        torn = order[:gap] + bytes([UNKNOWN]) + order[gap + 1 :]
        bare = Deal(game="seven_up_4", players=4, dealer_seat=4, order_after_cut=torn)
        columns = derived(columns_of([bare], {}), table.law, len(order))
        got = COUNT["strength"].count(columns.batch(0), table)
        assert got["used"].tolist() == [gap not in dealt and gap < len(order) - 1, 1]


def test_a_tilt_of_strength_is_a_bet_of_mean_one_at_most() -> None:
    # Over the places of one deal the factors have mean 1, and flooring takes from it.
    deals, table = odd_log("seven_up_4")[:1], table_of("seven_up_4", 1)
    log = count("strength", deals, table)["log"][0]
    means = np.exp(log[:, 6:] / SCALE).mean(axis=0)
    assert (means <= 1).all()
    assert (means > 1 - 1e-5).all()


@pytest.mark.parametrize("name", sorted(COUNT.names))
def test_any_cut_of_a_log_adds_up(name: str) -> None:
    deals, table = odd_log("seven_up_4"), table_of("seven_up_4", 400)
    whole = count(name, deals, table)
    sums = {key: np.zeros_like(value) for key, value in whole.items()}
    for low, high in pairwise([0, 1, 8, 150, 151, 400]):
        part = fix(batch_of(deals[low:high], first=low, names={"P1": 0, "P2": 1}))
        for key, value in COUNT[name].count(part, table).items():
            sums[key] += value
    assert all((sums[key] == whole[key]).all() for key in whole)


@pytest.mark.parametrize("players", [4, 5, 7])
def test_hands_of_several_sizes_are_whole_as_the_law_deals_them(players: int) -> None:
    law, choose = GAMES["pope_joan"], PLAY["by_lot"].choose
    assert choose is not None
    deals = list(simulated_deals(law, players=players, choose=choose, count=6, seed=3))
    cut = replace_deal(deals[0], hands=(deals[0].hands[0][1:], *deals[0].hands[1:]))
    got = count("exposure", [*deals, cut], table_of("pope_joan", 7))
    assert got["partial"].tolist() == [1, 0]
