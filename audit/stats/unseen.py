"""A card that a fair pack holds is shown sooner or later; how late is an exact chance.

Assumes deals shuffled independently and fairly, and numbers of cards shown that were
settled before the cards were known.
"""

from collections import Counter
from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from math import comb, inf


def one_unseen(shown: Iterable[int], *, pack: int) -> Fraction:
    """The chance that one named card was never shown: the product of 1 - n_i / pack."""
    return all_unseen(shown, pack=pack, cards=1)


def all_unseen(shown: Iterable[int], *, pack: int, cards: int) -> Fraction:
    """The chance that every one of ``cards`` named cards stayed hidden in every deal.

    Raises:
        ValueError: a deal shows fewer than 0 or more than ``pack`` cards.
    """
    if not 0 <= cards <= pack:
        raise ValueError(f"unseen: cards in [0, {pack}] wanted, got {cards}")
    top = bottom = 1
    for size, deals in Counter(shown).items():
        if not 0 <= size <= pack:
            raise ValueError(f"unseen: exposed cards in [0, {pack}] wanted, got {size}")
        one = Fraction(comb(pack - cards, size), comb(pack, size))
        top *= one.numerator**deals
        bottom *= one.denominator**deals
    return Fraction(top, bottom)


def some_unseen(shown: Iterable[int], *, pack: int, cards: int) -> Fraction:
    """The chance that at least one of ``cards`` named cards was never shown."""
    deals = list(shown)
    terms = (
        (-1) ** (j + 1) * comb(cards, j) * all_unseen(deals, pack=pack, cards=j)
        for j in range(1, cards + 1)
    )
    return sum(terms, Fraction(0))


def log_some_unseen(shown: Iterable[int], *, pack: int, cards: int) -> float:
    """ln of ``some_unseen`` for logs of any length, right to a float; -inf where impossible.

    The terms of the alternating sum are at most C(cards, j) times its first summand, which is
    no larger than the result, so of 80 digits at most log10 C(cards, j) cancel.

    Raises:
        ValueError: as ``all_unseen``.
    """
    if not 0 <= cards <= pack:
        raise ValueError(f"unseen: cards in [0, {pack}] wanted, got {cards}")
    sizes = Counter(shown)
    if any(not 0 <= size <= pack for size in sizes):
        raise ValueError(f"unseen: exposed cards in [0, {pack}] wanted, got {sorted(sizes)}")
    with localcontext(Context(prec=80, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        whole = Decimal(0)
        for j in range(1, cards + 1):
            hidden = [(comb(pack - j, size), comb(pack, size), n) for size, n in sizes.items()]
            if not all(left for left, _, _ in hidden):
                break
            log = sum(
                (n * (Decimal(left).ln() - Decimal(every).ln()) for left, every, n in hidden),
                Decimal(0),
            )
            whole += (-1) ** (j + 1) * comb(cards, j) * log.exp()
        return float(whole.ln()) if whole > 0 else -inf


def unseen_e(seen: Iterable[bool], shown: Iterable[int], *, pack: int) -> Fraction:
    """The e-value for "one of these cards is missing": the mean of 1{unseen} / P(unseen).

    ``seen`` has one entry for each named card.  It is an e-process: valid at any look.
    """
    flags = list(seen)
    chance = one_unseen(shown, pack=pack)
    hidden = sum(not s for s in flags)
    if hidden == 0:
        return Fraction(0)
    if chance == 0:
        raise ValueError(
            "unseen_e: a whole pack was shown, so a missing card is a contradiction not a chance"
        )
    return Fraction(hidden, len(flags)) / chance
