"""A corpus held in plain lists: what the read path's tests run on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from reverie.ports import Vectors
from reverie.recall.query import understand
from reverie.recall.state import Candidate, Page, RecallContext, RecallState, Request
from reverie.types import (
    BEGINNING,
    RECALLED_STATES,
    BoolArray,
    Companions,
    FloatArray,
    IntArray,
    Kind,
    Memory,
    Relation,
    Role,
    Scope,
    Standing,
    State,
    TimeArray,
)

SCOPE = Scope("agent", "user", "project")
START = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    """One memory of a fake scope: a message, or (with another ``kind``) something formed.

    Its terms are its lower-cased words and its entities; ``day`` counts from START, ``used`` is the day of its last
    access, ``until`` the day on which it stops holding.
    """

    text: str
    speaker: str = "user"
    session: str = "s1"
    vector: tuple[float, ...] | None = None
    day: float = 0
    holds: bool = True
    kind: Kind = Kind.EPISODE
    standing: Standing = BEGINNING
    entities: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    accesses: int = 0
    used: float | None = None
    until: float | None = None

    @property
    def end(self) -> datetime | None:
        """When it stops holding: long ago where it does not hold."""
        if not self.holds:
            return START - timedelta(days=10_000)
        return None if self.until is None else START + timedelta(days=self.until)


@dataclass(frozen=True)
class FakePostings:
    """Where a term occurs, and how often."""

    ordinals: IntArray
    counts: FloatArray


class FakeCorpus:
    """Columns of a list of lines, worked out the slow and obvious way."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = list(lines)
        self.terms = [[*line.text.lower().split(), *line.entities] for line in lines]
        self.speaker_names = list(dict.fromkeys(line.speaker for line in lines))

    second: Vectors | None = None

    @property
    def size(self) -> int:
        """Number of lines."""
        return len(self.lines)

    @property
    def lengths(self) -> FloatArray:
        """Terms of each line."""
        return np.array([len(terms) for terms in self.terms], np.float32)

    @property
    def mean_length(self) -> float:
        """Terms of a line on average."""
        return float(self.lengths.mean()) if self.lines else 0.0

    def window_lengths(self, radius: int) -> FloatArray:
        """Terms of the lines around each in its session."""
        sums = []
        for index, line in enumerate(self.lines):
            same = [i for i, other in enumerate(self.lines) if other.session == line.session]
            place = same.index(index)
            sums.append(sum(len(self.terms[i]) for i in same[max(0, place - radius) : place + radius + 1]))
        return np.array(sums, np.float32)

    def occurrences(self, terms: tuple[str, ...]) -> FloatArray:
        """How often any of these terms occurs in each line."""
        return np.array([sum(term in terms for term in held) for held in self.terms], np.float32)

    @property
    def words(self) -> FloatArray:
        """Words of each line."""
        return self.lengths

    @property
    def centre(self) -> FloatArray | None:
        """Vectors are compared as they are: seen from 0."""
        dims = max((len(line.vector or ()) for line in self.lines), default=0)
        return np.zeros(dims, np.float32) if dims else None

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

    @property
    def valid_from(self) -> TimeArray:
        """From when what each line tells is true."""
        return np.array([memory.valid_from.timestamp() for memory in self.fetch(range(self.size))])

    @property
    def kinds(self) -> IntArray:
        """Index of each line's kind."""
        return np.array([tuple(Kind).index(line.kind) for line in self.lines], np.int64)

    @property
    def states(self) -> IntArray:
        """Index of each line's state."""
        return np.array([tuple(State).index(line.standing.state) for line in self.lines], np.int64)

    @property
    def valid_until(self) -> IntArray:
        """Until when each line holds, in microseconds."""
        return np.array([2**63 - 1 if e is None else int(e.timestamp() * 1e6) for e in self._ends], np.int64)

    @property
    def _ends(self) -> list[datetime | None]:
        return [line.end for line in self.lines]

    def recallable(self, now: datetime) -> BoolArray | None:
        """Which lines hold and are awake."""
        lasts = [end is None or end > now for end in self._ends]
        awake = [line.standing.state in RECALLED_STATES for line in self.lines]
        holds = np.array([one and other for one, other in zip(lasts, awake, strict=True)], bool)
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

    def vectors_of(self, ordinals: IntArray) -> FloatArray:
        """The vectors; zeros where there is none."""
        dims = max((len(line.vector) for line in self.lines if line.vector is not None), default=0)
        rows = [self.lines[i].vector or (0.0,) * dims for i in ordinals]
        return np.array(rows, np.float32).reshape(len(rows), dims)

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
            kind=line.kind,
            text=line.text,
            at=at,
            recorded_at=at,
            session=line.session,
            seq=index,
            speaker=line.speaker,
            role=role_of(line.speaker),
            sources=line.sources,
            entities=line.entities,
            valid_until=line.end,
            accesses=line.accesses,
            last_access=None if line.used is None else START + timedelta(days=line.used),
            standing=line.standing,
        )


