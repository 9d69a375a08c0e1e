"""Cards are the integers 0 to 51: 13 x suit + rank, suits S H D C, ranks 2 to A.

A stripped pack is a subset of the same numbers, so that one tally serves every
game.  255 stands for a card that the log does not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "SHDC"
UNKNOWN = 255
NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)

#: A text of so many letters is first tried all at once.
LONG = 30
_SYMBOLS = {"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"}
#: Each card in its plainest form; in a log written by a program no other stands.
_PLAINEST = {name: card for card, name in enumerate(NAMES)}
_PLAINEST |= {name.replace("T", "10"): card for name, card in _PLAINEST.items()}
#: Ranks and suits of cards in two letters each, one blank between them; no other letter fits.
_RANK_AT = bytes(RANKS.index(chr(k)) if chr(k) in RANKS else UNKNOWN for k in range(256))
_SUIT_AT = bytes(13 * SUITS.index(chr(k)) if chr(k) in SUITS else UNKNOWN for k in range(256))
_TOKEN = re.compile(r"(10|[2-9TJQKA])\s?([SHDC])", re.IGNORECASE)
#: In the Unicode block every suit has 16 places, the twelfth being the knight of the tarot.
_UNICODE_RANKS = {1: 12, **{k: k - 2 for k in range(2, 11)}, 11: 9, 13: 10, 14: 11}


def _plain(text: str) -> str:
    """Return *text* with suit signs and Unicode playing cards as rank and suit letters."""
    out = []
    for char in text:
        code = ord(char)
        if 0x1F0A0 <= code <= 0x1F0DF and (code & 15) in _UNICODE_RANKS:
            out.append(f" {RANKS[_UNICODE_RANKS[code & 15]]}{SUITS[(code - 0x1F0A0) >> 4]} ")
        else:
            out.append(_SYMBOLS.get(char, "" if char in "\ufe0e\ufe0f" else char))
    return "".join(out)


def parse(text: str) -> bytes:
    """Return the cards of *text*, in its order.

    Accepts `JC`, `10D`, `J♣` and Unicode playing cards, apart or run together,
    with blanks, commas or dashes between them.

    Raises: ValueError naming the first piece that is no card.
    """
    # What is no text at all fails below, as it does where it is short.
    if isinstance(text, str) and len(text) >= LONG and (cards := in_step(text)):
        return cards
    try:
        return bytes([_PLAINEST[name] for name in text.split(" ")])
    except KeyError:
        return _parse(text)


def in_step(text: str) -> bytes:
    """Return the cards of *text* where each has two letters and a blank before the next, else b"".

    All of them at once: ranks and suits are the digits of two numbers, which are added.
    """
    raw = text.encode("ascii", "replace")
    ranks, suits = raw[::3].translate(_RANK_AT), raw[1::3].translate(_SUIT_AT)
    number = len(suits)
    if len(raw) != 3 * number - 1 or raw[2::3].count(b" ") != number - 1:
        return b""
    if UNKNOWN in ranks or UNKNOWN in suits:
        return b""
    cards = int.from_bytes(ranks, "big") + int.from_bytes(suits, "big")
    return cards.to_bytes(number, "big")


def _parse(text: str) -> bytes:
    """Return the cards of *text* in any of the forms of `parse`."""
    plain = _plain(text)
    out, at = bytearray(), 0
    for match in _TOKEN.finditer(plain):
        if plain[at : match.start()].strip(" ,;-[]\t"):
            break
        rank = match[1].upper().replace("10", "T")
        out.append(13 * SUITS.index(match[2].upper()) + RANKS.index(rank))
        at = match.end()
    rest = plain[at:].strip(" ,;-[]\t")
    if rest:
        raise ValueError(f"no card: {rest[:20]!r}")
    return bytes(out)


def show(cards: Iterable[int]) -> str:
    """Return *cards* as text, `??` for one that is not known."""
    return " ".join(NAMES[c] if c < 52 else "??" for c in cards)


def pack(ranks: str, suits: str = SUITS) -> tuple[int, ...]:
    """Return the cards of a pack of these *ranks* in each of *suits*."""
    return tuple(13 * SUITS.index(s) + RANKS.index(r) for s in suits for r in ranks)
