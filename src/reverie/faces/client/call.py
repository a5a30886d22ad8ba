"""A call of the HTTP interface before and after it is sent: in, what a method is asked; out, body and answer."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import quote

from reverie import errors
from reverie.encode.notes import Note
from reverie.engine.requests import Question, require_scope
from reverie.errors import AccessRefused, ReverieError, ServerUnavailable
from reverie.types import Message, Scope, TimeWindow
from reverie.wire.errors import CODES, name
from reverie.wire.shapes import time

# A call of the HTTP interface before and after it is sent: in, what a method is asked; out, the answer as a value.


T = TypeVar("T")
Asked: TypeAlias = str | list[str]
Plain = Mapping[str, Any]

_KINDS = {name(kind): kind for kind in CODES}
_REFUSED = (401, 403)
_LATER = (429, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request, and how its answer is read. ``long``: it may take minutes, and no time limit holds."""

    method: str
    path: str
    read: Callable[[Plain], T]
    query: Mapping[str, Asked] = field(default_factory=dict)
    body: Plain | None = None
    long: bool = False

    @property
    def content(self) -> bytes | None:
        """The body as JSON in ASCII, so that any text goes over any wire."""
        return None if self.body is None else json.dumps(self.body, allow_nan=False).encode("ascii")


@dataclass(frozen=True, slots=True)
class Parts(Generic[T]):
    """A call that is too much for one request: its parts, sent in order, and how their answers become one.

    Where one of them is refused, those before it are done: the engine's own batches are like that.
    """

    calls: Sequence[Call[T]]
    joined: Callable[[Sequence[T]], T]


def within(scope: Scope, **more: object) -> dict[str, Asked]:
    """The query of a call within a scope; what is None is left out. Raises InvalidScope for what is none."""
    whose = require_scope(scope)
    named = {"agent": whose.agent, "user": whose.user, "project": whose.project, **more}
    return {key: _asked(value) for key, value in named.items() if value is not None}


def _asked(value: object) -> Asked:
    if isinstance(value, list):
        return [str(one) for one in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def at(*parts: str) -> str:
    """A path of these parts, each of which may hold any character."""
    return "/v1/" + "/".join(quote(part.encode("utf-8", "surrogatepass"), safe="") for part in parts)


def read(status: int, content: bytes) -> Plain:
    """What was answered. Raises the error the server tells of, as the engine would have raised it."""
    try:
        found = json.loads(content or b"{}")
    except ValueError:
        found = {}
    if not isinstance(found, dict):
        found = {}
    if status >= 300:
        raise refusal(status, found)
    return found


def refusal(status: int, problem: Plain) -> ReverieError:
    """An answer that is none, as an error of the tree."""
    kind = _KINDS.get(str(problem.get("type", "")).rpartition(":")[2])
    if kind is None:
        kind = AccessRefused if status in _REFUSED else ServerUnavailable if status in _LATER else None
    if kind is None:
        kind = errors.InvalidInput if status < 500 else errors.ServerError
    detail = str(problem.get("detail") or problem.get("title") or f"The server answered {status}.")
    wrong = "; ".join(f"{one.get('where')}: {one.get('what')}" for one in problem.get("errors", ()))
    return kind(f"{detail} {wrong}".strip(), str(problem.get("mend", "")))


# What the bodies of requests hold: in, the engine's own values; out, what JSON takes.


def message(said: Message) -> dict[str, Any]:
    """A message, every field of it."""
    return {
        **words(said.text),
        "speaker": said.speaker,
        "role": None if said.role is None else str(said.role),
        "session": said.session,
        "at": time(said.at),
        "message_id": said.message_id,
        "seq": said.seq,
    }


def note(one: Note) -> dict[str, Any]:
    """A note, every field of it."""
    return {
        **words(one.text),
        "kind": None if one.kind is None else str(one.kind),
        "at": time(one.at),
        "importance": one.importance,
        "tags": list(one.tags),
        "verified": one.verified,
        "writer": one.writer or None,
        "shared": one.shared,
    }


def words(text: object) -> dict[str, object]:
    """A text, and beside it its exact form where JSON cannot carry it. What is no text, the server refuses."""
    if not isinstance(text, str) or not any("\ud800" <= letter <= "\udfff" for letter in text):
        return {"text": text}
    return {"text": text, "text_base64": base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")}


def cue(
    cue: str | Question, top_k: int | None, budget_tokens: int | None, now: datetime | None, window: TimeWindow | None
) -> dict[str, Any]:
    """A cue, what it is asked amid, and the limits of its answer."""
    asked = cue if isinstance(cue, Question) else Question(cue)
    return {
        "cue": asked.text,
        "session": asked.session,
        "mood": asked.mood,
        "domain": asked.domain,
        "as_of": time(asked.as_of),
        "past": asked.past,
        "automatic": asked.automatic,
        "top_k": top_k,
        "budget_tokens": budget_tokens,
        "now": time(now),
        "window": None if window is None else {"start": time(window.start), "end": time(window.end)},
    }
