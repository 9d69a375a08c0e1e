"""Whom a table waits for, and until when.

Source: PROTOCOL.md, "Deadlines"; design section 3, P6.
"""

from __future__ import annotations

from audit.shuffle.house import House


def waits_for(house: House) -> tuple[str, int, tuple[int, ...]]:
    """Return the stage of a table, its deadline (s since 1970, 0 for none) and the seats."""
    pack = house.pack
    if house.closed:
        return "closed", 0, ()
    if house.book is None or pack is None:
        return "opening", 0, ()
    seats, limits = range(house.book.seats), house.book.manifest.limits
    if pack.stage in ("open", "choice") and house.book.manifest.relay != "none":
        # Openings and choices go to the relay: who is late with them the house cannot know.
        return pack.stage, pack.since + getattr(limits, pack.stage), ()
    match pack.stage:
        case "commit":
            rest = tuple(s for s in seats if s not in pack.commits)
            return "commit", pack.since + limits.commit, rest
        case "open":
            rest = tuple(s for s in seats if s not in pack.opens)
            return "open", pack.since + limits.open, rest
        case "choice":
            wanted = house.book.choices(pack.call.dealer)
            absent = tuple(sorted({s for s, name in wanted if name not in pack.chosen}))
            return "choice", pack.since + limits.choice, absent
        case "deal":
            asked = pack.play.asked if pack.play is not None else None
            who = () if asked is None else (asked,)
            return "deal", pack.since + limits.decide, who
    return pack.stage, 0, ()
