"""What is answered: one model a shape of ``wire.shapes``, for the OpenAPI alone; tests hold every answer to it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from reverie.events import Action
from reverie.types import Kind, RelationKind, Role, State, Tier

# What is answered: one model a shape of ``wire.shapes``, for the OpenAPI alone; tests hold every answer to it.


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


# What is answered of the store's life and of the server: dreams, events, counts, checks; for the OpenAPI alone.


Plain = Annotated[Any, WithJsonSchema({"description": "Text, number, truth, a list of texts, or null."})]


class FieldChange(Shape):
    """A field before and after."""

    name: str
    before: Plain
    after: Plain


class Change(Shape):
    """What was changed in one memory."""

    memory: str
    why: str
    fields: list[FieldChange]


class Reason(Shape):
    """Why, and how often."""

    why: str
    count: Count


class DreamStep(Shape):
    """What one step of a dream did."""

    name: str
    changed: Count
    formed: Count
    related: Count
    left: Count
    failed: str
    reasons: list[Reason]
    samples: list[Change]
    made: list[Memory]
    notes: list[str]


class Dream(Scoped):
    """What a dream did, or would do."""

    cycle: str
    period: str
    at: Time
    period_start: Time
    since: Time | None
    memories: Count
    changed: Count
    dry_run: bool
    resumed: bool
    hot: list[str]
    steps: list[DreamStep]


class Compacted(Dream):
    """What compacting did."""

    freed_bytes: Count


class Undone(Scoped):
    """What was taken back: one event (its place in the journal), or a dream."""

    event: Count
    cycle: str
    period: str
    changed: Count
    unmade: Count
    unrelated: Count
    left: list[str]


class Event(Shape):
    """One change of the store, as the journal has it. ``payload`` null: its content was erased."""

    seq: Count
    at: Time
    actor: str
    action: Action
    why: str
    payload: dict[str, Any] | None
    digest: str
    previous: str
    hash: str


class Events(Scoped):
    """Changes, oldest first."""

    events: list[Event]


class DreamSummary(Shape):
    """A past dream."""

    cycle: str
    period: str
    at: Time
    ended: Time | None
    stage: str
    undone: bool
    changed: Count
    steps: list[DreamStep]


class Dreams(Scoped):
    """Past dreams, the newest first."""

    dreams: list[DreamSummary]


class CurvePoint(Shape):
    """One point of a forgetting curve."""

    at: Time
    days: float
    retrievability: Share


class Curve(Scoped):
    """How well a memory can be retrieved, day by day."""

    memory: Memory
    law: str
    at: Time
    now: Share | None
    points: list[CurvePoint]
    accesses: list[Time]


class Growth(Shape):
    """What one day added."""

    day: str
    episodes: Count
    formed: Count


class Health(Scoped):
    """How the scope's memory is doing."""

    at: Time
    memories: Count
    current: Count
    kinds: dict[str, Count]
    tiers: dict[str, Count]
    states: dict[str, Count]
    junk: Count
    stale: Count
    superseded: Count
    outdated: Count
    forgotten: Count
    quarantined: Count
    growth: list[Growth]
    observed: Count
    gated: int
    gated_share: float
    events: Count
    disk_bytes: Count


class Moved(Shape):
    """What importing a lossless export did."""

    scopes: list[Scope]
    events: Count
    new: Count
    known: Count
    tombstones: Count
    merged: Count
    erased: Count
    identical: bool
    actions: dict[str, Count]
    held: Count
    masked: Count


class MovedHere(Moved, Scoped):
    """What importing into a scope did."""


class Left(Shape):
    """What gave no message, and why."""

    where: str
    reason: str
    broken: bool
    detail: str


class Brought(Scoped):
    """What bringing in a conversation, or another memory's keep, did."""

    new: Count
    known: Count
    conflicts: list[str]
    linked: Count
    ended: Count
    held: Count
    masked: Count
    skipped: Count
    left: list[Left]


class Stats(Scoped):
    """Counts of a scope."""

    memories: Count
    current: Count
    sessions: Count
    speakers: Count
    accesses: Count
    embedded: Count
    first_at: Time | None
    last_at: Time | None
    events: Count
    disk_bytes: Count
    gated: Count
    """Recalls that found nothing sure enough."""


class Scopes(Shape):
    """Every scope the token may see."""

    scopes: list[Scope]


class ScopeBinding(Shape):
    """The scopes a token is for: null for any."""

    agent: str | None
    user: str | None
    project: str | None


class Whoami(Shape):
    """Who asks, and what they may do where."""

    name: str
    rights: str
    scope: ScopeBinding


class Settings(Shape):
    """The settings in force, by key; secrets only as whether they are set."""

    settings: dict[str, Any]


class Server(Shape):
    """What answers."""

    version: str
    model: str
    reranker: str
    recipe: str
    missing: Count


class Fault(Shape):
    """Something to mend."""

    name: str
    what: str
    mend: str


class Anchored(Shape):
    """The end of the journal at a moment."""

    store: str
    seq: int
    hash: str
    at: str
    marks: list[list[int | str]]


class Faults(Shape):
    """What was found; nothing: all is well."""

    faults: list[Fault]


class Embedded(Shape):
    """How many memories were given a vector."""

    embedded: Count


class Replayed(Shape):
    """The digest of the store as the journal alone makes it."""

    digest: str
    replayed: str


class Head(Shape):
    """The journal's last event at a moment."""

    seq: Count
    hash: str


class Erased(Scoped):
    """What was deleted for good: the memory, all that went with it, and the journal's head before and after."""

    erased: str
    memories: list[str]
    before: Head
    after: Head


class Ready(Shape):
    """Whether it can answer."""

    status: str


class Invalid(Shape):
    """What one value did not fulfil."""

    where: str
    what: str


class Problem(Shape):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    mend: str
    request_id: str
    errors: list[Invalid] = Field(default_factory=list)
