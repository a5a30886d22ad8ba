"""Pydantic models of the HTTP answers, for the OpenAPI description only; tests check the real answers against them.

``of`` makes the model of any engine value; ``TOLD`` adds what the dataclass does not say: a name, bounds, a note.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache, reduce
from operator import or_
from types import GenericAlias
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from reverie.answers import (
    Anchor,
    AnchoredScope,
    Curve,
    CurvePoint,
    Decision,
    Digest,
    Expansion,
    Fault,
    Growth,
    Health,
    Hit,
    InjectedMemory,
    Injection,
    Job,
    Origin,
    Receipt,
    Recollection,
    Signal,
    Statement,
    Stats,
    Step,
    WithheldMemory,
)
from reverie.consolidate.history import Compacted, DreamReport, DreamSummary, StepReport
from reverie.consolidate.settings import StepName
from reverie.encode.intentions import Intention
from reverie.encode.session import WorkingItem
from reverie.engine.erasure import Erasure
from reverie.engine.imports import Brought
from reverie.engine.ingest import Imported
from reverie.engine.transfer import Moved
from reverie.engine.undo import UndoReport
from reverie.events import Change, DreamStage, Event, FieldChange
from reverie.exchange import Skipped
from reverie.recall.explain import Explanation, Remark, Shift
from reverie.types import Cue, Memory, Relation, Scope, Standing, TimeWindow
from reverie.wire.layouts import Head, Reason, difference, hint, is_shaped, parts

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Whole = Annotated[int, Field()]
Plain = Annotated[Any, WithJsonSchema({"description": "Text, number, truth, a list of texts, or null."})]
Gated = Annotated[
    bool,
    Field(
        description="There was something, and nothing of it was sure enough; ``confidence`` says how sure the best was."
    ),
]
GatedCount = Annotated[int, Field(ge=0, description="Recalls that found nothing sure enough.")]
Exact = Annotated[
    str, Field(description="Where the text holds lone surrogates: its exact form, UTF-8 with surrogates passed.")
]

_IN_JSON: dict[Any, Any] = {datetime: Time, date: str, int: Count, StepName: str, DreamStage: str}
"""JSON types of types that JSON lacks; an int is a count unless ``TOLD`` says otherwise."""


class Shape(BaseModel):
    """Base of the models of answers."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Told:
    """What OpenAPI says of a shape and its dataclass does not.

    Attributes:
        about: its description.
        name: its name; empty for the class's own.
        scoped: whether the answer names the scope first, which the value itself does not have.
        forms: key → its type, if it is bounded, described differently, or added by the route.
    """

    about: str = ""
    name: str = ""
    scoped: bool = False
    forms: dict[str, Any] = field(default_factory=dict)


TOLD: dict[type, Told] = {
    Scope: Told("An agent, a user and a project."),
    Standing: Told("The lifecycle state of a memory."),
    Memory: Told("A unit of recall.", forms={"seq": Whole}),
    Relation: Told("An edge between two memories.", forms={"confidence": Share}),
    Decision: Told("What one stage of the write path decided."),
    Receipt: Told("What storing one message did.", forms={"seq": Whole}),
    Imported: Told("What storing many messages did.", scoped=True),
    Signal: Told("One reason for a score."),
    Hit: Told("One memory that was recalled.", forms={"rank": Whole}),
    TimeWindow: Told("A span of time.", "Window"),
    Cue: Told("How the query was read."),
    Step: Told("One line of the trace."),
    Recollection: Told("The answer to a query.", forms={"gated": Gated}),
    Shift: Told("A memory whose rank would differ without a signal.", forms={"rank": Whole, "instead": Whole}),
    Remark: Told("A remark on a memory of the answer: superseded, outdated, contradicts, quoted and so on."),
    Explanation: Told(
        "The answer, what would have changed its order, and in ``words`` the hits' words that match the cue.",
        forms={"gated": Gated, "words": list[str]},
    ),
    WorkingItem: Told("An item of working memory."),
    FieldChange: Told("A field before and after.", forms={"before": Plain, "after": Plain}),
    Change: Told("What was changed in one memory."),
    Reason: Told("Why, and how often."),
    StepReport: Told("What one step of a dream did.", "DreamStep"),
    DreamReport: Told("What a dream did, or would do.", "Dream", scoped=True),
    Compacted: Told("What compacting did.", scoped=True),
    UndoReport: Told("What was undone: one event (its number in the journal), or a dream.", "Undone", scoped=True),
    Event: Told(
        "One change of the store, as the journal has it. ``payload`` null: its content was erased.",
        forms={"payload": dict[str, Any] | None},
    ),
    InjectedMemory: Told("A memory that was handed over, and the signals that brought it."),
    WithheldMemory: Told("A memory that was found and not handed over, and why."),
    Injection: Told("What was handed over at one moment."),
    DreamSummary: Told("A past dream."),
    CurvePoint: Told("One point of a forgetting curve.", forms={"retrievability": Share}),
    Curve: Told("How well a memory can be retrieved, day by day.", scoped=True, forms={"now": Share | None}),
    Growth: Told("The memories one day added."),
    Statement: Told("A short statement, and the ids of the texts that say it."),
    Digest: Told("The short statements of several texts, each with the ids of those that say it.", scoped=True),
    Expansion: Told("A memory and the words it was made of, by the time they were said.", scoped=True),
    Health: Told("Counts that show a scope's health.", forms={"gated": Whole}),
    Moved: Told("What importing a lossless export did."),
    Skipped: Told("Something that gave no message, or not all it holds, and why.", "Left"),
    Brought: Told(
        "What bringing in a conversation, or another memory's keep, did.",
        scoped=True,
        forms={"skipped": Count, "left": list[Skipped]},
    ),
    Stats: Told("Counts of a scope.", forms={"gated": GatedCount}),
    Fault: Told("A fault and how to mend it."),
    AnchoredScope: Told(
        "The end of one scope's journal at a moment.", forms={"seq": Whole, "marks": list[list[Whole | str]]}
    ),
    Anchor: Told("The ends of all journals at a moment.", "Anchored", forms={"at": str}),
    Head: Told("The journal's last event at a moment."),
    Erasure: Told(
        "What was deleted for good: the memory, all that went with it, and the journal's head before and after.",
        "Erased",
        scoped=True,
        forms={"erased": str},
    ),
}


