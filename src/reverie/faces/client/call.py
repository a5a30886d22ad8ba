"""A call of the HTTP interface before and after it is sent: in, what a method is asked; out, the answer as a value.

Nothing here sends anything, so that one description of each method serves the client that waits and the one that does
not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import quote

from reverie import errors
from reverie.engine.requests import require_scope
from reverie.errors import AccessRefused, ReverieError, ServerUnavailable
from reverie.types import Scope
from reverie.wire.errors import CODES, name

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
