"""What a client says when the service does not do its part.

Unreachable   nothing answers, or not in time                exit 3
Answered      the service refused, with status and reason    exit 1
NotStored     our own disk failed; nothing more is said      exit 3
"""

from __future__ import annotations

from audit.errors import FairdealError
from audit.wire import Problem


class Unreachable(FairdealError):
    """Nothing answers at that address."""

    exit_code = 3


class NotStored(FairdealError):
    """What was to be said may not be on disk: nothing more is said before a new start."""

    exit_code = 3


class Answered(FairdealError):
    """The service answered with a refusal."""

    exit_code = 1

    def __init__(self, where: str, problem: Problem) -> None:
        self.status, self.problem = problem.status, problem
        said = problem.why or problem.title
        super().__init__(where, problem.what or str(problem.status), said)
