"""A language model behind any endpoint that speaks OpenAI's /v1/chat/completions, in the cloud or on this machine.

In: an ask. Out: an answer of the type asked for, or why there is none; nothing a model, a server or a network does is
raised. Every ask, answered or not, is recorded with its tokens and its time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from reverie.errors import InvalidSetting
from reverie.models.llm_call import Call, Patience, Tools
from reverie.models.llm_dialect import Dialect
from reverie.models.llm_limits import DayBudget, Rest
from reverie.models.llm_port import Answer, Ask, Failed, ModelCall, Record
from reverie.models.llm_wire import Wire
from reverie.models.openai import Endpoint
from reverie.ports import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How a model is asked. ``endpoint`` also holds the time for one attempt and how many there are.

    ``deadline_s`` bounds one ask with all its attempts and pauses, ``rereads`` how often an answer that cannot be used
    is asked for again, ``tokens_per_day`` the cost (None: no limit); after ``rest_after`` failures in a row the
    endpoint rests for ``rest_s``.

    Raises:
        InvalidSetting: the model has no name, or a number is out of range.
    """

    model: str
    endpoint: Endpoint
    deadline_s: float = 60.0
    rereads: int = 1
    tokens_per_day: int | None = 200_000
    rest_after: int = 3
    rest_s: float = 60.0

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InvalidSetting("The language model has no name.", "Write openai:NAME or openai:NAME@URL.")
        if min(self.deadline_s, self.rest_after, self.rest_s) <= 0 or min(self.rereads, self.tokens_per_day or 0) < 0:
            raise InvalidSetting("The limits of a language model must not be negative, and its times be positive.")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a model needs of the world. ``chance`` gives numbers in [0, 1); ``pause`` waits; ``stopwatch`` rises.

    ``spent_today``: tokens other processes used already.
    """

    clock: Clock
    chance: Callable[[], float]
    record: Record
    pause: Callable[[float], None] = time.sleep
    stopwatch: Callable[[], float] = time.monotonic
    spent_today: int = 0


class ChatModel:
    """The model of ``settings`` in its surroundings. Safe to share between threads."""

    def __init__(self, settings: ChatSettings, surroundings: Surroundings) -> None:
        self._settings = settings
        self._world = surroundings
        self._wire = Wire(settings.endpoint, surroundings.stopwatch)
        self._budget = DayBudget(surroundings.clock, settings.tokens_per_day, surroundings.spent_today)
        self._rest = Rest(surroundings.stopwatch, settings.rest_after, settings.rest_s)
        self._dialect = Dialect()

    @property
    def name(self) -> str:
        """The model's name, as the endpoint knows it."""
        return self._settings.model

    @property
    def spent_today(self) -> int:
        """Tokens used today, both directions together."""
        return self._budget.spent

    def complete(self, ask: Ask[T]) -> Answer[T] | Failed:
        """Answer, or say why not; one ask may be several requests, all within ``deadline_s``."""
        started = self._world.stopwatch()
        call = Call(ask, self.name, self._dialect, self._patience(started), self._tools())
        refusal = self._budget.refusal() or self._rest.refusal()
        outcome = refusal or call.run()
        if refusal is None:
            self._dialect = call.dialect
            self._budget.spend(call.tokens_in + call.tokens_out)
            self._rest.note(outcome if isinstance(outcome, Failed) else None)
        self._record(call, outcome, started)
        return outcome

    def _patience(self, started: float) -> Patience:
        endpoint = self._settings.endpoint
        until = started + self._settings.deadline_s
        return Patience(until, endpoint.timeout_s, endpoint.attempts, self._settings.rereads)

    def _tools(self) -> Tools:
        world = self._world
        return Tools(self._wire.post, world.clock, world.chance, world.pause, world.stopwatch)

    def _record(self, call: Call[T], outcome: Answer[T] | Failed, started: float) -> None:
        failed = isinstance(outcome, Failed)
        self._world.record(
            ModelCall(
                task=call.ask.task,
                prompt=call.ask.prompt,
                model=self.name,
                input="\n".join(field.text for field in call.ask.fields),
                output=f"{outcome.why}: {outcome.note}" if isinstance(outcome, Failed) else call.content,
                latency_ms=(self._world.stopwatch() - started) * 1000.0,
                success=not failed,
                tokens_in=call.tokens_in,
                tokens_out=call.tokens_out,
            )
        )
