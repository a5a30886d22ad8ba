"""A corpus held in plain lists: what the read path's tests run on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from reverie.types import BoolArray, FloatArray, IntArray, Kind, Memory, Role, Scope, TimeArray

SCOPE = Scope("agent", "user", "project")
START = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    """One message of a fake conversation; ``terms`` default to its lower-cased words."""

    text: str
    speaker: str = "user"
    session: str = "s1"
    vector: tuple[float, ...] | None = None
    day: int = 0
    holds: bool = True


@dataclass(frozen=True)
class FakePostings:
    """Where a term occurs, and how often."""

    ordinals: IntArray
    counts: FloatArray


class FakeCorpus:
    """Columns of a list of lines, worked out the slow and obvious way."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = list(lines)
        self.terms = [line.text.lower().split() for line in lines]
        self.speaker_names = list(dict.fromkeys(line.speaker for line in lines))

    @property
    def size(self) -> int:
        """Number of lines."""
        return len(self.lines)

    @property
    def lengths(self) -> FloatArray:
        """Terms of each line."""
        return np.array([len(terms) for terms in self.terms], np.float32)

    @property
    def words(self) -> FloatArray:
        """Words of each line."""
        return self.lengths

    def _link(self, step: int) -> IntArray:
        links = []
        for index, line in enumerate(self.lines):
            same = [i for i, other in enumerate(self.lines) if other.session == line.session]
            place = same.index(index) + step
            links.append(same[place] if 0 <= place < len(same) else -1)
        return np.array(links, np.int64)

    @property
    def previous(self) -> IntArray:
        """The line before in the session."""
        return self._link(-1)

    @property
    def following(self) -> IntArray:
        """The line after in the session."""
        return self._link(1)

    @property
    def speakers(self) -> IntArray:
        """Index of each line's speaker."""
        return np.array([self.speaker_names.index(line.speaker) for line in self.lines], np.int64)

    @property
    def roles(self) -> IntArray:
        """Index of each line's role."""
        return np.array([tuple(Role).index(role_of(line.speaker)) for line in self.lines], np.int64)

    @property
    def said_at(self) -> TimeArray:
        """When each line was said."""
        return np.array([(START + timedelta(days=line.day)).timestamp() for line in self.lines])

    def recallable(self, now: datetime) -> BoolArray | None:
        """Which lines hold."""
        holds = np.array([line.holds for line in self.lines], bool)
        return None if holds.all() else holds

    def postings(self, term: str) -> FakePostings:
        """Where a term occurs."""
        counts = [Counter(terms)[term] for terms in self.terms]
        ordinals = [index for index, count in enumerate(counts) if count]
        return FakePostings(np.array(ordinals, np.int64), np.array([counts[i] for i in ordinals], np.float32))

    @property
    def embedded(self) -> int:
        """Lines with a vector."""
        return sum(line.vector is not None for line in self.lines)

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Dot products; 0 without a vector."""
        vectors = [self.lines[i].vector for i in ordinals]
        return np.array([0.0 if v is None else float(np.dot(query, v)) for v in vectors], np.float32)

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """The same: these vectors are not crowded."""
        return self.cosines(query, ordinals)

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """The lines of highest cosine."""
        candidates = [i for i, line in enumerate(self.lines) if line.vector is not None and (among is None or among[i])]
        ordinals = np.array(candidates, np.int64)
        cosines = self.cosines(query, ordinals)
        order = np.argsort(-cosines, kind="stable")[:top_k]
        return ordinals[order], cosines[order]

    def fetch(self, ordinals: Sequence[int]) -> list[Memory]:
        """The lines as memories."""
        return [self._memory(i) for i in ordinals]

    def _memory(self, index: int) -> Memory:
        line = self.lines[index]
        at = START + timedelta(days=line.day)
        return Memory(
            id=f"m{index}",
            scope=SCOPE,
            kind=Kind.EPISODE,
            text=line.text,
            at=at,
            recorded_at=at,
            session=line.session,
            seq=index,
            speaker=line.speaker,
            role=role_of(line.speaker),
        )


def role_of(speaker: str) -> Role:
    """The role a fake speaker has."""
    return Role(speaker) if speaker in {"user", "assistant"} else Role.PERSON
