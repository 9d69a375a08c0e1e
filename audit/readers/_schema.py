"""The shapes of a deal on paper and on disk, all made from the one definition `record.Deal`.

`python -m audit.readers._schema` writes the three files beside this one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from audit.errors import UsageError
from audit.record import Deal

HERE = Path(__file__).parent
#: Fields of a deal that a secretary's CSV bears, and under which name.
CSV = {
    "number": "deal",
    "dealer": "dealer",
    "turnups": "turnups",
    "game": "game",
    "players": "players",
    "time": "date",
    "table": "table",
    "dealer_seat": "dealer_seat",
    "hands": "hand_1",
    "irregularity": "irregularity",
}
_PLAIN = {"line"}
_TITLE = "One deal of a JSON Lines log"
_CARDS: dict[str, Any] = {
    "type": "string",
    "description": "cards as `JC 10D`, `??` for one that is not known",
}


def fields() -> list[msgspec.inspect.Field]:
    """Return the fields of a deal that a file bears, in order."""
    kind = msgspec.inspect.type_info(Deal)
    assert isinstance(kind, msgspec.inspect.StructType)
    return [f for f in kind.fields if f.name not in _PLAIN]


def _bare(kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    """Return *kind* without the null that most fields may be."""
    if isinstance(kind, msgspec.inspect.UnionType):
        kinds = [t for t in kind.types if not isinstance(t, msgspec.inspect.NoneType)]
        assert len(kinds) == 1
        return kinds[0]
    return kind


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of a JSON Lines log."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": _TITLE,
        "type": "object",
        "properties": {f.name: _json(_bare(f.type)) for f in fields()},
        "required": [f.name for f in fields() if f.required],
        "additionalProperties": False,
    }


def _json(kind: msgspec.inspect.Type) -> dict[str, Any]:
    match kind:
        case msgspec.inspect.StrType():
            return {"type": "string"}
        case msgspec.inspect.BoolType():
            return {"type": "boolean"}
        case msgspec.inspect.BytesType():
            return _CARDS
        case msgspec.inspect.IntType(ge=None, le=None):
            return {"type": "integer"}
        case msgspec.inspect.IntType(ge=low, le=high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case msgspec.inspect.LiteralType(values=values):
            return {"enum": sorted(values)}
        case msgspec.inspect.DictType():
            return {"type": "object", "additionalProperties": {"type": "string"}}
        case msgspec.inspect.VarTupleType(item_type=item, max_length=None):
            return {"type": "array", "items": _json(item)}
        case msgspec.inspect.VarTupleType(item_type=item, max_length=most):
            return {"type": "array", "items": _json(item), "maxItems": most}
        case msgspec.inspect.StructType(fields=parts):
            return {
                "type": "object",
                "properties": {f.name: _json(_bare(f.type)) for f in parts},
                "required": [f.name for f in parts if f.required],
                "additionalProperties": False,
            }
    raise TypeError(f"no shape for {kind}")


@cache
def arrow_types(pack: int) -> Mapping[str, str]:
    """Return the Arrow type of each field, as Arrow writes it; *pack* is the cards of the pack."""
    return MappingProxyType({f.name: _arrow(f.name, _bare(f.type), pack) for f in fields()})


def _arrow(name: str, kind: msgspec.inspect.Type, pack: int) -> str:
    if name == "order_after_cut":
        return f"fixed_size_binary[{pack}]"
    match kind:
        case msgspec.inspect.StrType() | msgspec.inspect.LiteralType():
            return "string"
        case msgspec.inspect.BoolType():
            return "bool"
        case msgspec.inspect.BytesType():
            return "binary"
        case msgspec.inspect.IntType():
            return "int16"
        case msgspec.inspect.DictType():
            return "map<string, string>"
        case msgspec.inspect.VarTupleType(item_type=msgspec.inspect.StructType()):
            return "string"
        case msgspec.inspect.VarTupleType(item_type=item):
            return f"list<{_arrow(name, item, pack)}>"
    raise TypeError(f"no Arrow type for {kind}")


def csv_header() -> str:
    """Return the header of a secretary's CSV with the hands of one place."""
    names = [CSV[f.name] for f in fields() if f.name in CSV]
    return ",".join(sorted(names, key=list(CSV.values()).index)) + "\n"


def files() -> dict[str, str]:
    """Return the text of each generated file by its name."""
    types = arrow_types(52).items()
    required = {f.name for f in fields() if f.required}
    rows = [f"{n}: {t}{' not null' if n in required else ''}" for n, t in types]
    return {
        "deal.schema.json": json.dumps(json_schema(), indent=1) + "\n",
        "arrow_schema.txt": "\n".join(rows) + "\n",
        "csv_header.txt": csv_header(),
    }


def pyarrow_for(name: str) -> Any:
    """Return pyarrow.

    Raises: UsageError where the extra is not installed.
    """
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError as err:
        cure = "pip install 'fairdeal[parquet]'"
        raise UsageError(name, "parquet", "the extra is not installed", cure) from err
    return pyarrow


def arrow_type(pa: Any, text: str) -> Any:
    """Return the Arrow type that *text* names."""
    if text.startswith("fixed_size_binary["):
        return pa.binary(int(text[18:-1]))
    named = {
        "map<string, string>": pa.map_(pa.string(), pa.string()),
        "list<binary>": pa.list_(pa.binary()),
        "list<string>": pa.list_(pa.string()),
        "list<int16>": pa.list_(pa.int16()),
    }
    return named[text] if text in named else getattr(pa, text.replace("bool", "bool_"))()


if __name__ == "__main__":
    for file, text in files().items():
        (HERE / file).write_text(text, encoding="utf-8")
