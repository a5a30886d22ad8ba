"""Carry out one ask of a language model: HTTP requests, retries, request forms, and answers validated by a schema."""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec

from reverie.formulas.text_statistics import estimated_tokens
from reverie.models.llm_port import ChatMessage, Failed, LlmAnswer, LlmAsk, Why, mark_for, messages
from reverie.models.openai import Endpoint
from reverie.ports import Clock

REFUSALS = frozenset({400, 415, 422, 501})
"""Statuses that may mean that the endpoint does not know a field of the request."""


class Form(StrEnum):
    """How the request asks for JSON, from the strictest way to the weakest."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class LlmDialect:
    """Which optional fields the requests to an endpoint have. ``length_key`` is the field that limits the answer."""

    form: Form = Form.SCHEMA
    length_key: str = "max_tokens"
    temperature: bool = True

    @property
    def enforces_schema(self) -> bool:
        """Whether the request contains the schema, so that the endpoint enforces it."""
        return self.form is Form.SCHEMA

    def body(self, model: str, sent: list[ChatMessage], schema: dict[str, Any], max_tokens: int) -> dict[str, Any]:
        """Return the body of the request."""
        body: dict[str, Any] = {"model": model, "messages": sent, self.length_key: max_tokens}
        if self.temperature:
            body["temperature"] = 0
        if self.form is Form.SCHEMA:
            named = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.form is Form.OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def simpler(self, status: int, refusal: bytes) -> LlmDialect | None:
        """Return the dialect to try after a refusal: without the refused field, or weaker; None if no other is left."""
        if status not in REFUSALS:
            return None
        refused = _refused_field(refusal)
        if refused == "max_tokens" and self.length_key == "max_tokens":
            return replace(self, length_key="max_completion_tokens")
        if refused == "temperature" and self.temperature:
            return replace(self, temperature=False)
        if self.form is Form.SCHEMA:
            return replace(self, form=Form.OBJECT)
        return replace(self, form=Form.PLAIN) if self.form is Form.OBJECT else None


def _refused_field(refusal: bytes) -> str:
    """Return the field that an OpenAI error names; "" if it names none."""
    try:
        error = json.loads(refusal)["error"]
        return str(error.get("param") or "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""


_UNREADABLE = Failed(Why.UNREADABLE, "It is no chat completion.")
_REFUSALS = {"content_filter": "The endpoint's filter stopped it.", "refusal": "It declined."}


@dataclass(frozen=True, slots=True)
class Completion:
    """The text of the first choice; token counts by the endpoint, None if it gave none.

    ``failed``: the model declined, or its answer was cut short; the tokens count all the same.
    """

    content: str
    tokens_in: int | None
    tokens_out: int | None
    failed: Failed | None = None


def completion_in(body: bytes) -> Completion | Failed:
    """Parse a response's body; a failure if it is no chat completion."""
    try:
        document = json.loads(body)
        choice = document["choices"][0]
        message = choice["message"]
        content = _text(message.get("content"))
        declined = bool(message.get("refusal"))
        usage = document.get("usage") or {}
        tokens_in, tokens_out = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return _UNREADABLE
    return Completion(content, tokens_in, tokens_out, _failure(choice.get("finish_reason"), declined))


