"""Updates in everyday words: one person says something, weeks later something else, and asks how it is now.

In: a record a line with ``language``, ``kind``, ``earlier``, ``later`` and ``question``, as in ``data/updates.jsonl``.
Of an ``update`` the later message tells how it is now; a ``trap`` looks like one and is none, so the earlier message
still holds. Small talk stands between them, a week apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.files import Record, of_kind, records
from benchmarks.phrases import chatter
from benchmarks.values import BenchmarkSet, Change, Haystack, Item, Notes, Question
from reverie.types import Role

BEGINS = datetime(2026, 1, 5, 9, tzinfo=UTC)
"""When the earlier message is said; a fixed moment, so that a run can be repeated."""
WEEK = timedelta(days=7)
BETWEEN = 3
"""Messages of small talk between the two, and again behind the later one."""
KINDS = {"update": Change.UPDATE, "trap": Change.TRAP}


def load(paths: Sequence[Path], notes: Notes) -> Iterator[Haystack]:
    """One haystack a record."""
    del notes
    for path in of_kind(paths, "updates"):
        for record in records(path):
            yield dialogue(record)


def dialogue(record: Record) -> Haystack:
    """The two messages amid small talk, and the question, a week after the last message."""
    name, language = str(record["id"]), str(record["language"])
    chance = random.Random(name)
    between = [chatter(language, chance) for _ in range(2 * BETWEEN)]
    texts = [record["earlier"], *between[:BETWEEN], record["later"], *between[BETWEEN:]]
    items = tuple(
        Item(str(week), f"week-{week}", "user", Role.USER, BEGINS + week * WEEK, text)
        for week, text in enumerate(texts)
    )
    sides = (items[0].id,), (items[BETWEEN + 1].id,)
    kind = KINDS[record["kind"]]
    gold = sides[1] if kind is Change.UPDATE else sides[0]
    asked_at = BEGINS + len(texts) * WEEK
    question = Question(name, record["question"], kind.value, gold, asked_at, sides=sides, change=kind)
    return Haystack(name, language, items, (question,))


SET = BenchmarkSet("updates", unit="message", sessions=False, unanswerable=False, load=load)
