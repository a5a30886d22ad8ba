"""Request bodies: one pydantic model each, with typed and bounded values; unknown fields are refused."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from reverie.answers import Anchor, AnchoredScope
from reverie.encode.memory_factory import DataSource
from reverie.encode.notes import Note
from reverie.encode.validation import CallerHints
from reverie.engine.curate import Feedback
from reverie.engine.jobs import KEY_MAX
from reverie.engine.requests import TOP_K_MAX, Question
from reverie.types import SCOPE_PART_MAX, Kind, Message, RelationKind, Role, Scope, TimeWindow
from reverie.wire.errors import MESSAGES_MAX, NOTES_MAX
from reverie.wire.layouts import names

T = TypeVar("T")


NAME_MAX = 1000
PACKED = "base64-text"
"""Format of a text sent as base64 of UTF-8, surrogates included."""
PACKED_WORDS = "base64-words"
"""Format of a base64 text that must not be blank."""
SEQ_MAX = 2**53 - 1
NUMBER_MAX = 2**31 - 1
BLANK = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""The characters ``str.strip`` removes, for any regex dialect: the ``\\s`` of JSON Schema lacks five of these."""
_SAYS = f"[^{BLANK}]"
_PART = re.compile(rf"[^\x00]*[^\x00{BLANK}][^\x00]*")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise PydanticCustomError("text", "must be text")
    return value


def _whole(value: Any) -> Any:
    """Convert a float such as 3.0 to an int, because JSON has one kind of number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _words(value: Any) -> str:
    text = _text(value)
    if not text.strip():
        raise PydanticCustomError("words", "must have words")
    return text


def _part(value: Any) -> str:
    text = _text(value)
    if not _PART.fullmatch(text) or len(text) > SCOPE_PART_MAX:
        raise PydanticCustomError("part", "must have 1 to 200 characters that are not all blank")
    return text


def _name(value: Any) -> str:
    text = _text(value)
    if not text.strip() or len(text) > NAME_MAX:
        raise PydanticCustomError("name", "must have 1 to 1000 characters that are not all blank")
    return text


def moment(value: Any) -> datetime:
    """Parse a time by RFC 3339, which includes its zone."""
    text = _text(value)
    try:
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text.upper())
    except ValueError:
        pass  # the right form but no date, such as a thirteenth month
    raise PydanticCustomError("moment", "must be a time with its zone, as in 2026-03-01T09:30:00+01:00")


def _moment_or_none(value: Any) -> datetime | None:
    return None if value is None else moment(value)


def _packed_words(value: Any) -> str | None:
    text = _packed(value)
    return None if text is None else _words(text)


def _packed(value: Any) -> str | None:
    if value is None:
        return None
    try:
        return base64.b64decode(_text(value).encode("ascii"), validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, UnicodeError):
        raise PydanticCustomError("base64", "must be base64 of UTF-8, surrogates passed") from None


def _in_base64(form: str) -> dict[str, Any]:
    return {"anyOf": [{"type": "string", "format": form, "contentEncoding": "base64"}, {"type": "null"}]}


_NAMED = {"type": "string", "minLength": 1, "maxLength": NAME_MAX, "pattern": _SAYS}
_PARTED = {"type": "string", "minLength": 1, "maxLength": SCOPE_PART_MAX, "pattern": f"^{_PART.pattern}$"}
_TIMED = {"type": "string", "format": "date-time"}

Words = Annotated[str, PlainValidator(_words), WithJsonSchema({"type": "string", "pattern": _SAYS})]
"""Text that is not blank."""
WHOLE = BeforeValidator(_whole)
Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]
Name = Annotated[str, PlainValidator(_name), WithJsonSchema(_NAMED)]
Moment = Annotated[datetime, PlainValidator(moment), WithJsonSchema(_TIMED)]
Packed = Annotated[str | None, PlainValidator(_packed), WithJsonSchema(_in_base64(PACKED))]
PackedWords = Annotated[str | None, PlainValidator(_packed_words), WithJsonSchema(_in_base64(PACKED_WORDS))]

MemoryId = Annotated[Name, Path(description="The memory's id.")]
JobId = Annotated[Name, Path(description="The job's id.")]
Limit = Annotated[int, Query(ge=1, le=NUMBER_MAX, description="At most so many.")]
ScopePart = Annotated[str, PlainValidator(_part), WithJsonSchema(_PARTED), Query()]
QueryName = Annotated[Name, Query()]
QueryMoment = Annotated[
    datetime | None, PlainValidator(_moment_or_none), WithJsonSchema({"type": "string", "format": "date-time"}), Query()
]
Truth = Annotated[Literal["true", "false"], Query()]
QueryText = Annotated[Text, Query()]


BUDGET_TOKENS = 1000
TAGS_MAX = 1000

AnyRole = Annotated[Role, Field(strict=False)]
Verdict = Annotated[Feedback, Field(strict=False)]
AnyRelationKind = Annotated[RelationKind, Field(strict=False)]
AnySource = Annotated[DataSource, Field(strict=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Mark = Annotated[tuple[Annotated[int, Field(ge=1, le=SEQ_MAX), WHOLE], Hash], Field(strict=False)]
Tags = Annotated[list[Name], Field(max_length=TAGS_MAX)]


def _formed(kind: Kind) -> Kind:
    if kind is Kind.EPISODE:
        raise PydanticCustomError("kind", "must be a kind that is formed")
    return kind


_FORMED = {"type": "string", "enum": [str(kind) for kind in Kind if kind is not Kind.EPISODE]}
FormedKind = Annotated[Kind, Field(strict=False), AfterValidator(_formed), WithJsonSchema(_FORMED)]


class Body(BaseModel):
    """Base of request bodies."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)

    def made(self, kind: type[T], **other: object) -> T:
        """Return an engine value from the fields of the same names and these others."""
        shared = {name: getattr(self, name) for name in names(kind) if name in type(self).model_fields}
        return kind(**shared | other)


