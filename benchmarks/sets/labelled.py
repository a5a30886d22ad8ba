"""Labelled lives: one form for many sets, each line a life with its messages and the questions asked of it.

In: records with ``set``, ``id``, ``language``, ``messages`` and ``questions``. A question hears what was said before it
and nothing later. Evidence is labelled by message (``gold``), by session (``gold_sessions``), or by both; what changed,
by ``older`` and ``newest``; the two ``sides`` of other evidence by name, the oldest first.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from benchmarks.files import Record, of_kind, records
from benchmarks.values import BenchmarkSet, Change, Haystack, Item, Notes, Question
from reverie.errors import InvalidExport
from reverie.types import Role

NAME = "labelled"
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "other": Role.PERSON, "device": Role.TOOL, "tool": Role.TOOL}
CONTRADICTION = Change.CONTRADICTION.value
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


def load(paths: Sequence[Path], notes: Notes) -> Iterator[Haystack]:
    """One haystack a life."""
    for path in of_kind(paths, NAME):
        for record in records(path):
            yield life(record, notes)


def life(record: Record, notes: Notes) -> Haystack:
    """The messages in order of time, and the questions, each asked at its own time."""
    items = tuple(
        Item(str(one["id"]), one["session"], one["speaker"], ROLES[one["role"]], _moment(one["time"]), one["text"])
        for one in record["messages"]
    )
    times = [item.at for item in items]
    if any(later <= earlier for earlier, later in pairwise(times)):
        raise ValueError(f"the messages of {record['id']} are not in rising order of time")
    known = {item.id for item in items}
    questions = tuple(_question(one, times, known, notes) for one in record["questions"])
    return Haystack(str(record["id"]), record["language"], items, questions)


def _question(raw: Record, times: Sequence[datetime], known: set[str], notes: Notes) -> Question:
    asked_at = _moment(raw["time"])
    sides, change = _sides(raw)
    gold = tuple(dict.fromkeys(raw.get("gold") or ()))
    unknown = {one for one in gold if one not in known}
    if unknown:
        notes["evidence ids that name no message (dropped)"] += len(unknown)
    return Question(
        id=str(raw["id"]),
        text=raw["question"],
        category=raw["category"],
        gold=tuple(one for one in gold if one not in unknown),
        asked_at=asked_at,
        answerable=raw["answerable"],
        sides=sides,
        change=change,
        sessions=tuple(dict.fromkeys(raw.get("gold_sessions") or ())),
        heard=bisect_right(times, asked_at),
    )


def _sides(raw: Mapping[str, Sequence[str]]) -> tuple[tuple[tuple[str, ...], ...], Change]:
    """The older and the newest evidence of what changed, or the sides that a contradiction has."""
    older, newest = raw.get("older"), raw.get("newest")
    if older and newest:
        return (tuple(older), tuple(newest)), Change.UPDATE
    sides = tuple(tuple(side) for side in raw.get("sides") or ())
    return sides, Change.CONTRADICTION if raw["category"] == CONTRADICTION and len(sides) > 1 else Change.NONE


def _moment(text: str) -> datetime:
    """An ISO time; the sets name no time zone, so UTC."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def by_set(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """The files by the set that their first life says it is of.

    Raises:
        InvalidExport: a file is not of this form, or its set has a name that could not name a result file.
    """
    found: dict[str, list[Path]] = {}
    for path in of_kind(paths, NAME):
        name = str(next(records(path))["set"])
        if not _PLAIN_NAME.fullmatch(name):
            raise InvalidExport(f"{path.name} names its set {name!r}.", "Name it in small letters, digits and dashes.")
        found.setdefault(name, []).append(path)
    return found


def benchmark_set(name: str) -> BenchmarkSet:
    """One of the sets of this form."""
    return BenchmarkSet(name, unit="message", sessions=True, unanswerable=True, load=load)
