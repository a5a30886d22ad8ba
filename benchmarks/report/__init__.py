"""The report: result files in, a Markdown document and a chart out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import chart, dream, life, recipes, retrieval, speed, whole
from benchmarks.report.text import between_markers
from benchmarks.results import read


@dataclass(frozen=True, slots=True)
class Files:
    """The result files of each kind that the report is made of."""

    retrieval: Sequence[Path] = ()
    recipes: Sequence[Path] = ()
    speed: Sequence[Path] = ()
    whole: Sequence[Path] = ()
    dream: Sequence[Path] = ()
    life: Sequence[Path] = ()


def write(document: Path, picture: Path | None, files: Files) -> None:
    """Write the generated part of ``document`` (the rest of an existing one stays) and the chart.

    Raises:
        InvalidExport: a file is no result file.
    """
    results = [found for path in files.retrieval if (found := retrieval.result(read(path))).rows]
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