@cache
def of(kind: type) -> type[BaseModel]:
    """Return the pydantic model of an engine value, with every key of its shape."""
    told = TOLD.get(kind, Told())
    about = told.about or str(kind.__doc__).partition("\n")[0]
    return _model(told.name or kind.__name__, about, _keys(kind) | told.forms, told.scoped, difference(kind).exact)


def _keys(kind: type) -> dict[str, Any]:
    return {part.name: hint(kind, part) for part in parts(kind)}


def _model(name: str, about: str, keys: dict[str, Any], scoped: bool = True, exact: bool = False) -> type[BaseModel]:
    """Make a model with these keys, all of them required."""
    keys = {"scope": Scope, **keys} if scoped else keys
    fields: dict[str, Any] = {key: (_in_json(kind), ...) for key, kind in keys.items()}
    if exact:
        fields["text_base64"] = (Exact, "")
    return create_model(name, __base__=Shape, __doc__=about, **fields)


def _in_json(kind: Any) -> Any:
    """Return the JSON form of an engine type."""
    if is_shaped(kind):
        return of(kind)
    origin = get_origin(kind)
    if kind in _IN_JSON or origin is Annotated:
        return _IN_JSON.get(kind, kind)
    inner = tuple(_in_json(one) for one in get_args(kind) if one is not ...)
    if origin in (list, tuple, dict):
        return GenericAlias(dict if origin is dict else list, inner)
    return reduce(or_, inner) if inner else kind


def _answer(name: str, about: str, /, *, scoped: bool = True, **keys: Any) -> type[BaseModel]:
    """Make the model of an answer that is not an engine value: values under keys."""
    return _model(name, about, keys, scoped)


OneMemory = _answer("OneMemory", "A memory.", memory=Memory)
Memories = _answer("Memories", "Memories.", memories=list[Memory])
OneRelation = _answer("OneRelation", "An edge.", relation=Relation)
Relations = _answer("Relations", "Edges.", relations=list[Relation])
Graph = _answer(
    "Graph",
    "What is connected: memories and the edges between them.",
    memories=list[Memory],
    relations=list[Relation],
)
Working = _answer(
    "Working", "What a session holds in working memory, strongest first.", session=str, items=list[WorkingItem]
)
Origins = _answer("Origins", "A memory and what it was made of, nearest first.", origins=list[Origin])
Events = _answer("Events", "Changes, oldest first.", events=list[Event])
Due = _answer("Due", "What is due, and every open intention.", due=list[Intention], intentions=list[Intention])
OneIntention = _answer("OneIntention", "An intention.", intention=Intention)
Jobs = _answer("Jobs", "The scope's jobs, the newest first.", jobs=list[Job])
OneJob = _answer("OneJob", "A job.", job=Job)
Injections = _answer("Injections", "What was handed over, the newest first.", injections=list[Injection])
Dreams = _answer("Dreams", "Past dreams, the newest first.", dreams=list[DreamSummary])
MovedHere = _model("MovedHere", "What importing into a scope did.", _keys(Moved))

Scopes = _answer("Scopes", "Every scope the token may see.", scoped=False, scopes=list[Scope])


class ScopeBinding(Shape):
    """The scopes a token is for: null for any."""

    agent: str | None
    user: str | None
    project: str | None


class Whoami(Shape):
    """Who asks, and what they may do where; of a tenant's caller also which tenant's."""

    name: str
    rights: str
    scope: ScopeBinding
    tenant: str = ""


Settings = _answer(
    "Settings",
    "The settings in force, by key; secrets only as whether they are set.",
    scoped=False,
    settings=dict[str, Any],
)
Server = _answer("Server", "What answers.", scoped=False, version=str, model=str, reranker=str, recipe=str, missing=int)
Faults = _answer("Faults", "What was found; nothing: all is well.", scoped=False, faults=list[Fault])
Embedded = _answer("Embedded", "How many memories were given a vector.", scoped=False, embedded=int)
Replayed = _answer(
    "Replayed", "The digest of the store as the journal alone makes it.", scoped=False, digest=str, replayed=str
)
Ready = _answer("Ready", "Whether it can answer.", scoped=False, status=str)


class Invalid(Shape):
    """An invalid value of a request: where it is, and what is wrong with it."""

    where: str
    what: str


class Problem(Shape):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    mend: str
    request_id: str
    errors: list[Invalid] = Field(default_factory=list)