class MessageBody(Body):
    """One message to store."""

    text: Text
    """The text of what was said; may be any text."""
    text_base64: Packed = None
    """The exact text as base64 of UTF-8 with surrogates, if JSON cannot carry it; used instead of ``text``."""
    speaker: Name = "user"
    """The name of the speaker."""
    role: AnyRole | None = None
    """The speaker's role; derived from the name if left out."""
    session: Name = "default"
    """The session (conversation) it belongs to."""
    at: Moment | None = None
    """When it was said; now if left out."""
    message_id: Name | None = None
    """An id by which a repeated message is recognised."""
    seq: Annotated[int, Field(ge=0, le=SEQ_MAX), WHOLE] | None = None
    """Its place in the session; at the end if left out."""

    def message(self) -> Message:
        """Return the message for the engine."""
        return self.made(Message, text=self.text if self.text_base64 is None else self.text_base64)


class ManyBody(Body):
    """Many messages to store."""

    messages: Annotated[list[MessageBody], Field(max_length=MESSAGES_MAX)]
    """The messages, in the order they were said."""


class ObserveBody(MessageBody):
    """One message to store and to form memories from."""

    deliberate: bool = False
    """Somebody asked to have it remembered: no filter skips it."""
    source: AnySource | None = None
    """Where the words come from; derived from the role if left out."""
    kind: FormedKind | None = None
    """The kind of what is formed; derived from its words if left out."""
    importance: Share | None = None
    """The importance of what is formed; decided by the recipe if left out."""
    classed: bool = False
    """Form only what a person said and what has a class, such as a preference or a decision."""

    def given(self) -> CallerHints:
        """Return the caller's hints for the engine."""
        return self.made(CallerHints)


class WindowBody(Body):
    """A span of time: from ``start`` on, before ``end``."""

    start: Moment
    """The beginning of the span, included."""
    end: Moment
    """The end of the span, excluded."""


class RecallBody(Body):
    """A cue with its context, and the limits of the answer."""

    cue: Text
    """The question to answer, or any text."""
    session: Name | None = None
    """The session (conversation) that asks."""
    mood: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = None
    """How the asker feels, from −1 to 1; read from the cue if left out."""
    domain: Text = ""
    """A hint of the topic."""
    as_of: Moment | None = None
    """Return what held at that moment, instead of what holds now."""
    past: bool = False
    """Also return superseded memories."""
    automatic: bool = False
    """True if a host asks by itself for every message; small talk is then not searched."""
    without_repeats: bool = False
    """Withhold memories that only repeat the question."""
    top_k: Annotated[int, Field(ge=1, le=TOP_K_MAX), WHOLE] | None = None
    """Most memories to return; the recipe's own number if left out."""
    budget_tokens: Annotated[int, Field(ge=0, le=NUMBER_MAX), WHOLE] | None = BUDGET_TOKENS
    """Most tokens to return; null for no limit."""
    now: Moment | None = None
    """The time of asking; now if left out."""
    window: WindowBody | None = None
    """Only what was said in this span."""

    def question(self) -> Question:
        """Return the cue for the engine."""
        return self.made(Question, text=self.cue)

    def limits(self) -> dict[str, Any]:
        """Return the limits of the answer for the engine."""
        return {"top_k": self.top_k, "budget_tokens": self.budget_tokens, "now": self.now, "window": self.span()}

    def span(self) -> TimeWindow | None:
        """Return the window for the engine."""
        return None if self.window is None else TimeWindow(self.window.start, self.window.end, "")


class WhyBody(Body):
    """The reason for a change, for the journal."""

    why: Text = ""
    """The reason for the change."""


class IntendBody(Body):
    """An intention: what to do, and when: at a moment, by a recurrence from then on, or when a topic comes up."""

    action: Text
    """What is to be done."""
    at: Moment | None = None
    """When it is due, or first due."""
    rule: str = ""
    """How it recurs (RFC 5545), as FREQ=WEEKLY;BYDAY=MO."""
    zone: str = "UTC"
    """The time zone in which a recurrence keeps its time of day."""
    about: Text = ""
    """The topic or event that brings it up."""
    follows: bool = False
    """Whether that has to have happened, not only to be mentioned."""
    until: Moment | None = None
    """The end of its window: it is missed from then on."""


