"""Convert errors to ``application/problem+json`` answers (RFC 9457)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.responses import Response

from reverie.errors import ReverieError, StoreBusy
from reverie.wire.errors import code, name

MEDIA_TYPE = "application/problem+json"
PREFIX = "urn:reverie:"
_SHOWN = 3
BUSY_S = 2
"""Seconds after which a busy store is worth another try."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One invalid value of a request: ``where`` it is, and ``what`` is wrong with it."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Problem:
    """An error to answer with. ``kind`` is its type without the prefix, ``mend`` what to do about it."""

    status: int
    kind: str
    detail: str
    mend: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[Fault] = ()

    def answer(self, request_id: str) -> Response:
        """Return the HTTP answer."""
        shape: dict[str, object] = {
            "type": PREFIX + self.kind,
            "title": self.kind.replace("-", " ").capitalize(),
            "status": self.status,
            "detail": self.detail,
            "mend": self.mend,
            "request_id": request_id,
        }
        if self.faults:
            shape["errors"] = [{"where": fault.where, "what": fault.what} for fault in self.faults]
        return Response(json.dumps(shape), self.status, self.headers, MEDIA_TYPE)


class Refused(Exception):
    """A request that is refused before it reaches the engine."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def of_error(error: ReverieError) -> Problem:
    """Convert an engine error, with the status from the table of errors."""
    headers = {"Retry-After": str(BUSY_S)} if isinstance(error, StoreBusy) else {}
    return Problem(code(error).status, name(type(error)), error.message, error.mend, headers)


def of_faults(faults: Sequence[Fault]) -> Problem:
    """Convert invalid values of a request."""
    detail = "; ".join(f"{fault.where}: {fault.what}" for fault in faults[:_SHOWN])
    return Problem(422, "invalid-request", detail, "Compare the request with /openapi.json.", faults=faults)


def of_status(status: int, detail: str = "", headers: Mapping[str, str] | None = None) -> Problem:
    """Convert an HTTP error: unknown route, unknown method, an internal fault."""
    phrase = HTTPStatus(status).phrase
    return Problem(status, re.sub(r"\W+", "-", phrase.lower()), detail or phrase, headers=headers or {})


def forbidden(detail: str, mend: str) -> Refused:
    """Return the refusal of something the token does not allow."""
    return Refused(Problem(403, "forbidden", detail, mend))


def unauthorized(detail: str, mend: str = "Send `Authorization: Bearer TOKEN` with one that is valid.") -> Refused:
    """Return the refusal of a request without a valid token."""
    return Refused(Problem(401, "unauthorized", detail, mend, headers={"WWW-Authenticate": 'Bearer realm="reverie"'}))
