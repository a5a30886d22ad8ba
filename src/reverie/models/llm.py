"""A language model behind any endpoint that implements OpenAI's /v1/chat/completions, with limits on its cost."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import date
from threading import Lock
from typing import Any, TypeVar

from reverie.errors import InvalidSetting
from reverie.models.llm_call import LlmCall, LlmDialect, Patience, Tools, Wire
from reverie.models.llm_port import Failed, LlmAnswer, LlmAsk, ModelCall, Record, Why
from reverie.models.openai import Endpoint, model_and_url
from reverie.ports import Clock

_ENDPOINT_DOWN = frozenset({Why.UNREACHABLE, Why.TIMEOUT, Why.LIMITED, Why.SERVER, Why.KEY, Why.MODEL})


class DayBudget:
    """Limits a model to ``max_tokens`` a day (UTC), sent and received together; None: no limit.

    ``spent`` is what other processes have used today, from the ops log. Threads that ask at the same moment may each
    exceed the limit by one answer.
    """

    def __init__(self, clock: Clock, max_tokens: int | None, spent: int = 0) -> None:
        self._clock = clock
        self._max_tokens = max_tokens
        self._lock = Lock()
        self._day = clock.now().date()
        self._spent = spent

    @property
    def spent(self) -> int:
        """Tokens used today, sent and received together."""
        with self._lock:
            self._turn(self._clock.now().date())
            return self._spent

    def spend(self, tokens: int) -> None:
        """Add the tokens of a call."""
        with self._lock:
            self._turn(self._clock.now().date())
            self._spent += tokens

    def refusal(self) -> Failed | None:
        """Return a failure if today's tokens are used up, else None."""
        if self._max_tokens is None or self.spent < self._max_tokens:
            return None
        return Failed(Why.BUDGET, f"Today's {self._max_tokens:,} tokens are used up.")

    def _turn(self, today: date) -> None:
        if today != self._day:
            self._day, self._spent = today, 0


class Rest:
    """Stops asking an endpoint for ``rest_s`` seconds after ``failures`` in a row, so that it does not slow writes."""

    def __init__(self, stopwatch: Callable[[], float], failures: int = 3, rest_s: float = 60.0) -> None:
        self._stopwatch = stopwatch
        self._failures = failures
        self._rest_s = rest_s
        self._lock = Lock()
        self._in_a_row = 0
        self._until = float("-inf")

    def refusal(self) -> Failed | None:
        """Return a failure while the endpoint is not to be asked, else None."""
        with self._lock:
            left_s = self._until - self._stopwatch()
        if left_s <= 0:
            return None
        return Failed(Why.RESTING, f"The endpoint failed {self._failures} times; not asked for {left_s:.0f} s more.")

    def note(self, failed: Failed | None) -> None:
        """Record how a call ended; only failures of the endpoint count, not wrong answers of the model."""
        down = failed is not None and failed.why in _ENDPOINT_DOWN
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if down else 0
            if self._in_a_row >= self._failures:
                self._until = self._stopwatch() + self._rest_s
                self._in_a_row = 0


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Which model is asked, and its limits; ``endpoint`` holds the timeout and the number of attempts.

    ``deadline_s`` bounds one ask with all its attempts and pauses; ``rereads`` is how often an unusable answer is asked
    for again; ``tokens_per_day`` limits the cost (None: no limit); after ``rest_after`` failures in a row the endpoint
    is not asked for ``rest_s`` seconds.

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
class LlmEnvironment:
    """Clock, chance and callbacks of a model; ``chance`` returns numbers in [0, 1), ``stopwatch`` increasing seconds.

    ``pause`` waits for seconds; ``spent_today``: tokens that other processes have used.
    """

    clock: Clock
    chance: Callable[[], float]
    record: Record
    pause: Callable[[float], None] = time.sleep
    stopwatch: Callable[[], float] = time.monotonic
    spent_today: int = 0


class ChatModel:
    """A language model behind an endpoint (``llm_port.LanguageModel``). Safe to share between threads."""

    def __init__(self, settings: ChatSettings, surroundings: LlmEnvironment) -> None:
        self._settings = settings
        self._world = surroundings
        self._wire = Wire(settings.endpoint, surroundings.stopwatch)
        self._budget = DayBudget(surroundings.clock, settings.tokens_per_day, surroundings.spent_today)
        self._rest = Rest(surroundings.stopwatch, settings.rest_after, settings.rest_s)
        self._dialect = LlmDialect()

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._settings.model

    @property
    def spent_today(self) -> int:
        """Tokens used today, sent and received together."""
        return self._budget.spent

    def complete(self, ask: LlmAsk[T]) -> LlmAnswer[T] | Failed:
        """Answer an ask, or return why not; it may take several requests, all within ``deadline_s``."""
        started = self._world.stopwatch()
        call = LlmCall(ask, self.name, self._dialect, self._patience(started), self._tools())
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

    def _record(self, call: LlmCall[T], outcome: LlmAnswer[T] | Failed, started: float) -> None:
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


ENDPOINT_OPTIONS = ("api_key", "timeout_s", "attempts")
MODEL_OPTIONS = tuple(field.name for field in fields(ChatSettings) if field.name not in ("model", "endpoint"))


def load_language_model(spec: str, surroundings: LlmEnvironment, **options: Any) -> ChatModel | None:
    """Load the language model that a spec names: ``none`` (gives None), ``openai:MODEL`` or ``openai:MODEL@URL``.

    Options: ``api_key``, ``timeout_s``, ``attempts``, and the fields of ``ChatSettings``.

    Raises:
        InvalidSetting: the name or an option is unknown, or a value is out of range.
    """
    name, _, argument = spec.strip().partition(":")
    if name.strip().lower() == "none" and not argument:
        return None
    if name.strip().lower() != "openai":
        raise InvalidSetting(
            f"There is no language model {spec.strip()!r}.", "Write none, openai:NAME or openai:NAME@URL."
        )
    known = (*ENDPOINT_OPTIONS, *MODEL_OPTIONS)
    for option in options:
        if option not in known:
            near = difflib.get_close_matches(option, known, n=1)
            raise InvalidSetting(
                f"A language model has no option {option!r}.",
                f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}.",
            )
    model, url = model_and_url(argument)
    endpoint = Endpoint(url, **{k: v for k, v in options.items() if k in ENDPOINT_OPTIONS})
    limits = {option: value for option, value in options.items() if option in MODEL_OPTIONS}
    return ChatModel(ChatSettings(model.strip(), endpoint, **limits), surroundings)
