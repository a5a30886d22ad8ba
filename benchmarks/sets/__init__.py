"""The public sets, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from benchmarks.files import kind
from benchmarks.sets import beam, labelled, locomo, longmemeval, updates, xquad
from benchmarks.values import BenchmarkSet, Haystack, Notes
from reverie.errors import InvalidExport

SETS = {s.name: s for s in (locomo.SET, longmemeval.SET, beam.SET, xquad.SET, updates.SET)}

NAMES = (*SETS, labelled.NAME)
"""What ``--set`` takes: a set, or files of the one form that many sets have."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A set and its files, and what its result file is called behind the name that was asked for."""

    set: BenchmarkSet
    paths: tuple[Path, ...]
    suffix: str = ""

    def out(self, asked: Path) -> Path:
        """Where its results go."""
        return asked.with_name(f"{asked.stem}{self.suffix}{asked.suffix}") if self.suffix else asked


def chosen(name: str, paths: Sequence[Path]) -> list[Chosen]:
    """The set of a name with its files; of labelled files each set that is among them.

    Raises:
        InvalidExport: a file has not the form it should have.
    """
    if name != labelled.NAME:
        return [Chosen(SETS[name], tuple(paths))]
    found = labelled.by_set(paths)
    return [
        Chosen(labelled.benchmark_set(one), tuple(files), f"-{one}" if len(found) > 1 else "")
        for one, files in found.items()
    ]


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
            f"A file of {chosen.name} is not of the form it should be: {error!r}.",
            "See docs/benchmarks/method.md.",
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


def sets_in(folder: Path) -> dict[str, list[Path]]:
    """The benchmark files in a folder by set, told by what is in them; other files are passed over."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.is_file():
            name = _set_of(path)
            if name is not None:
                found.setdefault(name, []).append(path)
    return {name: found[name] for name in SETS if name in found}


def labelled_in(folder: Path) -> list[Path]:
    """The labelled lives in a folder (``sets.labelled``)."""
    return [path for path in sorted(folder.iterdir()) if path.is_file() and _set_of(path) == labelled.NAME]


def _set_of(path: Path) -> str | None:
    try:
        told = kind(path)
    except InvalidExport:
        return None  # not a benchmark file
    return None if told is None else told.partition("-")[0]
