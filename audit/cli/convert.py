"""`fairdeal convert`: any readable log as JSON Lines, Parquet, Arrow or CSV; an empty CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from audit.record import Deal
    from audit.run.load import Input


class _Deals:
    """The deals of an input, one after the other, and how many records were none."""

    def __init__(self, item: Input) -> None:
        self._item, self.lost, self.count = item, 0, 0
        self.left_out: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Deal]:
        from audit.record import Deal

        with self._item.stream() as stream:
            for record in self._item.reader.read(stream, self._item.name):
                if isinstance(record, Deal):
                    self.count += 1
                    yield record
                else:
                    self.lost += 1


def _write(target: Path, deals: _Deals, suffix: str) -> None:
    from audit.readers import jsonl, parquet, secretary

    def noted() -> Iterator[Deal]:
        for deal in deals:
            deals.left_out.update(secretary.left_out(deal))
            yield deal

    if suffix in (".parquet", ".arrow"):
        parquet.write(target, deals, arrow=suffix == ".arrow")
        return
    with target.open("w", encoding="utf-8", newline="") as out:
        if suffix == ".csv":
            secretary.write(out, noted())
        else:
            for deal in deals:
                out.write(jsonl.encode(deal).decode("utf-8") + "\n")


@click.command()
@click.argument("log", required=False)
@click.option("-o", "--output", metavar="OUT", default="-", show_default=True)
@click.option("--format", "form", metavar="F", help="The format of the input.")
@click.option("--template", is_flag=True, help="Write an empty CSV for a secretary.")
def convert(log: str | None, output: str, form: str | None, *, template: bool) -> int:
    """Convert LOG to what the suffix of OUT says: .jsonl, .parquet, .arrow or .csv.

    What cannot be read is counted on stderr, and so is what a CSV has no column for.
    """
    import tempfile

    from audit.cli.audit import put_whole, write_whole
    from audit.errors import NothingToAudit, UsageError

    if template:
        from audit.readers.secretary import HEADER

        write_whole(output, ",".join(HEADER) + "\n")
        return 0
    if log is None:
        raise UsageError("convert", "LOG", "missing")
    from audit.run.load import load
    from audit.shuffle.log import READER as LEDGER

    with tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
        item = load(log, form, Path(folder), (LEDGER,))
        deals, suffix = _Deals(item), Path(output).suffix.lower()

        def make(target: Path) -> None:
            _write(target, deals, suffix)
            if not deals.count:
                raise NothingToAudit(item.name, "convert", "no deal in it")

        put_whole(output, make)
    click.echo(f"{deals.count} deals; {deals.lost} records that are no deal", err=True)
    if deals.left_out:
        lost = ", ".join(f"{name} of {count} deals" for name, count in deals.left_out.items())
        click.echo(f"left out, for the CSV has no column for it: {lost}", err=True)
    return 0
