"""One ask, from its first request to its last: pauses, simpler dialects, second tries, and the count of its tokens.

In: an ask and what it may take. Out: an answer or ``Failed``; what it used is read off the call afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from reverie.formulas.tokens import estimated_tokens
from reverie.models.llm_completion import Completion, completion_in
from reverie.models.llm_dialect import Dialect
from reverie.models.llm_port import Answer, Ask, Failed, Why
from reverie.models.llm_prompt import ChatMessage, mark_for, messages
from reverie.models.llm_schema import read_answer, schema_of
from reverie.models.llm_wire import Reply, asked_pause_s
from reverie.ports import Clock

T = TypeVar("T")

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
"""Statuses worth asking again for."""
_LASTING = {401: Why.KEY, 403: Why.KEY, 404: Why.MODEL}
_AGAIN = frozenset({Why.UNREACHABLE, Why.TIMEOUT})
_REREAD = frozenset({Why.UNREADABLE, Why.SCHEMA, Why.REJECTED})
"""What a model may do better at a second try; a refusal or an answer cut short it would only repeat."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how often: ``until`` by the stopwatch, seconds for one attempt, attempts, second readings."""

    until: float
    timeout_s: float
    attempts: int
    rereads: int


@dataclass(frozen=True, slots=True)
class Tools:
    """What a call works with; ``post`` asks once."""

    post: Callable[[dict[str, Any], float], Reply | Failed]
    clock: Clock
    chance: Callable[[], float]
    pause: Callable[[float], None]
    stopwatch: Callable[[], float]


class Call(Generic[T]):
    """One ask on its way. ``dialect`` ends as what the endpoint understood, ``content`` as what it last said."""

    def __init__(self, ask: Ask[T], model: str, dialect: Dialect, patience: Patience, tools: Tools) -> None:
        self.ask = ask
        self.dialect = dialect
        self.content = ""
        self.tokens_in = 0
        self.tokens_out = 0
        self._model = model
        self._patience = patience
        self._tools = tools
        self._schema = schema_of(ask.answer)

    def run(self) -> Answer[T] | Failed:
        """Ask until there is an answer that can be used, or patience ends."""
        complaint = ""
        for left in range(self._patience.rereads, -1, -1):
            reply = self._reply(complaint)
            read = reply if isinstance(reply, Failed) else self._read(reply)
            if not isinstance(read, Failed):
                return Answer(read, self._model, self.ask.prompt, self.tokens_in, self.tokens_out)
            if read.why not in _REREAD or left == 0:
                return read
            complaint = read.note
        raise AssertionError("unreachable: the last round returns")

    def _read(self, reply: Reply) -> T | Failed:
        """The value in a reply, its cost noted."""
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
        """Add what the endpoint says it used; where it says nothing, an estimate, so that no endpoint is free."""
        self.content = said.content
        sent = self.ask.instructions + "".join(field.text for field in self.ask.fields)
        self.tokens_in += estimated_tokens(sent) if said.tokens_in is None else said.tokens_in
        self.tokens_out += estimated_tokens(said.content) if said.tokens_out is None else said.tokens_out

    def _reply(self, complaint: str) -> Reply | Failed:
        """The reply to the request, in whatever dialect the endpoint accepts."""
        dialect: Dialect | None = self.dialect
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

    def _body(self, dialect: Dialect, complaint: str) -> dict[str, Any]:
        mark = mark_for(self.ask.fields, self._tools.chance)
        shown = None if dialect.enforces_schema else self._schema
        sent: list[ChatMessage] = messages(self.ask.instructions, self.ask.fields, mark, shown)
        if complaint:
            again = f"An earlier answer could not be used: {complaint} Answer again, with JSON of the schema alone."
            sent[0]["content"] += "\n\n" + again
        return dialect.body(self._model, sent, self._schema, self.ask.max_tokens)

    def _patiently(self, body: dict[str, Any]) -> Reply | Failed:
        """The first reply that is not a passing failure."""
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
        """What is wrong with a reply that is worth another attempt; None for one that is final."""
        if isinstance(reply, Failed):
            return reply if reply.why in _AGAIN else None
        why = _PASSING.get(reply.status)
        return Failed(why, f"It answered with status {reply.status}.") if why else None

    def _paused(self, attempt: int, asked_s: float) -> bool:
        """Wait before the next attempt; False when none is left or it would come after the deadline."""
        pause = max(pause_s(attempt, self._tools.chance()), asked_s)
        is_last = attempt + 1 >= self._patience.attempts
        if is_last or self._tools.stopwatch() + pause >= self._patience.until:
            return False
        self._tools.pause(pause)
        return True


def pause_s(attempt: int, chance: float) -> float:
    """Half a second, doubled with every attempt, at most eight; of that, between a half and the whole, by chance."""
    whole: float = min(FIRST_PAUSE_S * 2.0**attempt, LONGEST_PAUSE_S)
    return whole * (0.5 + 0.5 * chance)
