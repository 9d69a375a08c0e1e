"""Readers of real logs whose formats the program does not know, for `tests.real_logs` alone.

Each takes well-made files of one kind and no others: what it cannot read raises, since
nobody but the page of real logs reads with them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator

from msgspec import structs

from audit.cards import NAMES, RANKS, SUITS, parse
from audit.format import Reader, Stream
from audit.readers.pbn import parse_deal
from audit.record import Deal, Holds, Record

#: Card 1 of a dealing machine is the ace of spades, card 52 the two of clubs.
_MACHINE = tuple(13 * (k // 13) + 12 - k % 13 for k in range(52))
_LIN_SEATS = (3, 4, 1, 2)


def _all(stream: Stream) -> bytes:
    out = bytearray()
    while data := stream.read(1 << 18):
        out += data
    return bytes(out)


def _board(hands: tuple[bytes, ...], number: int | str | None, line: int = 1) -> Deal:
    return Deal(
        game="bridge",
        line=line,
        number=None if number is None else str(number),
        players=4,
        dealt_by="machine",
        hands=hands,
    )


def _with_last(three: list[bytes]) -> tuple[bytes, ...]:
    """Return three hands and the one that has all other cards."""
    rest = bytes(sorted(set(range(52)) - set(b"".join(three))))
    return (*three, rest)


def _solver(data: bytes, name: str) -> Iterator[Record]:
    for line, raw in enumerate(data.decode("ascii").split("\n"), 1):
        if raw.startswith("PBN "):
            yield _board(parse_deal(raw.split('"')[1]), None, line)


def _boards(data: bytes, name: str) -> Iterator[Record]:
    for line, raw in enumerate(data.decode("ascii").split("\n"), 1):
        if raw.strip():
            yield _board(parse_deal("N:" + raw.strip()), None, line)


def _lin_hand(text: str) -> bytes:
    return bytes(
        13 * SUITS.index(suit) + RANKS.index(rank)
        for suit, ranks in re.findall(r"([SHDC])([2-9TJQKA]*)", text)
        for rank in ranks
    )


def _lin(data: bytes, name: str) -> Iterator[Record]:
    """Hands stand in the order South, West, North, East, the last to be worked out."""
    boards = data.decode("utf-8").split("md|")[1:]
    for number, text in enumerate(boards, 1):
        value = text.split("|")[0]
        south, west, north = (_lin_hand(hand) for hand in value[1:].split(",")[:3])
        *_, east = _with_last([south, west, north])
        deal = _board((north, east, south, west), number)
        yield structs.replace(deal, dealer_seat=_LIN_SEATS[int(value[0]) - 1])


def _numbers(digits: str) -> tuple[bytes, ...]:
    cards = bytes(_MACHINE[int(digits[k : k + 2]) - 1] for k in range(0, 78, 2))
    return _with_last([cards[k : k + 13] for k in (0, 13, 26)])


def _by_seats(seats: list[int]) -> tuple[bytes, ...]:
    return tuple(bytes(_MACHINE[k] for k in range(52) if seats[k] == s) for s in range(4))


def _machine(data: bytes, name: str) -> Iterator[Record]:
    """Read the six forms in which a program for dealing machines writes its boards."""
    form, text = name.rsplit(".", 1)[-1], data.decode("latin-1")
    found: list[tuple[bytes, ...]] = []
    if form in ("bri", "dup"):
        size = 128 if form == "bri" else 156
        found = [_numbers(text[at : at + 78]) for at in range(0, len(text), size)]
    elif form == "ber":
        seats = [int(c) - 1 for c in text.strip()]
        found = [_by_seats(seats[at : at + 52]) for at in range(0, len(seats), 52)]
    elif form == "dge":
        letters = {"\6": "S", "\3": "H", "\4": "D", "\5": "C"}
        for at in range(0, len(text), 128):
            plain = "".join(letters.get(c, c) for c in text[at : at + 128].rstrip("\0"))
            found.append(tuple(_lin_hand(hand) for hand in re.findall(r"S[^S]*", plain)))
    elif form == "dlm":
        last = int(re.findall(r"^To board=(\d+)", text, re.MULTILINE)[0])
        for body in re.findall(r"^Board \d+=([a-p]{26})\d{3}", text, re.MULTILINE)[:last]:
            bits = [ord(c) - ord("a") for c in body]
            found.append(_by_seats([b for two in bits for b in (two >> 2, two & 3)]))
    else:
        for row in csv.reader(io.StringIO(text)):
            four = (".".join(row[at : at + 4]) for at in range(0, 16, 4))
            found.append(parse_deal("N:" + " ".join(four)))
    for number, hands in enumerate(found, 1):
        yield _board(hands, number)


def _positions(data: bytes, name: str) -> Iterator[Record]:
    for line, raw in enumerate(data.decode("ascii").splitlines(), 1):
        position = json.loads(raw.split("\t")[0])
        setup = position["Setup"]
        hands = tuple(bytes(_valued(c) for c in hand) for hand in position["Hands"])
        yield Deal(
            game="euchre_4",
            line=line,
            options={"pack": "24"},
            players=4,
            dealer_seat=setup["Dealer"] + 1,
            dealt_by="machine",
            hands=hands,
            turnups=bytes([_valued(setup["Top"])]),
        )


def _valued(card: dict[str, object]) -> int:
    return 13 * SUITS.index(str(card["Suit"])) + int(str(card["Value"])) - 2


def _dealer_program(data: bytes, name: str) -> Iterator[Record]:
    """Each line has the hole cards by place; whoever comes last has the button."""
    for line, raw in enumerate(data.decode("ascii").splitlines(), 1):
        if raw.startswith("STATE:"):
            _, number, _, cards, *_ = raw.split(":")
            hole, *streets = cards.split("/")
            hands = tuple(parse(h) for h in hole.split("|"))
            yield Deal(
                game="holdem",
                line=line,
                number=number,
                players=len(hands),
                dealer_seat=len(hands),
                dealt_by="machine",
                hands=hands,
                board=parse("".join(streets)),
            )


_SPOT = re.compile(r"^(.+?)\s*: Card dealt to a spot \[([^\]]+)\]", re.MULTILINE)
_STREET = re.compile(
    r"(?:^\*\*\* (?:FLOP|TURN|RIVER) \*\*\*(?: \[[^\]]*\](?= \[))?|: Card dealt to table)"
    r" \[([^\]]+)\]",
    re.MULTILINE,
)


def _room(data: bytes, name: str) -> Iterator[Record]:
    """Each seat's hole cards stand in the text, the owner's too, whatever was shown later."""
    text = data.decode("utf-8-sig").replace("\r\n", "\n")
    for hand in re.split(r"\n(?=\w+ Hand #)", "\n" + text)[1:]:
        spots = [(who.replace("[ME]", "").strip(), parse(c)) for who, c in _SPOT.findall(hand)]
        number = re.findall(r"Hand #(\d+)", hand)[0]
        people = [who for who, _ in spots]
        yield Deal(
            game="holdem",
            number=number,
            players=len(spots),
            dealer_seat=people.index("Dealer") + 1 if "Dealer" in people else None,
            dealt_by="machine",
            hands=tuple(cards for _, cards in spots),
            board=b"".join(parse(c) for c in _STREET.findall(hand)),
        )


def _reader(
    form: str,
    title: str,
    read: Callable[[bytes, str], Iterator[Record]],
    claims: Callable[[str], bool],
    holds: Holds,
    game: str = "bridge",
) -> Reader:
    return Reader(
        id=form,
        title=title,
        suffixes=(),
        game=game,
        holds=holds,
        sniff=lambda head, name: claims(name),
        read=lambda stream, name: read(_all(stream), name),
    )


_BOARDS = Holds(order="sorted", exposure="dealt", turnup="none", numbered=True)
_LISTED = Holds(order="sorted", exposure="dealt", turnup="none")
_HOLDEM = Holds(order="dealt", exposure="dealt", turnup="none", numbered=True)
_ROOMS = ("bovada_mtt", "bovada_nlhe", "ignition_ring")
_POSITIONS = Holds(
    order="unknown", exposure="dealt", selection="positions in which somebody chose trumps"
)
FOREIGN = (
    _reader("solver", "List of a solver", _solver, lambda n: n == "list100.txt", _LISTED),
    _reader("boards", "Boards of an event", _boards, lambda n: n == "allpbn.actual", _LISTED),
    _reader("lin", "Bridge Base Online", _lin, lambda n: n.endswith(".lin"), _BOARDS),
    _reader(
        "machine",
        "Boards for dealing machines",
        _machine,
        lambda n: n.startswith("big-deal.") and not n.endswith(".pbn"),
        _BOARDS,
    ),
    _reader(
        "positions",
        "Positions of a euchre program",
        _positions,
        lambda n: n.startswith("positions_"),
        _POSITIONS,
        "euchre_4",
    ),
    _reader(
        "dealer",
        "Log of a poker dealer program",
        _dealer_program,
        lambda n: n.endswith(".log"),
        _HOLDEM,
        "holdem",
    ),
    _reader(
        "room",
        "Hands of an online room that shows every seat",
        _room,
        lambda n: n.startswith(_ROOMS),
        _HOLDEM,
        "holdem",
    ),
)
assert len(NAMES) == 52
