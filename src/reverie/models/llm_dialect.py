"""How much of the protocol an endpoint speaks: which way of asking for JSON, which optional fields.

In: a refusal. Out: the next simpler way to ask, or None when there is none. Servers differ here and say so only by
refusing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from reverie.models.llm_prompt import ChatMessage

REFUSALS = frozenset({400, 415, 422, 501})
"""Statuses that may mean that a field of the request is not known."""


class Form(StrEnum):
    """How JSON is asked for, from the strictest down."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is sent beside the messages. ``length_key`` is the name of the limit on the answer."""

    form: Form = Form.SCHEMA
    length_key: str = "max_tokens"
    temperature: bool = True

    @property
    def enforces_schema(self) -> bool:
        """Whether the endpoint itself is handed the schema."""
        return self.form is Form.SCHEMA

    def body(self, model: str, sent: list[ChatMessage], schema: dict[str, Any], max_tokens: int) -> dict[str, Any]:
        """The request."""
        body: dict[str, Any] = {"model": model, "messages": sent, self.length_key: max_tokens}
        if self.temperature:
            body["temperature"] = 0
        if self.form is Form.SCHEMA:
            named = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.form is Form.OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def simpler(self, status: int, refusal: bytes) -> Dialect | None:
        """The way to ask after a refusal: without the field it names, else with a weaker form; None: it means us."""
        if status not in REFUSALS:
            return None
        refused = _refused_field(refusal)
        if refused == "max_tokens" and self.length_key == "max_tokens":
            return replace(self, length_key="max_completion_tokens")
        if refused == "temperature" and self.temperature:
            return replace(self, temperature=False)
        if self.form is Form.SCHEMA:
            return replace(self, form=Form.OBJECT)
        return replace(self, form=Form.PLAIN) if self.form is Form.OBJECT else None


def _refused_field(refusal: bytes) -> str:
    """The field an OpenAI error names."""
    try:
        error = json.loads(refusal)["error"]
        return str(error.get("param") or "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""
