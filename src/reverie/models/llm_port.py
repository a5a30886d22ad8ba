"""What a language model is to the rest of Reverie: in, an ask; out, an answer or a failure, never an exception.

An ask becomes messages: our instructions apart from the data, and the data fenced.
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

# What a language model is to the rest of Reverie: in, an ask; out, an answer or a failure, never an exception.


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
    """One piece of data an ask is about. ``text`` is quoted, never obeyed."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LlmAsk(Generic[T]):
    """One question to a model.

    ``prompt`` names the versioned text behind ``instructions``, such as ``merge.1``. ``answer`` is the type the answer
    must have, to the letter. ``check`` says what is wrong with an answer of that type; "" means nothing is.
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
    """What the model said, validated, and what it cost."""

    value: T
    model: str
    prompt: str
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer: ``why``, and a ``note`` for people that holds neither key nor memory text."""

    why: Why
    note: str = ""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One finished ask, for the ops log: whole texts (the log shortens and masks them), tokens, milliseconds."""

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
    """Anything that answers an ask in the type it asks for."""

    def complete(self, ask: LlmAsk[T]) -> LlmAnswer[T] | Failed:
        """Answer, or say why not; never raises for what a model or a network does."""
        ...


Record: TypeAlias = Callable[[ModelCall], None]
"""Where finished calls are told; must neither fail nor wait."""


# From an ask to the messages that are sent: our instructions apart from the data, and the data fenced.


_DATA = Path(__file__).with_name("prompts")
MAX_FIELD_CHARS = 12_000
"""How much of one field is sent, in characters: about 3,000 tokens."""
_CUT = "\n[the rest is cut]"

ChatMessage: TypeAlias = dict[str, str]
"""One message as the protocol has it: ``role`` and ``content``."""


@cache
def prompt_text(name: str) -> str:
    """The prompt of a name and version, such as ``merge.1``; lines that begin with ``# `` are its header."""
    return "\n".join(prompt_lines(name)).strip()


@cache
def _control_signs() -> tuple[str, ...]:
    return tuple(line for line in prompt_lines("control-signs") if line)


def prompt_lines(name: str) -> list[str]:
    """The lines of a file of this room, without its header."""
    text = (_DATA / f"{name}.txt").read_text("utf-8")
    return [line.rstrip() for line in text.splitlines() if not line.startswith("# ")]


def mark_for(fields: Sequence[LlmField], chance: Callable[[], float]) -> str:
    """Twelve hex digits that stand in none of the fields."""
    mark = f"{int(chance() * 16**12):012x}"
    while any(mark in field.text for field in fields):
        mark = hashlib.sha256(mark.encode()).hexdigest()[:12]
    return mark


def harmless(text: str) -> str:
    """The text with a blank inside every sign that a chat template could take for the end of a turn."""
    for sign in _control_signs():
        if sign in text:
            text = text.replace(sign, f"{sign[0]} {sign[1:]}")
    return text


def fenced(fields: Sequence[LlmField], mark: str) -> str:
    """Each field between its marks."""
    return "\n\n".join(f"<<{mark} {field.name}>>\n{_quoted(field.text)}\n<</{mark}>>" for field in fields)


def _quoted(text: str) -> str:
    head = clean(text, MAX_FIELD_CHARS)
    return harmless(head) + (_CUT if len(text) > MAX_FIELD_CHARS else "")


def messages(
    instructions: str, fields: Sequence[LlmField], mark: str, schema: dict[str, Any] | None
) -> list[ChatMessage]:
    """The system's message with instructions and rules, and the user's with the data alone.

    ``schema`` is spelled out in the rules where the endpoint does not enforce it itself.
    """
    rules = [instructions, prompt_text("rules.1"), f"The mark of this request is {mark}."]
    if schema is not None:
        rules.append("The JSON schema of the answer:\n" + json.dumps(schema, ensure_ascii=False))
    return [
        {"role": "system", "content": "\n\n".join(rules)},
        {"role": "user", "content": fenced(fields, mark)},
    ]
