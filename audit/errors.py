"""Every error that reaches a person, drawn as a tree.

    FairdealError             where: what: why, wanted, got
    |-- UsageError            the command or its options are off          exit 2
    |   `-- UnknownName       no game, reader, detector of that name      exit 2
    |-- UnknownFormat         input that is not of any known kind         exit 2
    |-- Refused               hostile or oversized input                  exit 2
    |-- NothingToAudit        there is no verdict to give                 exit 3
    |-- NotVerified           recognisable as ours, and does not check    exit 1
    `-- LawError              a law that contradicts itself (our defect)  exit 70

A bad deal inside a readable file is no error but a value (`record.Flaw`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_CONTROL = dict.fromkeys((*range(32), *range(127, 160)), "�")


def printable(text: str) -> str:
    """Return *text* with control characters replaced, at most 200 characters."""
    clean = text.translate(_CONTROL)
    return clean if len(clean) <= 200 else clean[:199] + "…"


class FairdealError(Exception):
    """An error whose message is `where: what: why, wanted, got`."""

    exit_code = 70

    def __init__(self, where: str, what: str, why: str, wanted: str = "", got: str = "") -> None:
        self.where, self.what, self.why = printable(where), printable(what), printable(why)
        self.wanted, self.got = printable(wanted), printable(got)
        text = f"{self.where}: {self.what}: {self.why}"
        if wanted:
            text += f", wanted {self.wanted}"
        if got:
            text += f", got {self.got}"
        super().__init__(text)

    def __reduce__(self) -> tuple[Any, ...]:
        # An error of another process comes whole to the one that tells it.
        return _as_it_was, (type(self), self.args, vars(self))


def _as_it_was(
    kind: type[FairdealError], told: tuple[Any, ...], fields: dict[str, Any]
) -> FairdealError:
    err = kind.__new__(kind, *told)
    vars(err).update(fields)
    return err


class UsageError(FairdealError):
    """The command, its options or their combination cannot be carried out."""

    exit_code = 2


class UnknownName(UsageError):
    """No member of a family bears that name."""

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        super().__init__(kind, printable(name), "unknown name", "one of " + " ".join(known))


class UnknownFormat(FairdealError):
    """The input is recognised by no reader, or by two that both claim it."""

    exit_code = 2


class Refused(FairdealError):
    """The input breaks a limit that protects the machine that reads it."""

    exit_code = 2


class NothingToAudit(FairdealError):
    """The input reads well and holds no deal."""

    exit_code = 3


class LawError(FairdealError):
    """A law whose plan does not use up its pack, or that contradicts itself."""


class NotVerified(FairdealError):
    """Something recognisable as ours does not check; `what` names the field."""

    exit_code = 1

    def __init__(
        self,
        where: str,
        what: str,
        why: str = "does not verify",
        wanted: str = "",
        got: str = "",
    ) -> None:
        super().__init__(where, what, why, wanted, got)
