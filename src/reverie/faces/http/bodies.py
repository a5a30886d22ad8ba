"""What requests bring: one model a body, each value named, typed and bounded; what is not named is refused."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from reverie.answers import Anchor
from reverie.encode.memory_factory import DataSource
from reverie.encode.notes import Note
from reverie.encode.validation import CallerHints
from reverie.engine.curate import Feedback
from reverie.engine.requests import TOP_K_MAX, Question
from reverie.types import SCOPE_PART_MAX, Kind, Message, RelationKind, Role, TimeWindow
from reverie.wire.errors import MESSAGES_MAX, NOTES_MAX
from reverie.wire.layouts import names

T = TypeVar("T")

# The values of requests: in, what JSON and addresses hold; out, texts, names and moments the engine takes.


NAME_MAX = 1000
PACKED = "base64-text"
"""The format of a text as base64 of UTF-8, surrogates passed."""
PACKED_WORDS = "base64-words"
"""The same of a text that says something."""
SEQ_MAX = 2**53 - 1
NUMBER_MAX = 2**31 - 1
BLANK = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""What ``str.strip`` takes off, in a class of any dialect: the ``\\s`` of JSON Schema lacks five of these."""
_SAYS = f"[^{BLANK}]"
_PART = re.compile(rf"[^\x00]*[^\x00{BLANK}][^\x00]*")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise PydanticCustomError("text", "must be text")
    return value


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 3.0 is whole."""
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
    """A moment by RFC 3339, which names its zone."""
    text = _text(value)
    try:
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text.upper())
    except ValueError:
        pass  # a thirteenth month: of the right form, and still none
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
"""Text that says something."""
WHOLE = BeforeValidator(_whole)
Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]
Name = Annotated[str, PlainValidator(_name), WithJsonSchema(_NAMED)]
Moment = Annotated[datetime, PlainValidator(moment), WithJsonSchema(_TIMED)]
Packed = Annotated[str | None, PlainValidator(_packed), WithJsonSchema(_in_base64(PACKED))]
PackedWords = Annotated[str | None, PlainValidator(_packed_words), WithJsonSchema(_in_base64(PACKED_WORDS))]

MemoryId = Annotated[Name, Path(description="The memory's id.")]
Limit = Annotated[int, Query(ge=1, le=NUMBER_MAX, description="At most so many.")]
ScopePart = Annotated[str, PlainValidator(_part), WithJsonSchema(_PARTED), Query()]
QueryName = Annotated[Name, Query()]
QueryMoment = Annotated[
    datetime | None, PlainValidator(_moment_or_none), WithJsonSchema({"type": "string", "format": "date-time"}), Query()
]
Truth = Annotated[Literal["true", "false"], Query()]
QueryText = Annotated[Text, Query()]


# What requests bring: one model a body, each value named, typed and bounded; what is not named is refused.


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
    """A request's body."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)

    def made(self, kind: type[T], **other: object) -> T:
        """A value of the engine with the fields it shares with the body by name, and these others."""
        shared = {name: getattr(self, name) for name in names(kind) if name in type(self).model_fields}
        return kind(**shared | other)


class MessageBody(Body):
    """One message."""

    text: Text
    """What was said, any text."""
    text_base64: Packed = None
    """The same in UTF-8 with surrogates passed, for a text JSON cannot carry exactly; it goes before ``text``."""
    speaker: Name = "user"
    """Who said it."""
    role: AnyRole | None = None
    """What they are; by their name where it is left out."""
    session: Name = "default"
    """The conversation."""
    at: Moment | None = None
    """When it was said; now where it is left out."""
    message_id: Name | None = None
    """A name by which a second sending of the same message is known."""
    seq: Annotated[int, Field(ge=0, le=SEQ_MAX), WHOLE] | None = None
    """Its place in the session; at the end where it is left out."""

    def message(self) -> Message:
        """The message as the engine takes it."""
        return self.made(Message, text=self.text if self.text_base64 is None else self.text_base64)


class ManyBody(Body):
    """Many messages."""

    messages: Annotated[list[MessageBody], Field(max_length=MESSAGES_MAX)]
    """In the order they were said."""


class ObserveBody(MessageBody):
    """One message, to be kept and to be understood."""

    deliberate: bool = False
    """Somebody asked to have it remembered: no filter passes it over."""
    source: AnySource | None = None
    """Where the words come from; by the role where it is left out."""
    kind: FormedKind | None = None
    """The kind of what is formed; as its words are where it is left out."""
    importance: Share | None = None
    """The importance of what is formed; as the recipe weighs it where it is left out."""
    classed: bool = False
    """Form only of what a person said and what has a class, such as a preference or a decision."""

    def given(self) -> CallerHints:
        """What is known of it, as the engine takes it."""
        return self.made(CallerHints)


class WindowBody(Body):
    """A span of time: from ``start`` on, before ``end``."""

    start: Moment
    """Its first moment."""
    end: Moment
    """The first moment after it."""


