"""A game's rules as one table has agreed on them: options of a record put in place of defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from audit.rules import Rules

R = TypeVar("R", bound=Rules)
WORDS = {"yes": True, "no": False}
_kept: dict[type[Rules], dict[str, Any]] = {}


def _types(kind: type[Rules]) -> dict[str, Any]:
    if kind not in _kept:
        hints = get_type_hints(kind)
        _kept[kind] = {f.name: hints[f.name] for f in fields(kind)}
    return _kept[kind]


def chosen(rules: R, options: Mapping[str, str]) -> tuple[R, int]:
    """Return *rules* with the options that name a field, and how many were no value of theirs.

    A name may be written with blanks.  Truth is "yes" or "no", a number is decimal, a word must
    be one of the field's.  Options that name no field belong to somebody else (the pack, the
    packets).
    """
    if not options:
        return rules, 0
    types = _types(type(rules))
    found: dict[str, Any] = {}
    refused = 0
    for said, text in options.items():
        name = said.replace(" ", "_")
        kind = types.get(name)
        if kind is bool and text in WORDS:
            found[name] = WORDS[text]
        elif kind is int and text.isdecimal() and len(text) < 6:
            found[name] = int(text)
        elif get_origin(kind) is Literal and text in get_args(kind):
            found[name] = text
        else:
            refused += kind is not None
    return (replace(rules, **found) if found else rules), refused


def whole(options: Mapping[str, str], name: str) -> int | None:
    """Return the whole number that an option gives, 0 where it is absent, None where it is none."""
    text = options.get(name, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
