"""Embed texts with any endpoint that implements OpenAI's /v1/embeddings, in the cloud or on this machine.

Texts are sent in batches of bounded size. Failures of the endpoint become ModelUnavailable; the key is sent in one
header, to one host, and appears in no message.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urlsplit

import numpy as np

from reverie.errors import InvalidSetting, ModelUnavailable
from reverie.models.port_values import clean, empty_rows, unit_rows
from reverie.types import FloatArray, ModelInfo

OPENAI_URL = "https://api.openai.com/v1"

_MAX_CHARS = 16_000  # about 4,000 tokens; common endpoints take 8,192
_MAX_ANSWER_BYTES = 256 * 1024 * 1024
_PASSING = {408, 409, 429, 500, 502, 503, 504}  # statuses worth asking again for
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 8.0
_LASTING = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)
"""Errors that a retry seldom mends: connection refused, unknown host name, wrong certificate."""
_LASTING_ATTEMPTS = 2  # the second is for an endpoint that is just being started again
_REST_S = 10.0  # pause after an endpoint did not answer, because each call would wait for its timeout again
_OTHER = "Check that it speaks OpenAI's /v1/embeddings, and that the model is one for embeddings."
_REASONS = {
    401: ("refused the key", "Set a valid key."),
    403: ("refused the key", "Set a key that may use this model."),
    404: (
        "does not know the model or the path",
        "Check the model's name, and that the URL ends where /embeddings begins.",
    ),
    429: ("is over its limit", "Wait, or raise the limit."),
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The URL of an endpoint, its key, and how long and how often it is asked.

    ``url`` is the part before ``/embeddings``; ``form`` is an example for error messages.

    Raises:
        InvalidSetting: the URL is not http(s) with a host, the key cannot be sent in a header, or a number is not
            positive.
    """

    url: str = OPENAI_URL
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 30.0
    attempts: int = 4
    batch_size: int = 64
    form: str = "openai:MODEL@http://127.0.0.1:8080/v1"

    def __post_init__(self) -> None:
        parts = _parts(self.url)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidSetting(
                f"{self.url!r} is no endpoint.",
                f"Give a whole URL, with http:// or https://, as in {self.form}.",
            )
        if not _can_be_sent(self.api_key):
            raise InvalidSetting("The endpoint's key holds what no header can carry.", "Look for a stray line break.")
        whole = all(isinstance(number, int) for number in (self.attempts, self.batch_size))
        if not whole or not isinstance(self.timeout_s, int | float):
            raise InvalidSetting("timeout_s must be a number, attempts and batch_size whole ones.")
        if not min(self.timeout_s, self.attempts, self.batch_size) > 0:
            raise InvalidSetting("timeout_s, attempts and batch_size must be positive.")


def model_and_url(argument: str) -> tuple[str, str]:
    """Split ``MODEL@URL`` into model and URL; for a model alone the URL is OpenAI's.

    Everything after the last @ is the URL, never part of the name. If it is no URL, ``Endpoint`` refuses it, so that
    texts meant for another host do not go to OpenAI.
    """
    model, at, url = argument.rpartition("@")
    return (model.strip(), url.strip()) if at else (argument.strip(), OPENAI_URL)


