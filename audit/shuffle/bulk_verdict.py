"""The check of a set opened in bulk, line by line, so that its length does not matter.

Recomputes every order from the keys, checks by itself that each is a permutation, and says of
the first line that differs whether it is malformed, no permutation, in another deal's place,
or no order of this set.

Source: design section 3, P9, P11, P14; PROTOCOL.md, "Sets in bulk".
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import BinaryIO

import numpy as np

from audit.shuffle.bulk_set import (
    BulkOpened,
    BulkSeal,
    bulk_commitment,
    deal_blocks,
    read_bulk_opened,
    read_bulk_seal,
)
from audit.shuffle.canonical import encode
from audit.shuffle.manifest import manifest_hash
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sampler import all_permutations, check_permutation
from audit.shuffle.tree import check_inclusion
from audit.shuffle.verdict import SetVerdict, check_notes, same_seal, used_value, verdict_of


def verify_bulk(
    opened: BulkOpened,
    lines: BinaryIO,
    seal: BulkSeal | None = None,
    *,
    value: bytes | None = None,
    sealed_before: int | None = None,
    now: int | None = None,
) -> SetVerdict:
    """Check every deal of *lines*, to their end, against the sessions *opened* and *seal*.

    The other arguments are those of `verify_set`. A session that holds, holds whole: its
    deals have no keys of their own.

    Raises: NotVerified, naming the field or the deal; UsageError as `verify_set`.
    """
    opened = read_bulk_opened(encode(opened))
    inner, manifest = opened.seal, opened.seal.manifest
    if seal is not None:
        same_seal(inner, read_bulk_seal(encode(seal)))
    used = used_value(manifest, opened.value, value)
    check_notes(manifest, opened.notes)
    _check_sessions(opened)
    for first, wanted in deal_blocks(opened):
        got = lines.read(len(wanted))
        if got != wanted or not _permutations(got, manifest.pack):
            _explain(got, wanted, first, opened)
    if lines.read(1):
        raise NotVerified("opened", "deals", "are more than its sessions have", str(opened.deals))
    return verdict_of(
        inner,
        opened.deals,
        _closed(opened),
        used,
        anchored=seal is not None,
        sealed_before=sealed_before,
        value_checked=value is not None,
        now=now,
    )


def _check_sessions(opened: BulkOpened) -> None:
    """Refuse a session that is not in the set, or whose key was not under the root."""
    manifest, root = opened.seal.manifest, bytes.fromhex(opened.seal.root)
    mh, count = manifest_hash(manifest), manifest.sessions
    if any(b.session <= a.session for a, b in pairwise(opened.sessions)):
        raise NotVerified("opened", "session", "numbers do not rise")
    for one in opened.sessions:
        where = f"session {one.session}"
        if one.session > count:
            raise NotVerified(where, "session", "is not in the set", f"1 to {count}")
        leaf = bulk_commitment(mh, one.session, bytes.fromhex(one.key))
        path = [bytes.fromhex(step) for step in one.path]
        try:
            check_inclusion(leaf, one.session - 1, count, path, root, where)
        except NotVerified as err:
            raise NotVerified(where, "key or path", err.why, err.wanted, err.got) from err


def _permutations(lines: bytes, size: int) -> bool:
    """Whether every line is a permutation of *size* cards. Uses no dealing code."""
    cards = np.frombuffer(bytes.fromhex(lines.decode("ascii")), np.uint8)
    return all_permutations(cards.reshape(-1, size))


def _explain(got: bytes, wanted: bytes, first: int, opened: BulkOpened) -> None:
    """Refuse the first line of *got* that is not that of *wanted*, by its own name."""
    size = opened.seal.manifest.pack
    width = 2 * size + 1
    form = re.compile(rb"[0-9a-f]{%d}\n" % (2 * size))
    for at in range(0, len(wanted), width):
        where, line = f"deal {first + at // width}", got[at : at + width]
        if not line:
            raise NotVerified(
                "opened", "deals", "are fewer than its sessions have", str(opened.deals)
            )
        if form.fullmatch(line) is None:
            raise NotVerified(
                where, "line", "is no order", f"{2 * size} signs 0-9 a-f, newline", repr(line)
            )
        check_permutation(list(bytes.fromhex(line[:-1].decode("ascii"))), size, where)
        if line != wanted[at : at + width]:
            found = _place_of(line, opened)
            if found is not None:
                raise NotVerified(where, "place", "holds the order of another", "", str(found))
            raise NotVerified(where, "order", "is not the sealed order")
    raise AssertionError("no line differs")


def _place_of(line: bytes, opened: BulkOpened) -> int | None:
    """Return the deal whose order *line* is, None if it is that of no deal opened."""
    for first, lines in deal_blocks(opened):
        at = lines.find(line)
        while at >= 0 and at % len(line):
            at = lines.find(line, at + 1)
        if at >= 0:
            return first + at // len(line)
    return None


def _closed(opened: BulkOpened) -> tuple[tuple[int, int], ...]:
    """Return the spans (first, last) of the deals that are not opened."""
    manifest = opened.seal.manifest
    spans = [manifest.span(one.session) for one in opened.sessions]
    edges = [0, *(edge for span in spans for edge in (span[0], span[-1])), manifest.deals + 1]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return tuple((a + 1, b - 1) for a, b in pairs if b - a > 1)
