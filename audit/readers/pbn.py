"""Portable Bridge Notation: one record for each result, in file order.

A block between empty lines that has one Deal, and no tag that matters in an
odd form, is searched for the tags that matter; anything else goes through
`_tokens`, which knows comments, tags over several lines and several on one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.cards import RANKS
from audit.errors import printable
from audit.format import Reader, Stream, pieces, text_of
from audit.record import Deal, Flaw, Holds, Other, Record

#: A comment that is not closed within so many characters is none.
_CHUNK, _COMMENT = 1 << 18, 1 << 22
_PLAIN = re.compile(r'\n\[(\w+) "((?:[^"\\\n]++|\\.)*+)"\]').findall
#: The tags of which a record is made: nothing is made of any other.
_WANTED = "(Deal(?:er)?|Declarer|Board|Event|Table|Time)"
#: Each of them: name and value where it is alone at the start of a line, else two empty texts.
_QUICK = re.compile(
    rf'\[(?:(?<=^\[){_WANTED} "([^"\\\n]*+)"\]|\s*+{_WANTED.replace("(", "(?:", 1)}\b)',
    re.MULTILINE,
).findall
_BLANK = re.compile(r"\n[ \t]+(?=\n)")
_END = re.compile(r"[ \t]*+(?:\n|\Z)").match
#: A tag may stand on several lines here, with an empty one among them.
_SPLIT = re.compile(r'\n[^\S\n]*+\n[^\S\n]*+["\]]|\[[^\S\n]*+\n')
_TOKEN = re.compile(
    r"(?P<skip>\{[^}]*\}|;[^\n]*|^%[^\n]*)"
    r'|\[\s*+(?P<tag>\w++)\s*+"(?P<value>(?:[^"\\\n]++|\\.)*+)"\s*+\]'
    r"|(?P<bad>\[\s*+Deal\b[^\n]*)"
    r"|(?P<gap>^[ \t]*+\n)",
    re.MULTILINE,
)
_OPEN = re.compile(_TOKEN.pattern.replace(r"\{[^}]*\}|", ""), re.MULTILINE)
_SEATS = {"N": 1, "E": 2, "S": 3, "W": 4, "NORTH": 1, "EAST": 2, "SOUTH": 3, "WEST": 4}
_STARTS = frozenset({"Event", "Board", "Deal"})
_UNKNOWN = frozenset({"", "?", "-"})
#: Stands for the value of a Deal tag that does not end.
_BROKEN = "["
_MARK = re.compile(r"^%[ \t]*PBN\b", re.MULTILINE)
_TAG = re.compile(r'^[ \t]*\[\s*[A-Z]\w*\s*"', re.MULTILINE)
_DEAL = re.compile(r'^[ \t]*\[\s*Deal\s*"[NESWnesw]:', re.MULTILINE)
_TRICKSTER = re.compile(r"^\[(?:Undealt|Game\w+|Cards(?:Passed|Added|Removed)) ", re.MULTILINE)


class _Suit(dict[str, bytes]):
    """The cards of each holding of one suit, worked out when first met."""

    def __init__(self, letter: str, base: int) -> None:
        super().__init__()
        self.letter, self.base = letter, base

    def __missing__(self, text: str) -> bytes:
        ranks = text.upper().removeprefix(self.letter).replace("10", "T")
        if ranks == "-":
            ranks = ""
        if len(ranks) > 52:
            raise ValueError(f"{len(ranks)} cards in one suit of a hand")
        cards = bytearray()
        for rank in ranks:
            at = RANKS.find(rank)
            if at < 0:
                if rank in "SHDC":
                    raise ValueError(f"suit letter {rank} in the field of {self.letter}")
                raise ValueError(f"no rank: {rank!r}")
            cards.append(self.base + at)
        if len(self) < 1 << 15:
            self[text] = bytes(cards)
        return bytes(cards)


_S, _H, _D, _C = (_Suit(letter, 13 * i) for i, letter in enumerate("SHDC"))


def _hand(text: str) -> bytes:
    fields = text.split(".")
    if len(fields) == 4:
        spades, hearts, diamonds, clubs = fields
        return _S[spades] + _H[hearts] + _D[diamonds] + _C[clubs]
    if text in _UNKNOWN:
        return b""
    raise ValueError(f"{len(fields)} suits in a hand, wanted 4")


def parse_deal(value: str) -> tuple[bytes, ...]:
    """Return the hands of a Deal value in order N, E, S, W; empty if not known.

    Raises: ValueError saying what is wrong with it.
    """
    if value == _BROKEN:
        raise ValueError("the tag does not end")
    first = _SEATS.get(value[:1].upper())
    if first is None or value[1:2] != ":":
        raise ValueError("no seat and colon in front")
    texts = value[2:].split()
    if len(texts) != 4:
        raise ValueError(f"{len(texts)} hands, wanted 4")
    hands = (_hand(texts[0]), _hand(texts[1]), _hand(texts[2]), _hand(texts[3]))
    if first == 1:
        return hands
    return hands[5 - first :] + hands[: 5 - first]


class _State:
    """What one record leaves to the next: inherited tags and the board's deal.

    *last* are the tags that have been met since the last record began, together
    with those of *block*, which stands for all of them until somebody asks.
    """

    def __init__(self) -> None:
        self.last: dict[str, str] = {}
        self.block, self.strict = "", False
        self.tags: dict[str, str] = {}
        self.kept: dict[str, str] = {}
        self.hands: tuple[bytes, ...] | None = None
        self.value: str | None = None
        self.why = ""

    def met(self) -> dict[str, str]:
        """Return *last*, made of *block* where that stands for it."""
        if self.block:
            pairs = _PLAIN("\n" + self.block)
            self.last = dict(pairs)
            plain = len(self.last) == self.block.count("[")
            if not plain and (self.strict or _odd(self.block, len(pairs))):
                self.last = {tag: value for tag, value, _ in _tokens(self.block + "\n") if tag}
            self.block = ""
        return self.last

    def parse(self, value: str) -> None:
        if value == self.value:
            return
        self.value = value
        try:
            self.hands = parse_deal(value)
        except ValueError as problem:
            self.hands, self.why = None, printable(str(problem))

    def inherit(self, tags: dict[str, str]) -> None:
        """Put values in the place of `#` and `##`, and those kept where none is given."""
        for name, value in tags.items():
            if value.startswith("##"):
                tags[name] = self.kept[name] = value[2:]
            elif value == "#":
                tags[name] = self.tags.get(name, self.kept.get(name, "#" if name == "Deal" else ""))
        for name, value in self.kept.items():
            tags.setdefault(name, value)

    def record(self, tags: dict[str, str], line: int) -> Record | None:
        """Return what one record of the file holds."""
        if self.kept or "#" in "".join(tags.values()):
            self.inherit(tags)
        before, value = self.tags, tags.get("Deal")
        if value is None:
            for name in ("Event", "Board", "Dealer"):
                if tags.setdefault(name, before.get(name, "")) != before.get(name, ""):
                    self.value = self.hands = None
            if self.value is None:
                self.tags = tags
                # Tags that name no board or event are a heading and no record.
                known = tags["Board"] or tags["Event"]
                return Other(line=line, kind="record without cards") if known else None
            value = tags["Deal"] = self.value
        return self.deal(tags, value, line)

    def deal(self, tags: dict[str, str], value: str, line: int) -> Record:
        """Return what a record of *tags*, none of them inherited, with the Deal *value* holds."""
        self.tags = tags
        if value in _UNKNOWN:
            self.value = self.hands = None
            return Other(line=line, kind="record without cards")
        if value != self.value:
            self.parse(value)
        if self.hands is None:
            return Flaw(line=line, field="Deal", why=self.why)
        dealer, declarer = tags.get("Dealer", ""), tags.get("Declarer", "")
        return Deal(
            game="bridge",
            line=line,
            table=tags.get("Table") or None,
            number=tags.get("Board") or None,
            time=tags.get("Time") or None,
            players=4,
            dealer_seat=_SEATS.get(dealer) or _SEATS.get(dealer.strip().upper()),
            declarer=_SEATS.get(declarer) or _SEATS.get(declarer.strip(" ^").upper()),
            hands=self.hands,
        )


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield (tag, value, line), with an empty tag for a gap."""
    cut, line, at = text.rfind("}") + 1, 1, 0
    for part in (_TOKEN.finditer(text, 0, cut), _OPEN.finditer(text, cut)):
        for match in part:
            kind = match.lastgroup
            if kind == "skip":
                continue
            line += text.count("\n", at, match.start())
            at = match.start()
            if kind == "gap":
                yield "", "", line
            elif kind == "bad":
                yield "Deal", _BROKEN, line
            else:
                yield match["tag"], match["value"], line


