"""The description of the interface (OpenAPI 3.1), made from the routes and their types."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from audit import __version__
from audit.service.routes import ROUTES, Route
from audit.wire import Problem

REFUSALS = {
    "400": "The request cannot be read",
    "403": "The token does not open this seat",
    "404": "There is no such thing",
    "408": "The body did not come in time",
    "409": "Not due, or another message stands",
    "413": "The body is too long",
    "415": "The body is not JSON",
    "422": "Something signed or committed does not check",
    "429": "Too many requests",
    "503": "The store does not answer",
}


def document() -> dict[str, Any]:
    """Return the whole document as plain data."""
    kinds = {kind for r in ROUTES for kind in (r.takes, r.gives) if kind is not None}
    ordered = sorted(kinds | {Problem}, key=lambda kind: kind.__name__)
    _, components = msgspec.json.schema_components(
        ordered, ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        path = route.path.replace(":path", "")
        paths.setdefault(path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "fairdeal dealing service",
            "version": __version__,
            "description": "Bodies carry signed or proved bytes; nothing else has to be believed.",
        },
        "paths": paths,
        "components": {"schemas": _portable(components)},
    }


def _portable(value: Any) -> Any:
    """Return schemas whose patterns every dialect reads: possessive repeats match the same."""
    if isinstance(value, dict):
        return {
            name: one.replace("*+", "*") if name == "pattern" else _portable(one)
            for name, one in value.items()
        }
    return [_portable(one) for one in value] if isinstance(value, list) else value


def _ref(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _operation(route: Route) -> dict[str, Any]:
    names = re.findall(r"\{([a-z]+)(?::path)?\}", route.path)
    parameters: list[dict[str, Any]] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 1, "maximum": 10_000}
            if name == "pack"
            else {"type": "string", "minLength": 1},
        }
        for name in names
    ]
    parameters += [
        {
            "name": name,
            "in": "query",
            "required": False,
            "schema": {"type": "integer", "minimum": least, "maximum": most, "default": 0},
        }
        for name, (least, most) in route.query.items()
    ]
    schema = {} if route.gives is None else _ref(route.gives)
    problem = {"application/problem+json": {"schema": _ref(Problem)}}
    made: dict[str, Any] = {
        "summary": route.does,
        "operationId": route.run.__name__,
        "parameters": parameters,
        "responses": {
            str(route.status): {
                "description": "Done",
                "content": {route.media: {"schema": schema} if schema else {}},
            },
            **{code: {"description": why, "content": problem} for code, why in REFUSALS.items()},
        },
    }
    if route.takes is not None:
        made["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _ref(route.takes)}},
        }
    return made


def page() -> str:
    """Return the same as a page without scripts."""
    from html import escape

    rows = "".join(
        f"<tr><td>{r.method}</td><td><code>{escape(r.path.replace(':path', ''))}</code></td>"
        f"<td>{escape(r.does)}</td>"
        f"<td>{r.takes.__name__ if r.takes else ''}</td>"
        f"<td>{r.gives.__name__ if r.gives else escape(r.media)}</td></tr>"
        for r in ROUTES
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        "<title>fairdeal dealing service</title>"
        "<style>body{font:1rem/1.5 sans-serif;margin:2rem;max-width:70rem}"
        "table{border-collapse:collapse}td,th{border:1px solid #767676;padding:.3rem .6rem;"
        "text-align:left}</style></head><body><h1>fairdeal dealing service</h1>"
        '<p>The exact forms are in <a href="/openapi.json">openapi.json</a>. '
        "Refusals are problem documents (RFC 9457) that never repeat what was sent.</p>"
        "<table><thead><tr><th>Method</th><th>Path</th><th>Does</th><th>Takes</th>"
        f"<th>Gives</th></tr></thead><tbody>{rows}</tbody></table></body></html>"
    )
