"""Everything that a sealed set binds, as one canonical byte string without free text.

A set has no seats and no ledger of its own: those fields are there and hold the word
`none`, so that a set can never be read as a table whose fields were left out.

Source: design section 3, P7 and P11.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from audit.errors import UsageError
from audit.shuffle import pattern
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.framing import MAX_INT, digest, frame
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sampler import check_size
from audit.shuffle.secret import Draw

# `$` alone would let a line end pass. A long run of hex is taken in large pieces, none given
# back, so that a wrong digit at its end costs no second look.
EVEN_HEX = r"^(?:[0-9a-f]{128})*+(?:[0-9a-f]{2})*+$(?!\n)"
Bytes = Annotated[str, Meta(pattern=EVEN_HEX)]
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$(?!\n)")]
Version = Annotated[str, Meta(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$(?!\n)")]
Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Whole = Annotated[int, Meta(ge=0, le=MAX_INT)]
Nothing = Literal["none"]

ALGORITHM: Literal["fairdeal-set-hmac-hkdf-sha512/1"] = "fairdeal-set-hmac-hkdf-sha512/1"
BULK_AES: Literal["fairdeal-set-bulk-aes256ctr/1"] = "fairdeal-set-bulk-aes256ctr/1"
BULK_SHAKE: Literal["fairdeal-set-bulk-shake256/1"] = "fairdeal-set-bulk-shake256/1"
#: Key and first counter block of AES-256-CTR are 384 bits: log2 57! + 128 = 382.5, log2 58! + 128
#: is above.
MOST_AES = 57
MOST_BULK_SESSIONS = 10_000
ENOUGH_BITS = 32
NO_HEAD = "00" * 32
_SOURCE = re.compile("[a-z0-9][a-z0-9_-]{0,63}")
_BEACON = re.compile("[a-z0-9][a-z0-9_-]{0,63}@[0-9]{1,16}")


class Struct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Immutable, by name only, and refusing fields that it does not know."""


class Entropy(Struct, frozen=True, kw_only=True):
    """Where the public value comes from, in what bytes, and what happens if it does not.

    `moment` is the UTC second before which nobody could know the value; `bits` is how many
    of its bits nobody can foresee, as the maker states. Without a value both are 0.
    """

    source: Annotated[str, Meta(max_length=1100)] = "none"
    pattern: Annotated[str, Meta(max_length=1024)] = "none"
    moment: Whole = 0
    bits: Annotated[int, Meta(ge=0, le=8192)] = 0
    late: Literal["none", "wait", "void"] = "none"
    corrected: Literal["none", "first", "void"] = "none"
    missing: Literal["none", "void"] = "none"

    @property
    def has_value(self) -> bool:
        """Whether a public value fixes the set besides the sealed keys."""
        return self.source != "none"

    @property
    def names_source(self) -> bool:
        """Whether the manifest says who publishes the value."""
        return not self.source.startswith("file:")


class ListPlace(Struct, frozen=True, kw_only=True):
    """The place of a set in the one list of its event: number, and head of what came before."""

    list: Hex32
    place: Count = 1
    previous: Hex32 = NO_HEAD


class SetManifest(Struct, frozen=True, kw_only=True):
    """The fields that every sealed set has; `alg` names how its orders are derived."""

    v: Literal[1] = 1
    kind: Literal["set"] = "set"
    alg: str
    game: Name
    law: Version
    players: Annotated[int, Meta(ge=1, le=78)]
    pack: Annotated[int, Meta(ge=2, le=78)]
    deals: Count
    min_cut: Annotated[int, Meta(ge=0, le=39)]
    place: ListPlace
    entropy: Entropy
    nonce: Hex32
    table: Nothing = "none"
    seats: Nothing = "none"
    ledger_key: Nothing = "none"
    origin: Nothing = "none"
    witnesses: Nothing = "none"
    quorum: Nothing = "none"
    limits: Nothing = "none"
    voids: Nothing = "none"
    last_opening: Nothing = "none"


class Manifest(SetManifest, frozen=True, kw_only=True):
    """All fields of a set with one key a deal; its canonical bytes are what the seal binds."""

    alg: Literal["fairdeal-set-hmac-hkdf-sha512/1"] = ALGORITHM


