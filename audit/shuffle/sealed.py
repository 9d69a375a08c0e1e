"""Sets of deals sealed ahead of time, each session opened alone.

`make_set` draws one secret per deal and publishes a root over their commitments;
`open_set` hands out the sessions wanted with their inclusion paths; `verify_set` recomputes
everything from the opened bytes, checks by itself that each order is a permutation, and says
which anchor the verdict rests on.

Source: design section 3, P1, P3, P7, P11, P14; PROTOCOL.md, "Sealed sets".
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from audit.errors import UsageError
from audit.shuffle import pattern
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.derive import extract, pack_order
from audit.shuffle.framing import digest, frame, same
from audit.shuffle.manifest import (
    ENOUGH_BITS,
    Count,
    Entropy,
    Hex32,
    Hex64,
    ListPlace,
    Manifest,
    Struct,
    check_manifest,
    manifest_hash,
    utc,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sampler import check_permutation
from audit.shuffle.secret import Draw, Secret
from audit.shuffle.tree import Tree, check_inclusion

TRIED_AGAIN = "the maker could have tried again"
SEARCHED = "the maker could have searched"
NO_ANCHOR = "agrees with its own seal; nothing shows when that seal was made"
NO_TIME = "time of the seal: not shown"
NO_SOURCE = "the manifest does not name who publishes the value"
OWN_VALUE = "the value is the word of this file: compare it with what its source published"
TOO_EARLY = "by this clock the value is in use before its moment, so somebody knew it too early"
NOT_OLDER = "nothing shows that the seal is older than the value"


class Seal(Struct, frozen=True, kw_only=True):
    """What is published before anything is known: the manifest, and the root over all deals."""

    kind: Literal["fairdeal-set-seal/1"] = "fairdeal-set-seal/1"
    manifest: Manifest
    root: Hex32


class Session(Struct, frozen=True, kw_only=True):
    """One deal opened: its key, the path to the root, and the order, top card first."""

    deal: Count
    key: Hex64
    path: Annotated[tuple[Hex32, ...], Meta(max_length=24)]
    order: Annotated[tuple[int, ...], Meta(max_length=78)]


class Opened(Struct, frozen=True, kw_only=True):
    """Some sessions of a set, with all that is needed to check them against a seal."""

    kind: Literal["fairdeal-set-opened/1"] = "fairdeal-set-opened/1"
    seal: Seal
    value: Annotated[str, Meta(pattern="^([0-9a-f]{2})*$", max_length=2 * pattern.MAX_VALUE)] = ""
    notes: tuple[str, ...] = ()
    sessions: Annotated[tuple[Session, ...], Meta(min_length=1)]


class _Stored(Struct, frozen=True, kw_only=True):
    kind: Literal["fairdeal-set-secret/1"] = "fairdeal-set-secret/1"
    seal: Hex32
    keys: tuple[Hex64, ...]


@dataclass(frozen=True, repr=False)
class SetSecret:
    """The keys of a set, bound to the hash of its seal; never printed."""

    seal: bytes
    keys: tuple[Secret, ...]

    def __repr__(self) -> str:
        return f"SetSecret({len(self.keys)} keys, not shown)"

    def reveal(self) -> bytes:
        """Return the bytes of the secret file, to be stored for its owner only."""
        return encode(
            _Stored(seal=self.seal.hex(), keys=tuple(key.reveal().hex() for key in self.keys))
        )


@dataclass(frozen=True)
class SetVerdict:
    """What was checked, against what, and what remains unsaid.

    `verified` is False without an anchor: the caller answers "no verdict". `deals` are the
    numbers opened, `closed` the spans (first, last) of those that are not opened yet.
    """

    verified: bool
    anchor: str
    deals: tuple[int, ...]
    closed: tuple[tuple[int, int], ...]
    list_size: int
    list_head: str
    lines: tuple[str, ...]


def make_set(manifest: Manifest, *, draw: Draw = os.urandom) -> tuple[Seal, SetSecret]:
    """Draw one secret per deal and seal them. The order of no deal is computed here."""
    check_manifest(manifest)
    keys = tuple(Secret.fresh(draw) for _ in range(manifest.deals))
    if len({key.reveal() for key in keys}) != len(keys):
        raise UsageError("set", "secrets", "the source of randomness repeats itself")
    mh = manifest_hash(manifest)
    leaves = [commitment(mh, deal, key.reveal()) for deal, key in enumerate(keys, start=1)]
    seal = Seal(manifest=manifest, root=Tree(leaves).root.hex())
    return seal, SetSecret(seal_hash(seal), keys)


def commitment(mh: bytes, deal: int, key: bytes) -> bytes:
    """Return the leaf of one deal: hiding, and good for this manifest and number only."""
    return digest(frame("set-deal", mh, deal, key))


def seal_hash(seal: Seal) -> bytes:
    """Return H(T(set-seal, canonical bytes))."""
    return digest(frame("set-seal", encode(seal)))


def list_head(seal: Seal) -> bytes:
    """Return the head of the event's list after this set was added."""
    place = seal.manifest.place
    return digest(
        frame(
            "set-list",
            bytes.fromhex(place.list),
            place.place,
            bytes.fromhex(place.previous),
            seal_hash(seal),
        )
    )


