"""The report: result files in, a Markdown document and a chart out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from benchmarks.report import chart, retrieval, speed, stale
from benchmarks.report.merged import merged
from benchmarks.report.text import between_markers, parts_of, table
from benchmarks.results import law_rows, read
from reverie.errors import InvalidExport, InvalidInput


@dataclass(frozen=True, slots=True)
class Files:
    """The result files of each kind that the report is made of."""

    retrieval: Sequence[Path] = ()
    recipes: Sequence[Path] = ()
    speed: Sequence[Path] = ()
    whole: Sequence[Path] = ()
    dream: Sequence[Path] = ()
    life: Sequence[Path] = ()
    stale: Sequence[Path] = ()


KINDS_OF_FILES = tuple(field.name for field in fields(Files))
KINDS = {
    "retrieval": frozenset({"unit", "metric"}),
    "speed": frozenset({"op", "system"}),
    "whole": frozenset({"op", "recipe"}),
    "dream": frozenset({"size", "figures"}),
    "life": frozenset({"law", "checked"}),
    "stale": frozenset({"category", "metric"}),
}
"""The keys by which a row is known; a kind of file is told by its first row."""

HEADINGS = (
    FOUND := "### Evidence found",
    FORMED := "### Evidence found with each recipe",
    CHANGED := "### What changed, and what is denied",
    LIVES := "### Whole lives",
    TIME := "### Time taken",
    WHOLE := "### Time taken with everything on",
    DREAMS := "### Dreams",
)
"""The sections, in their order."""


def in_folder(folder: Path) -> Files:
    """The result files in a folder by what is in them, in order of name; other files are passed over.

    Raises:
        InvalidInput: there is none.
    """
    found: dict[str, list[Path]] = {name: [] for name in KINDS}
    for path in sorted(folder.glob("*.json")):
        kind = _kind(path)
        if kind is not None:
            found[kind].append(path)
    if not any(found.values()):
        raise InvalidInput(f"There is no result file in {folder}.", "Run `make bench`, or name a folder that has some.")
    return Files(**found)


def _kind(path: Path) -> str | None:
    try:
        rows = read(path)["rows"]
    except InvalidExport:
        return None
    keys = rows[0].keys() if rows and isinstance(rows[0], dict) else frozenset()
    kind = next((name for name, wanted in KINDS.items() if wanted <= keys), None)
    is_other = kind == "stale" and rows[0]["metric"] not in stale.TOLD
    return None if is_other else kind


def both(first: Files, second: Files) -> Files:
    """The files of two lists, the second's last."""
    return replace(first, **{f.name: [*getattr(first, f.name), *getattr(second, f.name)] for f in fields(Files)})


def write(document: Path, picture: Path | None, files: Files) -> None:
    """Write the generated part of ``document`` (the rest of an existing one stays) and the chart.

    A section for which there is no file stays as it was; the chart shows what the files hold.

    Raises:
        InvalidExport: a file is no result file.
    """
    results = merged([found for path in files.retrieval if (found := retrieval.result(read(path))).rows])
    speeds = [read(path) for path in files.speed]
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    kept = parts_of(old, HEADINGS)
    made = _sections(results, speeds, files)
    parts = [kept.get("", "")]
    if picture is not None and (results or speeds):
        chart.draw(picture, results, speeds)
        parts = [f"![Evidence found and speed of recall]({_relative(picture, document)})"]
    parts += [
        "\n\n".join([heading, *made[heading]]) if made[heading] else kept.get(heading, "") for heading in HEADINGS
    ]
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(between_markers(old, "\n\n".join(filter(None, parts))), encoding="utf-8")


def _sections(
    results: Sequence[retrieval.Result], speeds: Sequence[Mapping[str, Any]], files: Files
) -> dict[str, list[str]]:
    """The parts of each section by its heading; none where there is no file for it."""
    formed = [found for path in files.recipes if (found := retrieval.result(read(path))).rows]
    return {
        FOUND: [retrieval.section(found) for found in results],
        FORMED: [retrieval.recipes_section(found) for found in formed],
        CHANGED: [told] if (told := stale.section([read(path) for path in files.stale])) else [],
        LIVES: [life_section(read(path)) for path in files.life],
        TIME: [speed.section(content) for content in speeds],
        WHOLE: [speed.whole_section(read(path)) for path in files.whole],
        DREAMS: [speed.dream_section(read(path)) for path in files.dream],
    }


def _relative(picture: Path, document: Path) -> str:
    return Path(os.path.relpath(picture.resolve(), document.parent.resolve())).as_posix()


def life_section(content: Mapping[str, Any]) -> str:
    """Whole lives, as tables: each law with what was looked at and what broke it, and the counts behind it."""
    rows = law_rows(content)
    if not rows:
        return ""
    stores = len({row.store for row in rows})
    laws = []
    for law in dict.fromkeys(row.law for row in rows):
        of = [row for row in rows if row.law == law]
        laws.append([law, f"{sum(row.checked for row in of):,}", f"{sum(row.broken for row in of):,}"])
    counted = [[name, f"{value:,}"] for name, value in content.get("counts", {}).items() if isinstance(value, int)]
    name = retrieval.TITLES.get(rows[0].set, rows[0].set)
    heading = f"#### {name}, recipe `{rows[0].recipe}`"
    model = f"{stores} conversations; embedding model: `{content.get('model')}`."
    return "\n\n".join([heading, model, table(["law", "checked", "broken"], laws), table(["what", "count"], counted)])
