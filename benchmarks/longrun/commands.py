"""What ``longrun`` does, from parsed options to a written file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks import results, sets
from benchmarks.embedding import NO_MODEL, cached_embedder
from benchmarks.longrun import page
from benchmarks.longrun import run as running
from benchmarks.longrun.arms import chosen, mechanisms
from benchmarks.report.text import between_markers


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """A result file for each set."""
    embedder = cached_embedder(options)
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    for one in sets.chosen(options.set, options.data):
        rows, extras = running.run(_request(options, one), embedder)
        out = one.out(options.out)
        results.write(out, rows, {**extras, **model, **results.surroundings(given)})
        print(f"wrote {out}")


def _request(options: argparse.Namespace, one: sets.Chosen) -> running.Request:
    return running.Request(
        set=one.set,
        data=one.paths,
        arms=chosen(options.arms),
        noise=options.noise,
        capacity=options.capacity,
        messages=options.messages,
        without=mechanisms(options.without),
        questions=options.keep_questions,
        limit=options.limit,
        seed=options.seed,
    )


def report(options: argparse.Namespace) -> None:
    """The generated part of the long run's page, and its chart; the rest of an existing page stays."""
    document, picture = options.out, options.chart
    contents = [results.read(path) for path in options.longrun]
    parts = []
    if picture is not None:
        page.draw(picture, contents[0])
        parts.append(f"![Evidence in 1,000 tokens and stale facts, by noise](images/{picture.name})")
    parts += [part for part in (page.verdicts(contents), *map(page.section, contents)) if part]
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(between_markers(old, "\n\n".join(parts)), encoding="utf-8")
    print(f"wrote {document}")
