"""What the ledger says when it does not do what it was asked.

NotALedger   the place holds no ledger, or something stands there already   exit 2
InUse        another process appends, or the server's settings lose data    exit 2
Exists       a key that had to be absent stands; nothing was written        exit 2
StoreFailed  the store did not answer; `final` when nothing may be appended exit 70
Superseded   the same, because another process has claimed the ledger       exit 70
"""

from __future__ import annotations

from audit.errors import FairdealError, UsageError


class NotALedger(UsageError):
    """The place cannot be opened, or created, as a ledger."""


class InUse(UsageError):
    """The ledger cannot be appended to from here and now."""


class Exists(UsageError):
    """A key that the call wanted absent has a value; the call wrote nothing."""

    def __init__(self, key: str, value: bytes) -> None:
        self.key, self.value = key, value
        super().__init__("ledger", key, "stands already")


class StoreFailed(FairdealError):
    """The store failed. What was under way is unknown until the ledger is opened again.

    After a *final* one nothing more is appended: a failed sync may have lost pages that a
    second sync would call safe.
    """

    def __init__(self, where: str, why: str, *, final: bool) -> None:
        self.final = final
        super().__init__(where, "store", why)


class Superseded(StoreFailed):
    """Another process has claimed the ledger since, and this one writes nothing more."""

    def __init__(self, where: str) -> None:
        super().__init__(where, "another process has taken over", final=True)