def _careful(text: str, first: int, state: _State) -> Iterator[Record]:
    """Read *text*, whose first line has number *first*."""
    tags: dict[str, str] = {}
    line, gap, start = first, True, state.met()

    def close() -> Iterator[Record]:
        nonlocal tags
        if tags and ("Deal" in tags or not start or start.keys() & tags.keys()):
            start.clear()
            start.update(tags)
            found = state.record(tags, line)
            if found is not None:
                yield found
        elif tags:
            start.update(tags)
        tags = {}

    for tag, value, at in _tokens(text):
        at += first - 1
        if not tag:
            gap = True
        else:
            if (gap and tags) or (tag in _STARTS and tag in tags):
                yield from close()
            if tag == "Deal" or not tags:
                line = at
            gap = False
            tags[tag] = value
    yield from close()


def _blocks(text: str, line: int, state: _State, *, strict: bool = False) -> Iterator[Record]:
    """Read the blocks of *text* between empty lines, whose first line has number *line*.

    What a *strict* reading cannot find by `_QUICK` alone is left to `_careful`.
    """
    inherits, blanks = '"#' in text, "\n " in text or "\n\t" in text
    for block in text.split("\n\n"):
        if "[" in block:
            found = _QUICK(block)
            tags = dict(found)
            value = tags.get("Deal")
            blank = blanks and _BLANK.search(block) is not None
            if blank and sum(name == "Deal" for name, _ in found) > 1 and not _SPLIT.search(block):
                yield from _strict(_BLANK.sub("\n", block), line, state)
            elif value is None or blank or "" in tags or len(tags) != len(found):
                yield from (_careful if strict else _other)(block + "\n", line, state)
            else:
                # All that matters of the other tags is their names, and that seldom.
                state.block, state.strict = block, strict
                at = line + block.count("\n", 0, block.find("[Deal "))
                if state.kept or (inherits and '"#' in block):
                    state.inherit(tags)
                    value = tags["Deal"]
                yield state.deal(tags, value, at)
        line += block.count("\n") + 2


