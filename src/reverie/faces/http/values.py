"""The values of requests: in, what JSON and addresses hold; out, texts, names and moments the engine takes.

Texts are any texts: pydantic's own strings refuse lone surrogates, which people paste and which must be kept.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BeforeValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from reverie.types import SCOPE_PART_MAX

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
