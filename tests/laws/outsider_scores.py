"""What the deals of `outsider.py` score and pay, from the words of the books alone."""

from __future__ import annotations

from collections import Counter

from audit.record import Deal
from tests.laws.outsider import ecarte, euchre, loo, nap, rams, rank, seven_up, tricks

PIPS = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}


def all_fours_points(deal: Deal) -> dict[str, int]:
    """Return the seat (of four: 1 or 2 for its side) that scores each point of Seven-Up.

    High and Low go to those who held them, the Jack to the winner of its trick.  Game is
    most pips; of two that tie the non-dealer has it, and two non-dealers cancel.
    """
    trump, count = deal.turnups[-1] // 13, len(deal.hands)
    dealer = deal.dealer_seat or 0

    def side(seat: int) -> int:
        return (seat - 1) % 2 + 1 if count == 4 else seat

    points: dict[str, int] = {}
    pips = Counter({side(s): 0 for s in range(1, count + 1)})
    held: dict[int, int] = {}
    for trick in tricks(deal, seven_up):
        for seat, card in trick.plays:
            pips[side(trick.winner)] += PIPS.get(rank(card), 0)
            if card // 13 == trump:
                held[card] = side(seat)
            if card == trump * 13 + 9:
                points["catch jack"] = side(trick.winner)
    if held:
        points["high"], points["low"] = held[max(held)], held[min(held)]
    best = [s for s in pips if pips[s] == max(pips.values())]
    eligible = best if len(best) == 1 else [s for s in best if s != side(dealer)]
    if len(eligible) == 1:
        points["game"] = eligible[0]
    return points


def nap_payments(deal: Deal) -> Counter[tuple[int, int, int]]:
    """Return who pays whom how much: the bid, but ten for a nap won and five for one lost."""
    bid = [e for e in deal.events if e.kind == "call" and e.word != "pass"][-1]
    wanted = 5 if bid.word == "nap" else int(bid.word)
    won = sum(t.winner == bid.seat for t in tricks(deal, nap))
    others = [s for s in range(1, len(deal.hands) + 1) if s != bid.seat]
    if won >= wanted:
        return Counter((s, bid.seat, 10 if wanted == 5 else wanted) for s in others)
    return Counter((bid.seat, s, wanted) for s in others)


def loo_payments(deal: Deal) -> Counter[tuple[int, int, int]]:
    """Return who gets a third of the pool a trick (0 pays), and who is looed three reds (nine).

    The dealer who defends the pool is never looed and leaves what he wins in it.
    """
    start = next(e.number for e in deal.events if e.kind == "pool" and e.word == "start")
    safe = {e.seat for e in deal.events if e.kind == "call" and e.word == "defend"}
    won = Counter(t.winner for t in tricks(deal, loo))
    paid = Counter((0, s, start // 3 * n) for s, n in won.items() if s not in safe)
    looed = set(loo(deal).seats) - safe - set(won)
    return paid + Counter((s, 0, 9) for s in looed)


def ecarte_score(deal: Deal) -> tuple[int, int]:
    """Return who scores for tricks, and how many: one for most, two for all.

    Two also where the loser, as non-dealer, played without proposing or, as dealer, refused
    the first proposal.
    """
    won = Counter(t.winner for t in tricks(deal, ecarte))
    winner, count = won.most_common(1)[0]
    said = [e for e in deal.events if e.kind == "call"]
    bold = said[0].seat if said[0].word == "play" else 0
    if len(said) > 1 and said[0].word == "propose" and said[1].word == "refuse":
        bold = said[1].seat
    return winner, 2 if count == 5 or bold not in (0, winner) else 1


def euchre_score(deal: Deal) -> tuple[int, int]:
    """Return who scores, and how many: the maker one for three or four, two for all five.

    A maker who fails is euchred for two.  The maker ordered up, played, or named a suit.
    """
    maker = next(e.seat for e in deal.events if e.kind == "call" and e.word != "pass")
    won = Counter(t.winner for t in tricks(deal, euchre))
    winner, count = won.most_common(1)[0]
    return winner, 2 if count == 5 or winner != maker else 1


def rams_payments(deal: Deal) -> Counter[tuple[int, int, int]]:
    """Return who gets a fifth of the pool a trick (0 pays), and who pays five for none."""
    pool = next(e.number for e in deal.events if e.kind == "pool" and e.word == "before")
    pool += sum(e.number for e in deal.events if e.kind == "pay" and e.word == "stake")
    won = Counter(t.winner for t in tricks(deal, rams))
    paid = Counter((0, s, pool // 5 * n) for s, n in won.items())
    return paid + Counter((s, 0, 5) for s in rams(deal).seats if s not in won)
