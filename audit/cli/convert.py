"""`fairdeal convert`: any readable log as JSON Lines, or an empty CSV to type into."""

from __future__ import annotations

import click


@click.command()
@click.argument("log", required=False)
@click.option("-o", "--output", metavar="OUT", default="-", show_default=True)
@click.option("--format", "form", metavar="F", help="The format of the input.")
@click.option("--template", is_flag=True, help="Write an empty CSV for a secretary.")
def convert(log: str | None, output: str, form: str | None, *, template: bool) -> int:
    """Convert LOG to JSON Lines; what cannot be read is counted on stderr."""
    from audit.cli.audit import write_whole
    from audit.errors import NothingToAudit, UsageError

    if template:
        from audit.readers.secretary import HEADER

        write_whole(output, ",".join(HEADER) + "\n")
        return 0
    if log is None:
        raise UsageError("convert", "LOG", "missing")
    from audit.readers.jsonl import encode
    from audit.record import Deal
    from audit.run.load import load

    item = load(log, form)
    lines, lost = [], 0
    for record in item.reader.read(item.data, item.name):
        if isinstance(record, Deal):
            lines.append(encode(record).decode("utf-8"))
        else:
            lost += 1
    if not lines:
        raise NothingToAudit(item.name, "convert", "no deal in it")
    write_whole(output, "\n".join(lines) + "\n")
    click.echo(f"{len(lines)} deals; {lost} records that are no deal", err=True)
    return 0
