"""Poker Hand History: TOML with one hand (.phh) or a table for each hand (.phhs).

Hands with one field on each line are read by regular expressions; all others
by the TOML parser.  Player 1 is the small blind, so the last player has the
button, heads-up too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from audit.cards import NAMES, UNKNOWN
from audit.errors import printable
from audit.format import Reader, Stream, pieces, text_of
from audit.record import Deal, Flaw, Holds, Other, Record

#: The fields of one hand are at most so many characters.
_HAND = 1 << 22
_PLAYERS = 22
_HOLDEM = frozenset({"NT", "FT"})
_CARDS = {name[0] + name[1].lower(): bytes([card]) for card, name in enumerate(NAMES)}
_CARDS["??"] = bytes([UNKNOWN])
_TABLE = re.compile(r"^\[[ \t]*\"?[0-9]+\"?[ \t]*\][ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_FIELDS = re.compile(r"^(\w+) = (.+)$", re.MULTILINE).findall
_DEALS = re.compile(r"'d (?:dh p([0-9]{1,3})|(db)) ([^'\s]*)[^']*'").findall
_ACTION = re.compile(r"\s*d\s+(?:dh\s+p([0-9]{1,3})|(db))(?:\s+([^\s#]*))?").match
_LIST = re.compile(r"\['[^'\n]*'(?:, '[^'\n]*')*\]").fullmatch
_STACKS = re.compile(r"\[[0-9., ]*[0-9]\]").fullmatch
_PLAIN = re.compile(r"'[^'\\\n]*'").fullmatch
_VARIANT = re.compile(rb"^variant[ \t]*=[ \t]*['\"]", re.MULTILINE)
_ACTIONS = re.compile(rb"^actions[ \t]*=[ \t]*\[", re.MULTILINE)


def _cards(text: str, seen: dict[str, bytes]) -> bytes:
    """Return the cards of *text*, two characters each, keeping short ones in *seen*."""
    try:
        cards = b"".join([_CARDS[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError as problem:
        raise ValueError(f"no card: {problem.args[0]!r}") from None
    if len(cards) > 52:
        raise ValueError(f"{len(cards)} cards in one action")
    if len(text) <= 6 and len(seen) < 1 << 15:
        seen[text] = cards
    return cards


def _deal(
    actions: list[tuple[str, str, str]],
    players: int,
    number: str | None,
    line: int,
    seen: dict[str, bytes],
) -> Record:
    """Return the hand that the dealing *actions* (player, "db", cards) make."""
    if not 2 <= players <= _PLAYERS:
        return Flaw(line=line, field="starting_stacks", why=f"{players} players")
    hands, board = [b""] * players, b""
    try:
        for player, _, text in actions:
            cards = seen[text] if text in seen else _cards(text, seen)
            if not player:
                board += cards
            elif 0 < int(player) <= players:
                hands[int(player) - 1] += cards
            else:
                raise ValueError(f"player {player} of {players}")
    except ValueError as problem:
        return Flaw(line=line, field="actions", why=printable(str(problem)))
    cut = False
    for place, hand in enumerate(hands):
        if not hand or UNKNOWN in hand:
            cut = True
            if hand.count(UNKNOWN) == len(hand):
                hands[place] = b""
    return Deal(
        game="holdem",
        line=line,
        number=number,
        players=players,
        dealer_seat=players,
        hands=tuple(hands),
        board=board,
        cut_short=cut,
    )


def _fast(text: str, line: int, seen: dict[str, bytes]) -> Record | None:
    """Return the hand of *text*, or None if its form is not the usual one."""
    pairs = _FIELDS(text)
    fields = dict(pairs)
    if len(fields) != text.count("\n") + 1 or "'''" in text or '"""' in text:
        return None
    variant, actions = fields.get("variant", ""), fields.get("actions", "")
    stacks = fields.get("starting_stacks", "")
    if not (_PLAIN(variant) and _STACKS(stacks) and _LIST(actions)):
        return None
    if variant[1:-1] not in _HOLDEM:
        return Other(line=line, kind=printable(f"variant {variant[1:-1][:20]}"))
    number = fields.get("hand")
    if number is not None and not number.isdigit():
        if not _PLAIN(number):
            return None
        number = number[1:-1]
    return _deal(_DEALS(actions), stacks.count(",") + 1, number, line, seen)