def next_place(seal: Seal) -> ListPlace:
    """Return the place of the set that follows *seal* in the same list."""
    here = seal.manifest.place
    return ListPlace(list=here.list, place=here.place + 1, previous=list_head(seal).hex())


def deal_order(seal: Seal, deal: int, key: bytes, value: bytes) -> list[int]:
    """Return the order of one deal from its key, the whole seal and the public value."""
    seed = frame(
        "set-seed", manifest_hash(seal.manifest), bytes.fromhex(seal.root), deal, key, value
    )
    return pack_order(extract(seed), seal.manifest.pack)


def caveats(manifest: Manifest) -> tuple[str, ...]:
    """Return what every output about such a set has to say."""
    rule = manifest.entropy
    if not rule.has_value:
        return (TRIED_AGAIN,)
    return (SEARCHED,) if rule.bits < ENOUGH_BITS else ()


def open_set(
    seal: Seal, secret: SetSecret, value: bytes | None = None, deals: range | None = None
) -> Opened:
    """Open the sessions numbered *deals* (from 1; all if None).

    Raises: NotVerified when secret and seal do not belong together, or the value has
    another form than the manifest says; UsageError for a value or range not to be had.
    """
    manifest = seal.manifest
    check_manifest(manifest)
    public = _public_value(manifest, value)
    wanted = range(1, manifest.deals + 1) if deals is None else deals
    if not wanted or min(wanted) < 1 or max(wanted) > manifest.deals:
        raise UsageError(
            "set", "deals", "are not in the set", f"1 to {manifest.deals}", _span(wanted)
        )
    if not same(secret.seal, seal_hash(seal)) or len(secret.keys) != manifest.deals:
        raise NotVerified("secret", "seal", "belongs to another seal")
    mh = manifest_hash(manifest)
    keys = [key.reveal() for key in secret.keys]
    tree = Tree([commitment(mh, deal, key) for deal, key in enumerate(keys, start=1)])
    if not same(tree.root, bytes.fromhex(seal.root)):
        raise NotVerified("secret", "keys", "are not those that were sealed")
    sessions = tuple(
        Session(
            deal=deal,
            key=keys[deal - 1].hex(),
            path=tuple(step.hex() for step in tree.path(deal - 1)),
            order=tuple(deal_order(seal, deal, keys[deal - 1], public)),
        )
        for deal in sorted(wanted)
    )
    return Opened(seal=seal, value=public.hex(), notes=caveats(manifest), sessions=sessions)


def _span(deals: range) -> str:
    return f"{deals[0]} to {deals[-1]}" if deals else "none"


def _public_value(manifest: Manifest, value: bytes | None) -> bytes:
    rule = manifest.entropy
    if not rule.has_value:
        if value is not None:
            raise UsageError("set", "value", "this set was sealed without a public value", "none")
        return b""
    if value is None:
        raise UsageError("set", "value", "is needed to open this set", rule.source)
    if not pattern.matches(rule.pattern, value):
        raise NotVerified("opened", "value", "has another form", rule.pattern, repr(value))
    return value


def verify_set(
    opened: Opened,
    seal: Seal | None = None,
    *,
    value: bytes | None = None,
    sealed_before: int | None = None,
    now: int | None = None,
) -> SetVerdict:
    """Check every opened session, against *seal* if there is one.

    *value* is what the verifier got from the value's source: two values of one form would
    otherwise both agree with the seal. *sealed_before* is the earliest UTC second at which
    somebody trusted had seen the seal (a witness's time), never a time that the maker wrote.
    *now* is the verifier's clock: a value in use before its moment was known too early.

    Raises: NotVerified, naming the field.
    """
    opened = read_opened(encode(opened))
    inner = opened.seal
    if seal is not None:
        _same_seal(inner, read_seal(encode(seal)))
    manifest = inner.manifest
    rule = manifest.entropy
    if not rule.has_value and opened.value:
        raise NotVerified(
            "opened", "value", "stands in a set sealed without one", "none", opened.value
        )
    if not rule.has_value and value is not None:
        raise UsageError("set", "value", "this set was sealed without a public value", "none")
    used = _public_value(manifest, bytes.fromhex(opened.value) if rule.has_value else None)
    if value is not None and value != used:
        raise NotVerified("opened", "value", "is not the one published", repr(value), repr(used))
    if opened.notes != caveats(manifest):
        raise NotVerified(
            "opened",
            "notes",
            "are not those of this set",
            "; ".join(caveats(manifest)),
            "; ".join(opened.notes),
        )
    numbers = tuple(session.deal for session in opened.sessions)
    if any(b <= a for a, b in pairwise(numbers)):
        raise NotVerified("opened", "deal", "numbers do not rise")
    for session in opened.sessions:
        _check_session(inner, session, used)
    return _verdict(
        inner,
        numbers,
        anchored=seal is not None,
        sealed_before=sealed_before,
        value_checked=value is not None,
        early=rule.has_value and now is not None and now < rule.moment,
    )


