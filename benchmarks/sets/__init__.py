"""The public sets, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from benchmarks.sets import beam, locomo, longmemeval, updates, xquad
from benchmarks.values import BenchmarkSet, Haystack, Notes
from reverie.errors import InvalidExport

SETS = {s.name: s for s in (locomo.SET, longmemeval.SET, beam.SET, xquad.SET, updates.SET)}


def load(chosen: BenchmarkSet, paths: Sequence[Path], notes: Notes, limit: int | None = None) -> Iterator[Haystack]:
    """The haystacks of a set's files; ``limit``: at most so many (of their questions, where the set says so).

    Raises:
        InvalidExport: a file is not of the form it should be.
    """
    try:
        if chosen.limit_questions:
            yield from _first_questions(chosen.load(paths, notes), limit)
        else:
            yield from islice(chosen.load(paths, notes), limit)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InvalidExport(
            f"A file of {chosen.name} is not of the form it should be: {error!r}.", "docs/benchmarks.md shows the form."
        ) from error


def _first_questions(haystacks: Iterator[Haystack], limit: int | None) -> Iterator[Haystack]:
    left = limit
    for haystack in haystacks:
        kept = haystack.questions[:left]
        yield replace(haystack, questions=kept)
        if left is not None:
            left -= len(kept)
            if left <= 0:
                return