def _text(content: Any) -> str:
    """Return the content as one text; some endpoints give it in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content)
    return "" if content is None else str(content)


def _count(tokens: Any) -> int | None:
    return tokens if isinstance(tokens, int) and tokens >= 0 else None


def _failure(finish_reason: Any, declined: bool) -> Failed | None:
    if declined:
        return Failed(Why.REFUSED, _REFUSALS["refusal"])
    if isinstance(finish_reason, str) and finish_reason in _REFUSALS:
        return Failed(Why.REFUSED, _REFUSALS[finish_reason])
    return Failed(Why.CUT, "The answer was longer than allowed.") if finish_reason == "length" else None


T = TypeVar("T")

_MISSING = object()
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_PLACE = re.compile(r"at `(\$[\w.\[\]]{0,60})`\Z")


def schema_of(answer: type) -> dict[str, Any]:
    """Return the JSON schema of a type, with references inlined, because some local servers do not resolve them."""
    schema = msgspec.json.schema(answer)
    inlined = _inlined(schema, schema.get("$defs", {}))
    assert isinstance(inlined, dict)
    return inlined


def _inlined(part: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_inlined(entry, definitions) for entry in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in part.items() if key != "$defs"}


def read_answer(content: str, answer: type[T]) -> T | Failed:
    """Read a value of the given type from the JSON in ``content``, strictly; a failure if it does not fit."""
    try:
        return _read(msgspec.json.decode(_json_in(content)), answer)
    except msgspec.ValidationError as error:
        return Failed(Why.SCHEMA, _reason(error))
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return Failed(Why.UNREADABLE, "It is not JSON.")


def _read(document: Any, answer: type[T]) -> T:
    """Convert a document to the type; an optional field (``SPARE``) that is missing or wrong gets its default."""
    spare: dict[str, object] = getattr(answer, "SPARE", {})
    if spare and isinstance(document, dict):
        parts = msgspec.structs.fields(answer)  # type: ignore[arg-type]  # what has spare fields is a struct
        fields = {part.encode_name: part.type for part in parts}
        wrong = {name: other for name, other in spare.items() if not _fits(document.get(name, _MISSING), fields[name])}
        document = document | wrong
    return msgspec.convert(document, answer, strict=True)


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def _json_in(content: str) -> bytes:
    """Return the text from the first brace to the last: models may think aloud, explain, or fence their JSON."""
    content = _THOUGHT.sub("", content)
    start, end = content.find("{"), content.rfind("}")
    return content[max(start, 0) : end + 1].encode()


def _reason(error: msgspec.ValidationError) -> str:
    """Say where the answer does not fit, without the error's own words, which may repeat what the model wrote."""
    place = _PLACE.search(str(error))
    return f"It does not fit the schema at {place[1]}." if place else "It does not fit the schema."


MAX_ANSWER_BYTES = 1024 * 1024
"""Most bytes of an answer that are read: a hundred times what is needed."""
_PIECE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Reply:
    """The response to a request. ``retry_after`` is the header ``Retry-After`` as it was sent."""

    status: int
    body: bytes
    retry_after: str | None = None


class _Readable(Protocol):
    def read1(self, n: int, /) -> bytes: ...


class Wire:
    """Sends requests to one path of an endpoint; ``stopwatch`` returns increasing seconds."""

    def __init__(self, endpoint: Endpoint, stopwatch: Callable[[], float], path: str = "/chat/completions") -> None:
        self._endpoint = endpoint
        self._stopwatch = stopwatch
        self._path = path
        self._opener = urllib.request.build_opener(_NoRedirect)

    def post(self, body: dict[str, Any], timeout_s: float) -> Reply | Failed:
        """Send one request; any status is a reply. ``timeout_s`` bounds the whole request, not each wait."""
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
        """Read the body piece by piece; a slow server ends in a timeout, an endless answer is too large."""
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
    """Return the beginning of an error's body, to find the name of a refused field; empty if unreadable."""
    try:
        return error.read(_PIECE)
    except (OSError, http.client.HTTPException):
        return b""


def asked_pause_s(retry_after: str | None, now: datetime) -> float:
    """Return the seconds that a ``Retry-After`` asks for, as a number or a date; 0 if it asks for none."""
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
    """Treats a redirect as a refusal, because it would carry the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        """Follow no redirect."""


FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 8.0
_PASSING = {
    408: Why.TIMEOUT,
    409: Why.SERVER,
    425: Why.SERVER,
    429: Why.LIMITED,
    500: Why.SERVER,
    502: Why.SERVER,
    503: Why.SERVER,
    504: Why.TIMEOUT,
}
"""Statuses that are worth a retry."""
_LASTING = {401: Why.KEY, 403: Why.KEY, 404: Why.MODEL}
_AGAIN = frozenset({Why.UNREACHABLE, Why.TIMEOUT})
_REREAD = frozenset({Why.UNREADABLE, Why.SCHEMA, Why.REJECTED})
"""Failures that a second request may mend; a refusal or a cut answer would only be repeated."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits of an ask: deadline by the stopwatch, seconds and number of attempts, requests after unusable answers."""

    until: float
    timeout_s: float
    attempts: int
    rereads: int


@dataclass(frozen=True, slots=True)
class Tools:
    """Callbacks that a call uses; ``post`` sends one request."""

    post: Callable[[dict[str, Any], float], Reply | Failed]
    clock: Clock
    chance: Callable[[], float]
    pause: Callable[[float], None]
    stopwatch: Callable[[], float]


