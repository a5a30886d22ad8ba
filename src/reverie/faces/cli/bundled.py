"""The bundled conversation and its questions: in, nothing; out, the demo's messages and what it asks.

``data/demo.jsonl``: six weeks of Defne, Tom and their assistant, in the simple form of JSON lines, written for this.
``data/demo-questions.jsonl``: each question with the ids of the messages that answer it, and why it is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path

ASKED_AT = datetime(2026, 4, 13, 9, 0, tzinfo=UTC)
"""The morning after the last message: the demo asks as of then, so that "last week" means what it meant."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids of the messages that answer it, and what it shows."""

    text: str
    expected: tuple[str, ...]
    shows: str


@contextmanager
def conversation() -> Iterator[Path]:
    """The file of the conversation, for the time of the block."""
    with as_file(files("reverie.faces.cli") / "data" / "demo.jsonl") as path:
        yield path


def questions() -> list[Question]:
    """The questions, in the order they are asked."""
    text = (files("reverie.faces.cli") / "data" / "demo-questions.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()]
    return [Question(record["question"], tuple(record["expected"]), record["shows"]) for record in records]
