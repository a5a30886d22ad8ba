"""The values that pass between loaders, systems and metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
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


class Change(StrEnum):
    """What a set says of the two sides of a question's evidence."""

    NONE = ""
    UPDATE = "knowledge-update"
    TRAP = "trap"
    CONTRADICTION = "contradiction-resolution"


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a haystack.

    Attributes:
        gold: ids of the items that hold its evidence, each once; may be empty.
        category: the set's own, "all" where it has none.
        sides: the evidence in groups where the set tells them apart, the oldest first; see ``change``.
        change: what the sides are: a later one that took an earlier one's place, one that only looks so, or two that
            contradict each other.
        sessions: sessions that hold the evidence, where the set labels sessions; empty: those of ``gold``.
        heard: items said before it is asked, counted from the first; None: all of them.
    """

    id: str
    text: str
    category: str
    gold: tuple[str, ...]
    asked_at: datetime
    answerable: bool = True
    sides: tuple[tuple[str, ...], ...] = ()
    change: Change = Change.NONE
    sessions: tuple[str, ...] = ()
    heard: int | None = None

    @property
    def labelled(self) -> bool:
        """Whether the set says where its evidence lies, by item or by session."""
        return bool(self.gold or self.sessions)


@dataclass(frozen=True, slots=True)
class Haystack:
    """What one store is built from, in the order it was said, and the questions asked of it."""

    name: str
    language: str
    items: tuple[Item, ...]
    questions: tuple[Question, ...]

    def stages(self) -> Iterator[tuple[int, list[int]]]:
        """How many items have been said, and the places of the questions that are asked then; in order of time."""
        asked: dict[int, list[int]] = {}
        for place, question in enumerate(self.questions):
            asked.setdefault(len(self.items) if question.heard is None else question.heard, []).append(place)
        yield from sorted(asked.items())

    def asking(self, questions: Sequence[Question], without: Collection[str] = ()) -> Haystack:
        """The same with other questions, and without some sessions; each question hears as much of what is left."""
        left = [item.session not in without for item in self.items]
        heard = [replace(q, heard=q.heard if q.heard is None else sum(left[: q.heard])) for q in questions]
        items = tuple(item for item, kept in zip(self.items, left, strict=True) if kept)
        return replace(self, items=items, questions=tuple(heard))


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
