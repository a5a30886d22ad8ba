"""A call of the HTTP interface before and after it is sent: in, what a method is asked; out, body and answer."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar
from urllib.parse import quote

from reverie import errors
from reverie.encode.notes import Note
from reverie.engine.requests import Question, require_scope
from reverie.errors import AccessRefused, ReverieError, ServerUnavailable
from reverie.types import Scope, TimeWindow
from reverie.wire.errors import CODES, name
from reverie.wire.shapes import exact, shape
from reverie.wire.values import value

# A call of the HTTP interface before and after it is sent: in, what a method is asked; out, the answer as a value.


P = ParamSpec("P")
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
    return asked({**shape(whose), **more})


def asked(given: Mapping[str, object]) -> dict[str, Asked]:
    """Parameters as a query has them; what is None is left out."""
    return {key: _asked(shape(one)) for key, one in given.items() if one is not None}


def _asked(told: object) -> Asked:
    if isinstance(told, list):
        return [str(one) for one in told]
    return str(told).lower() if isinstance(told, bool) else str(told)


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


# Calls as the engine's methods have them: a method's own parameters are the path, the query and the body.


def put_through(
    of: Callable[Concatenate[Any, P], T], method: str, path: str, kind: type[T], key: str = "", *, long: bool = False
) -> Callable[P, Call[T]]:
    """The call that stands for a method of the engine, with its signature.

    A part of the path in braces is a parameter; the other parameters are the body, or without one the query.
    """
    signature = inspect.signature(of)
    signature = signature.replace(parameters=list(signature.parameters.values())[1:])

    @wraps(of)
    def describe(*args: P.args, **kwargs: P.kwargs) -> Call[T]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        more = dict(bound.arguments)
        query = within(more.pop("scope")) if "scope" in more else {}
        place = at(*(more.pop(part[1:-1]) if part[0] == "{" else part for part in path.split("/")))
        if method in ("POST", "PUT"):
            body = shape(more) | exact(more.get("text"))
            return Call(method, place, reading(kind, key), query, body or None, long)
        return Call(method, place, reading(kind, key), query | asked(more), None, long)

    describe.__signature__ = signature  # type: ignore[attr-defined] # for whoever inspects it
    return describe


def reading(kind: type[T], key: str = "") -> Callable[[Plain], T]:
    """How an answer is read as a value: whole, or what stands under a key."""

    def read(told: Plain) -> T:
        owner = value(told["scope"], Scope) if "scope" in told else None
        return value(told[key] if key else told, kind, owner)

    return read


# What the bodies of requests hold: in, the engine's own values; out, what JSON takes.


def note(one: Note) -> dict[str, Any]:
    """A note, every field of it."""
    return {**shape(one), "writer": one.writer or None}


def cue(
    cue: str | Question, top_k: int | None, budget_tokens: int | None, now: datetime | None, window: TimeWindow | None
) -> dict[str, Any]:
    """A cue, what it is asked amid, and the limits of its answer."""
    asked = shape(cue if isinstance(cue, Question) else Question(cue))
    span = None if window is None else {"start": window.start, "end": window.end}
    limits = shape({"top_k": top_k, "budget_tokens": budget_tokens, "now": now, "window": span})
    return {"cue": asked.pop("text"), **asked, **limits}
