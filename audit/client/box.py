"""A sealed box for the relay: only the process that holds its fresh key opens it.

An opening on its way to the relay may pass through anybody's hands, the house's too; a
house that read it early could choose whose silence it likes.  The relay signs a fresh
X25519 key with the key that stands in the manifest.

    box = ephemeral public key (32) | AES-256-GCM(k, nonce 0, data, associated)
    k   = HKDF-SHA256(X25519 shared, salt = both public keys, info "fairdeal/1/box")

Source: RFC 7748 (X25519), RFC 5869; one message a key, so the nonce is fixed.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from audit.shuffle.entries import Signed
from audit.shuffle.framing import frame, unframe
from audit.shuffle.messages import check_signature, sign
from audit.shuffle.refusal import NotVerified

_NONCE = bytes(12)


def _cipher(shared: bytes, ephemeral: bytes, public: bytes) -> AESGCM:
    info = b"fairdeal/1/box"
    key = HKDF(algorithm=SHA256(), length=32, salt=ephemeral + public, info=info).derive(shared)
    return AESGCM(key)


def announce(key: Ed25519PrivateKey, box: X25519PrivateKey) -> Signed:
    """Return the relay's fresh public key, signed by the key in the manifest."""
    return sign(key, frame("relay-key", box.public_key().public_bytes_raw()))


def read_announced(told: Signed, relay: str) -> bytes:
    """Return the box key that the manifest's key *relay* (hex) signed.  Raises: NotVerified."""
    body = bytes.fromhex(told.body)
    (public,) = unframe("relay-key", body, 1)
    check_signature(relay, body, told.sig, "relay")
    if len(public) != 32:
        raise NotVerified("relay", "key", "has another length", "32 bytes")
    return public


def seal(public: bytes, data: bytes, associated: bytes) -> bytes:
    """Return *data* for the holder of *public* alone.  Raises: NotVerified for no such key."""
    ephemeral = X25519PrivateKey.generate()
    mine = ephemeral.public_key().public_bytes_raw()
    try:
        shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as err:
        # RFC 7748, 6.1: an all-zero secret is shared with everybody.
        raise NotVerified("relay", "key", "is one that everybody can open") from err
    return mine + _cipher(shared, mine, public).encrypt(_NONCE, data, associated)


def unseal(box: X25519PrivateKey, sealed: bytes, associated: bytes) -> bytes:
    """Return what was sealed.  Raises: NotVerified, the same for every reason."""
    public = box.public_key().public_bytes_raw()
    try:
        shared = box.exchange(X25519PublicKey.from_public_bytes(sealed[:32]))
        return _cipher(shared, sealed[:32], public).decrypt(_NONCE, sealed[32:], associated)
    except (InvalidTag, ValueError) as err:
        raise NotVerified("box", "sealed bytes", "do not open") from err
