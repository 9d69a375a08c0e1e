"""The chance events of the books, without a figure there: who profits, and how likely they are.

A value is computed from pack and plan of the game; the pack is full, fresh and uniformly
shuffled.  A finding about one of these events bears its code.  Codes that are missing stand beside
a warning (E05 is W71, E29 W20, E40 W94, E42 W97, E43 W95 and W96) or have no row; those from
E48 on no finding bears.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from audit.games import GAMES, _all_fours_odds, _ecarte, _euchre, _loo, _nap, _put
from audit.law import Law
from audit.odds.claims import Claim, Verdict
from audit.plan import opening
from audit.rules import (
    cassino,
    connexions,
    matrimony,
    pope_joan,
    rams,
    speculation,
    spoil_five,
    vingt_un,
)
from audit.rules._first_jack import ACE, JACK, first_jack, first_of

Values = dict[str, Fraction]


def _no_figure(_: Fraction) -> Verdict:
    return "no figure"


def _row(code: str, game: str, section: str, event: str, exact: Callable[[Law], Values]) -> Claim:
    law = GAMES[game]
    return Claim(
        code=code,
        game=game,
        source=f"{law.source.book}, {section}",
        claim=event,
        said=None,
        exact=lambda: exact(law),
        holds=_no_figure,
    )


def _seats(chances: Sequence[Fraction]) -> Values:
    return {f"seat {k}": chance for k, chance in enumerate(chances, start=1)}


def _by_players(law: Law, chance: Callable[[int], Fraction], *players: int) -> Values:
    return {f"{n} players": chance(n) for n in players or law.tables}


def _king_dealt(law: Law) -> Values:
    return {
        "no King being turned before": _ecarte.king_dealt(law),
        "given that no King is turned": _ecarte.king_in_either(law) / law.players[0],
    }


def _pam(law: Law) -> Values:
    return {"in a given hand": _loo.pam_held(law), "turned": _loo.pam_turned(law)}


def _same_suit(_: Law) -> Values:
    odds = _all_fours_odds
    return {
        "any of it": odds.same_suit(2),
        "its Jack, which scores nothing": odds.own_jack_second(),
    }


def _union(law: Law) -> Values:
    def held(cards: Sequence[int]) -> bool:
        return matrimony.holds(cards, "matrimony")

    return {"King and Queen": matrimony.in_three(law.pack, held)}


def _pair(law: Law) -> Values:
    def pair(cards: Sequence[int]) -> bool:
        return matrimony.pair(cards) >= 0

    return {"a pair, or three alike": matrimony.in_three(law.pack, pair)}


def _pope_left(law: Law) -> Values:
    size = len(law.pack)
    return {"4 players": pope_joan.in_stock(size, len(opening(law.plan, 4, size).stock))}


def _naturals(law: Law) -> Values:
    return {f"in some one of {n} hands": vingt_un.any_natural(law.pack, n) for n in (2, 4, 6)}


def _speculation(law: Law) -> Values:
    return _by_players(law, lambda n: speculation.no_trump(len(law.pack), 13, 3 * n), 3, 4, 5, 6)


CHANCES = (
    _row(
        "E01",
        "ecarte_enquire",
        "118",
        "the King turned marks a point for the dealer",
        lambda law: {"turned": _ecarte.king_turned(law)},
    ),
    _row(
        "E02",
        "ecarte_enquire",
        "118",
        "the King of trumps in a given first hand marks a point",
        _king_dealt,
    ),
    _row(
        "E03",
        "ecarte_enquire",
        "118",
        "the King of trumps in one of the two first hands",
        lambda law: {"given that no King is turned": _ecarte.king_in_either(law)},
    ),
    _row(
        "E04",
        "ecarte_foster",
        "Écarté",
        "three trumps or more in a given first hand",
        lambda law: {"given the turn-up": _ecarte.three_trumps(law)},
    ),
    _row(
        "E06",
        "spoil_five",
        "Spoil Five, cutting",
        "the first Jack, dealt face up among five, takes the first deal",
        lambda law: _seats(first_jack(law.pack, 5)),
    ),
    _row(
        "E07",
        "vingt_un",
        "113-116",
        "the first ace or knave, dealt face up among five, takes the first deal",
        lambda law: _seats(first_of(law.pack, 5, (ACE, JACK))),
    ),
    _row(
        "E08",
        "nap",
        "Napoleon, cutting",
        "the lowest cut takes the first deal, all being alike",
        lambda law: _by_players(law, _nap.lowest_cut, 2, 4, 6),
    ),
    _row(
        "E09",
        "spoil_five",
        "Spoil Five, robbing",
        "an ace turned: the dealer may rob",
        lambda law: {"turned": spoil_five.turned(law.pack, frozenset({12}))},
    ),
    _row(
        "E11",
        "spoil_five",
        "Spoil Five, robbing",
        "somebody holds the ace of trumps, and may rob, no ace being turned",
        lambda law: _by_players(law, lambda n: spoil_five.ace_held(law.pack, n), 2, 5, 6),
    ),
    _row(
        "E12",
        "bierspiel",
        "Bierspiel",
        "the seven of diamonds turned gives the dealer two trumps",
        lambda law: {"turned": rams.seven_turned(law.pack)},
    ),
    _row(
        "E13",
        "loo_club_law",
        "99",
        "a club turned: everybody has to play",
        lambda law: {"turned": _loo.club_turned(law)},
    ),
    _row(
        "E14",
        "loo3_limited_double",
        "Loo, flushes",
        "three trumps in a given hand take the pool unplayed",
        lambda law: {"given the turn-up": _loo.three_trumps(law)},
    ),
    _row(
        "E15",
        "loo3_limited_double",
        "Loo, flushes",
        "three trumps in some hand or the widow",
        lambda law: _by_players(law, lambda n: _loo.some_three_trumps(law, n), 3, 5, 8),
    ),
    _row(
        "E16",
        "loo5_foster",
        "Five-card Loo",
        "five cards of a suit in a given hand take the pool unplayed",
        lambda law: {"without Pam": _loo.flush(law)},
    ),
    _row(
        "E17",
        "loo5_foster_pam",
        "Five-card Loo",
        "a flush in a given hand, Pam standing for any card",
        lambda law: {"with the knave of clubs as Pam": _loo.flush(law)},
    ),
    _row("E19", "loo5_foster_pam", "Five-card Loo", "Pam, who beats every card", _pam),
    _row(
        "E21",
        "seven_up_4",
        "Seven-Up, begging",
        "the cards are run and a Jack of another suit is turned, no other card being known",
        lambda _: {"by itself": _all_fours_odds.later_jack(2)},
    ),
    _row(
        "E22",
        "seven_up_4",
        "Seven-Up, begging",
        "the cards are run and a card of the same suit is turned",
        _same_suit,
    ),
    _row(
        "E24",
        "seven_up_4",
        "Seven-Up, begging",
        "the pack is exhausted before another suit is turned, once the cards are run",
        lambda law: _by_players(law, _all_fours_odds.pack_exhausted, 2, 3, 4),
    ),
    _row(
        "E25",
        "seven_up_4",
        "Seven-Up, begging",
        "two Jacks are scored in one deal, if the cards are run",
        lambda _: {"first and second turn-up": _all_fours_odds.two_jacks()},
    ),
    _row(
        "E26",
        "seven_up_4",
        "Seven-Up, objects of the game",
        "the Jack of trumps in somebody's hand, none being turned or run",
        lambda law: _by_players(law, _all_fours_odds.jack_in_hand, 2, 3, 4),
    ),
    _row(
        "E27",
        "seven_up_4",
        "Seven-Up, objects of the game",
        "one trump in play is High and Low; without a run",
        lambda law: _by_players(law, lambda n: _all_fours_odds.trumps_in_play(n, 1), 2, 3, 4),
    ),
    _row(
        "E28",
        "seven_up_4",
        "Seven-Up, objects of the game",
        "no trump in play: nobody has High or Low; without a run",
        lambda law: _by_players(law, lambda n: _all_fours_odds.trumps_in_play(n, 0), 2, 3, 4),
    ),
    _row(
        "E30",
        "speculation",
        "105",
        "the highest trump dealt falls to a named hand of four",
        lambda law: {"given one is dealt": speculation.highest_in(4, 52, 13, 3)},
    ),
    _row(
        "E31",
        "speculation",
        "105",
        "no trump is dealt and the pool stands over",
        _speculation,
    ),
    _row(
        "E32",
        "matrimony",
        "108",
        "the ace of diamonds among the cards turned up takes all",
        lambda law: _by_players(law, lambda n: matrimony.ace_turned(len(law.pack), n), 5, 10, 14),
    ),
    _row("E33", "matrimony", "108", "a union in three given cards", _union),
    _row("E34", "matrimony", "108", "a pair in three given cards", _pair),
    _row(
        "E35",
        "pope_joan",
        "109",
        "Pope turned ends the deal",
        lambda law: {"turned": pope_joan.turned(law.pack, [pope_joan.POPE])},
    ),
    _row(
        "E37",
        "pope_joan",
        "109",
        "Pope, or an ace, King, Queen or Knave turned pays the dealer",
        lambda law: {"turned": pope_joan.turned(law.pack, pope_joan.paying(law.pack))},
    ),
    _row("E38", "pope_joan", "109", "Pope lies in the stock", _pope_left),
    _row(
        "E39",
        "vingt_un",
        "116",
        "a natural in a given hand of a fresh pack",
        lambda law: {"in a given hand": vingt_un.natural_chance(law.pack)},
    ),
    _row("E41", "vingt_un", "116", "a natural in one coup of a fresh pack", _naturals),
    _row(
        "E44",
        "euchre_2",
        "121",
        "the right bower turned, which the dealer may take up",
        lambda law: {"turned": _euchre.knave_turned(law)},
    ),
    _row(
        "E45",
        "connexions_3",
        "106",
        "both cards of a connexion are dealt",
        lambda law: {
            "10 cards to each of 3": connexions.both_dealt(52, 30),
            "8 cards to each of 4": connexions.both_dealt(52, 32),
        },
    ),
    _row(
        "E46",
        "put_2",
        "101",
        "a trois, the best card, in a given hand",
        lambda law: {"at least one": _put.holds(law, "3")},
    ),
    _row(
        "E47",
        "cassino_2",
        "111",
        "Great Cassino, or any named card, lies on the first board",
        lambda law: {"on the board": cassino.on_board(52, 4)},
    ),
    _row(
        "E48",
        "pool_ecarte",
        "Pool Écarté",
        "a pool of even players ends at its second game, third, fourth",
        lambda law: {f"game {k}": _ecarte.pool_ends_at(k) for k in (2, 3, 4)},
    ),
    _row(
        "E49",
        "nap",
        "Napoleon, suggestions",
        "a card that the bidder does not hold is in an adversary's hand",
        lambda law: _by_players(law, lambda n: _nap.card_out(law, n - 1), 2, 4, 6),
    ),
    _row(
        "E50",
        "rams",
        "Rams",
        "the first Jack of 32 cards, dealt face up among five, takes the first deal",
        lambda law: _seats(first_jack(law.pack, 5)),
    ),
)