def _other(text: str, line: int, state: _State) -> Iterator[Record]:
    """Read a block that is not of the usual form."""
    block = text[:-1]
    pairs = _PLAIN("\n" + block)
    tags = dict(pairs)
    if len(tags) != block.count("[") and (
        _odd(block, len(pairs)) or _twice(pairs) or "Deal" not in tags
    ):
        yield from _careful(text, line, state)
        return
    where, last = block.find("[Deal "), state.met()
    if where >= 0 or not last or last.keys() & tags.keys():
        last.clear()
        last.update(tags)
        if where < 0:
            where = block.find("[")
        found = state.record(tags, line + block.count("\n", 0, where))
        if found is not None:
            yield found
    else:
        last.update(tags)


def _commented(text: str, line: int, state: _State) -> Iterator[Record]:
    """Read a *text* that has comments, by its blocks where each has lines of its own."""
    before, *parts = text.split("{")
    out = [before]
    before = before or "\n"
    for part in parts:
        body, end, rest = part.partition("}")
        if not end or not before.endswith("\n") or not _END(rest):
            return _careful(text, line, state)
        # Lines of `%` are neither tags nor empty, which is what a comment is.
        out += ["%", "\n%" * body.count("\n"), rest]
        before = rest
    plain = "".join(out)
    if "}" in plain or _SPLIT.search(plain):
        return _careful(text, line, state)
    return _strict(plain, line, state)


def _strict(text: str, line: int, state: _State) -> Iterator[Record]:
    return _blocks(text, line, state, strict=True)


def _odd(block: str, plain: int) -> bool:
    """Say whether *block* may hold a tag beyond the *plain* ones at line starts."""
    return len(_TAG.findall(block)) != plain or _ODD.search(block) is not None


_ODD = re.compile(r'^[ \t]*+\n(?!\Z)|"[ \t]*\][ \t]*\[|\[\s*Deal\b(?! "[^"\\\n]*"\])', re.MULTILINE)


def _twice(pairs: list[tuple[str, str]]) -> bool:
    """Say whether a tag that starts a record stands twice among *pairs*."""
    names = [name for name, _ in pairs]
    return any(names.count(name) > 1 for name in _STARTS)


def _decode(data: bytes) -> str:
    text = text_of(data.removeprefix(b"\xef\xbb\xbf"))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _chunks(stream: Stream) -> Iterator[tuple[int, str, list[Flaw]]]:
    """Yield texts that end with an empty line outside of a comment, with the first line's number.

    A line that is too long stands as an escaped one, and is among the flaws.
    """
    line, held, flaws = 1, "", list[Flaw]()
    for piece in pieces(stream, b"%"):
        held += _decode(piece.data)
        flaws += piece.flaws
        if len(held) < _CHUNK:
            continue
        end = held.rfind("\n\n") + 2
        while end > 1 and len(held) < _COMMENT and _open(held, end):
            end = held.rfind("\n\n", 0, held.rfind("{", 0, end)) + 2
        if end < 2:
            if len(held) < _COMMENT:
                continue
            end = len(held)
        yield line, held[:end], flaws
        line += held.count("\n", 0, end)
        held, flaws = held[end:], []
    if held:
        yield line, held, flaws


def _open(text: str, end: int) -> bool:
    """Say whether a comment may be open at *end* of *text*."""
    return text.rfind("{", 0, end) > text.rfind("}", 0, end)


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield one record for each result of the file, in file order."""
    state = _State()
    for line, text, flaws in _chunks(stream):
        if "[" in text:
            for record in (_commented if "{" in text else _blocks)(text, line, state):
                while flaws and flaws[0].line < record.line:
                    yield flaws.pop(0)
                yield record
        yield from flaws


def sniff(head: bytes, name: str) -> bool:
    """Say whether *head* is PBN."""
    text = _decode(head)
    if name.lower().endswith(".ptn") or _TRICKSTER.search(text):
        return False
    if _MARK.match(text) or _DEAL.search(text):
        return True
    return name.lower().endswith(".pbn") and _TAG.search(text) is not None


READER = Reader(
    id="pbn",
    title="Portable Bridge Notation",
    suffixes=(".pbn",),
    game="bridge",
    holds=Holds(order="sorted", exposure="dealt", numbered=True, turnup="none"),
    sniff=sniff,
    read=read,
)
