"""`fairdeal explain`: what a warning means, and who answers it."""

from __future__ import annotations

import click


@click.command()
@click.argument("code")
def explain(code: str) -> int:
    """Explain a warning of the books (W01 to W106) or a row of the battery (T..)."""
    from audit.detect import DETECT

    code = code.upper()
    answers = [DETECT[n] for n in DETECT.names if code in DETECT[n].codes]
    if code.startswith("W"):
        from audit.warnings import get

        one = get(code)
        click.echo(f"{one.code} ({one.kind}; {', '.join(one.games)}; {', '.join(one.seeds)})")
        click.echo(f"claim:  {one.claim}")
        click.echo(f"shows:  {one.shows}")
        click.echo(f"fair:   {one.null}")
        click.echo(f"fields: {', '.join(one.fields) or 'none'}")
    elif not answers:
        from audit.errors import UnknownName

        known = sorted({c for n in DETECT.names for c in DETECT[n].codes})
        raise UnknownName("code", code, known)
    for detector in answers:
        module = __import__(f"audit.detect.{detector.id}", fromlist=["__doc__"])
        click.echo(f"answered by {detector.id}:\n{(module.__doc__ or '').strip()}")
    if not answers:
        click.echo("No detector answers it yet.")
    return 0
