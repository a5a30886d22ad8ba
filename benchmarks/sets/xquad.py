"""XQuAD in Turkish: paragraphs, and questions each answered by one of them. One store, the paragraph is the unit.

In: a record of ``paragraphs`` and ``questions``. Each paragraph is a session of its own: the set samples paragraphs of
many articles and does not say that two of them stood side by side, so whoever imports it cannot claim an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.files import Record, of_kind, records
from benchmarks.values import BenchmarkSet, Haystack, Item, Notes, Question
from reverie.types import Role

IMPORTED_AT = datetime(2024, 1, 1, 12, tzinfo=UTC)
"""The paragraphs have no date; a fixed one, the same for all, so that a run can be repeated."""


def load(paths: Sequence[Path], notes: Notes) -> Iterator[Haystack]:
    """One haystack a record (a file is one record)."""
    for path in of_kind(paths, "xquad"):
        for number, record in enumerate(records(path)):
            yield collection(record, f"xquad-{number}", notes)


def collection(record: Record, name: str, notes: Notes) -> Haystack:
    """The paragraphs of a record and its questions."""
    items = tuple(
        Item(str(p["id"]), f"paragraph-{p['id']}", "document", Role.PERSON, IMPORTED_AT, p["text"])
        for p in record["paragraphs"]
    )
    known = {item.id for item in items}
    questions = tuple(_question(q, known, notes) for q in record["questions"])
    return Haystack(name, "tr", items, questions)


def _question(raw: Record, known: set[str], notes: Notes) -> Question:
    paragraph = str(raw["paragraph"])
    if paragraph not in known:
        notes["evidence ids that name no paragraph (dropped)"] += 1
    gold = (paragraph,) if paragraph in known else ()
    return Question(str(raw["id"]), raw["question"], "all", gold, IMPORTED_AT)


SET = BenchmarkSet("xquad", unit="paragraph", sessions=False, unanswerable=False, load=load, limit_questions=True)