class SettleBody(Body):
    """How an intention ended, or until when it is put off."""

    outcome: Literal["done", "cancelled", "missed", "snoozed"]
    """How it ended."""
    until: Moment | None = None
    """Until when it is snoozed."""


class WordsBody(Body):
    """The words of a memory."""

    text: Words
    """The text of the memory."""
    text_base64: PackedWords = None
    """The exact text as base64 of UTF-8 with surrogates, if JSON cannot carry it; used instead of ``text``."""

    def words(self) -> str:
        """Return the exact words for the engine."""
        return self.text if self.text_base64 is None else self.text_base64


class CorrectBody(WordsBody, WhyBody):
    """The corrected text of a memory."""

    tags: Tags = []
    """Its tags; derived from its words if empty."""


class NoteBody(WordsBody):
    """A note: a text to store as a memory unchanged."""

    kind: FormedKind | None = None
    """Its kind; derived from its words if left out."""
    at: Moment | None = None
    """When it was written; now if left out."""
    importance: Share | None = None
    """Its importance; decided by the recipe if left out."""
    tags: Tags = []
    """Its tags; derived from its words if empty."""
    verified: bool = False
    """Whether it has proved true."""
    writer: Name | None = None
    """Who wrote it; the agent if left out."""
    shared: bool = False
    """Whether another agent learned it and shared it."""

    def note(self) -> Note:
        """Return the note for the engine."""
        return self.made(Note, text=self.words(), tags=tuple(self.tags), writer=self.writer or "")


class NotesBody(Body):
    """Notes, each of which becomes one memory."""

    notes: Annotated[list[NoteBody], Field(max_length=NOTES_MAX)]
    """The notes, in order."""
    why: Text = "noted"
    """The reason, for the journal."""


class AmendBody(WhyBody):
    """Changes to a memory whose words stay; fields left out, or null, stay too."""

    importance: Share | None = None
    """The new importance."""
    tags: Tags | None = None
    """The new tags, replacing the old ones; the addresses of its entities stay."""
    verified: bool | None = None
    """Whether it has proved true."""


class PinBody(Body):
    """Whether the memory is protected from forgetting."""

    pinned: bool = True
    """True protects the memory from forgetting; false ends the protection."""


class ProtectBody(Body):
    """Whether the memory is protected from editing."""

    immutable: bool = True
    """True protects the memory from being edited, merged or moved; false ends the protection."""


class FeedbackBody(WhyBody):
    """How a memory turned out."""

    verdict: Verdict
    """The outcome: used, useless, verified, wrong or important."""


class RelateBody(Body):
    """A relation to add."""

    target: Name
    """The id of the target memory."""
    kind: AnyRelationKind
    """The kind of the relation, from the source to the target."""
    confidence: Share = 1.0
    """How certain the relation is."""


class RunBody(Body):
    """How to run a dream or a part of it."""

    dry_run: bool = False
    """Report what it would do, and write nothing."""


class JobBody(Body):
    """A job to do in the background."""

    kind: Literal["dream", "embed", "reindex"]
    """A dream of the scope; or, for the whole store, its missing vectors or its index of terms."""
    key: Annotated[str, Field(max_length=KEY_MAX)] = ""
    """While a job of this kind with this key is open, it is the answer instead of a new one."""


class ScopeBody(Body):
    """A scope."""

    agent: Name
    """The agent."""
    user: Name
    """The user."""
    project: Name
    """The project."""

    def value(self) -> Scope:
        """Return the scope for the engine."""
        return self.made(Scope)


class AnchoredScopeBody(Body):
    """The end of one scope's journal in an anchor."""

    scope: ScopeBody
    """The scope."""
    first: Hash
    """The hash of its first event."""
    seq: Annotated[int, Field(ge=1, le=SEQ_MAX), WHOLE]
    """The number of its last event at that time."""
    hash: Hash
    """The hash of that last event."""
    marks: Annotated[list[Mark], Field(max_length=64)] = []
    """Number and hash of some earlier events."""

    def value(self) -> AnchoredScope:
        """Return it for the engine."""
        return self.made(AnchoredScope, scope=self.scope.value(), marks=tuple(self.marks))


class AnchorBody(Body):
    """The ends of all journals at a moment, as ``GET /v1/anchor`` gave them."""

    at: Moment
    """When the anchor was taken."""
    scopes: Annotated[list[AnchoredScopeBody], Field(min_length=1)]
    """The journal's end of each scope."""

    def value(self) -> Anchor:
        """Return the anchor for the engine."""
        return Anchor(self.at, tuple(one.value() for one in self.scopes))


class VerifyBody(Body):
    """What to check besides the store itself."""

    anchor: AnchorBody | None = None
    """Check that the journal has only grown since this anchor was taken."""


class UndoBody(Body):
    """What to undo: an event or a dream; the newest dream if neither is named."""

    cycle: Name | None = None
    """The id of the dream to undo."""
    event: Annotated[int, Field(ge=1, le=SEQ_MAX), WHOLE] | None = None
    """The number of the event to undo, in the journal."""
