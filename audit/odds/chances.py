"""The chance events of the books, without a figure there: who profits, and how likely they are.

A value is computed from pack and plan of the game; the pack is full, fresh and uniformly
shuffled.  Codes from E01 on are the project's own; they answer no warning.
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


def _king(law: Law) -> Values:
    return {
        "turned": _ecarte.king_turned(law),
        "in a given first hand, no King being turned before": _ecarte.king_dealt(law),
        "in one of the two first hands, if no King is turned": _ecarte.king_in_either(law),
    }


def _flush(law: Law) -> Values:
    return {
        "without Pam": _loo.flush(GAMES["loo5_foster"]),
        "with the knave of clubs as Pam": _loo.flush(law),
        "Pam in a given hand": _loo.pam_held(law),
        "Pam turned": _loo.pam_turned(law),
    }


def _three_trumps(law: Law) -> Values:
    some = _by_players(law, lambda n: _loo.some_three_trumps(law, n), 3, 5, 8)
    given = {"in a given hand": _loo.three_trumps(law)}
    return given | {f"in some hand or the widow, {name}": value for name, value in some.items()}


def _later_jacks(law: Law) -> Values:
    odds = _all_fours_odds
    return {
        "the second of another suit, by itself": odds.later_jack(2),
        "the second of the same suit": odds.same_suit(2),
        "the second is the Jack of that suit": odds.own_jack_second(),
        "two Jacks scored": odds.two_jacks(),
    }


def _union(law: Law) -> Values:
    def held(cards: Sequence[int]) -> bool:
        return matrimony.holds(cards, "matrimony")

    def pair(cards: Sequence[int]) -> bool:
        return matrimony.pair(cards) >= 0

    return {
        "King and Queen": matrimony.in_three(law.pack, held),
        "a pair, or three alike": matrimony.in_three(law.pack, pair),
    }


def _board(law: Law) -> Values:
    pack = law.pack
    left = len(opening(law.plan, 4, len(pack)).stock)
    return {
        "Pope": pope_joan.turned(pack, [pope_joan.POPE]),
        "Pope, or an ace, King, Queen or Knave": pope_joan.turned(pack, pope_joan.paying(pack)),
        "Pope in the stock, 4 players": pope_joan.in_stock(len(pack), left),
    }


def _naturals(law: Law) -> Values:
    return {
        "in a given hand": vingt_un.natural_chance(law.pack),
        **{f"in some one of {n} hands": vingt_un.any_natural(law.pack, n) for n in (2, 4, 6)},
    }


def _spoil_five(law: Law) -> Values:
    ace = {"an ace turned: the dealer may rob": spoil_five.turned(law.pack, frozenset({12}))}
    held = _by_players(law, lambda n: spoil_five.ace_held(law.pack, n), 2, 5, 6)
    return ace | {f"the ace of trumps held, no ace turned, {n}": v for n, v in held.items()}


def _speculation(law: Law) -> Values:
    return _by_players(law, lambda n: speculation.no_trump(len(law.pack), 13, 3 * n), 3, 4, 5, 6)


CHANCES = (
    _row("E01", "ecarte_enquire", "118", "the King of trumps marks a point for who has him", _king),
    _row(
        "E02",
        "ecarte_foster",
        "Écarté",
        "three trumps or more in a given first hand",
        lambda law: {"given the turn-up": _ecarte.three_trumps(law)},
    ),
    _row(
        "E03",
        "pool_ecarte",
        "Pool Écarté",
        "a pool of even players ends at its second game, third, fourth",
        lambda law: {f"game {k}": _ecarte.pool_ends_at(k) for k in (2, 3, 4)},
    ),
    _row(
        "E04",
        "spoil_five",
        "Spoil Five, cutting",
        "the first Jack, dealt face up among five, takes the first deal",
        lambda law: _seats(first_jack(law.pack, 5)),
    ),
    _row(
        "E05",
        "rams",
        "Rams",
        "the first Jack of 32 cards, dealt face up among five, takes the first deal",
        lambda law: _seats(first_jack(law.pack, 5)),
    ),
    _row(
        "E06",
        "nap",
        "Napoleon, cutting",
        "the lowest cut takes the first deal, all being alike",
        lambda law: _by_players(law, _nap.lowest_cut, 2, 4, 6),
    ),
    _row(
        "E07",
        "nap",
        "Napoleon, suggestions",
        "a card that the bidder does not hold is in an adversary's hand",
        lambda law: _by_players(law, lambda n: _nap.card_out(law, n - 1), 2, 4, 6),
    ),
    _row(
        "E08",
        "vingt_un",
        "113-116",
        "the first ace or knave, dealt face up among five, takes the first deal",
        lambda law: _seats(first_of(law.pack, 5, (ACE, JACK))),
    ),
    _row("E09", "spoil_five", "Spoil Five, robbing", "robbing the turn-up", _spoil_five),
    _row(
        "E10",
        "bierspiel",
        "Bierspiel",
        "the seven of diamonds turned gives the dealer two trumps",
        lambda law: {"turned": rams.seven_turned(law.pack)},
    ),
    _row(
        "E11",
        "loo_club_law",
        "99",
        "a club turned: everybody has to play",
        lambda law: {"turned": _loo.club_turned(law)},
    ),
    _row(
        "E12",
        "loo3_limited_double",
        "Loo, flushes",
        "three trumps take the pool unplayed",
        _three_trumps,
    ),
    _row(
        "E13",
        "loo5_foster_pam",
        "Five-card Loo",
        "five cards of a suit take the pool unplayed",
        _flush,
    ),
    _row(
        "E14",
        "seven_up_4",
        "Seven-Up, begging",
        "the cards are run and another is turned, no other card being known",
        _later_jacks,
    ),
    _row(
        "E15",
        "seven_up_4",
        "Seven-Up, begging",
        "the pack is exhausted before another suit is turned, once the cards are run",
        lambda law: _by_players(law, _all_fours_odds.pack_exhausted, 2, 3, 4),
    ),
    _row(
        "E16",
        "seven_up_4",
        "Seven-Up, objects of the game",
        "the Jack of trumps in somebody's hand, none being turned or run",
        lambda law: _by_players(law, _all_fours_odds.jack_in_hand, 2, 3, 4),
    ),
    _row(
        "E17",
        "seven_up_4",
        "Seven-Up, objects of the game",
        "one trump in play is High and Low; without a run",
        lambda law: _by_players(law, lambda n: _all_fours_odds.trumps_in_play(n, 1), 2, 3, 4),
    ),
    _row(
        "E18",
        "seven_up_4",
        "Seven-Up, objects of the game",
        "no trump in play: nobody has High or Low; without a run",
        lambda law: _by_players(law, lambda n: _all_fours_odds.trumps_in_play(n, 0), 2, 3, 4),
    ),
    _row(
        "E19",
        "speculation",
        "105",
        "no trump is dealt and the pool stands over",
        _speculation,
    ),
    _row(
        "E20",
        "speculation",
        "105",
        "the highest trump dealt falls to a named hand of four",
        lambda law: {"given one is dealt": speculation.highest_in(4, 52, 13, 3)},
    ),
    _row(
        "E21",
        "connexions_3",
        "106",
        "both cards of a connexion are dealt",
        lambda law: {
            "10 cards to each of 3": connexions.both_dealt(52, 30),
            "8 cards to each of 4": connexions.both_dealt(52, 32),
        },
    ),
    _row(
        "E22",
        "matrimony",
        "108",
        "the ace of diamonds among the cards turned up takes all",
        lambda law: _by_players(law, lambda n: matrimony.ace_turned(len(law.pack), n), 5, 10, 14),
    ),
    _row("E23", "matrimony", "108", "a union or a pair in three given cards", _union),
    _row("E24", "pope_joan", "109", "the card turned pays the dealer", _board),
    _row(
        "E25",
        "cassino_2",
        "111",
        "Great Cassino, or any named card, lies on the first board",
        lambda law: {"on the board": cassino.on_board(52, 4)},
    ),
    _row("E26", "vingt_un", "116", "a natural in one coup of a fresh pack", _naturals),
    _row(
        "E27",
        "put_2",
        "101",
        "a trois, the best card, in a given hand",
        lambda law: {"at least one": _put.holds(law, "3")},
    ),
    _row(
        "E28",
        "euchre_2",
        "121",
        "the right bower turned, which the dealer may take up",
        lambda law: {"turned": _euchre.knave_turned(law)},
    ),
)
