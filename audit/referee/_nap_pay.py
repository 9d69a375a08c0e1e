"""What is paid in Napoleon: stakes, purchases, peeps, forfeits, the bid and the pool.

Source: Foster, Napoleon, Payments, Irregularities in Hands, Revokes, Pools.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from audit.referee.machine import Due
from audit.rules.nap import Nap


@dataclass(kw_only=True)
class Account:
    """One deal as far as counters hang on it.

    *made* is None where the bid was not decided, *over* that nothing more can
    come; *revoker* is who revoked, 0 for nobody or where it was not claimed; *foul*
    are the cards that were held by a seat that spoke with a wrong number; *before*
    are the counters in the pool before the deal, None where they are not known.
    """

    rules: Nap
    seats: list[int]
    everybody: list[int]
    dealer: int
    bid: str = ""
    bidder: int = 0
    made: bool | None = None
    over: bool = False
    revoker: int = 0
    foul: dict[int, int] = field(default_factory=dict)
    bought: dict[int, int] = field(default_factory=dict)
    peeps: dict[int, int] = field(default_factory=dict)
    leads: list[int] = field(default_factory=list)
    plays: list[int] = field(default_factory=list)
    before: int | None = None

    def stakes(self) -> list[Due]:
        """Return the stakes: of all where a pool is formed, else of the dealer."""
        if not self.rules.pool or self.before is None:
            return []
        who = [self.dealer] if self.before else self.everybody
        return [_pay(s, 0, "stake", self.rules.stake) for s in who]

    def forfeits(self) -> list[Due]:
        """Return what leads and plays out of turn cost; a bidder's are free outside a pool."""
        out = []
        for seat in self.leads:
            if self.rules.pool:
                out.append(_pay(seat, 0, "out of turn", self.rules.lead_fine))
            elif seat != self.bidder:
                out.append(_pay(seat, self.bidder, "out of turn", self.rules.out_of_turn))
        out += [
            _pay(s, self.bidder, "out of turn", self.rules.out_of_turn)
            for s in self.plays
            if s != self.bidder
        ]
        return out

    def settle(self) -> list[Due]:
        """Return what the bid costs or brings, the pool not counted."""
        if self.made is None:
            return []
        others = [s for s in self.seats if s != self.bidder]
        value = self.rules.value(self.bid, made=self.made)
        if self.revoker and self.revoker != self.bidder:
            return self._revoked(others)
        if self.made:
            over = self.foul.get(self.bidder, 5) > 5
            return [] if over else [_pay(s, self.bidder, "bid", value) for s in others]
        if self._against_foul(others):
            return []
        barred = {*self.leads, *self.plays}
        return [_pay(self.bidder, s, "bid", value) for s in others if s not in barred]

    def _against_foul(self, others: list[int]) -> bool:
        return self.bidder not in self.foul and any(s in self.foul for s in others)

    def _revoked(self, others: list[int]) -> list[Due]:
        """Return what an adversary pays who revoked: for himself and for each partner.

        Where the hand was played again and the bid lost, he pays his partners.
        """
        value = self.rules.value(self.bid, made=bool(self.made))
        if self.made:
            return [_pay(self.revoker, self.bidder, "bid", value * len(others))]
        partners = [s for s in others if s != self.revoker]
        return [_pay(self.revoker, s, "bid", value) for s in partners]

    def pool(self, so_far: list[Due]) -> list[Due]:
        """Return what the bidder of a nap takes out of the pool, or puts in to double it."""
        if not self.rules.pool or self.before is None or self.made is None:
            return []
        if self.rules.needs(self.bid) < 5 or (self.revoker and self.revoker != self.bidder):
            return []
        held = self.before + _into(so_far)
        if self.made:
            return [] if self.foul.get(self.bidder, 5) > 5 else [_pay(0, self.bidder, "pool", held)]
        others = [s for s in self.seats if s != self.bidder]
        if not self.rules.double or self._against_foul(others):
            return []
        return [_pay(self.bidder, 0, "pool", held)]

    def due(self) -> list[Due]:
        """Return everything that is due, the pool as it stands after the deal last."""
        out = self.stakes()
        out += [_pay(s, 0, "buy", k) for s, k in self.bought.items() if k]
        out += [_pay(s, 0, "peep", k) for s, k in self.peeps.items()]
        out += self.forfeits()
        if self.revoker and self.rules.pool:
            out.append(_pay(self.revoker, 0, "revoke", self.rules.revoke_fine))
        out += self.settle()
        out += self.pool(out)
        if self.rules.pool and self.before is not None and self.over:
            held = self.before + _into(out)
            out.append(Due(kind="pool", seat=0, word="pool", number=held))
        return out


def _pay(seat: int, to: int, word: str, number: int) -> Due:
    return Due(kind="pay", seat=seat, to=to, word=word, number=number)


def _into(dues: list[Due]) -> int:
    """Return what *dues* put into the pool."""
    return sum(d.number * ((d.to == 0) - (d.seat == 0)) for d in dues)
