"""Poker Hand History: TOML with one hand (.phh) or a table for each hand (.phhs).

Hands with one field on each line, and those of plain texts, numbers and lists,
are read by regular expressions; all others by the TOML parser.  Player 1 is the
small blind, so the last player has the button, heads-up too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache

from audit.cards import NAMES, UNKNOWN
from audit.errors import printable
from audit.format import Reader, Stream, pieces, text_of
from audit.record import Deal, Flaw, Holds, Other, Record

#: The fields of one hand are at most so many characters.
_HAND, _SHORT = 1 << 22, 1 << 16
_PLAYERS = 22
_HOLDEM = frozenset({"NT", "FT"})
_CARDS = {name[0] + name[1].lower(): bytes([card]) for card, name in enumerate(NAMES)}
_CARDS["??"] = bytes([UNKNOWN])
#: Every text of one card or two.
_PAIRS = _CARDS | {a + b: _CARDS[a] + _CARDS[b] for a in _CARDS for b in _CARDS}
_TABLE = re.compile(r"\[(?<=^\[)[ \t]*\"?[0-9]+\"?[ \t]*\][ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_FIELDS = re.compile(r"^(\w+) = (.+)$", re.MULTILINE).findall
_DEALS = re.compile(r"'d (?:dh p([0-9]{1,3})|(db)) ([^'\s]*)[^']*'").findall
_ACTION = re.compile(r"\s*d\s+(?:dh\s+p([0-9]{1,3})|(db))(?:\s+([^\s#]*))?").match
_LIST = re.compile(r"\['[^'\n]*'(?:, '[^'\n]*')*\]").fullmatch
_STACKS = re.compile(r"\[[0-9., ]*[0-9]\]").fullmatch
_PLAIN = re.compile(r"'[^'\\\n]*'").fullmatch
#: What is TOML for certain, if no key stands twice: no escapes, no dates, no lists in lists.
_REST = r"[^\x00-\x08\n-\x1f\x7f]*+"
_TEXT = r"""(?:"[^"\\\x00-\x08\n-\x1f\x7f]*+"|'[^'\x00-\x08\n-\x1f\x7f]*+')"""
_WHOLE = r"(?:[1-9][0-9]{0,17}+|0)"
_NUMBER = rf"{_WHOLE}(?:\.[0-9]{{1,17}}+)?"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_VALUE = rf"(?:{_NUMBER}|{_TEXT}|true|false|{_TIME}|-{_NUMBER})"
#: An action, and a comment without the start of one, so that `_DEALINGS` finds actions only.
_STEP = r"(?:d (?:dh p[0-9]{1,3}+|db)(?: [0-9A-Za-z?]++)?|p[^\"'\\\x00-\x08\n-\x1f\x7f]*+)"
_SAYS = r"[^\"'\x00-\x08\n-\x1f\x7f]*+"
_ASIDE = rf"{_SAYS}(?:[\"'](?!d ){_SAYS})*"
_DEALINGS = re.compile(r"d (?<=[\"']d )(?:dh p([0-9]++)|(db))(?: ([0-9A-Za-z?]++))?").findall


def _list(item: str, comment: str = _REST) -> str:
    space = rf"[ \t\n]*+(?:#{comment}\n[ \t\n]*+)*"
    return rf"\[{space}(?:{item}[ \t\n]*+(?:,{space}{item}[ \t\n]*+)*(?:,{space})?)?\]"


@cache
def _brief() -> Callable[[str, int], re.Match[str] | None]:
    """Return what matches a hand of such TOML, compiled when first met."""
    steps = _list(rf"(?:\"{_STEP}\"|'{_STEP}')", _ASIDE)
    read = "variant|hand|starting_stacks|actions"
    return re.compile(
        rf"(?:(?:variant = (?P<variant>{_TEXT})|hand = (?P<hand>{_TEXT}|{_WHOLE})"
        rf"|starting_stacks = (?P<stacks>\[{_NUMBER}(?:, {_NUMBER})*\])"
        rf"|actions = (?P<actions>{steps})"
        rf"|(?!(?:{read}) )[A-Za-z0-9_-]++ = (?:{_VALUE}|{_list(_VALUE)})"
        rf")?[ \t]*+(?:#{_REST})?\n)*"
    ).fullmatch


