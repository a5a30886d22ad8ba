"""The report: result files in, a Markdown document and a chart out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from benchmarks.report import chart, dream, life, recipes, retrieval, speed, whole
from benchmarks.report.merged import merged
from benchmarks.report.text import between_markers
from benchmarks.results import read
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


KINDS = {
    "retrieval": frozenset({"unit", "metric"}),
    "speed": frozenset({"op", "system"}),
    "whole": frozenset({"op", "recipe"}),
    "dream": frozenset({"size", "figures"}),
    "life": frozenset({"law", "checked"}),
}
"""The keys by which a row is known; a kind of file is told by its first row."""


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
    return next((name for name, wanted in KINDS.items() if wanted <= keys), None)


def both(first: Files, second: Files) -> Files:
    """The files of two lists, the second's last."""
    return replace(first, **{f.name: [*getattr(first, f.name), *getattr(second, f.name)] for f in fields(Files)})


def write(document: Path, picture: Path | None, files: Files) -> None:
    """Write the generated part of ``document`` (the rest of an existing one stays) and the chart.

    Raises:
        InvalidExport: a file is no result file.
    """
    results = merged([found for path in files.retrieval if (found := retrieval.result(read(path))).rows])
    formed = [found for path in files.recipes if (found := retrieval.result(read(path))).rows]
    speeds = [read(path) for path in files.speed]
    parts = []
    if picture is not None:
        chart.draw(picture, results, speeds)
        parts.append(f"![Evidence found and speed of recall]({_relative(picture, document)})")
    parts += _section("### Evidence found", [retrieval.section(found) for found in results])
    parts += _section("### Evidence found with each recipe", [recipes.section(found) for found in formed])
    parts += _section("### Whole lives", [life.section(read(path)) for path in files.life])
    parts += _section("### Time taken", [speed.section(content) for content in speeds])
    parts += _section("### Time taken with everything on", [whole.section(read(path)) for path in files.whole])
    parts += _section("### Dreams", [dream.section(read(path)) for path in files.dream])
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(between_markers(old, "\n\n".join(parts)), encoding="utf-8")


def _section(heading: str, parts: Sequence[str]) -> list[str]:
    return [heading, *parts] if parts else []


def _relative(picture: Path, document: Path) -> str:
    # The picture may lie beside the document or anywhere else; walk_up is not in Python 3.11.
    here = document.parent.resolve()
    there = picture.resolve()
    return there.relative_to(here).as_posix() if there.is_relative_to(here) else there.name