class BulkManifest(SetManifest, frozen=True, kw_only=True):
    """All fields of a set with one key a session of `session` deals, which open together.

    The last session has the deals that are left.
    """

    alg: Literal["fairdeal-set-bulk-aes256ctr/1", "fairdeal-set-bulk-shake256/1"]
    session: Count

    @property
    def sessions(self) -> int:
        """How many sessions the set has."""
        return -(-self.deals // self.session)

    def span(self, session: int) -> range:
        """Return the numbers of the deals of *session*; both count from 1."""
        first = (session - 1) * self.session + 1
        return range(first, min(first + self.session, self.deals + 1))


def utc(second: int) -> str:
    """Return a Unix second as UTC text; one that no calendar has stays a number."""
    try:
        return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return f"second {second}"


def no_value() -> Entropy:
    """The set is fixed by the sealed keys alone: its maker could have tried again."""
    return Entropy()


def file_value(
    form: str,
    *,
    moment: int,
    bits: int,
    source: str | None = None,
    late: Literal["wait", "void"] = "wait",
    corrected: Literal["first", "void"] = "first",
) -> Entropy:
    """The value is a file whose bytes have the narrow pattern *form*.

    *source* names its publisher; without it the maker may later choose among publishers,
    and every check of the set says so.
    """
    return Entropy(
        source=f"file:{form}" if source is None else f"from:{source}",
        pattern=form,
        moment=moment,
        bits=bits,
        late=late,
        corrected=corrected,
        missing="void",
    )


def new_manifest(
    *,
    game: str,
    law: str,
    players: int,
    pack: int,
    deals: int,
    min_cut: int,
    entropy: Entropy | None = None,
    place: ListPlace | None = None,
    draw: Draw = os.urandom,
) -> Manifest:
    """Return a checked manifest with a fresh nonce; without *place* it begins a list.

    Raises: UsageError for anything that no set may say.
    """
    check_size(pack)
    made = Manifest(
        game=game,
        law=law,
        players=players,
        pack=pack,
        deals=deals,
        min_cut=min_cut,
        place=place or ListPlace(list=draw(32).hex()),
        entropy=entropy or no_value(),
        nonce=draw(32).hex(),
    )
    try:
        check_manifest(read_as(encode(made), Manifest, "manifest"))
    except NotVerified as err:
        raise UsageError(err.where, err.what, err.why, err.wanted, err.got) from err
    return made


def in_bulk(made: Manifest, session: int) -> BulkManifest:
    """Return *made* for a set whose deals open by sessions of *session* deals.

    Raises: UsageError for sessions that no set may have.
    """
    fields = {**msgspec.structs.asdict(made), "alg": bulk_algorithm(made.pack)}
    bulk = BulkManifest(**fields, session=session)
    try:
        check_bulk_manifest(read_as(encode(bulk), BulkManifest, "manifest"))
    except NotVerified as err:
        raise UsageError(err.where, err.what, err.why, err.wanted, err.got) from err
    return bulk


def bulk_algorithm(
    pack: int,
) -> Literal["fairdeal-set-bulk-aes256ctr/1", "fairdeal-set-bulk-shake256/1"]:
    """Return the one algorithm of a set in bulk for packs of *pack* cards."""
    return BULK_AES if pack <= MOST_AES else BULK_SHAKE


def check_bulk_manifest(made: BulkManifest) -> None:
    """Refuse as `check_manifest`, and sessions or an algorithm that no such set has."""
    check_manifest(made)
    wanted = bulk_algorithm(made.pack)
    if made.alg != wanted:
        raise NotVerified("manifest", "alg", f"is not that of {made.pack} cards", wanted, made.alg)
    if made.session > made.deals:
        raise NotVerified(
            "manifest",
            "session",
            "is longer than the set",
            f"at most {made.deals}",
            str(made.session),
        )
    if made.sessions > MOST_BULK_SESSIONS:
        raise NotVerified(
            "manifest",
            "session",
            "makes too many sessions",
            f"at most {MOST_BULK_SESSIONS}",
            str(made.sessions),
        )


def check_manifest(made: SetManifest) -> None:
    """Refuse a manifest whose fields contradict each other; names the field."""
    if 2 * made.min_cut > made.pack:
        raise NotVerified("manifest", "min_cut", "leaves no depth to cut at")
    if (made.place.place == 1) != (made.place.previous == NO_HEAD):
        raise NotVerified("manifest", "place.previous", "fits the first set of a list and no other")
    _check_entropy(made.entropy)


def _check_entropy(rule: Entropy) -> None:
    if not rule.has_value:
        if rule != Entropy():
            raise NotVerified("manifest", "entropy", "without a value has further rules")
        return
    kind, _, rest = rule.source.partition(":")
    try:
        forms = pattern.forms(rule.pattern)
    except UsageError as err:
        raise NotVerified("manifest", "entropy.pattern", err.why, "", err.got) from err
    if kind == "file":
        if rest != rule.pattern:
            raise NotVerified(
                "manifest", "entropy.pattern", "differs from the source", rest, rule.pattern
            )
    elif kind == "beacon":
        if _BEACON.fullmatch(rest) is None:
            raise NotVerified(
                "manifest", "entropy.source", "is no beacon", "beacon:NAME@ROUND", rule.source
            )
    elif kind == "from":
        if _SOURCE.fullmatch(rest) is None:
            raise NotVerified("manifest", "entropy.source", "is no name", "a-z, 0-9, - and _", rest)
    else:
        raise NotVerified(
            "manifest",
            "entropy.source",
            "is of no known kind",
            "none, file:, from: or beacon:",
            rule.source,
        )
    if rule.moment < 1:
        raise NotVerified("manifest", "entropy.moment", "is missing for a public value")
    if "none" in (rule.late, rule.corrected, rule.missing):
        raise NotVerified(
            "manifest", "entropy", "does not say what happens if late, corrected or missing"
        )
    if 1 << rule.bits > forms:
        raise NotVerified(
            "manifest",
            "entropy.bits",
            "are more than the pattern can hold",
            f"at most {forms.bit_length() - 1}",
            str(rule.bits),
        )


def manifest_hash(made: SetManifest) -> bytes:
    """Return H(T(set-manifest, canonical bytes))."""
    return digest(frame("set-manifest", encode(made)))
