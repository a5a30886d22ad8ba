"""Validate a caller's arguments and turn them into requests; and keep who is calling, the actor of every event.

Invalid arguments raise errors that say what to do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeGuard, TypeVar

from reverie.errors import InvalidInput, InvalidScope
from reverie.ports import Clock
from reverie.recall.state import Request
from reverie.types import Memory, Message, Role, Scope, TimeWindow, in_utc

E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is writing to the store.

    Attributes:
        name: the actor that events record: the authenticated name, never one that a request claims.
        tool: the tool through which a model writes; empty for a person, a host's hook or a program.
    """

    name: str
    tool: str = ""


_CALLER: ContextVar[Caller | None] = ContextVar("reverie_caller", default=None)


@contextmanager
def calling(caller: Caller | None) -> Iterator[None]:
    """Attribute all writes within the block to this caller; None: to the scope's agent."""
    token = _CALLER.set(caller)
    try:
        yield
    finally:
        _CALLER.reset(token)


def actor(scope: Scope) -> str:
    """Return the name of the current caller, the actor of events; by default the scope's agent."""
    caller = _CALLER.get()
    return scope.agent if caller is None else caller.name


def caller_name(scope: object) -> str:
    """Return the name of the current caller; by default the scope's agent, and "" without a valid scope."""
    caller = _CALLER.get()
    return caller.name if caller is not None else scope.agent if isinstance(scope, Scope) else ""


def by_tool() -> str:
    """Return the name of the tool through which a model writes; "" for any other caller."""
    caller = _CALLER.get()
    return "" if caller is None else caller.tool


def attributed(message: Message) -> Message:
    """Return the message with its true author: if it comes through a tool, the assistant."""
    tool = by_tool()
    return replace(message, speaker=tool, role=Role.ASSISTANT) if tool else message


def written_by(memory: Memory) -> Memory:
    """Return a note or correction with its true author: if it comes through a tool, the assistant."""
    tool = by_tool()
    if not tool:
        return memory
    standing = replace(memory.standing, data_source="assistant_message")
    return replace(memory, speaker=tool, role=Role.ASSISTANT, standing=standing)


TOP_K_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Question:
    """A cue together with its circumstances.

    Attributes:
        text: the question, or any text.
        session: the session of the asker: memories formed in it may count more.
        mood: how the asker feels, from −1 to 1; None: estimated from the text.
        domain: a few words that hint at the topic.
        as_of: recall what was valid at that moment, instead of what is valid now.
        past: recall superseded memories too.
        automatic: a host sends every message as a cue, so small talk needs no search.
        without_repeats: withhold memories that only repeat the question, as an automatic recall does.
    """

    text: str
    session: str | None = None
    mood: float | None = None
    domain: str = ""
    as_of: datetime | None = None
    past: bool = False
    automatic: bool = False
    without_repeats: bool = False


@dataclass(frozen=True, slots=True)
class RecallArguments:
    """Arguments of a recall, validated; ``request`` turns them into the value that the read path takes.

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
        _require_question(self.question)
        if self.top_k is not None:
            require_count("top_k", self.top_k, 1, TOP_K_MAX)
        if self.budget_tokens is not None:
            require_count("budget_tokens", self.budget_tokens, 0, None)
        if self.window is not None:
            _require_window(self.window)

    @property
    def question(self) -> Question:
        """Return the cue as a ``Question``."""
        return self.cue if isinstance(self.cue, Question) else Question(self.cue)

    def request(self, clock: Clock) -> Request:
        """Return the read path's request, as of ``now``, by default the clock's time."""
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
            without_repeats=question.without_repeats,
        )


def _require_question(question: Question) -> None:
    """Raise InvalidInput for a question with a value of the wrong type or range."""
    if not isinstance(question.text, str):
        raise InvalidInput(f"The cue is {type(question.text).__name__}, not text.", "Give the question as a string.")
    if question.session is not None:
        require_words("The session", question.session)
    require_words("The domain", question.domain)
    mood: object = question.mood
    if mood is not None and not (isinstance(mood, int | float) and -1.0 <= mood <= 1.0):
        raise InvalidInput(f"The mood is {mood!r}.", "Use a number from -1 to 1.")


def _require_window(window: object) -> None:
    """Raise InvalidInput for anything but a time window that ends after it starts."""
    if not isinstance(window, TimeWindow):
        raise InvalidInput(f"The time window is {type(window).__name__}.", "Give TimeWindow(start, end, phrase).")
    start, end = in_utc(window.start), in_utc(window.end)
    if start > end:
        raise InvalidInput("The time window ends before it starts.", "Swap its start and end.")
    if start == end:
        raise InvalidInput(
            "The time window is empty: it ends as it starts, and its end is no part of it.",
            "Move its end on; for one whole day it is the start of the next.",
        )
    require_words("The time window's phrase", window.phrase)


def require_scope(scope: object) -> Scope:
    """Return the value if it is a scope. Raises InvalidScope."""
    if not isinstance(scope, Scope):
        raise InvalidScope(
            f"The scope is {type(scope).__name__}.", "Give Scope(agent=…, user=…, project=…): every call names one."
        )
    return scope


def require_count(name: str, value: object, least: int, most: int | None) -> None:
    """Raise InvalidInput unless the value is a whole number within the bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        bound = f"from {least}" if most is None else f"from {least} to {most}"
        raise InvalidInput(f"{name} is {value!r}.", f"Use a whole number {bound}.")


def require_flag(name: str, value: object) -> bool:
    """Return the value if it is True or False. Raises InvalidInput: other values, as "no", would count as True."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} is {value!r}.", "Give True or False.")
    return value


def require_words(name: str, value: object) -> str:
    """Return the value if it is a string. Raises InvalidInput."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {type(value).__name__}.", "Give a text.")
    return value


def is_path(value: object) -> TypeGuard[str | Path]:
    """Whether a value can be a path: a string or a Path, not blank, without NUL."""
    return isinstance(value, str | Path) and bool(str(value).strip()) and "\0" not in str(value)


def require_path(value: object) -> Path:
    """Return the value as a path. Raises InvalidInput if it cannot be one."""
    if not is_path(value):
        raise InvalidInput(f"{value!r} is no path.", "Give a path as a text or a pathlib.Path.")
    return Path(value)


def require_member(what: str, kind: type[E], value: object) -> E:
    """Return the member of an enumeration that a value names. Raises InvalidInput, which lists them."""
    try:
        return kind(str(value))
    except ValueError:
        raise InvalidInput(f"There is no {what} {value!r:.60}.", f"Use one of {', '.join(kind)}.") from None


def require_method(name: str, value: object, method: str) -> None:
    """Raise InvalidInput unless the value is an object with the method ``method``."""
    if isinstance(value, type) or not callable(getattr(value, method, None)):
        raise InvalidInput(f"{name} is {type(value).__name__}.", f"Give something with the method {method}.")


def require_progress(value: object) -> None:
    """Raise InvalidInput unless the value is None or can be called."""
    if value is not None and not callable(value):
        raise InvalidInput(f"progress is {type(value).__name__}.", "Give a function, or leave it out.")


def require_many(name: str, value: object) -> None:
    """Raise InvalidInput unless the value is an iterable other than a string."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise InvalidInput(f"{name} is {type(value).__name__}.", "Give a list.")


def require_ids(name: str, value: object) -> None:
    """Raise InvalidInput unless the value is a collection of ids; a single string is not."""
    if not isinstance(value, Collection) or isinstance(value, str | bytes):
        raise InvalidInput(f"{name} is {type(value).__name__}.", "Give a list of ids.")
    for one in value:
        require_words(f"An id of {name}", one)
