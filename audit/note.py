"""Signed notes: a short text, and lines that say who signed it.

    text ending in a newline
    (empty line)
    — name base64(key id (4 bytes) | signature)

The key id is SHA-256(name | 0A | algorithm | public key)[:4]. Algorithm 01 signs the text
itself; 04 is a witness's cosignature, which puts a time before it. Lines of unknown keys
are ignored; a line of a known key that does not verify, or a second one, refuses the note.

Source: C2SP signed-note, "Format", "Signature types", "Verifier keys"; C2SP
tlog-cosignature, "Format" and "Ed25519 signed message".
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from audit.errors import NotVerified

ED25519 = 1
COSIGNATURE = 4
MAX_NOTE = 65_536
MAX_LINES = 64
MAX_NAME = 255
MAX_TIME = 2**63 - 1
_DASH = "—"
_NO_NAME = re.compile(r"[\s+\x00-\x1f\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")


def decode_base64(text: str, where: str) -> bytes:
    """Return the bytes of standard base64, and refuse every second spelling of them."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as err:
        raise NotVerified(where, "base64", "cannot be read") from err
    if encode_base64(data) != text:
        raise NotVerified(where, "base64", "is not the canonical spelling")
    return data


def encode_base64(data: bytes) -> str:
    """Return standard base64 with padding."""
    return base64.b64encode(data).decode("ascii")


def decode_number(text: str, where: str, what: str, most: int = MAX_TIME) -> int:
    """Return an ASCII decimal without sign or leading zeros, from 0 to *most*."""
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or str(int(text)) != text:
        raise NotVerified(where, what, "is not a plain decimal number", "", text)
    if int(text) > most:
        raise NotVerified(where, what, "is too large", f"at most {most}", text)
    return int(text)


def check_name(name: str, where: str) -> None:
    """Refuse a key name that is empty, longer than 255 bytes, or holds a space or a plus."""
    if not name or len(name.encode("utf-8", "replace")) > MAX_NAME:
        raise NotVerified(where, "key name", "is empty or longer than 255 bytes")
    if _NO_NAME.search(name):
        raise NotVerified(where, "key name", "holds a space, a plus or a control character")


