"""Values that every package shares: scopes, messages, memories, relations. Frozen, checked where they are made.

Times are timezone-aware UTC datetimes; ``*_s`` are seconds, ``*_tokens`` injected tokens. Scores and signals lie in
[0, 1] unless a docstring says otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from reverie.errors import InvalidInput, InvalidScope

FloatArray: TypeAlias = npt.NDArray[np.float32]
TimeArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

SCOPE_PART_MAX = 200
"""Longest scope part in characters."""


class Role(StrEnum):
    """Who said a message: the agent's user, the agent itself, a tool, the system, or another person."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    PERSON = "person"


class Kind(StrEnum):
    """What a memory contains. ``EPISODE`` is one message word for word; every other kind is formed from episodes."""

    EPISODE = "episode"
    FACT = "fact"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    DECISION = "decision"
    CORRECTION = "correction"
    PLAN = "plan"
    ENTITY = "entity"
    SUMMARY = "summary"
    PATTERN = "pattern"
    SKILL = "skill"
    INTENTION = "intention"


class Tier(StrEnum):
    """How consolidated a formed memory is. Working memory is no tier: it belongs to a session and is not stored."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class State(StrEnum):
    """Lifecycle state of a memory. Active and fading ones are recalled; the others are kept and can be restored."""

    ACTIVE = "active"
    FADING = "fading"
    DORMANT = "dormant"
    SUPERSEDED = "superseded"
    QUARANTINED = "quarantined"


RECALLED_STATES = frozenset({State.ACTIVE, State.FADING})
"""The states in which a memory is recalled."""
PEOPLE = frozenset({Role.USER, Role.PERSON})
"""Roles of people, whose messages are about their lives; assistants, tools and feeds are none."""
TOOL_SPEAKER = "tool"
"""The speaker of memories about an agent's tools: the name of a role, so that no text takes it for a person."""

EXPORT_SPEAKER = "export"
"""The speaker of what nobody said and a program holds beside a conversation, as its title."""
TITLE = "Conversation: "
"""How a message begins that holds a conversation's title."""

ROLE_CODES = {role.value: code for code, role in enumerate(Role)}
KIND_CODES = {kind.value: code for code, kind in enumerate(Kind)}
STATE_CODES = {state.value: code for code, state in enumerate(State)}
"""The number of a role, kind or state in a column of a corpus: its position in the enumeration."""


class RelationKind(StrEnum):
    """How the source of an edge between two memories relates to its target, as in "source supersedes target"."""

    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    CAUSES = "causes"
    ELABORATES = "elaborates"
    SAME_ENTITY = "same_entity"
    RELATED_TO = "related_to"


RelationName: TypeAlias = Literal["supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to"]
"""A ``RelationKind`` by its value."""
FeedbackName: TypeAlias = Literal["used", "useless", "verified", "wrong", "important"]
"""A verdict of ``feedback`` by its value."""
SourceName: TypeAlias = Literal["user_message", "assistant_message", "system", "federation"]
"""A source of ``observe`` by its value."""


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """Agent, user and project whose memory a call works in; required on every call.

    No call sees another scope, but a recall finds what others granted to its own.

    Raises:
        InvalidScope: a part is not a string, is blank, is longer than ``SCOPE_PART_MAX`` or cannot be stored.
    """

    agent: str
    user: str
    project: str

    def __post_init__(self) -> None:
        for name in ("agent", "user", "project"):
            _require_name(name, getattr(self, name))

    def __str__(self) -> str:
        return f"{self.agent}/{self.user}/{self.project}"

    @property
    def canonical(self) -> str:
        """Return the scope as a JSON list of its three parts, unlike ``str`` different for different scopes."""
        return json.dumps((self.agent, self.user, self.project), ensure_ascii=False, separators=(",", ":"))


