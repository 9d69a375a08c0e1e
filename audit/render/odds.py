"""The odds of the books as one self-contained page, drawn from their JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;"
    "color:#111;background:#fff}table{border-collapse:collapse;width:100%}"
    "th,td{border:1px solid #666;padding:.35rem .5rem;text-align:left;vertical-align:top}"
    "th{background:#e8edf4}.scroll{overflow-x:auto}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#16181c}th{background:#26303d}}"
)


def odds_page(made: Mapping[str, Any]) -> str:
    """Return the page of `fairdeal odds --json`."""
    claims = [
        (
            c["code"],
            f"{c['claim']} ({c['source']})",
            c["said"] or "in words",
            "; ".join(f"{name}: {value}" for name, value in c["exact"].items()),
            c["verdict"],
        )
        for c in made["claims"]
    ]
    rows = [
        (
            r["row"],
            r["hand"],
            " / ".join(f"{n:,}" for n in r["printed"]),
            "" if r["counted"] is None else " / ".join(f"{n:,}" for n in r["counted"]),
            r["verdict"],
        )
        for r in made["ecarte"]["rows"]
    ]
    heads = ("warning", "claim", "the book", "exact", "verdict")
    of_row = ("row", "dealer's hand", "printed", "counted", "verdict")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Odds of the books</title><style>{_STYLE}</style></head><body>"
        "<h1>Odds of the books, and the exact ones</h1>"
        "<p>A full, fresh pack, uniformly shuffled. Every exact figure is computed. "
        "Codes from E01 on are chances of which the books say who profits, without a figure.</p>"
        f"{_table('Claims', heads, claims)}<h2>Foster's Écarté table</h2>"
        "<p>No proposal / the dealer wins / the player wins, of 65,780 opposing hands. "
        f"{escape(made['ecarte']['rule'])}</p>{_table('Rows', of_row, rows)}</body></html>\n"
    )


def _table(name: str, heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f'<div class="scroll"><table><caption>{escape(name)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
