"""The check of an opened set, from its bytes alone.

Recomputes everything, checks by itself that each order is a permutation, and says which
anchor the verdict rests on and what the maker could still have chosen.

Source: design section 3, P9, P11, P14; PROTOCOL.md, "Sealed sets".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import eq

import numpy as np
from numpy.typing import NDArray

from audit.errors import UsageError
from audit.shuffle.canonical import encode
from audit.shuffle.framing import same
from audit.shuffle.manifest import Entropy, SetManifest, manifest_hash, utc
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sampler import all_permutations, check_permutation
from audit.shuffle.sealed import (
    TRIED_AGAIN,
    Opened,
    Seal,
    Session,
    SetSeal,
    caveats,
    commitments,
    deal_orders,
    list_head,
    public_value,
    read_opened,
    read_seal,
    seal_hash,
)
from audit.shuffle.tree import Tree, check_inclusion

NO_ANCHOR = "agrees with its own seal; nothing shows when that seal was made"
NO_TIME = "time of the seal: not shown"
NO_SOURCE = "the manifest does not name who publishes the value"
OWN_VALUE = "the value is the word of this file: compare it with what its source published"
TOO_EARLY = "by this clock the value is in use before its moment, so somebody knew it too early"
NOT_OLDER = "nothing shows that the seal is older than the value"


@dataclass(frozen=True, kw_only=True)
class SetVerdict:
    """What was checked, against what, and what remains unsaid.

    `verified` is False without an anchor: the caller answers "no verdict". `count` deals are
    opened, `closed` are the spans (first, last) of those that are not opened yet.
    """

    verified: bool
    anchor: str
    count: int
    closed: tuple[tuple[int, int], ...]
    list_size: int
    list_head: str
    lines: tuple[str, ...]
    manifest: SetManifest
    value: bytes


def verify_set(
    opened: Opened | bytes,
    seal: Seal | None = None,
    *,
    value: bytes | None = None,
    sealed_before: int | None = None,
    now: int | None = None,
) -> SetVerdict:
    """Check every opened session, against *seal* if there is one.

    *opened* is best given as its bytes, which are read once; else it is written and read.
    *value* is what the verifier got from the value's source: two values of one form would
    otherwise both agree with the seal. *sealed_before* is the earliest UTC second at which
    somebody trusted had seen the seal (a witness's time), never a time that the maker wrote.
    *now* is the verifier's clock: a value in use before its moment was known too early.

    Raises: NotVerified, naming the field.
    """
    opened = read_opened(opened if isinstance(opened, bytes) else encode(opened))
    inner = opened.seal
    if seal is not None:
        same_seal(inner, read_seal(encode(seal)))
    used = used_value(inner.manifest, opened.value, value)
    check_notes(inner.manifest, opened.notes)
    numbers = tuple(session.deal for session in opened.sessions)
    if any(b <= a for a, b in pairwise(numbers)):
        raise NotVerified("opened", "deal", "numbers do not rise")
    _check_sessions(inner, opened.sessions, used)
    return verdict_of(
        inner,
        len(numbers),
        closed_spans(numbers, inner.manifest.deals),
        used,
        anchored=seal is not None,
        sealed_before=sealed_before,
        value_checked=value is not None,
        now=now,
    )


def used_value(manifest: SetManifest, told: str, published: bytes | None) -> bytes:
    """Return the value that an opened set says in hex, none for a set without value.

    Raises: NotVerified when it has another form than the manifest says, or is not the one
    *published*; UsageError for a published value of a set without one.
    """
    rule = manifest.entropy
    if not rule.has_value and told:
        raise NotVerified("opened", "value", "stands in a set sealed without one", "none", told)
    if not rule.has_value and published is not None:
        raise UsageError("set", "value", "this set was sealed without a public value", "none")
    used = public_value(manifest, bytes.fromhex(told) if rule.has_value else None)
    if published is not None and published != used:
        raise NotVerified(
            "opened", "value", "is not the one published", repr(published), repr(used)
        )
    return used


def check_notes(manifest: SetManifest, notes: tuple[str, ...]) -> None:
    """Refuse *notes* other than those that the manifest calls for."""
    if notes != caveats(manifest):
        raise NotVerified(
            "opened",
            "notes",
            "are not those of this set",
            "; ".join(caveats(manifest)),
            "; ".join(notes),
        )


def same_seal(inner: SetSeal, outer: SetSeal) -> None:
    """Refuse a seal other than the published one, naming the first field that differs."""
    for field in outer.manifest.__struct_fields__:
        wanted, got = getattr(outer.manifest, field), getattr(inner.manifest, field)
        if wanted != got:
            raise NotVerified(
                "seal", f"manifest.{field}", "differs from the seal", str(wanted), str(got)
            )
    if not same(bytes.fromhex(inner.root), bytes.fromhex(outer.root)):
        raise NotVerified("seal", "root", "differs from the seal", outer.root, inner.root)


def _check_sessions(seal: Seal, sessions: Sequence[Session], value: bytes) -> None:
    manifest, mh = seal.manifest, manifest_hash(seal.manifest)
    for session in sessions:
        if session.deal > manifest.deals:
            where = f"deal {session.deal}"
            raise NotVerified(where, "deal", "is not in the set", f"1 to {manifest.deals}")
    cards = _permutations(sessions, manifest.pack)
    keys = [bytes.fromhex(session.key) for session in sessions]
    numbers = [session.deal for session in sessions]
    leaves = commitments(mh, numbers, keys)
    _check_paths(seal, sessions, leaves)
    orders = deal_orders(seal, numbers, keys, value)
    differ = np.flatnonzero((cards != orders).any(axis=1))
    if differ.size:
        where = f"deal {numbers[int(differ[0])]}"
        raise NotVerified(where, "order", "is not the sealed order")


def _permutations(sessions: Sequence[Session], size: int) -> NDArray[np.uint8]:
    """Return the orders of *sessions*, shape (sessions, size); refuses what is none."""
    if all(len(session.order) == size for session in sessions):
        try:
            data = b"".join(bytes(session.order) for session in sessions)
        except ValueError:  # a card above 255
            data = b""
        cards = np.frombuffer(data, np.uint8).reshape(-1, size)
        if len(cards) == len(sessions) and all_permutations(cards):
            return cards
    for session in sessions:
        check_permutation(list(session.order), size, f"deal {session.deal}")
    raise AssertionError("every order is a permutation")


def _check_paths(seal: Seal, sessions: Sequence[Session], leaves: Sequence[bytes]) -> None:
    """Refuse a session whose commitment is not under the root of the seal."""
    root, count = bytes.fromhex(seal.root), seal.manifest.deals
    if len(sessions) == count:
        # All commitments are here: one tree says what every path has to be.
        tree = Tree(leaves)
        paths = (session.path for session in sessions)
        if same(tree.root, root) and all(map(eq, paths, tree.hex_paths(0, count - 1))):
            return
    for session, leaf in zip(sessions, leaves, strict=True):
        where = f"deal {session.deal}"
        path = [bytes.fromhex(step) for step in session.path]
        try:
            check_inclusion(leaf, session.deal - 1, count, path, root, where)
        except NotVerified as err:
            raise NotVerified(where, "key or path", err.why, err.wanted, err.got) from err


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


def verdict_of(
    seal: SetSeal,
    count: int,
    closed: tuple[tuple[int, int], ...],
    used: bytes,
    *,
    anchored: bool,
    sealed_before: int | None,
    value_checked: bool,
    now: int | None,
) -> SetVerdict:
    """Return the verdict on *count* deals that hold by the value *used*, and what it leaves unsaid.

    Raises: NotVerified for a seal not older than the moment of its value.
    """
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
        early = now is not None and now < rule.moment
        lines += _doubts(rule, value_checked=value_checked, older=older, early=early)
    lines.append(f"list of sets: {place.place}, head {head}")
    anchor = f"seal {seal_hash(seal).hex()}" if anchored else "none"
    return SetVerdict(
        verified=anchored,
        anchor=anchor,
        count=count,
        closed=closed,
        list_size=place.place,
        list_head=head,
        lines=tuple(lines),
        manifest=seal.manifest,
        value=used,
    )
