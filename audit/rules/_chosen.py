"""Options of one table: fields of the rules that its records may set by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TypeVar

from audit.rules import Rules

R = TypeVar("R", bound=Rules)
ANSWERS = {"yes": True, "no": False}


def chosen(rules: R, options: Mapping[str, str]) -> R:
    """Return *rules* with every yes-or-no field that *options* answer; spaces stand for `_`.

    An answer other than yes or no leaves the default of the game.
    """
    switches = [f.name for f in fields(rules) if isinstance(getattr(rules, f.name), bool)]
    said = {name: ANSWERS.get(options.get(name.replace("_", " "), "")) for name in switches}
    return replace(rules, **{name: value for name, value in said.items() if value is not None})


def whole(options: Mapping[str, str], name: str) -> int | None:
    """Return the whole number that an option gives, 0 where it is absent, None where it is none."""
    text = options.get(name, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
