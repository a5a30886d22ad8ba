"""BEAM: long chats of a person with an assistant, probed by questions of ten kinds. The message is the unit.

In: one chat a record. A batch is what was said around one date, so it is the session. Generation markers at the end
of a message (``->-> 3,1``) were never said and are stripped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.files import Record, of_kind, records
from benchmarks.values import BenchmarkSet, Change, Haystack, Item, Notes, Question
from reverie.types import Role

MARKER = re.compile(r"\s*->->[^\n]*\s*\Z")
CHANGES = {"knowledge_update": Change.UPDATE, "contradiction_resolution": Change.CONTRADICTION}
UNDATED = datetime(2024, 1, 1, tzinfo=UTC)
"""Stands in where a chat begins without a date; fixed, so that a run can be repeated."""


def load(paths: Sequence[Path], notes: Notes) -> Iterator[Haystack]:
    """One haystack a chat."""
    for path in of_kind(paths, "beam"):
        for record in records(path):
            yield chat(record, notes)


def chat(record: Record, notes: Notes) -> Haystack:
    """The messages in order, and the questions asked when the last one was over."""
    items = tuple(_messages(record["messages"], notes))
    asked_at = max(item.at for item in items)
    known = {item.id for item in items}
    questions = tuple(
        Question(
            id=q["qid"],
            text=q["question"],
            category=q["type"].replace("_", "-"),
            gold=_gold(q, known, notes),
            asked_at=asked_at,
            answerable=q["type"] != "abstention",
            sides=_sides(q.get("src"), known),
            change=CHANGES.get(q["type"], Change.NONE),
        )
        for q in record["questions"]
    )
    return Haystack(f"chat-{record['chat']}", "en", items, questions)


def _messages(messages: Sequence[Record], notes: Notes) -> Iterator[Item]:
    at = UNDATED
    for message in messages:
        at = day(message["time"]) if message.get("time") else at
        text = MARKER.sub("", message["content"])
        if text != message["content"]:
            notes["messages with a marker stripped"] += 1
        yield Item(
            id=str(message["id"]),
            session=f"batch-{message['batch']}",
            speaker=message["role"],
            role=Role(message["role"]),
            at=at,
            text=text,
        )


def _gold(question: Record, known: set[str], notes: Notes) -> tuple[str, ...]:
    source = question.get("src")
    gold: dict[str, None] = {}
    for number in numbers(question.get("gold") if source is None else source):
        if str(number) in known:
            gold[str(number)] = None
        else:
            notes["evidence ids that name no message (dropped)"] += 1
    return tuple(gold)


def _sides(source: object, known: set[str]) -> tuple[tuple[str, ...], ...]:
    """What a source tells apart by name (``original_info`` before ``updated_info``), in its order."""
    if not isinstance(source, dict):
        return ()
    parts = (dict.fromkeys(map(str, numbers(part))) for part in source.values())
    return tuple(tuple(one for one in part if one in known) for part in parts)


def numbers(source: object) -> Iterator[int]:
    """The message ids in a source: a number, also in quotes, a list, or an object such as ``original_info`` and
    ``updated_info``.
    """
    if isinstance(source, dict):
        for part in source.values():
            yield from numbers(part)
    elif isinstance(source, list):
        for part in source:
            yield from numbers(part)
    elif isinstance(source, int) or (isinstance(source, str) and source.isdecimal()):
        yield int(source)


def day(text: str) -> datetime:
    """``March-15-2024``, taken as noon UTC."""
    return datetime.strptime(text, "%B-%d-%Y").replace(tzinfo=UTC, hour=12)


SET = BenchmarkSet("beam", unit="message", sessions=True, unanswerable=True, load=load)
