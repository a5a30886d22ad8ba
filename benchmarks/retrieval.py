"""The retrieval benchmark: build a store from each haystack, ask its questions, compare with the gold.

In: a set, its files, the systems. Out: rows with intervals, paired differences, counts of what was left out, and (where
asked for) the raw rankings, so that any other figure can be worked out later: a line a system and question with the ids
in rank order (``ranking``), those a gate or cut withheld (``withheld``), and the ``gold``.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TextIO

import numpy as np

from benchmarks.metrics import columns, distinct, measure
from benchmarks.results import Extras, RetrievalRow
from benchmarks.sets import load
from benchmarks.summary import Measured, by_question, summarise
from benchmarks.systems import System
from benchmarks.values import BenchmarkSet, Haystack, Notes, Question, Ranking
from reverie.errors import InvalidInput

# Raw rankings on disk, one line a system and question, so that any other figure can be worked out later.


@contextmanager
def rankings_file(path: Path | None) -> Iterator[Rankings]:
    """A file of JSON lines, gzipped where its name ends in ``.gz``; without a path nothing is kept."""
    if path is None:
        yield Rankings(None)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz" else path.open("w", encoding="utf-8") as stream
    ):
        yield Rankings(stream)


class Rankings:
    """Takes rankings, and writes them where there is a stream."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, system: str, haystack: Haystack, question: Question, ranking: Ranking) -> None:
        """Add one ranking."""
        if self._stream is None:
            return
        line = {
            "system": system,
            "store": haystack.name,
            "question": question.id,
            "category": question.category,
            "gold": question.gold,
            "ranking": distinct(one for entry in ranking for one in entry.ids),
            "withheld": distinct(one for entry in ranking if entry.withheld for one in entry.ids),
        }
        self._stream.write(json.dumps(line, ensure_ascii=False) + "\n")


# The benchmark itself.

DEPTH = 200
"""Places asked of each system: enough to fill 2,000 tokens with short turns and to see 20 sessions."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to run: ``limit`` takes only the first haystacks, ``rankings`` is where raw rankings go."""

    set: BenchmarkSet
    data: tuple[Path, ...]
    limit: int | None = None
    seed: int = 0
    rankings: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rows, and the other keys of the result file."""

    rows: list[RetrievalRow]
    extras: Extras


@dataclass(slots=True)
class Tally:
    """What piles up while the haystacks go by; ``values`` has a row for each question with gold."""

    values: dict[str, list[list[float]]]
    questions: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    answerable: list[bool] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    notes: Notes = field(default_factory=Counter)
    stores: int = 0
    items: int = 0
    without_gold: int = 0

    def take(self, haystack: Haystack) -> None:
        """Count a haystack and the questions that will be measured."""
        self.stores += 1
        self.items += len(haystack.items)
        with_gold = [question for question in haystack.questions if question.labelled]
        self.without_gold += len(haystack.questions) - len(with_gold)
        self.questions += [question.id for question in with_gold]
        self.categories += [question.category for question in with_gold]
        self.answerable += [question.answerable for question in with_gold]


def run(request: Request, systems: Sequence[System]) -> Outcome:
    """Measure the systems on a set.

    Raises:
        InvalidExport: a file is not of the set's form.
        InvalidInput: no question with gold is left.
    """
    chosen = request.set
    tally = Tally({system.name: [] for system in systems})
    with rankings_file(request.rankings) as rankings:
        for haystack in load(chosen, request.data, tally.notes, request.limit):
            tally.take(haystack)
            for system in systems:
                _ask(system, haystack, chosen.sessions, tally, rankings)
            _progress(chosen.name, tally, end="\r")
    _progress(chosen.name, tally, end="\n")
    if not tally.categories:
        raise InvalidInput(f"No question of {chosen.name} has gold.", "Give other files, or a higher --limit.")
    measured = Measured(
        chosen.name,
        columns(chosen.unit, chosen.sessions),
        {name: np.array(values, dtype=np.float64) for name, values in tally.values.items()},
        tuple(tally.categories),
        tuple(tally.answerable),
    )
    rows, paired = summarise(measured, chosen.unanswerable, request.seed)
    extras = {
        "counts": _counts(tally),
        "paired": [asdict(row) for row in paired],
        "by_question": by_question(measured, tuple(tally.questions)),
        "systems": {system.name: told for system in systems if (told := getattr(system, "version", ""))},
        "seed": request.seed,
        **({"limit": request.limit} if request.limit else {}),
    }
    return Outcome(rows, extras)


def _ask(system: System, haystack: Haystack, sessions: bool, tally: Tally, rankings: Rankings) -> None:
    started = perf_counter()
    found = system.rank(haystack, DEPTH)
    tally.seconds[system.name] = tally.seconds.get(system.name, 0.0) + perf_counter() - started
    for question, ranking in zip(haystack.questions, found, strict=True):
        rankings.write(system.name, haystack, question, ranking)
        if question.labelled:
            tally.values[system.name].append(measure(ranking, question, haystack, sessions))


def _counts(tally: Tally) -> dict[str, object]:
    return {
        "stores": tally.stores,
        "items": tally.items,
        "questions": len(tally.categories),
        "questions without gold (left out)": tally.without_gold,
        **dict(sorted(tally.notes.items())),
        "seconds": {name: round(spent, 1) for name, spent in tally.seconds.items()},
    }


def _progress(name: str, tally: Tally, end: str) -> None:
    if end == "\n" or sys.stderr.isatty():
        print(f"{name}: {tally.stores} stores, {len(tally.categories)} questions", end=end, file=sys.stderr, flush=True)
