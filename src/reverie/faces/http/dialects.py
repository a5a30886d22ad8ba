"""The three protocols of language models that the proxy understands: what a request says, and what its answer said.

In: the JSON of a request or of an answer, in OpenAI's Chat Completions or Responses or in Anthropic's Messages. Out:
the turns of the conversation, the same request with blocks appended to some of its turns, the text of an answer. What
is not text (images, tool calls, thinking) is neither read nor changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.types import Role

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
LINE_MAX = 4_000_000
"""Longest line of a stream that is parsed, in bytes; what a longer one says is not kept."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One entry of a request's conversation with text in it: its ``place`` in the list, who said it, and what."""

    place: int
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one protocol writes a conversation.

    Attributes:
        path: how the path of its requests ends.
        entries: key of the list of messages.
        texts: types of a message's parts that hold text.
        part: type of the part that a block is appended as.
        reply: the text of an answer that came in one piece.
        delta: the text that one event of a streamed answer adds.
    """

    path: str
    entries: str
    texts: tuple[str, ...]
    part: str
    reply: Callable[[Mapping[str, Any]], str]
    delta: Callable[[Mapping[str, Any]], str]

    def fits(self, path: str, request: Mapping[str, Any]) -> bool:
        """Whether a request is of this protocol: by the end of its path, and by where its conversation stands."""
        found = request.get(self.entries)
        is_there = isinstance(found, list) or (isinstance(found, str) and self.entries == "input")
        return is_there and path.rstrip("/").endswith(self.path)

    def turns(self, request: Mapping[str, Any]) -> list[Turn]:
        """Return the turns of user and assistant that hold text, in order; whatever has another shape is left out."""
        found = request.get(self.entries)
        if isinstance(found, str):
            return [Turn(0, Role.USER, found)]
        said = enumerate(found if isinstance(found, list) else ())
        turns = [self._turn(place, entry) for place, entry in said if isinstance(entry, dict)]
        return [turn for turn in turns if turn is not None]

    def asked(self, request: Mapping[str, Any]) -> Turn | None:
        """Return the user's turn that the request ends with; None if it goes on after a tool's result."""
        turns, found = self.turns(request), request.get(self.entries)
        last = len(found) - 1 if isinstance(found, list) else 0
        return turns[-1] if turns and turns[-1].role is Role.USER and turns[-1].place == last else None

    def with_blocks(self, request: Mapping[str, Any], blocks: Mapping[int, str]) -> dict[str, Any]:
        """Return the request with each block as a part after the turn at its place; the original stays as it is."""
        found = request[self.entries]
        if isinstance(found, str):
            return {**request, self.entries: f"{found}\n\n{blocks[0]}"}
        entries = [self._with(entry, blocks[at]) if at in blocks else entry for at, entry in enumerate(found)]
        return {**request, self.entries: entries}

    def _turn(self, place: int, entry: Mapping[str, Any]) -> Turn | None:
        role, text = _ROLES.get(str(entry.get("role"))), "\n".join(self._texts(entry.get("content")))
        return Turn(place, role, text) if role is not None and text.strip() else None

    def _texts(self, content: object) -> Iterator[str]:
        if isinstance(content, str):
            yield content
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and part.get("type") in self.texts and isinstance(part.get("text"), str):
                yield part["text"]

    def _with(self, entry: Mapping[str, Any], block: str) -> dict[str, Any]:
        content = entry["content"]
        if isinstance(content, str):
            return {**entry, "content": f"{content}\n\n{block}"}
        return {**entry, "content": [*content, {"type": self.part, "text": block}]}


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    yield from (one for one in value if isinstance(one, dict)) if isinstance(value, list) else ()


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _first_choice(answer: Mapping[str, Any], key: str) -> str:
    """Return the text of the first choice: of several, a program shows that one."""
    first = (one for one in _dicts(answer.get("choices")) if one.get("index", 0) == 0)
    return _string(_object(next(first, {}).get(key)).get("content"))


def _output(answer: Mapping[str, Any]) -> str:
    messages = (one for one in _dicts(answer.get("output")) if one.get("type") == "message")
    parts = (part for one in messages for part in _dicts(one.get("content")) if part.get("type") == "output_text")
    return "".join(_string(part.get("text")) for part in parts)


def _output_delta(event: Mapping[str, Any]) -> str:
    return _string(event.get("delta")) if event.get("type") == "response.output_text.delta" else ""


def _content(answer: Mapping[str, Any]) -> str:
    parts = (part for part in _dicts(answer.get("content")) if part.get("type") == "text")
    return "".join(_string(part.get("text")) for part in parts)


def _content_delta(event: Mapping[str, Any]) -> str:
    delta = _object(event.get("delta"))
    return _string(delta.get("text")) if delta.get("type") == "text_delta" else ""


CHAT = Dialect(
    path="/chat/completions",
    entries="messages",
    texts=("text",),
    part="text",
    reply=lambda answer: _first_choice(answer, "message"),
    delta=lambda event: _first_choice(event, "delta"),
)
"""OpenAI's Chat Completions, which most servers of models speak too."""
RESPONSES = Dialect(
    path="/responses",
    entries="input",
    texts=("input_text", "output_text", "text"),
    part="input_text",
    reply=_output,
    delta=_output_delta,
)
"""OpenAI's Responses."""
MESSAGES = Dialect(
    path="/messages", entries="messages", texts=("text",), part="text", reply=_content, delta=_content_delta
)
"""Anthropic's Messages."""


def dialect_of(path: str, request: Mapping[str, Any]) -> Dialect | None:
    """Return the protocol of a request; None for one that is only passed on.

    Paths end alike in several protocols: what OpenAI's Assistants add to a thread (``/threads/ID/messages``) is one
    message, and no conversation as in Anthropic's ``/messages``.
    """
    return next((one for one in (CHAT, RESPONSES, MESSAGES) if one.fits(path, request)), None)


class ReplyReader:
    """Collects the text of an answer from its bytes, whole or streamed as server-sent events, as they pass."""

    def __init__(self, dialect: Dialect, *, streamed: bool, most: int) -> None:
        """Read an answer of at most ``most`` bytes; of a longer one the text is what came before that."""
        self._dialect = dialect
        self._streamed = streamed
        self._most = most
        self._held = bytearray()
        self._said: list[str] = []
        self._read = 0

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        self._read += len(piece)
        if self._read > self._most:
            return
        self._held += piece
        if not self._streamed:
            return
        *lines, rest = self._held.split(b"\n")
        self._held = rest if len(rest) <= LINE_MAX else bytearray()
        for line in lines:
            if line.startswith(b"data:"):
                self._said.append(self._dialect.delta(_object(_json(line[5:]))))

    def text(self) -> str:
        """Return what the answer said so far; empty for one that is only tool calls."""
        if self._streamed:
            return "".join(self._said)
        return self._dialect.reply(_object(_json(self._held))) if self._read <= self._most else ""


def _json(text: bytes | bytearray) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
