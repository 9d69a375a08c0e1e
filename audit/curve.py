"""Ed25519 keys that nobody can hold: points of small order, and second spellings.

Under a key of small order one signature fits many messages, whoever made it; a y that is
not below the prime is a second spelling of another key.

Source: RFC 8032, 5.1 and 5.1.3; the eight points are listed in PROTOCOL.md.
"""

from __future__ import annotations

PRIME = 2**255 - 19
_ORDER_EIGHT = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
_OTHER_EIGHT = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
_MASK = (1 << 255) - 1
#: y of the points of order 1, 2, 4 and 8; the sign of x is the highest bit.
SMALL_ORDER = frozenset(
    {
        1,
        PRIME - 1,
        0,
        int.from_bytes(bytes.fromhex(_ORDER_EIGHT), "little"),
        int.from_bytes(bytes.fromhex(_OTHER_EIGHT), "little"),
    }
)


def fault(public: bytes) -> str:
    """Return what is wrong with a public key of 32 bytes, empty for nothing."""
    y = int.from_bytes(public, "little") & _MASK
    if y >= PRIME:
        return "is not the canonical spelling of a key"
    return "is a point of small order" if y in SMALL_ORDER else ""
