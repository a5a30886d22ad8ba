"""Raw rankings on disk, one line a system and question, so that any other figure can be worked out later.

A line holds the ids in rank order (``ranking``), those a gate or cut withheld (``withheld``), and the ``gold``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from benchmarks.metrics import distinct
from benchmarks.values import Haystack, Question, Ranking


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
