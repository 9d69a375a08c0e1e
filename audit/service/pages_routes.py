"""The pages of the service: fixed bytes, each under its own content security policy.

Pages ask the same interface as every other client and are told nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from audit.service.pages.build import FOLDER

HTML = "text/html; charset=utf-8"
SCRIPT = "text/javascript; charset=utf-8"
STYLE = "text/css; charset=utf-8"
#: Path, file, media type.
PAGES = (
    ("/", "tables.html", HTML),
    ("/packs/{table}/{pack:int}", "pack.html", HTML),
    ("/seat", "seat.html", HTML),
    ("/verify", "verify.html", HTML),
    ("/pages/common.js", "common.js", SCRIPT),
    ("/pages/tables.js", "tables.js", SCRIPT),
    ("/pages/pack.js", "pack.js", SCRIPT),
    ("/pages/relay.js", "relay.js", SCRIPT),
    ("/pages/seat.js", "seat.js", SCRIPT),
    ("/pages/seat_page.js", "seat_page.js", SCRIPT),
    ("/pages/verify.js", "verify.js", SCRIPT),
    ("/pages/verify.css", "verify.css", STYLE),
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: The address of a relay: scheme, host and port; what a page may reach is told the browser whole.
RELAY = re.compile(r"https?://[a-z0-9.-]{1,253}(:[0-9]{1,5})?")
_META = re.compile(rb'http-equiv="Content-Security-Policy" content="([^"]*)"')


@cache
def read_page(name: str) -> bytes:
    """Return the bytes of a file of the pages."""
    return (FOLDER / name).read_bytes()


def _policy(name: str) -> str:
    """Return the policy that stands in the page itself, ours where there is none."""
    found = _META.search(read_page(name))
    return POLICY if found is None else f"{found[1].decode()}; frame-ancestors 'none'"


def _give(name: str, media: str) -> Callable[[Request], Awaitable[Response]]:
    headers = {
        "cache-control": "no-cache",
        "content-security-policy": _policy(name),
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
    }

    async def give(request: Request) -> Response:
        relay = request.query_params.get("relay", "")
        if name != "seat.html" or not RELAY.fullmatch(relay):
            return Response(read_page(name), 200, headers, media)
        # A seat gives its opening to the relay itself, so its page may reach that one place more.
        policy = headers["content-security-policy"]
        reach = policy.replace("connect-src 'self'", f"connect-src 'self' {relay}")
        made = {**headers, "content-security-policy": reach}
        return Response(read_page(name), 200, made, media)

    return give


def page_routes() -> list[Route]:
    """Return the routes of all pages."""
    return [Route(path, _give(name, media)) for path, name, media in PAGES]
