"""The interface to language models: an ask goes in, an answer or a failure comes out, never an exception.

Also turns an ask into chat messages: instructions in one, the data in another, each field between fence marks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from reverie.models.port_values import clean

T = TypeVar("T")


class Why(StrEnum):
    """Why a language model gave no answer."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    LIMITED = "limited"
    SERVER = "server"
    KEY = "key"
    MODEL = "model"
    REQUEST = "request"
    REFUSED = "refused"
    CUT = "cut"
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"
    SCHEMA = "schema"
    REJECTED = "rejected"
    BUDGET = "budget"
    RESTING = "resting"


@dataclass(frozen=True, slots=True)
class LlmField:
    """A named piece of data that an ask quotes; ``text`` is never followed as an instruction."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LlmAsk(Generic[T]):
    """A question to a language model, with the type its answer must have.

    ``prompt`` names the versioned text of ``instructions``, such as ``merge.1``. ``answer`` is validated strictly.
    ``check`` describes what is wrong with an answer of that type; "" means nothing is.
    """

    task: str
    prompt: str
    instructions: str
    fields: tuple[LlmField, ...]
    answer: type[T]
    check: Callable[[T], str] | None = None
    max_tokens: int = 512


@dataclass(frozen=True, slots=True)
class LlmAnswer(Generic[T]):
    """A validated answer of a model, with the tokens that it cost."""

    value: T
    model: str
    prompt: str
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The reason that there is no answer; ``note`` explains it to people and contains neither key nor memory text."""

    why: Why
    note: str = ""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A finished ask for the ops log: whole texts (the log shortens and masks them), tokens, milliseconds."""

    task: str
    prompt: str
    model: str
    input: str
    output: str
    latency_ms: float
    success: bool
    tokens_in: int
    tokens_out: int


class LanguageModel(Protocol):
    """A language model: answers an ask with a value of the ask's type."""

    def complete(self, ask: LlmAsk[T]) -> LlmAnswer[T] | Failed:
        """Answer an ask, or return why not; never raises for what a model or a network does."""
        ...


Record: TypeAlias = Callable[[ModelCall], None]
"""Callback that records finished calls; it must neither fail nor wait."""


_DATA = Path(__file__).with_name("prompts")
MAX_FIELD_CHARS = 12_000
"""Most characters of a field that are sent: about 3,000 tokens."""
_CUT = "\n[the rest is cut]"

ChatMessage: TypeAlias = dict[str, str]
"""A message of the chat protocol: ``role`` and ``content``."""


@cache
def prompt_text(name: str) -> str:
    """Return the prompt of a name and version, such as ``merge.1``, without its header (lines with ``# ``)."""
    return "\n".join(prompt_lines(name)).strip()


@cache
def _control_signs() -> tuple[str, ...]:
    return tuple(line for line in prompt_lines("control-signs") if line)


def prompt_lines(name: str) -> list[str]:
    """Return the lines of a file in the folder ``prompts``, without its header."""
    text = (_DATA / f"{name}.txt").read_text("utf-8")
    return [line.rstrip() for line in text.splitlines() if not line.startswith("# ")]


def mark_for(fields: Sequence[LlmField], chance: Callable[[], float]) -> str:
    """Make a fence mark of twelve hex digits that occurs in none of the fields."""
    mark = f"{int(chance() * 16**12):012x}"
    while any(mark in field.text for field in fields):
        mark = hashlib.sha256(mark.encode()).hexdigest()[:12]
    return mark


def harmless(text: str) -> str:
    """Put a space inside every control sign by which a chat template could end the turn (such as ``<|im_end|>``)."""
    for sign in _control_signs():
        if sign in text:
            text = text.replace(sign, f"{sign[0]} {sign[1:]}")
    return text


def fenced(fields: Sequence[LlmField], mark: str) -> str:
    """Return the fields as one text, each between fence marks."""
    return "\n\n".join(f"<<{mark} {field.name}>>\n{_quoted(field.text)}\n<</{mark}>>" for field in fields)


def _quoted(text: str) -> str:
    head = clean(text, MAX_FIELD_CHARS)
    return harmless(head) + (_CUT if len(text) > MAX_FIELD_CHARS else "")


def messages(
    instructions: str, fields: Sequence[LlmField], mark: str, schema: dict[str, Any] | None
) -> list[ChatMessage]:
    """Make the system message with instructions and rules, and the user message with the data alone.

    ``schema`` is written into the rules if the endpoint does not enforce it itself; else None.
    """
    rules = [instructions, prompt_text("rules.1"), f"The mark of this request is {mark}."]
    if schema is not None:
        rules.append("The JSON schema of the answer:\n" + json.dumps(schema, ensure_ascii=False))
    return [
        {"role": "system", "content": "\n\n".join(rules)},
        {"role": "user", "content": fenced(fields, mark)},
    ]