@dataclass(frozen=True, kw_only=True)
class Key:
    """A public key under a name: `algorithm` 1 for a ledger, 4 for a witness."""

    name: str
    algorithm: int
    public: bytes

    def __post_init__(self) -> None:
        check_name(self.name, "key")
        if self.algorithm not in (ED25519, COSIGNATURE):
            raise NotVerified(self.name, "algorithm", "is unknown", "1 or 4", str(self.algorithm))
        if len(self.public) != 32:
            raise NotVerified(self.name, "public key", "has another length", "32 bytes")

    @cached_property
    def id(self) -> bytes:
        """The four bytes that stand before each signature."""
        head = self.name.encode() + b"\n" + bytes([self.algorithm])
        return hashlib.sha256(head + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The key in one line, as `read_key` reads it."""
        body = encode_base64(bytes([self.algorithm]) + self.public)
        return f"{self.name}+{self.id.hex()}+{body}"


def read_key(text: str) -> Key:
    """Return the key of a line `name+id+base64`.

    Raises: NotVerified when a part is off or the id is not that of the key.
    """
    name, *rest = text.split("+", 2)
    if len(rest) != 2:
        raise NotVerified("key", "line", "is not name+id+base64")
    body = decode_base64(rest[1], "key")
    key = Key(name=name, algorithm=body[0] if body else 0, public=body[1:])
    if rest[0] != key.id.hex():
        raise NotVerified(name, "key id", "is not that of the key", key.id.hex(), rest[0])
    return key


@dataclass(frozen=True, kw_only=True)
class Line:
    """One signature line: who, which key, and the bytes after the key id."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def text(self) -> str:
        """The line without its newline."""
        return f"{_DASH} {self.name} {encode_base64(self.key_id + self.signature)}"


def read_line(text: str, where: str) -> Line:
    """Return the parts of one signature line, given without its newline."""
    parts = text.split(" ")
    if len(parts) != 3 or parts[0] != _DASH:
        raise NotVerified(where, "signature line", "is not an em dash, a name and base64")
    check_name(parts[1], where)
    data = decode_base64(parts[2], where)
    if len(data) < 5:
        raise NotVerified(where, "signature line", "is shorter than a key id and a signature")
    return Line(name=parts[1], key_id=data[:4], signature=data[4:])


@dataclass(frozen=True, kw_only=True)
class Note:
    """A text with its signature lines, of which none is checked yet."""

    text: bytes
    lines: tuple[Line, ...]

    @property
    def raw(self) -> bytes:
        """The bytes of the whole note."""
        return self.text + b"\n" + "".join(line.text + "\n" for line in self.lines).encode()


def read_note(raw: bytes, where: str) -> Note:
    """Return the parts of a note; refuses control characters, bad UTF-8 and oversize."""
    if len(raw) > MAX_NOTE:
        raise NotVerified(where, "note", "is too long", f"at most {MAX_NOTE} bytes")
    try:
        whole = raw.decode("utf-8")
    except UnicodeDecodeError as err:
        raise NotVerified(where, "note", "is not UTF-8") from err
    if _CONTROL.search(whole):
        raise NotVerified(where, "note", "holds a control character")
    text, gap, tail = whole.rpartition("\n\n")
    if not gap or not tail.endswith("\n"):
        raise NotVerified(where, "note", "has no signature lines after an empty line")
    lines = tail[:-1].split("\n")
    if len(lines) > MAX_LINES:
        raise NotVerified(where, "note", "has too many lines", f"at most {MAX_LINES}")
    read = tuple(read_line(line, where) for line in lines)
    return Note(text=f"{text}\n".encode(), lines=read)


def check_signed(note: Note, key: Key, where: str) -> None:
    """Refuse unless the note bears one good signature of *key* (algorithm 1)."""
    found = line_of(note.lines, key, where)
    if found is None:
        raise NotVerified(where, "signature", "of the wanted key is missing", key.name)
    check_line(note.text, found, key, where)


def check_line(text: bytes, line: Line, key: Key, where: str) -> int:
    """Refuse unless *line* is the signature of *key* under *text*.

    Returns the time of a cosignature, in whole seconds since 1970; 0 for algorithm 1.
    """
    if line.name != key.name or line.key_id != key.id:
        raise NotVerified(where, "signature", "is of another key", key.name, line.name)
    time, signature, message = 0, line.signature, text
    if key.algorithm == COSIGNATURE:
        time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
        if time > MAX_TIME:
            raise NotVerified(where, "cosignature", "has a time beyond 2^63 - 1")
        message = cosigned_text(text, time)
    if len(signature) != 64:
        raise NotVerified(where, "signature", "has another length", "64 bytes")
    try:
        _verified(key.public, signature, message)
    except (InvalidSignature, ValueError) as err:
        raise NotVerified(where, "signature", "does not verify", key.name) from err
    return time


# The same checkpoint comes with entries, and again with the transcript of the pack; only
# what verified is remembered, for an exception is not kept.
@lru_cache(maxsize=256)
def _verified(public: bytes, signature: bytes, message: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(public).verify(signature, message)


def line_of(lines: Sequence[Line], key: Key, where: str) -> Line | None:
    """Return the line of *key*, None if there is none; two of them are refused."""
    found = [line for line in lines if line.name == key.name and line.key_id == key.id]
    if len(found) > 1:
        raise NotVerified(where, "signature", "of one key stands twice", "", key.name)
    return found[0] if found else None


def cosigned_text(text: bytes, time: int) -> bytes:
    """Return the message that a witness signs for the checkpoint *text* at *time*."""
    return f"cosignature/v1\ntime {time}\n".encode() + text


class Signer:
    """A private key under a name; it never shows itself."""

    def __init__(self, name: str, private: Ed25519PrivateKey, algorithm: int = ED25519) -> None:
        self._private = private
        public = private.public_key().public_bytes_raw()
        self.key = Key(name=name, algorithm=algorithm, public=public)

    def __repr__(self) -> str:
        return f"Signer({self.key.text})"

    def sign(self, text: bytes) -> Line:
        """Return the signature line of a ledger's key under *text*."""
        if self.key.algorithm != ED25519:
            raise ValueError("a witness's key signs checkpoints with a time")
        signature = self._private.sign(text)
        return Line(name=self.key.name, key_id=self.key.id, signature=signature)

    def cosign(self, text: bytes, time: int) -> Line:
        """Return the line of a witness's key under the checkpoint *text* at *time* (s)."""
        if self.key.algorithm != COSIGNATURE:
            raise ValueError("only a witness's key cosigns")
        if not 0 <= time <= MAX_TIME:
            raise ValueError("the time is from 0 to 2^63 - 1 seconds")
        signature = time.to_bytes(8, "big") + self._private.sign(cosigned_text(text, time))
        return Line(name=self.key.name, key_id=self.key.id, signature=signature)