def _same_seal(inner: Seal, outer: Seal) -> None:
    """Refuse a seal other than the published one, naming the first field that differs."""
    for field in Manifest.__struct_fields__:
        wanted, got = getattr(outer.manifest, field), getattr(inner.manifest, field)
        if wanted != got:
            raise NotVerified(
                "seal", f"manifest.{field}", "differs from the seal", str(wanted), str(got)
            )
    if not same(bytes.fromhex(inner.root), bytes.fromhex(outer.root)):
        raise NotVerified("seal", "root", "differs from the seal", outer.root, inner.root)


def _check_session(seal: Seal, session: Session, value: bytes) -> None:
    manifest = seal.manifest
    where = f"deal {session.deal}"
    if session.deal > manifest.deals:
        raise NotVerified(where, "deal", "is not in the set", f"1 to {manifest.deals}")
    cards = list(session.order)
    check_permutation(cards, manifest.pack, where)
    key = bytes.fromhex(session.key)
    path = [bytes.fromhex(step) for step in session.path]
    leaf = commitment(manifest_hash(manifest), session.deal, key)
    try:
        check_inclusion(
            leaf, session.deal - 1, manifest.deals, path, bytes.fromhex(seal.root), where
        )
    except NotVerified as err:
        raise NotVerified(where, "key or path", err.why, err.wanted, err.got) from err
    if cards != deal_order(seal, session.deal, key, value):
        raise NotVerified(where, "order", "is not the sealed order")


def closed_spans(deals: tuple[int, ...], count: int) -> tuple[tuple[int, int], ...]:
    """Return (first, last) of each run of numbers 1 to *count* missing from rising *deals*."""
    edges = (0, *deals, count + 1)
    return tuple((a + 1, b - 1) for a, b in pairwise(edges) if b - a > 1)


def _doubts(rule: Entropy, *, value_checked: bool, older: bool, early: bool) -> list[str]:
    """Return why the maker of a set with a public value could still have tried again."""
    reasons = []
    if not rule.names_source:
        reasons.append(NO_SOURCE)
    if not value_checked:
        reasons.append(OWN_VALUE)
    if early:
        reasons.append(TOO_EARLY)
    if not older:
        reasons.append(NOT_OLDER)
    return [*reasons, TRIED_AGAIN] if reasons else []


def _verdict(
    seal: Seal,
    deals: tuple[int, ...],
    *,
    anchored: bool,
    sealed_before: int | None,
    value_checked: bool,
    early: bool,
) -> SetVerdict:
    rule, place = seal.manifest.entropy, seal.manifest.place
    lines = list(caveats(seal.manifest))
    if not anchored:
        lines.insert(0, NO_ANCHOR)
    elif sealed_before is None:
        lines.append(NO_TIME)
    elif rule.has_value and sealed_before >= rule.moment:
        raise NotVerified(
            "seal",
            "time",
            "the seal is not shown to be older than the public value",
            f"before {utc(rule.moment)}",
            utc(sealed_before),
        )
    else:
        lines.append(f"the seal was seen at {utc(sealed_before)}")
    head = list_head(seal).hex()
    if rule.has_value:
        older = anchored and sealed_before is not None
        lines += _doubts(rule, value_checked=value_checked, older=older, early=early)
    lines.append(f"list of sets: {place.place}, head {head}")
    anchor = f"seal {seal_hash(seal).hex()}" if anchored else "none"
    closed = closed_spans(deals, seal.manifest.deals)
    return SetVerdict(anchored, anchor, deals, closed, place.place, head, tuple(lines))


def read_seal(raw: bytes) -> Seal:
    """Return a seal from its canonical bytes. Raises: NotVerified, naming the field."""
    seal = read_as(raw, Seal, "seal")
    check_manifest(seal.manifest)
    return seal


def read_opened(raw: bytes) -> Opened:
    """Return an opened set from its canonical bytes. Raises: NotVerified, naming the field."""
    opened = read_as(raw, Opened, "opened")
    check_manifest(opened.seal.manifest)
    return opened


def read_secret(raw: bytes) -> SetSecret:
    """Return the keys of a secret file; a refusal never repeats their bytes."""
    try:
        stored = read_as(raw, _Stored, "secret")
    except NotVerified as err:
        raise NotVerified(
            "secret", "file", "is not a secret of a set, or was changed"
        ) from err.__cause__
    keys = tuple(Secret(bytes.fromhex(key)) for key in stored.keys)
    return SetSecret(bytes.fromhex(stored.seal), keys)
