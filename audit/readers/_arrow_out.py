"""Writing deals as Parquet or Arrow IPC in the schema of `record.Deal`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from audit.errors import UsageError
from audit.readers._schema import arrow_type, arrow_types, pyarrow_for
from audit.record import Deal

#: Rows that are in memory at a time.
ROWS = 1 << 16


def write(path: Path, deals: Iterable[Deal], *, arrow: bool) -> int:
    """Write *deals* to *path* as Arrow IPC or else Parquet, and return how many they are.

    Raises: UsageError where the orders of the pack are of several sizes.
    """
    pa, count = pyarrow_for(str(path)), 0
    rest = iter(deals)
    block = list(islice(rest, ROWS))
    size = next((len(d.order_after_cut) for d in block if d.order_after_cut), 52)
    required = {"game"}
    schema = pa.schema(
        [
            pa.field(n, arrow_type(pa, t), nullable=n not in required)
            for n, t in arrow_types(size).items()
        ]
    )
    maker = pa.ipc.new_file if arrow else pa.parquet.ParquetWriter
    with maker(str(path), schema) as out:
        while block:
            count += len(block)
            try:
                out.write_batch(_rows(pa, block, schema))
            except pa.ArrowInvalid as err:
                raise UsageError(path.name, "order_after_cut", "of several sizes") from err
            block = list(islice(rest, ROWS))
    return count


def _rows(pa: Any, deals: Sequence[Deal], schema: Any) -> Any:
    """Return *deals* as one record batch; what a deal has by default is null."""
    blank = Deal(game="")
    columns = {}
    for name in schema.names:
        default = getattr(blank, name)
        values = [getattr(d, name) for d in deals]
        if name != "game":
            values = [None if v == default and type(v) is type(default) else v for v in values]
        if name == "options":
            values = [None if v is None else list(v.items()) for v in values]
        if name in ("hands", "ended_by", "parties"):
            values = [None if v is None else list(v) for v in values]
        columns[name] = pa.array(values, schema.field(name).type)
    return pa.record_batch(columns, schema=schema)
