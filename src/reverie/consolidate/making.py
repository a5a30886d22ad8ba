"""Making a memory in a dream: which episodes it stems from, how it stands, and an id that follows from all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TypeVar

from reverie.consolidate.ids import base32
from reverie.consolidate.snapshot import Snapshot
from reverie.language.keywords import keywords
from reverie.types import BY_DREAM, Kind, Memory, Role, Standing, State, Tier

T = TypeVar("T")

ENTITIES_MAX = 16
THEME = "theme"
PATTERN = "pattern"
CATEGORY = "category"


@dataclass(frozen=True, slots=True)
class Thought:
    """What is to be made: its kind, words and importance; ``what`` it is (a theme, …) and ``label``, around what."""

    kind: Kind
    text: str
    importance: float
    what: str
    label: str


def make(snapshot: Snapshot, thought: Thought, members: Sequence[Memory]) -> Memory:
    """A semantic memory that stems from its members' episodes, said when the last of them was.

    Its id follows from the members themselves, for a note stems from no episode, and one episode can fill two clusters.
    Words that are one member's own are that one's speaker's; of others' the speaker is nobody, if they are several.
    """
    latest = max(members, key=_moment)
    own = next((one for one in members if thought.text and thought.text in one.text), None)
    tellers = [own] if own else members
    sources = sources_of(members)
    now = snapshot.night.at
    return Memory(
        id=made_id(now, snapshot.night.cycle, thought.what, thought.label, *(one.id for one in members)),
        scope=snapshot.scope,
        kind=thought.kind,
        text=thought.text,
        at=latest.at,
        recorded_at=now,
        session=latest.session,
        seq=latest.seq,
        speaker=_only([one.speaker for one in tellers], ""),
        role=_only([one.role for one in tellers], Role.PERSON),
        sources=sources,
        entities=common_entities(members),
        keywords=keywords(thought.text),
        standing=Standing(
            tier=Tier.SEMANTIC,
            importance=thought.importance,
            tags=(thought.what, thought.label),
            write_source=BY_DREAM,
            data_source="system",
        ),
    )


def _only(values: Sequence[T], otherwise: T) -> T:
    """What all of them are, if they are one and the same."""
    return values[0] if len(set(values)) == 1 else otherwise


def _moment(memory: Memory) -> tuple[datetime, str]:
    return memory.at, memory.id


def sources_of(members: Sequence[Memory]) -> tuple[str, ...]:
    """The episodes that members stem from, each once, in order; of a member that stems from none, its own id."""
    return tuple(dict.fromkeys(source for memory in members for source in memory.sources or (memory.id,)))


def common_entities(members: Sequence[Memory]) -> tuple[str, ...]:
    """The entities that members name, the most common first."""
    counted = Counter(entity for memory in members for entity in dict.fromkeys(memory.entities))
    return tuple(name for name, _ in sorted(counted.items(), key=_frequent)[:ENTITIES_MAX])


def _frequent(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def is_made(memory: Memory, what: str) -> bool:
    """Whether a dream made this memory as a theme, pattern or category summary."""
    return memory.is_dreamt and what in memory.standing.tags[:1]


def is_retired(memory: Memory) -> bool:
    """Whether it is closed because a source was taken back: it may be made anew, unlike what was judged itself."""
    life = memory.standing
    return life.state is State.SUPERSEDED and not life.superseded_by and life.confidence > 0.0


def is_outdated(snapshot: Snapshot, memory: Memory) -> bool:
    """Whether something that was said later took its place: not what a person put there, which is of its own kind."""
    by = snapshot.row(memory.standing.superseded_by)
    return (
        memory.standing.state is State.SUPERSEDED and by is not None and snapshot.memories[by].kind is not memory.kind
    )


def made_since(snapshot: Snapshot, what: str) -> int:
    """How many of these were made in this period."""
    start = snapshot.night.period_start
    return sum(memory.recorded_at >= start and is_made(memory, what) for memory in snapshot.memories)


def made_id(at: datetime, *parts: str) -> str:
    """An id of the usual form (26 characters, sorting by time), its chance a hash: the same dream makes the same id."""
    digest = sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()[:10]
    return base32((max(int(at.timestamp() * 1000), 0) << 80) | int.from_bytes(digest, "big"))