class RecallBody(Body):
    """A cue, and what it is asked amid."""

    cue: Text
    """The question, or any text."""
    session: Name | None = None
    """The conversation that asks."""
    mood: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = None
    """How the asker feels, from −1 to 1; read from the cue where it is left out."""
    domain: Text = ""
    """A hint of what it is about."""
    as_of: Moment | None = None
    """What held at that moment, instead of what holds now."""
    past: bool = False
    """Also what was superseded."""
    automatic: bool = False
    """A host asks on its own for every message, so small talk needs no search."""
    top_k: Annotated[int, Field(ge=1, le=TOP_K_MAX), WHOLE] | None = None
    """Most memories to bring; the recipe's own number where it is left out."""
    budget_tokens: Annotated[int, Field(ge=0, le=NUMBER_MAX), WHOLE] | None = BUDGET_TOKENS
    """Most tokens to bring; null for no limit."""
    now: Moment | None = None
    """The moment of asking."""
    window: WindowBody | None = None
    """Only what was said within it."""

    def question(self) -> Question:
        """The cue as the engine takes it."""
        return self.made(Question, text=self.cue)

    def limits(self) -> dict[str, Any]:
        """What bounds the answer, as the engine takes it."""
        return {"top_k": self.top_k, "budget_tokens": self.budget_tokens, "now": self.now, "window": self.span()}

    def span(self) -> TimeWindow | None:
        """The window as the engine takes it."""
        return None if self.window is None else TimeWindow(self.window.start, self.window.end, "")


class WhyBody(Body):
    """A reason, for the journal."""

    why: Text = ""
    """Why."""


class WordsBody(Body):
    """Words that are to be a memory."""

    text: Words
    """The words."""
    text_base64: PackedWords = None
    """The same in UTF-8 with surrogates passed, for a text JSON cannot carry exactly; it goes before ``text``."""

    def words(self) -> str:
        """The words as the engine takes them."""
        return self.text if self.text_base64 is None else self.text_base64


class CorrectBody(WordsBody, WhyBody):
    """What a memory should have said."""

    tags: Tags = []
    """Its tags; those its words give where there are none."""


class NoteBody(WordsBody):
    """Words that were written down as a memory already."""

    kind: FormedKind | None = None
    """Its kind; as its words are where it is left out."""
    at: Moment | None = None
    """When it was written; now where it is left out."""
    importance: Share | None = None
    """Its importance; the recipe's own where it is left out."""
    tags: Tags = []
    """Its tags; those its words give where there are none."""
    verified: bool = False
    """It came true."""
    writer: Name | None = None
    """Who wrote it; the agent where it is left out."""
    shared: bool = False
    """Another agent learned it."""

    def note(self) -> Note:
        """The note as the engine takes it."""
        return self.made(Note, text=self.words(), tags=tuple(self.tags), writer=self.writer or "")


class NotesBody(Body):
    """Notes, each of which becomes one memory."""

    notes: Annotated[list[NoteBody], Field(max_length=NOTES_MAX)]
    """In order."""
    why: Text = "noted"
    """Why, for the journal."""


class AmendBody(WhyBody):
    """What changes about a memory while its words stay; what is left out, or null, stays too."""

    importance: Share | None = None
    """How important it is."""
    tags: Tags | None = None
    """Its tags, instead of those it has; the addresses of its entities stay."""
    verified: bool | None = None
    """Whether it came true."""


class PinBody(Body):
    """Whether nothing may forget it."""

    pinned: bool = True
    """True: nothing forgets it; false: no longer."""


class ProtectBody(Body):
    """Whether nothing may edit it."""

    immutable: bool = True
    """True: nothing edits, merges or moves it; false: no longer."""


class FeedbackBody(WhyBody):
    """What turned out about a memory."""

    verdict: Verdict
    """Used, useless, verified, wrong or important."""


class RelateBody(Body):
    """An edge to draw."""

    target: Name
    """The id of the memory it leads to."""
    kind: AnyRelationKind
    """What the source is to the target."""
    confidence: Share = 1.0
    """How sure that is."""


class RunBody(Body):
    """How to run it."""

    dry_run: bool = False
    """Say what it would do, and write nothing."""


class AnchorBody(Body):
    """The end of a journal at a moment, as ``GET /v1/anchor`` gave it."""

    store: Hash
    """The hash of the journal's first event."""
    seq: Annotated[int, Field(ge=1, le=SEQ_MAX), WHOLE]
    """The number of its last event then."""
    hash: Hash
    """That event's hash."""
    at: Moment
    """When the anchor was taken."""
    marks: Annotated[list[Mark], Field(max_length=64)] = []
    """Number and hash of some events before."""

    def value(self) -> Anchor:
        """The anchor as the engine takes it."""
        return self.made(Anchor, marks=tuple(self.marks))


class VerifyBody(Body):
    """What to check beside the store itself."""

    anchor: AnchorBody | None = None
    """Whether the journal only went on since this was taken."""


class UndoBody(Body):
    """What to take back: an event or a dream; the newest dream where neither is named."""

    cycle: Name | None = None
    """The dream's name."""
    event: Annotated[int, Field(ge=1, le=SEQ_MAX), WHOLE] | None = None
    """The event's place in the journal."""