def _require_name(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidScope(f"The scope's {name} is {type(value).__name__}, not text.", f"Give {name} as a string.")
    if not value.strip():
        raise InvalidScope(f"The scope's {name} is empty.", f"Name the {name}, for example {name}='default'.")
    if len(value) > SCOPE_PART_MAX or any(0xD800 <= ord(c) <= 0xDFFF or ord(c) == 0 for c in value):
        raise InvalidScope(
            f"The scope's {name} is too long or holds characters that cannot be stored.",
            f"Use at most {SCOPE_PART_MAX} ordinary characters.",
        )


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Identity of an embedding model; vectors of two models are never compared.

    ``second`` is a better and slower model used alongside this one; each keeps its own vectors.
    """

    name: str
    revision: str
    dims: int
    second: ModelInfo | None = None

    @property
    def key(self) -> str:
        """Return ``name@revision/dims``, stored with every vector."""
        return f"{self.name}@{self.revision}/{self.dims}"

    @property
    def each(self) -> tuple[ModelInfo, ...]:
        """Return this model and its second model, if it has one."""
        return (self,) if self.second is None else (self, self.second)


@dataclass(frozen=True, slots=True)
class Message:
    """One message as a caller passes it to ``remember`` or ``observe``; the store then gives it an id.

    ``message_id`` makes a repeated write harmless: the same id with the same text is kept once. ``seq`` is the position
    in the session; without it, the message is appended.
    """

    text: str
    speaker: str = "user"
    role: Role | None = None
    session: str = "default"
    at: datetime | None = None
    message_id: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """One stored message, word for word and immutable. ``seq`` is its position in the session, from 0."""

    id: str
    scope: Scope
    session: str
    seq: int
    speaker: str
    role: Role
    text: str
    at: datetime
    message_id: str | None = None


SOURCES_JOINED = ", "
"""Separates the data sources of a merged memory."""
BY_DREAM = "dream"
"""The ``write_source`` of memories that a dream (consolidation) made."""
BY_RUN = "skill run"
"""The ``write_source`` of episodes that record a run of a skill."""
SKILL_CARD = "skill card"
"""The first tag of memories in which a dream says how a skill performs."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Lifecycle state of a memory: the fields that change while it exists. Every memory begins with the defaults.

    ``importance``, ``utility``, ``arousal`` and ``confidence`` lie in [0, 1], ``valence`` in [−1, 1], ``storage`` in
    [1, 10]; the higher ``stability_days``, the slower it fades. ``pinned``: it is never forgotten; ``immutable``: it is
    never edited, merged or moved. ``valid_from`` is when its statement became true, in ISO 8601 as precisely as the
    text says ("2025", "2025-05", "2025-05-12", "2025-05-12/2025-05-18"); empty: not said, true since the message.
    ``tagged_until`` is the end of its synaptic tag; ``captured``: a strong memory preserved it before that end.
    ``drifted_at``, ``rehearsed_at``, ``replayed_at`` and ``consolidated_at``: until when a dream has applied that step,
    so that none is applied twice. ``superseded_by`` and ``supersedes`` are ids of memories; ``write_source`` and
    ``data_source`` name what wrote it and where its text came from.
    """

    tier: Tier = Tier.EPISODIC
    state: State = State.ACTIVE
    importance: float = 0.5
    utility: float = 0.5
    stability_days: float = 1.0
    storage: float = 1.0
    confidence: float = 1.0
    valence: float = 0.0
    arousal: float = 0.0
    emotion: str = ""
    pinned: bool = False
    immutable: bool = False
    flashbulb: bool = False
    verified: bool = False
    time_bounded: bool = False
    valid_from: str = ""
    tags: tuple[str, ...] = ()
    write_source: str = ""
    data_source: str = ""
    supersedes: str = ""
    superseded_by: str = ""
    tagged_until: datetime | None = None
    captured: bool = False
    drifted_at: datetime | None = None
    rehearsed_at: datetime | None = None
    replayed_at: datetime | None = None
    consolidated_at: datetime | None = None

    @property
    def data_sources(self) -> tuple[str, ...]:
        """Return where the text came from, each source once, in order; a merged memory can have several."""
        return tuple(self.data_source.split(SOURCES_JOINED)) if self.data_source else ()


BEGINNING = Standing()
"""The lifecycle state of a new memory, with all defaults; one object that such memories share."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge between two memories of one scope; ``confidence`` in [0, 1], ``at`` when it was found."""

    source: str
    target: str
    kind: RelationKind
    confidence: float
    at: datetime

    @property
    def ends(self) -> tuple[str, str, RelationKind]:
        """Return source, target and kind, which identify the edge: a store has at most one of each."""
        return self.source, self.target, self.kind


@dataclass(frozen=True, slots=True)
class Companions:
    """How often two memories (ids ``first`` < ``second``) were recalled together, from ``since`` to ``last``."""

    first: str
    second: str
    count: int
    since: datetime
    last: datetime


GRANT, POLICY, RETENTION = "grant", "policy", "retention"
"""The sorts of the records by which a scope lets others recall its memories, says who may do what, erases by age."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a scope keeps besides its memories: a grant or a policy, for example.

    ``sort`` and ``name`` identify it in its scope, ``about`` names whom it concerns and finds it from there; ``body``
    is canonical JSON text.
    """

    scope: Scope
    sort: str
    name: str
    about: str
    body: str

    @classmethod
    def of(cls, scope: Scope, sort: str, name: str, terms: Mapping[str, object], about: str = "") -> Record:
        """Return a record whose body are these terms, as canonical JSON."""
        return cls(scope, sort, name, about, json.dumps(terms, sort_keys=True, separators=(",", ":")))


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory, the unit that is stored and recalled.

    A memory of kind ``EPISODE`` holds one message word for word and has the episode's id. ``at`` is when it was said,
    ``valid_from`` when it became true, ``recorded_at`` when it was stored, ``valid_until`` when it stopped being true
    (None: it still is). ``accesses`` counts how often an agent received it.
    """

    id: str
    scope: Scope
    kind: Kind
    text: str
    at: datetime
    recorded_at: datetime
    session: str
    seq: int
    speaker: str
    role: Role
    sources: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    valid_until: datetime | None = None
    accesses: int = 0
    last_access: datetime | None = None
    standing: Standing = BEGINNING

    @property
    def is_dreamt(self) -> bool:
        """Whether a dream (consolidation) made this memory."""
        return self.standing.write_source == BY_DREAM

    @property
    def valid_from(self) -> datetime:
        """Return when the statement became true: the start of the time its text names, else when it was said."""
        return beginning(self.standing.valid_from) if self.standing.valid_from else self.at

    @property
    def aged_from(self) -> datetime:
        """Return the time from which a memory's age counts: when it was said, but at the latest when it was stored."""
        return min(self.at, self.recorded_at)

    def holds_at(self, moment: datetime) -> bool:
        """Whether it had not yet stopped being true at ``moment``."""
        return self.valid_until is None or self.valid_until > moment


def is_title(memory: Memory) -> bool:
    """Whether a memory is a conversation's title, as an import or a coding agent's hook writes it."""
    return memory.role is Role.SYSTEM and memory.speaker == EXPORT_SPEAKER and memory.text.startswith(TITLE)


def beginning(said: str) -> datetime:
    """Return the first moment of an ISO 8601 year, month, day or span, in UTC. Raises ValueError for anything else."""
    first = said.partition("/")[0]
    return datetime.fromisoformat(first + "0000-01-01"[len(first) :]).replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the search index holds of one memory; derived from its text, never in the journal.

    ``terms`` are the stemmed tokens to index (with speaker and date), ``words`` the length of the memory's text in
    words, ``vector`` a unit vector of ``model``, None while there is none.
    """

    terms: tuple[str, ...]
    words: int
    vector: FloatArray | None = None
    model: ModelInfo | None = None


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A span of time, ``start`` ≤ t < ``end``; ``phrase`` is the wording it was parsed from, as "last week"."""

    start: datetime
    end: datetime
    phrase: str


@dataclass(frozen=True, slots=True)
class Cue:
    """A query as the engine parsed it.

    ``terms`` are the stems searched for; ``language`` is "en" or "tr"; ``speakers`` are those of the scope that the
    text names; ``first_person``: it is about the asker; ``asks_assistant``: it asks what the assistant said.
    """

    text: str
    terms: tuple[str, ...]
    language: str
    entities: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    first_person: bool = False
    asks_assistant: bool = False
    window: TimeWindow | None = None


@dataclass(frozen=True, slots=True)
class Emotion:
    """Emotion of a text: valence −1 (unpleasant) … 1, arousal 0 (calm) … 1; category: one of Ekman's six or None."""

    valence: float
    arousal: float
    category: str | None


CALM = Emotion(0.0, 0.0, None)


def in_utc(at: object) -> datetime:
    """Convert a datetime to UTC. Raises InvalidInput for another type, a missing zone or a date out of range."""
    if not isinstance(at, datetime):
        raise InvalidInput(f"A time is {type(at).__name__}.", "Give a datetime with a time zone.")
    if at.tzinfo is None:
        raise InvalidInput(f"The time {at.isoformat()} has no zone.", "Add one, for example tzinfo=datetime.UTC.")
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"The time {at.isoformat()} falls off the calendar in UTC.", "Use a later time.") from None


ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32 digits: no I, L, O or U, which are easily misread."""
_PAIRS = tuple(first + second for first in ALPHABET for second in ALPHABET)


def base32(value: int) -> str:
    """Encode the lowest 130 bits of an integer as 26 characters of Crockford's base 32."""
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10)])
