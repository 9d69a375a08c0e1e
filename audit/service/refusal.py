"""What the service says when it does not do what it was asked.

Conflict    the request is well formed and not due, or another stands     409
Unknown     there is no such table, pack or entry                         404
Forbidden   the token does not open this door                             403
Busy        the store or a witness does not answer; try again             503
TooMany     the limit of requests, or of tables, is reached               429
"""

from __future__ import annotations

from audit.errors import FairdealError
from audit.shuffle.entries import Signed


class ServiceError(FairdealError):
    """A refusal with the status that HTTP gives it."""

    status = 400


class Conflict(ServiceError):
    """Not due, or something else stands; *statement* is the house's signed word for it."""

    status = 409

    def __init__(self, where: str, what: str, why: str, statement: Signed | None = None) -> None:
        super().__init__(where, what, why)
        self.statement = statement


class Unknown(ServiceError):
    """There is no such thing."""

    status = 404

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what, "is not known")


class Forbidden(ServiceError):
    """The token does not open this door."""

    status = 403

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what, "does not open this seat")


class Busy(ServiceError):
    """Try again later."""

    status = 503

    def __init__(self, where: str, why: str) -> None:
        super().__init__(where, "service", why)


class TooMany(ServiceError):
    """A limit that protects the others."""

    status = 429

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what, "is over the limit; try again later")
