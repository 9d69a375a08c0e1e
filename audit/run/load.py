"""From files to streams: format recognised, limits kept, compressed input opened."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from audit.errors import Refused, UnknownFormat, UnknownName, UsageError
from audit.format import PIECE, Reader, Stream
from audit.readers import READERS

#: An input may expand to at most this many times what has been read of it.
EXPANSION = 200
HEAD = 1 << 16
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


class _Hashed:
    """Raw bytes of a file, hashed and counted as they are read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.digest, self.count = file, hashlib.sha256(), 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size if size >= 0 else PIECE)
        self.digest.update(data)
        self.count += len(data)
        return data


class _Unpacked:
    """What a compressed stream expands to, within the limit."""

    def __init__(self, source: _Hashed, packing: str, name: str) -> None:
        self._source, self._packing, self._name, self._out = source, packing, name, 0
        self._file, self._damage = _opened(source, packing, name)

    def read(self, size: int, /) -> bytes:
        try:
            data: bytes = self._file.read(size)
        except self._damage as err:
            raise UnknownFormat(
                self._name, self._packing, "damaged", f"a whole {self._packing} file", str(err)
            ) from err
        self._out += len(data)
        if self._out > EXPANSION * max(HEAD, self._source.count):
            raise Refused(self._name, self._packing, f"expands more than {EXPANSION} times")
        return data


def _opened(
    source: _Hashed, packing: str, name: str
) -> tuple[Any, tuple[type[BaseException], ...]]:
    packed: Any = source
    if packing == "gzip":
        return gzip.GzipFile(fileobj=packed), (OSError, EOFError, zlib.error)
    try:
        import zstandard
    except ImportError as err:
        cure = "pip install 'fairdeal[zstd]'"
        raise UsageError(name, "zstd", "the extra is not installed", cure) from err
    reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(
        packed, read_across_frames=True
    )
    return reader, (zstandard.ZstdError, OSError, EOFError)


@dataclass(kw_only=True)
class Input:
    """One input: its shown name, where its bytes lie, and the reader that claims them.

    *sha256* is that of the raw bytes, known once they have been read to the end;
    *done* counts the raw bytes read so far, of *size*.
    """

    name: str
    path: Path
    packing: str
    reader: Reader
    size: int
    sha256: str = ""
    done: int = 0

    @contextmanager
    def stream(self) -> Iterator[Stream]:
        """Give the content as a stream; at the end the rest of the file is hashed too."""
        with _open(self.path) as file:
            source = _Watched(file, self)
            yield _Unpacked(source, self.packing, self.name) if self.packing else source
            while source.read(PIECE):
                pass
            self.sha256 = source.digest.hexdigest()

    def digest(self) -> str:
        """Return the SHA-256 of the raw bytes, read for this alone."""
        with _open(self.path) as file:
            source = _Hashed(file)
            while source.read(PIECE):
                pass
            return source.digest.hexdigest()

    def flat(self, scratch: Path) -> Path:
        """Return a file with the content not compressed, made in *scratch* if it has to be."""
        target = self.path
        if self.packing:
            target = scratch / f"flat-{self.path.name}"
            with self.stream() as stream, target.open("wb") as out:
                while data := stream.read(PIECE):
                    out.write(data)
        else:
            with self.stream():
                pass
        return target


class _Watched(_Hashed):
    """Hashed bytes that tell their input how far they have been read."""

    def __init__(self, file: IO[bytes], item: Input) -> None:
        super().__init__(file)
        self._item = item

    def read(self, size: int = -1, /) -> bytes:
        data = super().read(size)
        self._item.done = self.count
        return data


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as err:
        raise UsageError(str(path), "cannot be read", err.strerror or "unknown") from err


def load(path: str, form: str | None, scratch: Path, more: Sequence[Reader] = ()) -> Input:
    """Return the input at *path* (`-` is standard input), read by *form* or by who claims it.

    *more* are readers beside those of the registry.  Standard input is kept in
    *scratch*, a folder of the caller's.

    Raises: UsageError where it cannot be opened; UnknownFormat where no reader
    or more than one claims it; Refused where it breaks a limit.
    """
    name, where = ("standard input" if path == "-" else Path(path).name), Path(path)
    if path == "-":
        where = scratch / "standard-input"
        if not where.exists():
            _keep(sys.stdin.buffer, where, name, form, more)
    elif not where.is_file() and where.exists() and not where.is_dir():
        # A pipe can be read once only.
        where = scratch / f"pipe-{len(list(scratch.iterdir()))}"
        with _open(Path(path)) as pipe:
            _keep(pipe, where, name, form, more)
    with _open(where) as file:
        try:
            start = file.read(4)
        except OSError as err:
            raise UsageError(path, "cannot be read", err.strerror or "unknown") from err
        packing = next((p for magic, p in _MAGIC.items() if start.startswith(magic)), "")
        file.seek(0)
        source = _Hashed(file)
        stream: Stream = _Unpacked(source, packing, name) if packing else source
        head = _head(stream)
    shown = name
    for suffix in (".gz", ".zst"):
        shown = shown.removesuffix(suffix)
    return Input(
        name=name,
        path=where,
        packing=packing,
        reader=_reader(head, shown, form, more),
        size=where.stat().st_size,
    )


def _keep(
    source: IO[bytes], where: Path, name: str, form: str | None, more: Sequence[Reader]
) -> None:
    """Copy *source*, which can be read once only, to *where*.

    Raises: UnknownFormat where its head is no log's, Refused where it has no end.
    """
    try:
        kind = os.fstat(source.fileno()).st_mode
    except (OSError, ValueError):
        kind = 0
    if stat.S_ISCHR(kind) and not source.isatty() and not _ends(source):
        raise Refused(name, "cannot be read", "a device has no end", "a file or a pipe")
    with where.open("wb") as out:
        head = _head(source)
        if form is None and not head.startswith(tuple(_MAGIC)):
            _reader(head, name, form, more)
        out.write(head)
        shutil.copyfileobj(source, out)


def _ends(source: IO[bytes]) -> bool:
    """Return whether *source* is at its end, as the null device is."""
    return os.path.samestat(os.fstat(source.fileno()), os.stat(os.devnull))


def _head(stream: Stream) -> bytes:
    head = b""
    try:
        while len(head) < HEAD and (data := stream.read(HEAD - len(head))):
            head += data
    except UnknownFormat:
        if not head:
            raise
    return head


def _reader(head: bytes, name: str, form: str | None, more: Sequence[Reader]) -> Reader:
    known = (*READERS.names, *(r.id for r in more))
    if form is not None:
        named = {r.id: r for r in more}
        if form not in known:
            raise UnknownName("reader", form, known)
        return named[form] if form in named else READERS[form]
    claims = [r for r in (*(READERS[n] for n in READERS.names), *more) if r.sniff(head, name)]
    if len(claims) > 1:
        both = ", ".join(r.id for r in claims)
        raise UnknownFormat(name, "format", "claimed by more than one reader", "--format", both)
    if not claims:
        wanted = " ".join(known)
        raise UnknownFormat(name, "format", "not of any known kind", wanted, repr(head[:20]))
    return claims[0]
