"""Schemas short enough for a model's context: in, a pydantic model; out, its JSON schema without what nobody needs.

Left out of both: titles, formats, defaults that are empty, the null beside a type that may be left out. Left out of
what a tool gives: that its fields are there, but for the scope, and the insides of what stands in a list.
"""

from __future__ import annotations

from typing import TypeAlias

from pydantic import BaseModel

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
