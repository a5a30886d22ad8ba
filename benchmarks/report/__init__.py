"""The report: result files in, a Markdown document and a chart out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import chart, retrieval, speed
from benchmarks.report.text import between_markers
from benchmarks.results import read


def write(document: Path, picture: Path | None, retrieval_files: Sequence[Path], speed_files: Sequence[Path]) -> None:
    """Write the generated part of ``document`` (the rest of an existing one stays) and the chart.

    Raises:
        InvalidExport: a file is no result file.
    """
    results = [retrieval.result(read(path)) for path in retrieval_files]
    speeds = [read(path) for path in speed_files]
    results = [found for found in results if found.rows]
    parts = []
    if picture is not None:
        chart.draw(picture, results, speeds)
        parts.append(f"![Evidence found and speed of recall]({_relative(picture, document)})")
    parts += ["### Evidence found", *(retrieval.section(found) for found in results)] if results else []
    parts += ["### Time taken", *(speed.section(content) for content in speeds)] if speeds else []
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(between_markers(old, "\n\n".join(parts)), encoding="utf-8")


def _relative(picture: Path, document: Path) -> str:
    # The picture may lie beside the document or anywhere else; walk_up is not in Python 3.11.
    here = document.parent.resolve()
    there = picture.resolve()
    return there.relative_to(here).as_posix() if there.is_relative_to(here) else there.name
