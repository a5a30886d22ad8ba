"""What the tools take and give: pydantic models, and schemas short enough for a model's context."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from reverie.wire.shapes import shape

# Schemas short enough for a model's context: in, a pydantic model; out, its JSON schema without what nobody needs.


Schema: TypeAlias = dict[str, object]
_NEEDLESS = ("title", "format")
_NULL: Schema = {"type": "null"}


def input_schema(model: type[BaseModel]) -> Schema:
    """What a client is told a tool takes. Other arguments are refused; the schema does not say so."""
    whole = model.model_json_schema()
    required = {"required": whole["required"]} if "required" in whole else {}
    return {"type": "object", "properties": _fields(whole), **required}


def output_schema(model: type[BaseModel]) -> Schema:
    """What a client is told a tool gives."""
    return {"type": "object", "properties": _fields(model.model_json_schema()), "required": ["scope"]}


def _fields(schema: Schema) -> Schema:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return {name: _field(one) for name, one in properties.items()}


def _field(schema: Schema) -> Schema:
    """One field; a reference to another model is an object."""
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


# What the tools take and give: pydantic models, at this face alone; ``schemas`` makes what a client is told.


def _in_utc(at: datetime) -> datetime:
    """A moment in UTC; one without a zone is in UTC already."""
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        raise ValueError("the time falls off the calendar") from None


Time = Annotated[datetime, AfterValidator(_in_utc)]
Limit = Annotated[int, Field(ge=1, le=100)]


class Input(BaseModel):
    """What a tool takes: nothing beside its fields, so that nobody believes to have named a scope."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class Part(BaseModel):
    """A part of what a tool gives: the few keys of a shape that a model needs."""

    @classmethod
    def of(cls, *parts: object, **more: object) -> Self:
        """The keys it has of the shapes of these values, and more."""
        found: dict[str, object] = {}
        for part in parts:
            found |= shape(part)
        return cls.model_validate(found | more)


class Output(Part):
    """What a tool gives; ``scope`` says whose memory answered."""

    scope: str


class Recall(Input):
    """A question to the memory; ``since`` and ``until`` bound when it was said."""

    query: str
    limit: Limit | None = None
    since: Time | None = None
    until: Time | None = None
    as_of: Time | None = Field(default=None, description="what held then")


class Store(Input):
    """Something to keep."""

    text: str = Field(description="whole sentences that name whom they are about: the user …")


class Named(Input):
    """One memory."""

    id: str


class Listing(Input):
    """What was said last, within a time and a conversation."""

    limit: Limit = 20
    since: Time | None = None
    until: Time | None = None
    session: str | None = None


class Update(Named):
    """What a memory should have said."""

    text: str
    why: str = ""


class Forget(Named):
    """What shall hold no longer."""

    why: str = ""


class Feedback(Named):
    """What turned out."""

    verdict: Literal["used", "useless", "verified", "wrong", "important"]
    why: str = ""


class Link(Input):
    """An edge to draw."""

    source: str
    target: str
    kind: Literal["supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to"] = "related_to"


class Consolidate(Input):
    """A dream, or what it would do."""

    dry_run: bool = False


class Item(Part):
    """A memory in a list; its words stand in the notes beside it.

    ``marks``: that it is outdated, superseded or contradicted, and by which other; or stands. None for nothing.
    """

    id: str
    kind: str
    at: str
    marks: list[str] | None = None


class Notes(Output):
    """Memories: their words fenced in ``notes``, in the order of ``memories``."""

    notes: str
    memories: list[Item]


class Recalled(Notes):
    """What answers; ``confidence`` that it does, from 0 to 1."""

    confidence: float | None = None


class Tie(Part):
    """An edge of a memory."""

    source: str
    kind: str
    target: str


class Turn(Part):
    """Something that happened to a memory."""

    at: str
    action: str


class Whole(Output):
    """One memory: its words fenced in ``notes``, how it stands, what it is tied to, the last that happened to it."""

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
    """What became of a text: its id, the ids formed of it, what each stage decided."""

    id: str
    formed: list[str]
    decisions: list[str]


class Changed(Output):
    """How a memory stands now."""

    id: str
    state: str
    valid_until: str | None = None


class Linked(Output, Tie):
    """The edge that was drawn."""


class Consolidated(Output):
    """What a dream changed and formed, step by step."""

    changed: int
    steps: list[str]


class Counts(Output):
    """How much there is."""

    memories: int
    current: int
    sessions: int
    accesses: int
    embedded: int
    model: str
    first_at: str | None = None
    last_at: str | None = None
