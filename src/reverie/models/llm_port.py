"""Port of language models: an ask in, an answer or a failure out, never an exception.

An ask is sent as chat messages that keep instructions and fenced data apart.
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
    """Why there is no answer."""

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
    """One piece of data in an ask. ``text`` is quoted; instructions in it are not followed."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LlmAsk(Generic[T]):
    """One request to a language model.

    ``prompt`` is the name and version of the ``instructions``, such as ``merge.1``. ``answer`` is the type that the
    answer must have, strictly. ``check`` describes what is wrong with a value of that type; "" if nothing is.
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
    """The validated answer of a model, and the tokens it cost."""

    value: T
    model: str
    prompt: str
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Failed:
    """Failure to answer: ``why``, and a ``note`` for people that contains neither key nor memory text."""

    why: Why
    note: str = ""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One finished ask for the ops log: full texts (the log shortens and masks them), tokens, milliseconds."""

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
    """Port of a language model that answers an ask with a value of the requested type."""

    def complete(self, ask: LlmAsk[T]) -> LlmAnswer[T] | Failed:
        """Return the answer or why there is none; never raises for errors of model or network."""
        ...


Record: TypeAlias = Callable[[ModelCall], None]
"""Callback that records a finished call; it must neither fail nor block."""


# From an ask to chat messages.


_DATA = Path(__file__).with_name("prompts")
MAX_FIELD_CHARS = 12_000
"""Maximum number of characters sent of one field, about 3,000 tokens."""
_CUT = "\n[the rest is cut]"

ChatMessage: TypeAlias = dict[str, str]
"""A chat message in the protocol: ``role`` and ``content``."""


@cache
def prompt_text(name: str) -> str:
    """Read the prompt with a name and version, such as ``merge.1``, without header lines (``# ``)."""
    return "\n".join(prompt_lines(name)).strip()


@cache
def _control_signs() -> tuple[str, ...]:
    return tuple(line for line in prompt_lines("control-signs") if line)


def prompt_lines(name: str) -> list[str]:
    """Read the lines of a prompt file, without its header."""
    text = (_DATA / f"{name}.txt").read_text("utf-8")
    return [line.rstrip() for line in text.splitlines() if not line.startswith("# ")]


def mark_for(fields: Sequence[LlmField], chance: Callable[[], float]) -> str:
    """Return twelve hex digits that occur in none of the fields."""
    mark = f"{int(chance() * 16**12):012x}"
    while any(mark in field.text for field in fields):
        mark = hashlib.sha256(mark.encode()).hexdigest()[:12]
    return mark


def harmless(text: str) -> str:
    """Insert a blank into every sequence that a chat template could read as the end of a turn."""
    for sign in _control_signs():
        if sign in text:
            text = text.replace(sign, f"{sign[0]} {sign[1:]}")
    return text


def fenced(fields: Sequence[LlmField], mark: str) -> str:
    """Return the fields, each fenced by marks."""
    return "\n\n".join(f"<<{mark} {field.name}>>\n{_quoted(field.text)}\n<</{mark}>>" for field in fields)


def _quoted(text: str) -> str:
    head = clean(text, MAX_FIELD_CHARS)
    return harmless(head) + (_CUT if len(text) > MAX_FIELD_CHARS else "")


def messages(
    instructions: str, fields: Sequence[LlmField], mark: str, schema: dict[str, Any] | None
) -> list[ChatMessage]:
    """Build the system message (instructions and rules) and the user message (data only).

    ``schema`` is written into the rules; None where the endpoint enforces it itself.
    """
    rules = [instructions, prompt_text("rules.1"), f"The mark of this request is {mark}."]
    if schema is not None:
        rules.append("The JSON schema of the answer:\n" + json.dumps(schema, ensure_ascii=False))
    return [
        {"role": "system", "content": "\n\n".join(rules)},
        {"role": "user", "content": fenced(fields, mark)},
    ]