def _slow(text: str, line: int, seen: dict[str, bytes]) -> Record:
    """Return the hand of *text* as the TOML parser sees it."""
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError, OverflowError) as problem:
        return Flaw(line=line, field="hand", why=printable(f"no TOML: {problem}"))
    variant = fields.get("variant")
    if not isinstance(variant, str):
        return Flaw(line=line, field="variant", why="not given")
    if variant not in _HOLDEM:
        return Other(line=line, kind=printable(f"variant {variant[:20]}"))
    stacks, actions = fields.get("starting_stacks"), fields.get("actions")
    if not isinstance(stacks, list):
        return Flaw(line=line, field="starting_stacks", why="not given")
    if not isinstance(actions, list) or not all(isinstance(a, str) for a in actions):
        return Flaw(line=line, field="actions", why="no list of texts")
    number = fields.get("hand")
    if isinstance(number, int | str):
        try:
            number = printable(str(number))
        except ValueError:
            return Flaw(line=line, field="hand", why="the number is too long")
    else:
        number = None
    dealt = [(m[1] or "", m[2] or "", m[3] or "") for a in actions if (m := _ACTION(a))]
    return _deal(dealt, len(stacks), number, line, seen)


def _section(text: str, line: int, seen: dict[str, bytes]) -> Iterator[Record]:
    """Yield the hand of one table, if *text* is more than blanks and comments."""
    body = text.strip("\n")
    if body:
        found = _fast(body, line, seen)
        if found is not None:
            yield found
            return
    lines = body.split("\n")
    if all(not row.strip() or row.lstrip().startswith("#") for row in lines):
        return
    yield _slow(text, line, seen)


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield one record for each hand, in file order; a line too long spoils its hand."""
    seen: dict[str, bytes] = {}
    held, line, under, skips = "", 1, False, False
    long: list[int] = []

    def close(body: str) -> Iterator[Record]:
        """Yield the hand in *body*, unless a flaw has been yielded for it."""
        end = line + body.count("\n")
        if not skips and not any(line <= bad <= end for bad in long):
            yield from (_table if under else _section)(body, line, seen)
        long[:] = [bad for bad in long if bad > end]

    for piece in pieces(stream, b"#"):
        yield from piece.flaws
        long += [flaw.line for flaw in piece.flaws]
        held += text_of(piece.data)
        start, at = 0, 0
        for match in _TABLE.finditer(held):
            yield from close(held[start : match.start()])
            line += held.count("\n", at, match.start())
            start, at, under, skips = match.end(), match.start(), True, False
        held = held[start:]
        if len(held) > _HAND:
            if not skips:
                yield Flaw(line=line, field="hand", why=f"longer than {_HAND} characters")
            end = held.rfind("\n") + 1
            line += held.count("\n", 0, end)
            held, skips = held[end:], True
    if held or under:
        yield from close(held)


def _table(body: str, line: int, seen: dict[str, bytes]) -> Iterator[Record]:
    """Yield the hand under a table's head; a head with nothing below is a flaw."""
    found = False
    for record in _section(body, line, seen):
        found = True
        yield record
    if not found:
        yield Flaw(line=line, field="hand", why="an empty table")


def sniff(head: bytes, name: str) -> bool:
    """Say whether *head* has the fields that every hand has."""
    head = head.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
    return _VARIANT.search(head) is not None and _ACTIONS.search(head) is not None


READER = Reader(
    id="phh",
    title="Poker Hand History",
    suffixes=(".phh", ".phhs"),
    game="holdem",
    holds=Holds(order="dealt", exposure="dealt", turnup="none"),
    sniff=sniff,
    read=read,
)
