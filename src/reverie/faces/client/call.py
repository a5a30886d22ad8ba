"""Describe calls of the HTTP interface before they are sent: build the request, and turn the answer into a value."""

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

P = ParamSpec("P")
T = TypeVar("T")
Asked: TypeAlias = str | list[str]
Plain = Mapping[str, Any]

_KINDS = {name(kind): kind for kind in CODES}
_REFUSED = (401, 403)
_LATER = (429, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request, and the function that reads its answer. ``long``: it may take minutes and has no time limit."""

    method: str
    path: str
    read: Callable[[Plain], T]
    query: Mapping[str, Asked] = field(default_factory=dict)
    body: Plain | None = None
    long: bool = False

    @property
    def content(self) -> bytes | None:
        """The body as JSON in ASCII, so that any text can be sent."""
        return None if self.body is None else json.dumps(self.body, allow_nan=False).encode("ascii")


@dataclass(frozen=True, slots=True)
class Parts(Generic[T]):
    """A call too large for one request: its parts, sent in order, and the function that joins their answers.

    If one part fails, those before it are done, as with the engine's own batches.
    """

    calls: Sequence[Call[T]]
    joined: Callable[[Sequence[T]], T]


def within(scope: Scope, **more: object) -> dict[str, Asked]:
    """Return the query of a call within a scope, without parameters that are None. Raises InvalidScope."""
    whose = require_scope(scope)
    return asked({**shape(whose), **more})


def asked(given: Mapping[str, object]) -> dict[str, Asked]:
    """Convert parameters to query values; those that are None are left out."""
    return {key: _asked(shape(one)) for key, one in given.items() if one is not None}


def _asked(told: object) -> Asked:
    if isinstance(told, list):
        return [str(one) for one in told]
    return str(told).lower() if isinstance(told, bool) else str(told)


def at(*parts: str) -> str:
    """Return the URL path of these parts, each of which may hold any character."""
    return "/v1/" + "/".join(quote(part.encode("utf-8", "surrogatepass"), safe="") for part in parts)


def read(status: int, content: bytes) -> Plain:
    """Parse an answer. Raises the error the server reports, as the engine would have raised it."""
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
    """Convert a failed answer to an error of Reverie's."""
    kind = _KINDS.get(str(problem.get("type", "")).rpartition(":")[2])
    if kind is None:
        kind = AccessRefused if status in _REFUSED else ServerUnavailable if status in _LATER else None
    if kind is None:
        kind = errors.InvalidInput if status < 500 else errors.ServerError
    detail = str(problem.get("detail") or problem.get("title") or f"The server answered {status}.")
    wrong = "; ".join(f"{one.get('where')}: {one.get('what')}" for one in problem.get("errors", ()))
    return kind(f"{detail} {wrong}".strip(), str(problem.get("mend", "")))


def put_through(
    of: Callable[Concatenate[Any, P], T], method: str, path: str, kind: type[T], key: str = "", *, long: bool = False
) -> Callable[P, Call[T]]:
    """Make the call for an engine method, with the method's own signature.

    A path part in braces is a parameter; the other parameters go into the body or, without a body, into the query.
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
    """Return a function that reads an answer as a value of ``kind``, from the whole answer or from under ``key``."""

    def read(told: Plain) -> T:
        owner = value(told["scope"], Scope) if "scope" in told else None
        return value(told[key] if key else told, kind, owner)

    return read


def note(one: Note) -> dict[str, Any]:
    """Return a note as JSON data, with all its fields."""
    return {**shape(one), "writer": one.writer or None}


def cue(
    cue: str | Question, top_k: int | None, budget_tokens: int | None, now: datetime | None, window: TimeWindow | None
) -> dict[str, Any]:
    """Return the body of a recall: the cue with its context, and the limits of the answer."""
    asked = shape(cue if isinstance(cue, Question) else Question(cue))
    span = None if window is None else {"start": window.start, "end": window.end}
    limits = shape({"top_k": top_k, "budget_tokens": budget_tokens, "now": now, "window": span})
    return {"cue": asked.pop("text"), **asked, **limits}
