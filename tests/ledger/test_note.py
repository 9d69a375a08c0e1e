"""Notes, checkpoints, cosignatures and receipts against published bytes and every damage."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.checkpoint import check_checkpoint, read_text, sign_checkpoint
from audit.errors import NotVerified
from audit.ledger.receipt import Receipt, check_receipt, read_receipt
from audit.ledger.tree import Tree
from audit.merkle import leaf_hash
from audit.note import (
    Key,
    Note,
    Signer,
    check_line,
    check_signed,
    decode_base64,
    read_key,
    read_line,
    read_note,
)
from tests.ledger.kit import NOW, ORIGIN, signer, witness

# The example of golang.org/x/mod/sumdb/note, key and note as published there.
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PRIVATE = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = (
    b"If you think cryptography is the answer to your problem,\n"
    b"then you don't know what your problem is.\n"
)
SIGNED = (
    TEXT
    + "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNX"
    "gKvqfqdngotpRZb6KE6RyyBwJnAM=\n".encode()
)
ENTRIES = [f"entry {i}".encode() for i in range(11)]


def tree() -> Tree:
    made = Tree()
    made.extend(leaf_hash(entry) for entry in ENTRIES)
    return made


def head() -> bytes:
    return sign_checkpoint(signer(), len(ENTRIES), tree().root(len(ENTRIES)))


def cosigned(*seeds: int, time: int = NOW) -> bytes:
    note = read_note(head(), "t")
    more = tuple(witness(seed).cosign(note.text, time) for seed in seeds)
    return Note(text=note.text, lines=note.lines + more).raw


def test_the_published_note_is_written_and_read_byte_for_byte() -> None:
    key = read_key(PUBLIC)
    assert key.text == PUBLIC
    check_signed(read_note(SIGNED, "t"), key, "t")
    private = Ed25519PrivateKey.from_private_bytes(decode_base64(PRIVATE, "t")[1:])
    writer = Signer("PeterNeumann", private)
    assert writer.key == key
    assert Note(text=TEXT, lines=(writer.sign(TEXT),)).raw == SIGNED


def test_the_published_cosigned_checkpoint_is_read_and_written_byte_for_byte() -> None:
    # The example of C2SP tlog-cosignature; its keys are not published.
    raw = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/"
        "Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJs"
        "X3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
    ).encode()
    note = read_note(raw, "t")
    assert note.raw == raw
    assert read_text(note.text, "t").size == 20852163
    assert [len(line.signature) for line in note.lines] == [64, 72]
    assert int.from_bytes(note.lines[1].signature[:8], "big") == 1679315147


def test_every_part_of_a_key_line_counts() -> None:
    for start in range(len(PUBLIC)):
        for end in range(start + 1, len(PUBLIC) + 1):
            if end - start < len(PUBLIC):
                with pytest.raises(NotVerified):
                    read_key(PUBLIC[start:end])
    for i, letter in enumerate(PUBLIC):
        with pytest.raises(NotVerified):
            read_key(PUBLIC[:i] + chr(ord(letter) + 1) + PUBLIC[i + 1 :])


def test_every_changed_byte_of_a_note_is_refused() -> None:
    key = read_key(PUBLIC)
    for i in range(len(SIGNED)):
        for bit in (1, 16, 128):
            raw = SIGNED[:i] + bytes([SIGNED[i] ^ bit]) + SIGNED[i + 1 :]
            with pytest.raises(NotVerified):
                check_signed(read_note(raw, "t"), key, "t")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n\n",
        TEXT,
        TEXT + b"\n",
        SIGNED[:-1],
        SIGNED + b"\n",
        SIGNED.replace(b"\n", b"\r\n"),
        SIGNED.replace("— ".encode(), b"- "),
        SIGNED.replace("— ".encode(), "—  ".encode()),
        SIGNED.replace(b"AM=\n", b"AN=\n"),
        SIGNED.replace(b"AM=\n", b"AM\n"),
        SIGNED.replace(b"AM=\n", b"AM==\n"),
        b"\xff" + SIGNED,
        b"\0" + SIGNED,
        b"a" * 65_536 + SIGNED,
        SIGNED + SIGNED.split(b"\n\n")[1] * 64,
    ],
)
def test_what_is_no_note_is_refused(raw: bytes) -> None:
    with pytest.raises(NotVerified):
        check_signed(read_note(raw, "t"), read_key(PUBLIC), "t")


def test_unknown_lines_are_ignored_and_a_doubled_known_one_refuses() -> None:
    line = SIGNED.split(b"\n\n")[1]
    stranger = "— somebody+else AAAAAAA=\n".encode().replace(b"+", b"-")
    check_signed(read_note(SIGNED + stranger * 3, "t"), read_key(PUBLIC), "t")
    with pytest.raises(NotVerified, match="twice"):
        check_signed(read_note(SIGNED + line, "t"), read_key(PUBLIC), "t")
    with pytest.raises(NotVerified, match="missing"):
        check_signed(read_note(SIGNED, "t"), signer().key, "t")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "a\u2003b", "a" * 256, "a\x07"])
def test_names_without_form_are_refused(name: str) -> None:
    with pytest.raises(NotVerified):
        Key(name=name, algorithm=1, public=bytes(32))


def test_a_key_id_is_the_hash_of_name_algorithm_and_key() -> None:
    key = witness(1).key
    assert key.id == hashlib.sha256(key.name.encode() + b"\n\x04" + key.public).digest()[:4]


def test_a_checkpoint_is_three_lines_and_one_signature() -> None:
    lines = head().decode().split("\n")
    assert lines[:2] == [ORIGIN, "11"]
    assert decode_base64(lines[2], "t") == tree().root(11)
    assert lines[3] == ""
    assert lines[4].startswith(f"— {ORIGIN} ")
    assert check_checkpoint(head(), signer().key, where="t").checkpoint.size == 11


@pytest.mark.parametrize("size", ["011", "+11", "-1", "", "1e3", "٣", str(2**53), "9" * 5000])
def test_sizes_have_one_spelling(size: str) -> None:
    text = f"{ORIGIN}\n{size}\n{head().decode().splitlines()[2]}\n".encode()
    with pytest.raises(NotVerified):
        read_text(text, "t")


def test_an_extension_line_a_short_root_and_a_false_empty_root_are_refused() -> None:
    root = head().decode().splitlines()[2]
    for text in (f"a\n1\n{root}\nmore\n", "a\n1\nAAAA\n", f"a\n0\n{root}\n", f"\n1\n{root}\n"):
        with pytest.raises(NotVerified):
            read_text(text.encode(), "t")


def test_a_checkpoint_of_another_origin_key_or_body_is_refused() -> None:
    note = read_note(head(), "t")
    other = Note(text=note.text.replace(b"test", b"best"), lines=note.lines).raw
    for raw, key in [
        (other, signer().key),
        (head(), signer(2).key),
        (head(), signer(1, "ledger.example/other").key),
    ]:
        with pytest.raises(NotVerified):
            check_checkpoint(raw, key, where="t")


def test_a_cosignature_signs_two_lines_and_the_checkpoint() -> None:
    text = read_note(head(), "t").text
    line = witness(1).cosign(text, NOW)
    assert int.from_bytes(line.signature[:8], "big") == NOW
    assert len(line.signature) == 72
    private = Ed25519PrivateKey.from_private_bytes(bytes([1, 77]) * 16)
    said = b"cosignature/v1\ntime 1700000000\n" + text
    private.public_key().verify(line.signature[8:], said)
    assert check_line(text, read_line(line.text, "t"), witness(1).key, "t") == NOW


def test_a_cosignature_does_not_pass_for_a_ledgers_signature_nor_the_reverse() -> None:
    text = read_note(head(), "t").text
    same = Ed25519PrivateKey.from_private_bytes(bytes([1, 77]) * 16)
    plain = Signer(witness(1).key.name, same).sign(text)
    with pytest.raises(NotVerified, match="another key"):
        check_line(text, plain, witness(1).key, "t")


def test_a_quorum_counts_keys() -> None:
    keys = [witness(i).key for i in (1, 2, 3)]
    seen = check_checkpoint(cosigned(1, 3), signer().key, keys, 2, where="t")
    assert seen.quorum == 2
    assert [when for _, when in seen.cosigned] == [NOW, NOW]
    with pytest.raises(NotVerified, match="wanted 3, got 2"):
        check_checkpoint(cosigned(1, 3), signer().key, keys, 3, where="t")
    with pytest.raises(NotVerified, match="wanted 1, got 0"):
        check_checkpoint(cosigned(1, 3), signer().key, keys[1:2], 1, where="t")


def test_one_key_under_two_names_is_one_witness() -> None:
    one = witness(1).key
    twin = Key(name="witness.example/twin", algorithm=4, public=one.public)
    with pytest.raises(NotVerified, match="distinct"):
        check_checkpoint(cosigned(1), signer().key, [one, twin], 1, where="t")


def test_every_changed_byte_of_a_cosigned_checkpoint_is_refused() -> None:
    raw, keys = cosigned(1, 2), [witness(1).key, witness(2).key]
    for i in range(len(raw)):
        bad = raw[:i] + bytes([raw[i] ^ 1]) + raw[i + 1 :]
        with pytest.raises(NotVerified):
            check_checkpoint(bad, signer().key, keys, 2, where="t")


def receipt(index: int) -> bytes:
    path = tuple(tree().inclusion(index, len(ENTRIES)))
    return Receipt(index=index, path=path, checkpoint=cosigned(1)).raw


def test_a_receipt_has_the_published_form() -> None:
    lines = receipt(5).decode().split("\n")
    assert lines[:2] == ["c2sp.org/tlog-proof@v1", "index 5"]
    assert [decode_base64(x, "t") for x in lines[2:6]] == tree().inclusion(5, 11)
    assert lines[6:9] == ["", ORIGIN, "11"]


def test_a_receipt_shows_its_entry_and_no_other() -> None:
    keys = [witness(1).key]
    for index, entry in enumerate(ENTRIES):
        at, seen = check_receipt(receipt(index), entry, signer().key, keys, 1)
        assert (at, seen.checkpoint.size) == (index, 11)
        with pytest.raises(NotVerified):
            check_receipt(receipt(index), entry + b"!", signer().key, keys, 1)


def test_every_changed_byte_of_a_receipt_is_refused() -> None:
    raw, keys = receipt(5), [witness(1).key]
    for i in range(len(raw)):
        for bit in (1, 4, 32):
            bad = raw[:i] + bytes([raw[i] ^ bit]) + raw[i + 1 :]
            with pytest.raises(NotVerified):
                check_receipt(bad, ENTRIES[5], signer().key, keys, 1)


def test_an_extra_line_is_read_and_dropped() -> None:
    raw = receipt(5).replace(b"index", b"extra aGk=\nindex")
    assert read_receipt(raw).raw == receipt(5)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"index 5", b"index 05"),
        (b"index 5", b"index -5"),
        (b"index 5", b"index 5\nindex 5"),
        (b"index 5\n", b""),
        (b"@v1", b"@v2"),
        (b"index", b"extra ?\nindex"),
        (b"\n", b"\r\n"),
        (b"index 5\n", b"index 5\n" + (b"A" * 43 + b"=\n") * 65),
        (b"\n\n", b"\n"),
    ],
)
def test_what_is_no_receipt_is_refused(old: bytes, new: bytes) -> None:
    with pytest.raises(NotVerified):
        check_receipt(receipt(5).replace(old, new), ENTRIES[5], signer().key)


def test_a_signer_does_not_show_its_key() -> None:
    assert repr(signer()) == f"Signer({signer().key.text})"
    with pytest.raises(ValueError, match="cosigns"):
        signer().cosign(b"a\n", 1)
    with pytest.raises(ValueError, match="time"):
        witness(1).sign(b"a\n")
