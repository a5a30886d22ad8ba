"""One request over HTTP: bytes in, status and bytes out, within a time and a size.

What the network does becomes ``Failed``. The key is sent in one header, to one host, and appears in no note; no
redirect is followed.
"""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol
from urllib.parse import urlsplit

from reverie.models.llm_port import Failed, Why
from reverie.models.openai import Endpoint

MAX_ANSWER_BYTES = 1024 * 1024
"""Longest answer that is read: what we ask for fits into a hundredth of it."""
_PIECE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. ``retry_after`` is that header as it was sent."""

    status: int
    body: bytes
    retry_after: str | None = None


class _Readable(Protocol):
    def read1(self, n: int, /) -> bytes: ...


class Wire:
    """One path of an endpoint; ``stopwatch`` gives rising seconds."""

    def __init__(self, endpoint: Endpoint, stopwatch: Callable[[], float], path: str = "/chat/completions") -> None:
        self._endpoint = endpoint
        self._stopwatch = stopwatch
        self._path = path
        self._opener = urllib.request.build_opener(_NoRedirect)

    def post(self, body: dict[str, Any], timeout_s: float) -> Reply | Failed:
        """Ask once; any status is a reply. ``timeout_s`` bounds the whole, not only each wait."""
        until = self._stopwatch() + timeout_s
        try:
            with self._opener.open(self._request(body), timeout=timeout_s) as answer:
                return self._read(answer, answer.status, until)
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, _beginning(error), error.headers.get("Retry-After"))
        except TimeoutError:
            return self._late(timeout_s)
        except (OSError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                return self._late(timeout_s)
            return Failed(Why.UNREACHABLE, f"{self._host} did not answer ({type(error).__name__}).")

    @property
    def _host(self) -> str:
        return urlsplit(self._endpoint.url).hostname or ""

    def _late(self, timeout_s: float) -> Failed:
        return Failed(Why.TIMEOUT, f"{self._host} did not answer within {timeout_s:.3g} s.")

    def _read(self, answer: _Readable, status: int, until: float) -> Reply | Failed:
        """The body, piece by piece: a server that trickles is late, one that never ends is too large."""
        body = bytearray()
        while piece := answer.read1(_PIECE):
            body += piece
            if len(body) > MAX_ANSWER_BYTES:
                return Failed(Why.TOO_LARGE, f"{self._host} answered with more than {MAX_ANSWER_BYTES:,} bytes.")
            if self._stopwatch() > until:
                return Failed(Why.TIMEOUT, f"{self._host} did not finish its answer in time.")
        return Reply(status, bytes(body))

    def _request(self, body: dict[str, Any]) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "reverie"}
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        url = self._endpoint.url.rstrip("/") + self._path
        return urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")


def _beginning(error: urllib.error.HTTPError) -> bytes:
    """The beginning of an error's body, if it can be read: it is only looked at for the name of a field."""
    try:
        return error.read(_PIECE)
    except (OSError, http.client.HTTPException):
        return b""


def asked_pause_s(retry_after: str | None, now: datetime) -> float:
    """What a ``Retry-After`` asks for in seconds, as a number or as a date; 0 where it asks for nothing."""
    if not retry_after:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        at = parsedate_to_datetime(retry_after)
    except ValueError:
        return 0.0
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max((at - now).total_seconds(), 0.0)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another host; it counts as a refusal instead."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""
