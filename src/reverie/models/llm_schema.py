"""From a type to the JSON schema a model is shown, and from what it wrote to a value of that type, or what is wrong.

Types are msgspec structs that forbid unknown fields and have no defaults: then "required" and "no other fields" hold
by themselves, as endpoints that enforce schemas demand.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from reverie.models.llm_port import Failed, Why

T = TypeVar("T")

_MISSING = object()
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_PLACE = re.compile(r"at `(\$[\w.\[\]]{0,60})`\Z")


def schema_of(answer: type) -> dict[str, Any]:
    """The JSON schema of a type, in one piece: local servers do not all follow references."""
    schema = msgspec.json.schema(answer)
    inlined = _inlined(schema, schema.get("$defs", {}))
    assert isinstance(inlined, dict)
    return inlined


def _inlined(part: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_inlined(entry, definitions) for entry in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in part.items() if key != "$defs"}


def read_answer(content: str, answer: type[T]) -> T | Failed:
    """The value a model wrote: the JSON in ``content``, of the given type to the letter, nothing converted."""
    try:
        return _read(msgspec.json.decode(_json_in(content)), answer)
    except msgspec.ValidationError as error:
        return Failed(Why.SCHEMA, _reason(error))
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return Failed(Why.UNREADABLE, "It is not JSON.")


def _read(document: Any, answer: type[T]) -> T:
    """The document as a value; a spare field of a wrong type or none is as if the model had said nothing of it."""
    spare: dict[str, object] = getattr(answer, "SPARE", {})
    if spare and isinstance(document, dict):
        parts = msgspec.structs.fields(answer)  # type: ignore[arg-type]  # what has spare fields is a struct
        fields = {part.encode_name: part.type for part in parts}
        wrong = {name: other for name, other in spare.items() if not _fits(document.get(name, _MISSING), fields[name])}
        document = document | wrong
    return msgspec.convert(document, answer, strict=True)


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def _json_in(content: str) -> bytes:
    """From the first brace to the last: models like to think aloud, explain, and set marks around their JSON."""
    content = _THOUGHT.sub("", content)
    start, end = content.find("{"), content.rfind("}")
    return content[max(start, 0) : end + 1].encode()


def _reason(error: msgspec.ValidationError) -> str:
    """Where it does not fit. The error's own words may repeat what the model wrote, so they are left out."""
    place = _PLACE.search(str(error))
    return f"It does not fit the schema at {place[1]}." if place else "It does not fit the schema."
