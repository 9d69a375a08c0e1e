"""Sets of deals sealed ahead of time, each session opened alone.

`make_set` draws one secret per deal and publishes a root over their commitments;
`open_set` hands out the sessions wanted with their inclusion paths.

Source: design section 3, P1, P3, P7, P11, P14; PROTOCOL.md, "Sealed sets".
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from audit.errors import UsageError
from audit.shuffle import pattern
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.derive import extract, pack_orders
from audit.shuffle.framing import digest, frame, part, same
from audit.shuffle.manifest import (
    ENOUGH_BITS,
    EVEN_HEX,
    Count,
    Hex32,
    Hex64,
    ListPlace,
    Manifest,
    SetManifest,
    Struct,
    Whole,
    check_manifest,
    manifest_hash,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.secret import Draw, Secret
from audit.shuffle.tree import Tree

TRIED_AGAIN = "the maker could have tried again"
SEARCHED = "the maker could have searched"


class SetSeal(Struct, frozen=True, kw_only=True):
    """What is published before anything is known: the manifest, and the root over all keys."""

    kind: str
    manifest: SetManifest
    root: Hex32


class Seal(SetSeal, frozen=True, kw_only=True):
    """The seal of a set with one key a deal."""

    kind: Literal["fairdeal-set-seal/1"] = "fairdeal-set-seal/1"
    manifest: Manifest


#: The signs in it are looked at in `read_opened`, those of all sessions at once.
_Hash = Annotated[str, Meta(min_length=64, max_length=64)]


class Session(Struct, frozen=True, kw_only=True):
    """One deal opened: its key, the path to the root, and the order, top card first."""

    deal: Count
    key: Annotated[str, Meta(min_length=128, max_length=128)]
    path: Annotated[tuple[_Hash, ...], Meta(max_length=24)]
    order: Annotated[tuple[Whole, ...], Meta(max_length=78)]


class Opened(Struct, frozen=True, kw_only=True):
    """Some sessions of a set, with all that is needed to check them against a seal."""

    kind: Literal["fairdeal-set-opened/1"] = "fairdeal-set-opened/1"
    seal: Seal
    value: Annotated[str, Meta(pattern=EVEN_HEX, max_length=2 * pattern.MAX_VALUE)] = ""
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


def make_set(manifest: Manifest, *, draw: Draw = os.urandom) -> tuple[Seal, SetSecret]:
    """Draw one secret per deal and seal them. The order of no deal is computed here."""
    check_manifest(manifest)
    keys = fresh_keys(manifest.deals, draw)
    mh = manifest_hash(manifest)
    tree = _tree(mh, [key.reveal() for key in keys])
    seal = Seal(manifest=manifest, root=tree.root.hex())
    return seal, SetSecret(seal_hash(seal), keys)


def fresh_keys(count: int, draw: Draw) -> tuple[Secret, ...]:
    """Return *count* keys, no two alike. Raises: UsageError when *draw* repeats itself."""
    keys = tuple(Secret.fresh(draw) for _ in range(count))
    if len({key.reveal() for key in keys}) != count:
        raise UsageError("set", "secrets", "the source of randomness repeats itself")
    return keys


def commitment(mh: bytes, deal: int, key: bytes) -> bytes:
    """Return the leaf of one deal: hiding, and good for this manifest and number only."""
    return commitments(mh, [deal], [key])[0]


def commitments(mh: bytes, deals: Sequence[int], keys: Sequence[bytes]) -> list[bytes]:
    """Return the leaves of many deals, H(T(set-deal, mh, deal, key)) each."""
    start = frame("set-deal", mh)
    return [digest(start + part(d) + part(key)) for d, key in zip(deals, keys, strict=True)]


def _tree(mh: bytes, keys: Sequence[bytes]) -> Tree:
    return Tree(commitments(mh, range(1, len(keys) + 1), keys))


def seal_hash(seal: SetSeal) -> bytes:
    """Return H(T(set-seal, canonical bytes))."""
    return digest(frame("set-seal", encode(seal)))


def list_head(seal: SetSeal) -> bytes:
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


def next_place(seal: SetSeal) -> ListPlace:
    """Return the place of the set that follows *seal* in the same list."""
    here = seal.manifest.place
    return ListPlace(list=here.list, place=here.place + 1, previous=list_head(seal).hex())


def deal_orders(
    seal: Seal, deals: Sequence[int], keys: Sequence[bytes], value: bytes
) -> NDArray[np.uint8]:
    """Return the orders of *deals*, shape (deals, cards), from keys, whole seal and value."""
    mh, root = manifest_hash(seal.manifest), bytes.fromhex(seal.root)
    start, end = frame("set-seed", mh, root), part(value)
    seeds = [
        extract(start + part(deal) + part(key) + end) for deal, key in zip(deals, keys, strict=True)
    ]
    return pack_orders(seeds, seal.manifest.pack)


def caveats(manifest: SetManifest) -> tuple[str, ...]:
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
    public = public_value(manifest, value)
    wanted = range(1, manifest.deals + 1) if deals is None else deals
    if not wanted or min(wanted) < 1 or max(wanted) > manifest.deals:
        raise UsageError(
            "set", "deals", "are not in the set", f"1 to {manifest.deals}", _span(wanted)
        )
    if not same(secret.seal, seal_hash(seal)) or len(secret.keys) != manifest.deals:
        raise NotVerified("secret", "seal", "belongs to another seal")
    mh = manifest_hash(manifest)
    keys = [key.reveal() for key in secret.keys]
    tree = _tree(mh, keys)
    if not same(tree.root, bytes.fromhex(seal.root)):
        raise NotVerified("secret", "keys", "are not those that were sealed")
    numbers = sorted(wanted)
    paths = tree.hex_paths(numbers[0] - 1, numbers[-1] - 1)[:: abs(wanted.step)]
    orders = deal_orders(seal, numbers, [keys[deal - 1] for deal in numbers], public)
    sessions = tuple(
        Session(
            deal=deal,
            key=keys[deal - 1].hex(),
            path=path,
            order=tuple(order),
        )
        for deal, path, order in zip(numbers, paths, orders.tolist(), strict=True)
    )
    return Opened(seal=seal, value=public.hex(), notes=caveats(manifest), sessions=sessions)


def _span(deals: range) -> str:
    return f"{deals[0]} to {deals[-1]}" if deals else "none"


def public_value(manifest: SetManifest, value: bytes | None) -> bytes:
    """Return the bytes of *value* that order the deals, none for a set without value.

    Raises: UsageError for a value missing or not asked for; NotVerified for another form.
    """
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


def read_seal(raw: bytes) -> Seal:
    """Return a seal from its canonical bytes. Raises: NotVerified, naming the field."""
    seal = read_as(raw, Seal, "seal")
    check_manifest(seal.manifest)
    return seal


def read_opened(raw: bytes) -> Opened:
    """Return an opened set from its canonical bytes. Raises: NotVerified, naming the field."""
    opened = read_as(raw, Opened, "opened")
    check_manifest(opened.seal.manifest)
    if _is_hex(part for one in opened.sessions for part in (one.key, *one.path)):
        return opened
    for at, one in enumerate(opened.sessions):
        named = [("key", one.key), *((f"path[{n}]", step) for n, step in enumerate(one.path))]
        for name, text in named:
            if not _is_hex([text]):
                raise NotVerified("opened", f"sessions[{at}].{name}", "is not lower-case hex")
    raise AssertionError("every part is hex")


def _is_hex(parts: Iterable[str]) -> bool:
    """Whether *parts* hold the signs of lower-case hex and no others."""
    return not "".join(parts).encode().translate(None, b"0123456789abcdef")


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
