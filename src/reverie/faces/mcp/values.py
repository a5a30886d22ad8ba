"""Inputs and outputs of the MCP tools as pydantic models, with schemas short enough for a model's context."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from reverie.wire.shapes import shape

Schema: TypeAlias = dict[str, object]
_NEEDLESS = ("title", "format")
_NULL: Schema = {"type": "null"}


def input_schema(model: type[BaseModel]) -> Schema:
    """Return a tool's input schema for clients. Unknown arguments are refused, which the schema does not say."""
    whole = model.model_json_schema()
    required = {"required": whole["required"]} if "required" in whole else {}
    return {"type": "object", "properties": _fields(whole), **required}


def output_schema(model: type[BaseModel]) -> Schema:
    """Return a tool's output schema for clients."""
    return {"type": "object", "properties": _fields(model.model_json_schema()), "required": ["scope"]}


def _fields(schema: Schema) -> Schema:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return {name: _field(one) for name, one in properties.items()}


def _field(schema: Schema) -> Schema:
    """Return the short schema of one field; a reference to another model becomes an object."""
    if "$ref" in schema:
        return {"type": "object"}
    short = {key: value for key, value in schema.items() if key not in _NEEDLESS}
    if short.get("default", "") in (None, ""):
        short.pop("default", None)
    if isinstance(items := short.get("items"), dict):
        short["items"] = _field(items)
    either = short.pop("anyOf", None)
    if not isinstance(either, list):
        return short
    (kind,) = (one for one in either if one != _NULL)
    return {**_field(kind), **short}


def _in_utc(at: datetime) -> datetime:
    """Convert a time to UTC; a time without a zone is taken as UTC."""
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        raise ValueError("the time falls off the calendar") from None


Time = Annotated[datetime, AfterValidator(_in_utc)]
Limit = Annotated[int, Field(ge=1, le=100)]


class Input(BaseModel):
    """Base of tool inputs. Unknown fields are refused, so that nobody believes a scope can be named."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class Part(BaseModel):
    """A part of a tool's output: the few keys of a shape that a model needs."""

    @classmethod
    def of(cls, *parts: object, **more: object) -> Self:
        """Build from the shapes of these values and more keys; keys without a field are ignored."""
        found: dict[str, object] = {}
        for part in parts:
            found |= shape(part)
        return cls.model_validate(found | more)


class Output(Part):
    """Base of tool outputs; ``scope`` says whose memory answered."""

    scope: str


class Recall(Input):
    """A question to the memory; ``since`` and ``until`` bound when it was said."""

    query: str
    limit: Limit | None = None
    since: Time | None = None
    until: Time | None = None
    as_of: Time | None = Field(default=None, description="what held then")


class Store(Input):
    """Input of the tool that stores a text."""

    text: str = Field(description="whole sentences that name whom they are about: the user …")


class Named(Input):
    """Input that names one memory by its id."""

    id: str


class Get(Named):
    """Input that names one memory; ``expand``: with the words it was made of."""

    expand: bool = False


class Listing(Input):
    """Limits for a list of the latest memories: number, time and session."""

    limit: Limit = 20
    since: Time | None = None
    until: Time | None = None
    session: str | None = None


class Update(Named):
    """The corrected text of a memory."""

    text: str
    why: str = ""


class Forget(Named):
    """The memory to forget, and why."""

    why: str = ""


class Feedback(Named):
    """How a memory turned out."""

    verdict: Literal["used", "useless", "verified", "wrong", "important"]
    why: str = ""


class Intend(Input):
    """An intention to form, with a time or a topic; or, with ``id``, how one ended."""

    action: str = ""
    at: Time | None = None
    every: str = Field(default="", description="RRULE")
    about: str = Field(default="", description="topic that brings it up")
    id: str = ""
    outcome: Literal["done", "cancelled", "snoozed"] | None = None


class Intended(Output):
    """An intention as it stands."""

    id: str
    progress: str
    next_at: str | None = None


class Link(Input):
    """A relation to add between two memories."""

    source: str
    target: str
    kind: Literal["supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to"] = "related_to"


class Consolidate(Input):
    """A dream; ``dry_run`` only reports what it would do."""

    dry_run: bool = False


class Run(Input):
    """A run of a skill, and how it ended."""

    skill: str
    outcome: Literal["succeeded", "failed", "unfinished"]
    context: str = Field(default="", description="circumstances, as staging")
    steps: list[str] = []
    version: str = ""
    id: str = ""


class Skills(Input):
    """What to list: skills, or with ``worked`` the successful runs that answer a question."""

    context: str | None = None
    worked: str = Field(default="", description="as: what worked the last time I deployed?")


class Item(Part):
    """A memory in a list; its text is in the notes beside it.

    ``marks``: annotations such as outdated, superseded or contradicted, with the other memory's id; None without any.
    """

    id: str
    kind: str
    at: str
    marks: list[str] | None = None


class Notes(Output):
    """Memories with their texts fenced in ``notes``, in the order of ``memories``."""

    notes: str
    memories: list[Item]


class Recalled(Notes):
    """The memories that answer; ``confidence`` (0 to 1) that they do."""

    confidence: float | None = None


class Tie(Part):
    """A relation of a memory."""

    source: str
    kind: str
    target: str


class Turn(Part):
    """One event in a memory's history."""

    at: str
    action: str


class Whole(Output):
    """One memory: its text fenced in ``notes``, its state, its relations, its latest events."""

    notes: str
    id: str
    kind: str
    at: str
    state: str
    valid_until: str | None = None
    accesses: int
    sources: list[str]
    links: list[Tie]
    history: list[Turn]


class Stored(Output):
    """The result of storing a text: its id, the ids of memories formed from it, the decision of each stage."""

    id: str
    formed: list[str]
    decisions: list[str]


class Changed(Output):
    """A memory's state after a change."""

    id: str
    state: str
    valid_until: str | None = None


class Linked(Output, Tie):
    """The relation that was added."""


class Kept(Output):
    """The id of a recorded run, and whether it is new."""

    id: str
    new: bool


class Skilled(Output):
    """Skills or runs as fenced lines."""

    notes: str


class Consolidated(Output):
    """What a dream changed and formed, step by step."""

    changed: int
    steps: list[str]


class Counts(Output):
    """Counts of the scope."""

    memories: int
    current: int
    sessions: int
    accesses: int
    embedded: int
    model: str
    first_at: str | None = None
    last_at: str | None = None