class LlmCall(Generic[T]):
    """One ask in progress; at the end ``dialect`` is what the endpoint accepted, ``content`` the last answer."""

    def __init__(self, ask: LlmAsk[T], model: str, dialect: LlmDialect, patience: Patience, tools: Tools) -> None:
        self.ask = ask
        self.dialect = dialect
        self.content = ""
        self.tokens_in = 0
        self.tokens_out = 0
        self._model = model
        self._patience = patience
        self._tools = tools
        self._schema = schema_of(ask.answer)

    def run(self) -> LlmAnswer[T] | Failed:
        """Send requests until there is a usable answer or a limit is reached."""
        complaint = ""
        for left in range(self._patience.rereads, -1, -1):
            reply = self._reply(complaint)
            read = reply if isinstance(reply, Failed) else self._read(reply)
            if not isinstance(read, Failed):
                return LlmAnswer(read, self._model, self.ask.prompt, self.tokens_in, self.tokens_out)
            if read.why not in _REREAD or left == 0:
                return read
            complaint = read.note
        raise AssertionError("unreachable: the last round returns")

    def _read(self, reply: Reply) -> T | Failed:
        """Count a reply's tokens and return its value; a failure if it cannot be used."""
        said = completion_in(reply.body)
        if isinstance(said, Failed):
            return said
        self._count(said)
        if said.failed is not None:
            return said.failed
        value = read_answer(said.content, self.ask.answer)
        if isinstance(value, Failed) or self.ask.check is None:
            return value
        wrong = self.ask.check(value)
        return Failed(Why.REJECTED, wrong) if wrong else value

    def _count(self, said: Completion) -> None:
        """Add the tokens that the endpoint reports, or an estimate, so that the day's limit applies to any endpoint."""
        self.content = said.content
        sent = self.ask.instructions + "".join(field.text for field in self.ask.fields)
        self.tokens_in += estimated_tokens(sent) if said.tokens_in is None else said.tokens_in
        self.tokens_out += estimated_tokens(said.content) if said.tokens_out is None else said.tokens_out

    def _reply(self, complaint: str) -> Reply | Failed:
        """Send the request, in a simpler dialect each time that the endpoint refuses one; return the reply."""
        dialect: LlmDialect | None = self.dialect
        refused = Failed(Why.REQUEST)
        while dialect is not None:
            reply = self._patiently(self._body(dialect, complaint))
            if isinstance(reply, Failed):
                return reply
            if reply.status == 200:
                self.dialect = dialect
                return reply
            refused = Failed(_LASTING.get(reply.status, Why.REQUEST), f"It answered with status {reply.status}.")
            dialect = dialect.simpler(reply.status, reply.body)
        return refused

    def _body(self, dialect: LlmDialect, complaint: str) -> dict[str, Any]:
        mark = mark_for(self.ask.fields, self._tools.chance)
        shown = None if dialect.enforces_schema else self._schema
        sent: list[ChatMessage] = messages(self.ask.instructions, self.ask.fields, mark, shown)
        if complaint:
            again = f"An earlier answer could not be used: {complaint} Answer again, with JSON of the schema alone."
            sent[0]["content"] += "\n\n" + again
        return dialect.body(self._model, sent, self._schema, self.ask.max_tokens)

    def _patiently(self, body: dict[str, Any]) -> Reply | Failed:
        """Return the first reply that is not a passing failure; retries with pauses."""
        failed = Failed(Why.TIMEOUT, "There was no time left to ask.")
        for attempt in range(self._patience.attempts):
            left_s = self._patience.until - self._tools.stopwatch()
            if left_s <= 0:
                return failed
            reply = self._tools.post(body, min(self._patience.timeout_s, left_s))
            passing = self._passing(reply)
            if passing is None:
                return reply
            failed = passing
            asked_s = asked_pause_s(reply.retry_after, self._tools.clock.now()) if isinstance(reply, Reply) else 0.0
            if not self._paused(attempt, asked_s):
                return failed
        return failed

    @staticmethod
    def _passing(reply: Reply | Failed) -> Failed | None:
        """Return the failure if a reply is worth another attempt; None if it is final."""
        if isinstance(reply, Failed):
            return reply if reply.why in _AGAIN else None
        why = _PASSING.get(reply.status)
        return Failed(why, f"It answered with status {reply.status}.") if why else None

    def _paused(self, attempt: int, asked_s: float) -> bool:
        """Wait before the next attempt; False if there is none or it would come after the deadline."""
        pause = max(pause_s(attempt, self._tools.chance()), asked_s)
        is_last = attempt + 1 >= self._patience.attempts
        if is_last or self._tools.stopwatch() + pause >= self._patience.until:
            return False
        self._tools.pause(pause)
        return True


def pause_s(attempt: int, chance: float) -> float:
    """Return the pause before a retry: 0.5 s, doubled with every attempt, at most 8 s, times ½ to 1 by ``chance``."""
    whole: float = min(FIRST_PAUSE_S * 2.0**attempt, LONGEST_PAUSE_S)
    return whole * (0.5 + 0.5 * chance)
