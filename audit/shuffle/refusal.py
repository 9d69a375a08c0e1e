"""What a check says when it does not hold.

Checks of this package raise; none returns a bool that a caller could forget to read.
"""

from __future__ import annotations

from audit.errors import NotVerified

__all__ = ["NotVerified"]
