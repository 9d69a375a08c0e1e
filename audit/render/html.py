"""The report as one HTML page: no script, pictures inline, the same bytes every time."""

from __future__ import annotations

import io
import math
import re
import warnings
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from markupsafe import Markup, escape

from audit.render.schema import (
    NEXT,
    NO_ACCUSATION,
    SILENT_WEIGHT,
    VERDICTS,
    clean,
    number,
    ordered,
    power,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LARGEST, _PICTURES = 1_000_000, 600_000
_LEFT_OUT = Markup("<p>Too large to draw here; its table follows.</p>")
_INK, _BAND = "#1f4e79", "#f0c674"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
_STYLE: Any = {
    "svg.hashsalt": "fairdeal",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def page(report: dict[str, Any]) -> str:
    """Return *report* as a self-contained page under 1 MB; what was left out is stated on it."""
    env = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    env.filters.update(number=number, power=_power)
    source = files("audit.render").joinpath("report.html.j2").read_text(encoding="utf-8")
    template = env.from_string(source)
    drawn: dict[int, Markup] = {}
    text = ""
    for limit, longest in ((200, 1000), (60, 600), (20, 200), (5, 80)):
        safe = clean({k: _head(v, limit) for k, v in report.items()}, longest)
        safe["findings"] = clean(ordered(report.get("findings", []))[:limit], longest)
        pictures = safe["pictures"] = safe.get("pictures", [])[: min(limit, 12)]
        for i, picture in enumerate(pictures):
            if i not in drawn:
                room = _PICTURES - sum(map(len, drawn.values()))
                svg = draw(picture, f"p{i + 1}-") if room > 0 else _LEFT_OUT
                drawn[i] = svg if len(svg) <= room else _LEFT_OUT
            picture["svg"] = drawn[i]
            picture["all"] = len(report["pictures"][i].get("rows", []))
            picture["rows"] = picture["rows"][:limit]
            if picture["kind"] == "bars":
                _say_places(picture)
            elif picture.get("fair"):
                picture["rows"] = [
                    [r[0], *(f"{v:.3f}" if isinstance(v, float) else v for v in r[1:])]
                    for r in picture["rows"]
                ]
        text = template.render(
            r=safe,
            total={k: len(v) for k, v in report.items() if isinstance(v, list)},
            verdict=VERDICTS[report["verdict"]],
            no_accusation=NO_ACCUSATION,
            silent_weight=SILENT_WEIGHT,
            what_next=NEXT.get(str(report.get("verdict")), ""),
        )
        if len(text.encode()) < _LARGEST:
            break
    return text


def draw(picture: dict[str, Any], prefix: str) -> Markup:
    """Return *picture*, its strings clean, as inline SVG whose ids begin with *prefix*."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    rows = [r for r in picture["rows"] if r]
    if not rows:
        return Markup("")
    kind = picture["kind"]
    step = -(-len(rows) // 512)
    rows = rows[::step] + rows[-1:] if kind == "line" else rows[:60]
    height = 3.2 if kind == "line" else 1.1 + (0.3 if kind == "bars" else 0.19) * len(rows)
    out = io.StringIO()
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a glyph that the font lacks: the reader's has it
        figure = Figure(figsize=(4.8, max(height, 2.0)), layout="constrained")
        FigureCanvasSVG(figure)
        ax = figure.add_subplot()
        if kind == "heat":
            _heat(ax, picture, rows)
        else:
            {"bars": _bars, "line": _line}[kind](ax, picture["columns"], rows)
        figure.savefig(out, format="svg", metadata={"Date": None})
    return _inline(out.getvalue(), prefix, f"{picture['title']}. {picture['text']}")


def _bars(ax: Axes, columns: list[str], rows: list[list[Any]]) -> None:
    """Draw what was seen as bars, over the band where a fair deal would fall."""
    for y, row in enumerate(rows):
        seen, low, high = (_real(v) for v in (*row[1:4], None, None, None)[:3])
        ax.barh(y, seen, height=0.42, color=_INK, zorder=2, label="seen" if not y else None)
        if low == low and high == high:
            band = ax.barh(
                y,
                high - low,
                left=low,
                height=0.84,
                facecolor=_BAND,
                edgecolor="#5a4300",
                alpha=0.75,
                hatch="//",
                label=None if y else "fair band",
                zorder=3,
                fill=True,
            )
            band.patches[0].set_gid(f"fair-band-{y + 1}")
    ax.set_yticks(range(len(rows)), [_short(r[0]) for r in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel(_short(columns[1], 40))
    ax.figure.legend(loc="outside upper right", ncols=2, frameon=False)


def _heat(ax: Axes, picture: dict[str, Any], rows: list[list[Any]]) -> None:
    """Draw a table of numbers as cells, darker where larger, so that grey shows it as well.

    Where the picture states the fair share and the deals of each column, the
    cells are standard units from it on a scale as long below as above, and cells
    beyond 2 and 4 units carry signs.
    """
    columns = picture["columns"]
    width = min(len(columns) - 1, 60)
    cells = [[_real(v) for v in (*r[1 : width + 1], *[None] * width)][:width] for r in rows]
    fair, deals = picture.get("fair"), picture.get("deals")
    limit: float | None = None
    if fair and deals:
        cells = [[_units(*cell) for cell in zip(row, fair, deals, strict=False)] for row in cells]
        limit = 6.0
        for y, row in enumerate(cells):
            for x, z in enumerate(row):
                if abs(z) >= 2:
                    sign = ("+" if z > 0 else "−") * (2 if abs(z) >= 4 else 1)
                    ink = "white" if z > 0 else "black"
                    ax.text(x + 0.5, y + 0.5, sign, color=ink, fontsize=9, ha="center", va="center")
    mesh = ax.pcolormesh(
        cells,
        cmap="cividis_r",
        edgecolors="white",
        linewidth=0.3,
        vmin=None if limit is None else -limit,
        vmax=limit,
    )
    ax.set_yticks([y + 0.5 for y in range(len(rows))], [_short(r[0]) for r in rows], fontsize=8)
    ax.set_xticks(
        [x + 0.5 for x in range(width)],
        [_short(c, 14) for c in columns[1 : width + 1]],
        fontsize=8,
        rotation=90 if width > 5 else 0,
    )
    ax.xaxis.tick_top()
    ax.invert_yaxis()
    mesh.set_cmap(mesh.get_cmap().resampled(12))
    bar = ax.figure.colorbar(
        mesh, ax=ax, extend="both" if limit else "neither", location="bottom", aspect=40, pad=0.01
    )
    if limit:
        bar.set_label("standard units from the fair share (signs: beyond 2, beyond 4)")
    bar.solids.set_rasterized(False)  # type: ignore[union-attr]


def _units(share: float, fair: float, deals: int) -> float:
    return (share - fair) / math.sqrt(fair * (1 - fair) / deals)


def _line(ax: Axes, columns: list[str], rows: list[list[Any]]) -> None:
    """Draw evidence over time, and the line at 3 where a flag is raised."""
    x = [_real(r[0]) for r in rows]
    for k, name in enumerate(columns[1:6]):
        y = [_real(r[k + 1]) if len(r) > k + 1 else float("nan") for r in rows]
        ax.plot(
            x,
            y,
            linestyle=_DASHES[k],
            color=_INK if not k else "#555555",
            label=_short(name.replace("_", " "), 24),
        )
    ax.axhline(3, color="#8a3b00", linestyle=(0, (1, 1)), linewidth=2, gid="flag-line")
    ax.annotate("3: a flag is raised", (0.01, 3), xycoords=("axes fraction", "data"),
                xytext=(0, 3), textcoords="offset points", color="#8a3b00")  # fmt: skip
    low, high = ax.get_ylim()
    ax.set_ylim(min(low, -0.5), max(high, 3.6))
    ax.set_xlabel(_short(columns[0], 40))
    ax.set_ylabel("log10 of the evidence")
    ax.figure.legend(loc="outside upper right", ncols=2, frameon=False)


def _inline(svg: str, prefix: str, title: str) -> Markup:
    """Return *svg* without prolog, comments, metadata and global style, its ids prefixed."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.S)

    def tag(found: re.Match[str]) -> str:
        text = re.sub(r'(\sid=")', rf"\g<1>{prefix}", found[0])
        return re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}", text)

    svg = re.sub(r"<[^>]*>", tag, svg)
    view = re.search(r'viewBox="[^"]*"', svg)
    head = f'<svg {view[0] if view else ""} role="img" aria-label="{escape(title)}"'
    head += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg">'
    body = svg[svg.index(">") + 1 :]
    return Markup(re.sub(r"\s*\n\s*", "\n", head + body))


def _say_places(picture: dict[str, Any]) -> None:
    """Add to the table of bars, in words, where each row stands to its band."""
    if len(picture["columns"]) < 4:
        return
    picture["columns"] = [*picture["columns"], "against the band"]
    for i, row in enumerate(picture["rows"]):
        seen, low, high = (_real(v) for v in (*row[1:4], None, None, None)[:3])
        word = "above" if seen > high else "below" if seen < low else "within"
        picture["rows"][i] = [*row, word if seen == seen and low <= high else None]


def _head(value: Any, limit: int) -> Any:
    return value[:limit] if isinstance(value, list) else value


def _real(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _short(value: Any, longest: int = 16) -> str:
    text = number(value)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _power(log10: Any) -> Markup:
    text = power(log10)
    return Markup("10<sup>{}</sup>").format(text[3:]) if text.startswith("10^") else escape(text)
