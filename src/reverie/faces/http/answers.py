"""What is answered: one model a shape of ``wire.shapes``, for the OpenAPI alone; tests hold every answer to it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from reverie.types import Kind, RelationKind, Role, State, Tier

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Shape(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Scope(Shape):
    """Whose memory."""

    agent: str
    user: str
    project: str


class Scoped(Shape):
    """An answer of one scope, which it names."""

    scope: Scope


class Standing(Shape):
    """How a memory stands."""

    tier: Tier
    state: State
    importance: float
    utility: float
    stability_days: float
    storage: float
    confidence: float
    valence: float
    arousal: float
    emotion: str
    pinned: bool
    immutable: bool
    flashbulb: bool
    verified: bool
    time_bounded: bool
    valid_from: str
    tags: list[str]
    write_source: str
    data_source: str
    supersedes: str
    superseded_by: str
    tagged_until: Time | None
    captured: bool
    drifted_at: Time | None
    rehearsed_at: Time | None
    replayed_at: Time | None
    consolidated_at: Time | None


class Memory(Shape):
    """A unit of recall."""

    id: str
    kind: Kind
    text: str
    speaker: str
    role: Role
    session: str
    seq: int
    at: Time
    recorded_at: Time
    valid_until: Time | None
    sources: list[str]
    entities: list[str]
    keywords: list[str]
    accesses: Count
    last_access: Time | None
    standing: Standing
    text_base64: str = ""
    """Where the text holds lone surrogates: its exact form, UTF-8 with surrogates passed."""


class Relation(Shape):
    """An edge between two memories."""

    source: str
    kind: RelationKind
    target: str
    confidence: Share
    at: Time


class Decision(Shape):
    """What one stage of the write path decided."""

    stage: str
    verdict: str
    why: str


class Receipt(Scoped):
    """What became of one message."""

    id: str
    session: str
    seq: int
    new: bool
    embedded: bool
    conflict: bool
    formed: list[str]
    decisions: list[Decision]


class Imported(Scoped):
    """What became of many messages."""

    new: Count
    known: Count
    conflicts: list[str]
    held: Count
    masked: Count


class Signal(Shape):
    """One reason for a score."""

    name: str
    value: float
    weight: float
    share: float
    about: str


class Hit(Shape):
    """One memory that was recalled."""

    rank: int
    score: float
    cosine: float | None
    tokens: Count
    withheld: str
    shown: str
    signals: list[Signal]
    memory: Memory


class Window(Shape):
    """A span of time."""

    start: Time
    end: Time
    phrase: str


class Cue(Shape):
    """The cue as it was understood."""

    text: str
    terms: list[str]
    language: str
    entities: list[str]
    speakers: list[str]
    first_person: bool
    asks_assistant: bool
    window: Window | None


class Step(Shape):
    """One line of the trace."""

    stage: str
    note: str
    took_ms: float


class Recollection(Scoped):
    """The answer to a cue."""

    at: Time
    cue: Cue
    hits: list[Hit]
    withheld: list[Hit]
    standing: list[Hit]
    intent: str
    confidence: float | None
    grounds: list[Signal]
    traits: list[Signal]
    ended: str
    gated: bool
    """There was something, and nothing of it was sure enough; ``confidence`` says how sure the best was."""
    tokens: Count
    searched: Count
    trace: list[Step]


class Shift(Shape):
    """What would stand elsewhere without a signal."""

    signal: str
    memory: str
    rank: int
    instead: int


class Explanation(Recollection):
    """The answer, and what would have changed its order."""

    shifts: list[Shift]


class OneMemory(Scoped):
    """A memory."""

    memory: Memory


class Memories(Scoped):
    """Memories."""

    memories: list[Memory]


class OneRelation(Scoped):
    """An edge."""

    relation: Relation


class Relations(Scoped):
    """Edges."""

    relations: list[Relation]


class Graph(Memories):
    """What is connected: memories and the edges between them."""

    relations: list[Relation]


class WorkingItem(Shape):
    """An item of working memory."""

    id: str
    text: str
    importance: float
    accesses: Count
    added_at: Time
    last_access: Time


class Working(Scoped):
    """What a session holds in working memory, strongest first."""

    session: str
    items: list[WorkingItem]
