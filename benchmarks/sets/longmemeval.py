"""LongMemEval-S: a person and an assistant; every question has its own haystack of some fifty dated sessions.

In: a file of questions (each names its haystack as [key, date] pairs) and a file of sessions. Both roles are indexed;
a turn marked ``has_answer`` is evidence, and its session with it. Questions whose id ends in ``_abs`` cannot be
answered, so they have no gold, as in the authors' own script.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from benchmarks.files import Record, of_kind, records
from benchmarks.values import BenchmarkSet, Change, Haystack, Item, Notes, Question
from reverie.errors import InvalidExport
from reverie.types import Role

WEEKDAY = re.compile(r"\s*\(\w+\)\s*")


def load(paths: Sequence[Path], notes: Notes) -> Iterator[Haystack]:
    """One haystack a question."""
    questions = of_kind(paths, "longmemeval-questions")
    sessions = {record["key"]: record for path in of_kind(paths, "longmemeval-sessions") for record in records(path)}
    for path in questions:
        for record in records(path):
            yield haystack(record, sessions, notes)


def haystack(record: Record, sessions: Mapping[str, Record], notes: Notes) -> Haystack:
    """One question with the sessions it is asked over, in the order of their dates."""
    name = record["question_id"]
    asked_at = moment(record["question_date"])
    dated = sorted(((moment(date), key) for key, date in record["haystack"]), key=lambda pair: pair[0])
    seen: Counter[str] = Counter()
    items: list[Item] = []
    gold: list[str] = []
    for at, key in dated:
        session = _session(key, sessions)
        said = session.get("session_id", key)
        seen[said] += 1
        if seen[said] > 1:
            # The same talk on another day: a session of its own, as whoever imports the files would have it.
            notes["sessions that a haystack holds twice"] += 1
            said = f"{said}#{seen[said]}"
        items += _turns(said, session["turns"], at)
        gold += [f"{said}:{place}" for place, turn in enumerate(session["turns"]) if turn.get("has_answer")]
    answerable = not name.endswith("_abs")
    found = tuple(gold) if answerable else ()
    sides = tuple(tuple(turns) for _, turns in groupby(found, key=lambda turn: turn.rpartition(":")[0]))
    category = record["question_type"]
    change = Change.UPDATE if category == Change.UPDATE else Change.NONE
    question = Question(name, record["question"], category, found, asked_at, answerable, sides, change)
    return Haystack(name, "en", tuple(items), (question,))


def _session(key: str, sessions: Mapping[str, Record]) -> Record:
    if key not in sessions:
        raise InvalidExport(f"No file given holds the session {key!r}.", "Give the sessions file of these questions.")
    return sessions[key]


def _turns(session: str, turns: Sequence[Record], at: datetime) -> Iterator[Item]:
    for place, turn in enumerate(turns):
        yield Item(f"{session}:{place}", session, turn["role"], Role(turn["role"]), at, turn["content"])


def moment(text: str) -> datetime:
    """``2023/05/20 (Sat) 02:21``; the set names no time zone, so UTC."""
    return datetime.strptime(WEEKDAY.sub(" ", text), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


SET = BenchmarkSet("longmemeval", unit="turn", sessions=True, unanswerable=True, load=load)
