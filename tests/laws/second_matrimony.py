"""Matrimony read a second time from the household book's words alone (section 108)."""

from __future__ import annotations

HIGH = "AKQJT98765432"
RANK = "23456789TJQKA"


def winners(hands: list[list[int]], turned: list[int]) -> dict[str, int]:
    """Return by chance the place from the dealer's left that takes it; untaken ones are absent."""
    chances = ("best", "confederacy", "intrigue", "matrimony", "pairs")
    for place, card in enumerate(turned):
        if (RANK[card % 13], "SHDC"[card // 13]) == ("A", "D"):
            return dict.fromkeys(chances, place)
    shown = [[RANK[c % 13] for c in [*hand, up]] for hand, up in zip(hands, turned, strict=True)]
    out: dict[str, int] = {}
    for rank in HIGH:
        for place, cards in enumerate(shown):
            if rank in cards and "best" not in out:
                out["best"] = place
            if cards.count(rank) >= 2 and "pairs" not in out:
                out["pairs"] = place
    for chance, one, other in (
        ("confederacy", "K", "J"),
        ("intrigue", "Q", "J"),
        ("matrimony", "K", "Q"),
    ):
        for place, cards in enumerate(shown):
            if one in cards and other in cards:
                out[chance] = place
                break
    return out


def stakes(dealer: int, is_dealer: bool) -> int:  # noqa: FBT001
    """The dealer's stake on a chance; the others lay one less."""
    return dealer if is_dealer else max(dealer - 1, 0)
