"""Asking: check what a caller asks for, and make it a request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.encode.accept import in_utc
from reverie.errors import InvalidInput, InvalidScope
from reverie.ports import Clock
from reverie.recall.quest import Request
from reverie.types import Scope, TimeWindow

TOP_K_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Question:
    """A cue with what it is asked amid.

    Attributes:
        text: the question, or any text.
        session: the session that asks: what was formed in it may count more.
        mood: how the asker feels, from −1 to 1; None: read from the text.
        domain: a hint of what it is about, a few words.
        as_of: what held at that moment, instead of what holds now.
        past: also what was superseded.
        automatic: a host asks on its own for every message, so small talk needs no search.
    """

    text: str
    session: str | None = None
    mood: float | None = None
    domain: str = ""
    as_of: datetime | None = None
    past: bool = False
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """What a caller wants from a recall, checked; ``request`` turns it into the read path's own value.

    Raises:
        InvalidInput: a value has the wrong type or range.
    """

    cue: str | Question
    scope: Scope
    top_k: int | None
    budget_tokens: int | None
    now: datetime | None
    window: TimeWindow | None

    def __post_init__(self) -> None:
        require_scope(self.scope)
        question = self.question
        if not isinstance(question.text, str):
            raise InvalidInput(
                f"The cue is {type(question.text).__name__}, not text.", "Give the question as a string."
            )
        if question.mood is not None and not -1.0 <= question.mood <= 1.0:
            raise InvalidInput(f"The mood is {question.mood!r}.", "Use a number from -1 to 1.")
        if self.top_k is not None:
            require_count("top_k", self.top_k, 1, TOP_K_MAX)
        if self.budget_tokens is not None:
            require_count("budget_tokens", self.budget_tokens, 0, None)
        if self.window is not None and in_utc(self.window.start) >= in_utc(self.window.end):
            raise InvalidInput("The time window ends before it starts.", "Swap its start and end.")

    @property
    def question(self) -> Question:
        """The cue as a question."""
        return self.cue if isinstance(self.cue, Question) else Question(self.cue)

    def request(self, clock: Clock) -> Request:
        """The request as of ``now``, the clock's where none was given."""
        question = self.question
        return Request(
            text=question.text,
            scope=self.scope,
            now=clock.now() if self.now is None else in_utc(self.now),
            top_k=self.top_k,
            budget_tokens=self.budget_tokens,
            window=self.window,
            session=question.session,
            mood=question.mood,
            domain=question.domain,
            as_of=None if question.as_of is None else in_utc(question.as_of),
            past=question.past,
            automatic=question.automatic,
        )


def require_scope(scope: object) -> Scope:
    """The scope, if it is one. Raises InvalidScope."""
    if not isinstance(scope, Scope):
        raise InvalidScope(
            f"The scope is {type(scope).__name__}.", "Give Scope(agent=…, user=…, project=…): every call names one."
        )
    return scope


def require_count(name: str, value: object, least: int, most: int | None) -> None:
    """Raise InvalidInput for what is no whole number within the bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        bound = f"from {least}" if most is None else f"from {least} to {most}"
        raise InvalidInput(f"{name} is {value!r}.", f"Use a whole number {bound}.")


def require_flag(name: str, value: object) -> bool:
    """True or False. Raises InvalidInput for anything else: "no" would count as True."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} is {value!r}.", "Give True or False.")
    return value


def require_words(name: str, value: object) -> str:
    """A text. Raises InvalidInput for anything else."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {type(value).__name__}.", "Give a text.")
    return value
