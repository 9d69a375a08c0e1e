"""`fairdeal odds`: the odds of the books beside the exact ones."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import click

LEGEND = (
    "Écarté: the counts are for best play of two who see both hands; the pictures of the player's"
    " standing hands are lost, so he stands on three trumps, on four court cards not all Jacks, or"
    " on three trumps and Kings without the King of trumps; the weakest trump left is turned."
)


def ecarte_rows() -> list[dict[str, Any]]:
    """Return Foster's eight rows, each with what counting gives, None for the impossible one."""
    from audit.odds.ecarte import ROWS, count

    out = []
    for row in ROWS:
        printed = [row.no_proposal, row.dealer_wins, row.player_wins]
        counted: list[int] | None = None
        verdict = "no pack holds this hand: a card stands twice"
        if row.possible:
            found = count(row)
            counted = [found.no_proposal, found.dealer_wins, found.player_wins]
            verdict = "agrees" if counted == printed else "differs"
        out.append(
            {
                "row": row.number,
                "hand": " ".join(row.hand),
                "trumps": row.trump,
                "printed": printed,
                "counted": counted,
                "verdict": verdict,
            }
        )
    return out


def report() -> dict[str, Any]:
    """Return all claims and the Écarté table as plain data; fractions are texts."""
    from audit.odds.chances import CHANCES
    from audit.odds.claims import CLAIMS

    claims = [
        {
            "code": c.code,
            "game": c.game,
            "source": c.source,
            "claim": c.claim,
            "said": None if c.said is None else str(c.said),
            "exact": {name: str(value) for name, value in c.values().items()},
            "verdict": c.verdict,
        }
        for c in (*CLAIMS, *CHANCES)
    ]
    return {
        "schema": "fairdeal-odds/1",
        "claims": claims,
        "ecarte": {"rule": LEGEND, "rows": ecarte_rows()},
    }


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--html", "html_to", metavar="FILE", help="Write it as one HTML page.")
def odds(html_to: str | None, *, as_json: bool) -> int:
    """Print every claim of odds in the books beside the exact value, and a verdict."""
    made = report()
    if html_to:
        from audit.cli.audit import write_whole
        from audit.render.odds import odds_page

        write_whole(html_to, odds_page(made))
        return 0
    if as_json:
        click.echo(json.dumps(made, ensure_ascii=False, indent=1))
        return 0
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("code", "claim", "said", "exact", "verdict", title="Odds of the books")
    for c in made["claims"]:
        exact = "\n".join(f"{shown(v)}  {name}" for name, v in c["exact"].items())
        table.add_row(
            c["code"], f"{c['claim']}\n({c['source']})", c["said"] or "", exact, c["verdict"]
        )
    console.print(table)
    table = Table("row", "hand", "printed", "counted", "verdict", title="Foster's Écarté table")
    for r in made["ecarte"]["rows"]:
        counted = "" if r["counted"] is None else " ".join(f"{n:,}" for n in r["counted"])
        printed = " ".join(f"{n:,}" for n in r["printed"])
        table.add_row(str(r["row"]), r["hand"], printed, counted, r["verdict"])
    console.print(table)
    console.print(LEGEND)
    return 0


def shown(text: str) -> str:
    """Return a fraction as it is, or as a decimal where it is long."""
    value = Fraction(text)
    return text if len(text) <= 9 else f"{float(value):.5f}"
