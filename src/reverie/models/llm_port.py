"""What a language model is to the rest of Reverie: in, an ask; out, an answer or a failure, never an exception.

A caller that gets ``Failed`` goes on without a model; that is the ordinary case on a machine that has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

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
class Field:
    """One piece of data an ask is about. ``text`` is quoted, never obeyed."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Ask(Generic[T]):
    """One question to a model.

    ``prompt`` names the versioned text behind ``instructions``, such as ``merge.1``. ``answer`` is the type the answer
    must have, to the letter. ``check`` says what is wrong with an answer of that type; "" means nothing is.
    """

    task: str
    prompt: str
    instructions: str
    fields: tuple[Field, ...]
    answer: type[T]
    check: Callable[[T], str] | None = None
    max_tokens: int = 512


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
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

    def complete(self, ask: Ask[T]) -> Answer[T] | Failed:
        """Answer, or say why not; never raises for what a model or a network does."""
        ...


Record: TypeAlias = Callable[[ModelCall], None]
"""Where finished calls are told; must neither fail nor wait."""
