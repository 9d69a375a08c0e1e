"""Secrets at rest."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from audit.errors import NotVerified, UsageError
from audit.ledger.refusal import NotALedger
from audit.ledger.vault import Vault, create_key

SECRET = bytes(range(64))


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    create_key(tmp_path / "key")
    return Vault.open(tmp_path / "key")


def test_a_key_is_random_for_its_owner_and_never_overwritten(tmp_path: Path) -> None:
    create_key(tmp_path / "a")
    create_key(tmp_path / "b")
    first = (tmp_path / "a").read_bytes()
    assert len(first) == 32
    assert first != (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
    with pytest.raises(NotALedger):
        create_key(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize(("size", "mode"), [(31, 0o600), (33, 0o600), (32, 0o640), (32, 0o604)])
def test_a_key_file_of_another_size_or_open_to_others_is_refused(
    tmp_path: Path, size: int, mode: int
) -> None:
    file = tmp_path / "key"
    file.write_bytes(bytes(size))
    file.chmod(mode)
    with pytest.raises(UsageError):
        Vault.open(file)


def test_an_absent_key_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Vault.open(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []


def test_what_is_sealed_opens_for_what_it_belongs_to_only(vault: Vault) -> None:
    sealed = vault.seal(SECRET, b"manifest 1")
    assert SECRET not in sealed
    assert len(sealed) == len(SECRET) + 49
    assert vault.unseal(sealed, b"manifest 1") == SECRET
    for other in (b"manifest 2", b"", b"manifest 1\0"):
        with pytest.raises(NotVerified):
            vault.unseal(sealed, other)


def test_every_refusal_says_the_same(vault: Vault) -> None:
    sealed = vault.seal(SECRET, b"a")
    bad = [sealed[:end] for end in range(len(sealed))]
    bad += [sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :] for i in range(len(sealed))]
    bad += [sealed + b"\0"]
    said = set()
    for case in bad:
        with pytest.raises(NotVerified) as refused:
            vault.unseal(case, b"a")
        said.add(str(refused.value))
    with pytest.raises(NotVerified) as refused:
        Vault(bytes(32)).unseal(sealed, b"a")
    said.add(str(refused.value))
    assert said == {"vault: sealed bytes: do not open"}


def test_a_restored_copy_never_seals_under_the_same_key_and_nonce(tmp_path: Path) -> None:
    create_key(tmp_path / "key")
    # Two processes from one backup seal the same data: only the salt keeps them apart.
    salts = set()
    for _ in range(500):
        for copy in (Vault.open(tmp_path / "key"), Vault.open(tmp_path / "key")):
            salts.add(copy.seal(SECRET, b"a")[1:33])
    assert len(salts) == 1000


def test_the_sealed_form_is_the_published_construction() -> None:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    sealed = Vault(bytes(range(32))).seal(SECRET, b"a")
    derive = HKDF(algorithm=SHA256(), length=32, salt=sealed[1:33], info=b"fairdeal/1/vault")
    subkey = derive.derive(bytes(range(32)))
    assert AESGCM(subkey).decrypt(bytes(12), sealed[33:], b"a") == SECRET


def test_a_vault_does_not_show_its_key() -> None:
    vault = Vault(SECRET[:32])
    assert repr(vault) == str(vault) == "Vault(not shown)"
    with pytest.raises(TypeError):
        pickle.dumps(vault)