def role_of(speaker: str) -> Role:
    """The role a fake speaker has."""
    return Role(speaker) if speaker in {"user", "assistant", "tool"} else Role.PERSON


@dataclass
class Surroundings:
    """What lies around a fake corpus: vectors by text, edges, and who was recalled together."""

    vectors: dict[str, tuple[float, ...]] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    companions: list[Companions] = field(default_factory=list)
    intent: str | None = None


def world(corpus: FakeCorpus, around: Surroundings | None = None) -> RecallContext:
    """The world of a corpus; without vectors there is no model. A text that has none is embedded as nothing."""
    around = around or Surroundings()
    memories = corpus.fetch(range(corpus.size))
    known = {memory.id: memory for memory in memories}
    dims = max((len(vector) for vector in around.vectors.values()), default=0)

    def embed(text: str) -> FloatArray | None:
        return np.array(around.vectors.get(text, (0.0,) * dims), np.float32) if dims else None

    def outlived(names: Sequence[str]) -> set[str]:
        return {name for name in names if _outlived([m for m in memories if name in m.sources])}

    def often(least: int) -> list[Memory]:
        return [m for m in memories if m.accesses >= least and m.kind is not Kind.EPISODE]

    def made_from(name: str) -> list[Memory]:
        return [m for m in memories if name in m.sources and m.kind is not Kind.EPISODE]

    return RecallContext(
        corpus=corpus,
        embed=embed,
        relations=lambda ids: [r for r in around.relations if {r.source, r.target} & set(ids)],
        companions=lambda ids: [c for c in around.companions if {c.first, c.second} & set(ids)],
        memory=known.get,
        often=often,
        route=lambda _: around.intent,
        named=lambda names: [known[name] for name in names if name in known],
        outlived=outlived,
        made_from=made_from,
    )


def request(text: str, **others: object) -> Request:
    """A request at START without any limit of tokens."""
    values: dict[str, object] = {"now": START, "top_k": None, "budget_tokens": None} | others
    return Request(text, SCOPE, **values)  # type: ignore[arg-type]  # a test names them


PAGE = Page(size=10, looked=10, same=0.6)


def quest(asked: Request, around: RecallContext, limit: int = 10) -> RecallState:
    """A quest that has just been understood."""
    cue = understand(asked.text, around.corpus.speaker_names, asked.now, asked.window)
    return RecallState(asked, around, cue, limit, (asked.text,), PAGE)


def holding(
    asked: Request, corpus: FakeCorpus, scores: Sequence[float], around: Surroundings | None = None
) -> RecallState:
    """A quest that has found every line of a corpus with these scores."""
    memories = corpus.fetch(range(corpus.size))
    rows = enumerate(zip(memories, scores, strict=True))
    found = [Candidate(n, memory, 0.0).rescored("found", score, score) for n, (memory, score) in rows]
    return replace(quest(asked, world(corpus, around)), candidates=sorted(found, key=lambda c: -c.score))


def by_id(found: RecallState) -> dict[str, Candidate]:
    """The candidates of a quest by the id of their memory, in their order."""
    return {candidate.memory.id: candidate for candidate in found.candidates}


def _outlived(named: Sequence[Memory]) -> bool:
    formed = [memory for memory in named if memory.kind is not Kind.EPISODE]
    return bool(formed) and all(memory.standing.state is State.SUPERSEDED for memory in formed)
