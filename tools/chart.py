"""Draw the chart of ``docs/benchmarks.md`` from a table of ``docs/benchmarks/results.md``.

In: the page of the results. Out: an SVG with two bars for each set: the best plain search, and Reverie. The reader's
browser chooses its light or its dark form; each has its own background. ``python -m tools.docs --write`` writes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

HEADING = "## Other people's sets"
WIDTH, ROW, TOP, LEFT, BAR_WIDTH = 560, 27, 56, 168, 275
STYLE = """
  .card { fill: #ffffff; stroke: #d0d7de } text { fill: #1f2328; font: 14px system-ui, sans-serif }
  .small { font-size: 11px } .bold { font-weight: 600 } .plain { fill: #8c959f } .reverie { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    .card { fill: #161b22; stroke: #30363d } text { fill: #e6edf3 } .plain { fill: #8b949e } .reverie { fill: #3fb950 }
  }
"""


@dataclass(frozen=True, slots=True)
class Bars:
    """One set: evidence among the first ten results, in percent, of the best plain search and of Reverie.

    ``difference`` is what the table says of it, computed before the two were rounded.
    """

    name: str
    plain: float
    reverie: float
    difference: str


def rows(page: str) -> list[Bars]:
    """Return the rows of the table below the heading; its columns are set, questions, the plain searches, Reverie."""
    section = re.split(r"^## ", page.partition(HEADING)[2], flags=re.MULTILINE)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [Bars(name, max(map(float, plain)), float(ours), more) for name, _, *plain, ours, more in cells[2:]]


def drawn(page: str) -> str:
    """Return the chart of a page as SVG."""
    sets = rows(page)
    height = TOP + ROW * len(sets) + 10
    values = "; ".join(f"{one.name}: {one.plain:g} against {one.reverie:g}" for one in sets)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" role="img" '
        f'viewBox="0 0 {WIDTH} {height}">',
        f"<title>Evidence among the first ten results, %, best plain search against Reverie: {escape(values)}.</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="card" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        '<text class="bold" x="16" y="26">Evidence among the first ten results, %</text>',
        '<rect class="reverie" x="16" y="38" width="10" height="10"/><text class="small" x="31" y="47">Reverie</text>',
        '<rect class="plain" x="92" y="38" width="10" height="10"/>',
        '<text class="small" x="107" y="47">the best of BM25, cosine and their fusion</text>',
        f'<text class="small" x="{WIDTH - 16}" y="47" text-anchor="end">difference</text>',
        *(line for place, one in enumerate(sets) for line in _bars(one, TOP + ROW * place)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _bars(one: Bars, top: int) -> list[str]:
    """Return a set's name, two bars with their values, and the difference."""
    bars = []
    for kind, value, y in (("reverie", one.reverie, top + 3), ("plain", one.plain, top + 14)):
        length = round(value / 100 * BAR_WIDTH, 1)
        bars += [
            f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{length}" height="10"/>',
            f'<text class="small" x="{LEFT + length + 5:g}" y="{y + 9}">{value:.1f}</text>',
        ]
    return [
        f'<text x="16" y="{top + 18}">{escape(one.name)}</text>',
        *bars,
        f'<text class="bold" x="{WIDTH - 16}" y="{top + 18}" text-anchor="end">{escape(one.difference)}</text>',
    ]
