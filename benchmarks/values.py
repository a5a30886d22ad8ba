"""The values that pass between loaders, systems and metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from reverie.types import Role

Notes: TypeAlias = Counter[str]
"""Counts of what a loader mended, dropped or left out, by plain-words reason."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to remember: a turn, a message or a paragraph; ``id`` is unique in its haystack."""

    id: str
    session: str
    speaker: str
    role: Role
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a haystack. ``gold`` are the ids of the items that hold its evidence, each once; may be empty.

    ``category`` is "all" where the set has none of its own. ``sides`` are the gold in groups where the set tells them
    apart: what was said before and what took its place, the oldest first; or the sides of a contradiction.
    """

    id: str
    text: str
    category: str
    gold: tuple[str, ...]
    asked_at: datetime
    answerable: bool = True
    sides: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Haystack:
    """What one store is built from, in the order it was said, and the questions asked of it."""

    name: str
    language: str
    items: tuple[Item, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One place in a ranking: the items it stands for, its length, and whether a gate or cut kept it from injection."""

    ids: tuple[str, ...]
    words: int
    withheld: bool = False


Ranking: TypeAlias = tuple[Entry, ...]
"""Best first."""


@dataclass(frozen=True, slots=True)
class BenchmarkSet:
    """A public set: its ``unit``, whether it has sessions and unanswerable questions, and how to read its files.

    ``limit_questions``: ``--limit`` counts questions rather than haystacks.
    """

    name: str
    unit: str
    sessions: bool
    unanswerable: bool
    load: Callable[[Sequence[Path], Notes], Iterator[Haystack]]
    limit_questions: bool = False