_KEYS = re.compile(r"\n([A-Za-z0-9_-]++) = ").findall
_VARIANT = re.compile(rb"^variant[ \t]*=[ \t]*['\"]", re.MULTILINE)
_ACTIONS = re.compile(rb"^actions[ \t]*=[ \t]*\[", re.MULTILINE)


def _cards(text: str) -> bytes:
    """Return the cards of *text*, two characters each."""
    flop, last = _PAIRS.get(text[:4]), _CARDS.get(text[4:])
    if flop and last:
        return flop + last
    try:
        cards = b"".join([_CARDS[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError as problem:
        raise ValueError(f"no card: {problem.args[0]!r}") from None
    if len(cards) > 52:
        raise ValueError(f"{len(cards)} cards in one action")
    return cards


def _deal(
    actions: list[tuple[str, str, str]],
    players: int,
    number: str | None,
    line: int,
) -> Record:
    """Return the hand that the dealing *actions* (player, "db", cards) make."""
    if not 2 <= players <= _PLAYERS:
        return Flaw(line=line, field="starting_stacks", why=f"{players} players")
    hands, board = [b""] * players, b""
    try:
        for player, _, text in actions:
            cards = _PAIRS.get(text) or _cards(text)
            if not player:
                board += cards
            elif 0 < (place := int(player)) <= players:
                hands[place - 1] += cards
            else:
                raise ValueError(f"player {player} of {players}")
    except ValueError as problem:
        return Flaw(line=line, field="actions", why=printable(str(problem)))
    cut = not all(hands) or UNKNOWN in b"".join(hands)
    if cut:
        hands = [b"" if hand.count(UNKNOWN) == len(hand) else hand for hand in hands]
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


def _fast(text: str, line: int) -> Record | None:
    """Return the hand of *text*, or None if its form is not the usual one."""
    if text[0] == "#" or "\n\n" in text or "\n " in text:
        return None
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
    return _deal(_DEALS(actions), stacks.count(",") + 1, number, line)


def _sure(text: str, line: int) -> Record | None:
    """Return what `_slow` would of *text*, or None if it is not for certain TOML."""
    if len(text) > _SHORT:
        return None
    text = f"\n{text}\n"
    found = _brief()(text, 1)
    if found is None:
        return None
    # The actions are most of the text, and no key stands among them.
    start, end = found.span("actions")
    keys = _KEYS(text, 0, start) + _KEYS(text, end) if end > 0 else _KEYS(text)
    variant, number, stacks, actions = found.group("variant", "hand", "stacks", "actions")
    if variant is None or len(set(keys)) < len(keys):
        return None
    if variant[1:-1] not in _HOLDEM:
        return Other(line=line, kind=printable(f"variant {variant[1:-1][:20]}"))
    if stacks is None or actions is None:
        return None
    if number is not None:
        number = printable(number[1:-1] if number[0] in "\"'" else number)
    return _deal(_DEALINGS(actions), stacks.count(",") + 1, number, line)


def _slow(text: str, line: int) -> Record:
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
    return _deal(dealt, len(stacks), number, line)


def _section(text: str, line: int) -> Record | None:
    """Return the hand of one table, or None if *text* is blanks and comments only."""
    body = text.strip("\n")
    if body:
        found = _fast(body, line) or _sure(body, line)
        if found is not None:
            return found
    if all(not row.strip() or row.lstrip().startswith("#") for row in body.split("\n")):
        return None
    return _slow(text, line)


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield one record for each hand, in file order; a line too long spoils its hand."""
    held, line, under, skips = "", 1, False, False
    long: list[int] = []

    def close(body: str) -> Iterator[Record]:
        """Yield the hand in *body*, unless a flaw has been yielded for it."""
        bad = skips
        if long:
            end = line + body.count("\n")
            bad = bad or any(line <= at <= end for at in long)
            long[:] = [at for at in long if at > end]
        if not bad:
            found = _section(body, line)
            if found is not None:
                yield found
            elif under:
                yield Flaw(line=line, field="hand", why="an empty table")

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
