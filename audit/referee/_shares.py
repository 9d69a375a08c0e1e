"""What a deal of Rams, Rounce or Bierspiel pays.

Source: Foster, Rams, Dividing the pool, Penalties, General rams; Bierspiel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.referee.machine import Due

if TYPE_CHECKING:
    from audit.referee.rams import RamsDeal

FIVE = 5


def _pay(seat: int, word: str, number: int, to: int = 0) -> Due:
    return Due(kind="pay", seat=seat, word=word, number=number, to=to)


def pool(deal: RamsDeal, *, ended: bool) -> list[Due]:
    """Return the payments of a deal with a pool, and the pool before and after."""
    out = [_pay(deal.dealer, "stake", FIVE)]
    if deal.void and deal.keeps and deal.why not in ("faced card", "imperfect pack"):
        out.append(_pay(deal.dealer, "misdeal", 2))
    if ended:
        out += _ended(deal, deal.before + FIVE)
    after = deal.before + sum(d.number * ((d.to == 0) - (d.seat == 0)) for d in out)
    before = Due(kind="pool", seat=0, word="before", number=deal.before)
    return [before, *out, Due(kind="pool", seat=0, word="after", number=after)]


def _ended(deal: RamsDeal, lies: int) -> list[Due]:
    if deal.said.declined:
        return [_pay(deal.pone, "declined", FIVE, deal.dealer), *_penalties(deal, set())]
    if deal.said.announcer:
        return _general(deal, lies)
    plays = deal.said.plays()
    if len(plays) == 1:
        return [_pay(0, "tricks", lies, plays[0])]
    won = deal.won()
    out = [
        _pay(0, "tricks", lies // FIVE * won[s], s)
        for s in plays
        if won[s] and s not in deal.offenders
    ]
    ramsed = {s for s in plays if not won[s]}
    return [*out, *(_pay(s, "ramsed", FIVE) for s in sorted(ramsed)), *_penalties(deal, ramsed)]


def _penalties(deal: RamsDeal, paid: set[int]) -> list[Due]:
    """Return five of each offender who does not pay five already."""
    return [_pay(s, "penalty", FIVE) for s in sorted(deal.offenders - paid) if s]


def _general(deal: RamsDeal, lies: int) -> list[Due]:
    announcer, won = deal.said.announcer, deal.won()
    others = [s for s in deal.served() if s != announcer]
    if won[announcer] == FIVE and announcer not in deal.offenders:
        out = [_pay(0, "pool", lies, announcer)]
        out += [_pay(s, "general", FIVE, announcer) for s in others]
        ramsed = set(others) if deal.rules.ramsed_in_general else set()
        out += [_pay(s, "ramsed", FIVE) for s in sorted(ramsed)]
        return [*out, *_penalties(deal, ramsed)]
    out = [_pay(announcer, "doubled", lies)]
    out += [_pay(announcer, "general", FIVE, s) for s in others]
    return [*out, *_penalties(deal, {announcer})]


def crosses(deal: RamsDeal, *, ended: bool) -> list[Due]:
    """Return the points wiped off and the fresh crosses, five points each, of Bierspiel."""
    plays, won = deal.said.plays(), deal.won()
    out: list[Due] = []
    paid: set[int] = set()
    if ended and deal.said.declined:
        paid = {deal.pone}
    elif ended and len(plays) == 1:
        return [Due(kind="score", seat=plays[0], word="tricks", number=FIVE)]
    elif ended:
        out = [
            Due(kind="score", seat=s, word="tricks", number=won[s])
            for s in plays
            if won[s] and s not in deal.offenders
        ]
        paid = {s for s in plays if not won[s]}
    return out + [
        Due(kind="score", seat=s, word="penalty", number=FIVE)
        for s in sorted(paid | deal.offenders)
    ]