class OpenAIEmbedder:
    """Embeds texts with the model ``model`` behind an endpoint.

    ``dims`` is checked against every answer; without it the first answer decides. ``pause`` waits between attempts,
    ``clock`` counts seconds. After the last attempt has failed, calls fail at once for ten seconds.
    """

    def __init__(
        self,
        model: str,
        endpoint: Endpoint,
        dims: int | None = None,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        _require_dims(dims)
        self._model = model
        self._endpoint = endpoint
        self._dims = dims
        self._pause = pause
        self._clock = clock
        self._resting: tuple[float, ModelUnavailable] | None = None
        self._opener = urllib.request.build_opener(_NoRedirect)

    @property
    def info(self) -> ModelInfo:
        """The model's name and dimensions; sends one request if the dimensions are not known yet."""
        if self._dims is None:
            self._ask(["dimensions"])
        return ModelInfo(name=self._model, revision="openai", dims=self._dims or 0)

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed messages, (n, dims) unit rows; a blank text is not sent and gives a zero row.

        Raises:
            ModelUnavailable: the endpoint cannot be reached, refuses, or gives another kind of answer.
        """
        sent = [(number, text) for number, text in enumerate(clean(t, _MAX_CHARS) for t in texts) if text.strip()]
        size = self._endpoint.batch_size
        answers = [
            (sent[at : at + size], self._ask([text for _, text in sent[at : at + size]]))
            for at in range(0, len(sent), size)
        ]
        rows = empty_rows(len(texts), self.info.dims)
        for batch, vectors in answers:
            rows[[number for number, _ in batch]] = vectors
        return rows

    def embed_query(self, text: str) -> FloatArray:
        """Embed a cue, (dims,) of length 1, or zero for a blank text.

        Raises:
            ModelUnavailable: as for ``embed_passages``.
        """
        row: FloatArray = self.embed_passages([text])[0]
        return row

    def _ask(self, texts: list[str]) -> FloatArray:
        answer = self._post({"model": self._model, "input": texts, "encoding_format": "float"})
        try:
            raw = _vectors_in(answer)
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise self._unavailable("answered with something other than embeddings", _OTHER) from error
        expected = self._dims or raw.shape[1]
        if raw.shape != (len(texts), expected):
            raise self._unavailable(
                f"answered with {raw.shape[0]} vectors of {raw.shape[1]} numbers "
                f"where {len(texts)} of {expected} were expected",
                _OTHER,
            )
        if not np.isfinite(raw).all():
            raise self._unavailable("answered with vectors that hold NaN or infinity", _OTHER)
        self._dims = expected  # set only by a valid answer
        return unit_rows(raw)

    def _post(self, body: dict[str, Any]) -> bytes:
        if (resting := self._resting) is not None and self._clock() < resting[0]:
            raise ModelUnavailable(resting[1].message, resting[1].mend)
        request = self._request(body)
        for attempt in range(self._endpoint.attempts):
            last = attempt + 1 == self._endpoint.attempts
            try:
                with self._opener.open(request, timeout=self._endpoint.timeout_s) as answer:
                    data: bytes = answer.read(_MAX_ANSWER_BYTES)
                    return data
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in _PASSING:
                        raise self._refused(error.code) from None
                    if last:
                        raise self._rest(self._refused(error.code)) from None
                    self._pause(_pause_s(attempt, error.headers.get("Retry-After")))
            except (OSError, http.client.HTTPException) as error:
                if last or (attempt + 1 >= _LASTING_ATTEMPTS and _is_lasting(error)):
                    raise self._rest(self._unavailable(f"did not answer ({type(error).__name__})")) from error
                self._pause(_pause_s(attempt, None))
        raise self._unavailable("was not asked")

    def _request(self, body: dict[str, Any]) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "reverie"}
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        url = self._endpoint.url.rstrip("/") + "/embeddings"
        return urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")

    def _rest(self, error: ModelUnavailable) -> ModelUnavailable:
        self._resting = self._clock() + _REST_S, error
        return error

    def _refused(self, status: int) -> ModelUnavailable:
        what, mend = _REASONS.get(status, (f"answered with status {status}", "See the endpoint's own log."))
        return self._unavailable(what, mend)

    def _unavailable(self, what: str, mend: str = "") -> ModelUnavailable:
        host = urlsplit(self._endpoint.url).hostname
        return ModelUnavailable(
            f"The embedding endpoint at {host} {what}.", mend or "Check that it runs and is reachable."
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Treats a redirect as a refusal, because it would carry the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        """Follow no redirect."""


def _parts(url: object) -> SplitResult | None:
    """Split a URL into its parts; None if no request can be sent to it."""
    if not isinstance(url, str) or not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for what is no port
    except ValueError:
        return None
    return parts if parts.path.isascii() else None


def _require_dims(dims: object) -> None:
    """Raise InvalidSetting unless ``dims`` is None or a positive integer."""
    if dims is not None and (not isinstance(dims, int) or dims < 1):
        raise InvalidSetting(f"{dims!r} is no number of dimensions.", "Give a whole number from 1, or leave it out.")


def _can_be_sent(key: object) -> bool:
    """Whether the key can be sent in a header."""
    return not key or (isinstance(key, str) and key.isascii() and key.isprintable())


def _vectors_in(answer: bytes) -> FloatArray:
    """Read the vectors of an answer, in the order of their texts.

    Raises:
        ValueError, KeyError, TypeError, OverflowError, RecursionError: it is not in OpenAI's form.
    """
    entries = sorted(json.loads(answer)["data"], key=lambda entry: int(entry["index"]))
    if not entries or [int(entry["index"]) for entry in entries] != list(range(len(entries))):
        raise ValueError("there is no vector, or nobody can tell whose it is")
    rows = [entry["embedding"] for entry in entries]
    if not all(isinstance(row, list) and row and set(map(type, row)) <= {int, float} for row in rows):
        raise TypeError("a vector is no list of numbers")
    with np.errstate(over="ignore"):  # too large for 32 bits becomes infinite, which is refused later
        vectors: FloatArray = np.array(rows, dtype=np.float32)
    return vectors


def _is_lasting(error: BaseException) -> bool:
    """Whether another attempt within seconds would most likely fail too."""
    return isinstance(getattr(error, "reason", error), _LASTING)


def _pause_s(attempt: int, retry_after: str | None) -> float:
    """Return the pause before a retry: half a second, doubled with every attempt, or as asked for; at most 8 s."""
    asked: float = float(retry_after) if retry_after and retry_after.isdecimal() else 0.0
    pause: float = min(max(_FIRST_PAUSE_S * 2.0**attempt, asked), _LONGEST_PAUSE_S)
    return pause
