"""What a check says when it does not hold.

Checks of this package raise; none returns a bool that a caller could forget to read.
"""

from __future__ import annotations

from audit.errors import FairdealError


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
