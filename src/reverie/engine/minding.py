"""A language model as a mind: in, a model that answers asks; out, the port's answers, None wherever there is none.

Every call it makes is a line of the ops log.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from reverie.models import llm_tasks as tasks
from reverie.models.llm import Surroundings
from reverie.models.llm_port import Failed, LanguageModel, ModelCall
from reverie.models.llm_registry import load_language_model
from reverie.ops.entry import OpsEntry
from reverie.ops.log import OpsLog
from reverie.ops.reading import tokens_on
from reverie.ports import Bond, Clock
from reverie.types import Kind

T = TypeVar("T")


def open_mind(spec: str, clock: Clock, log: OpsLog | None, path: Path | None, **options: Any) -> LlmMind | None:
    """The mind of the model a specification names; None for "none".

    ``path`` is the log's file: what other processes spent today counts too. ``options`` are the model's limits.

    Raises:
        InvalidSetting: the specification or an option cannot be used.
    """
    spent = tokens_on(path, clock.now().date()) if path is not None else 0
    surroundings = Surroundings(clock, random.SystemRandom().random, told(log), spent_today=spent)
    model = load_language_model(spec, surroundings, **options)
    return None if model is None else LlmMind(model)


def told(log: OpsLog | None) -> Callable[[ModelCall], None]:
    """Writes a model's calls into the log; a call that failed was done by the heuristic."""

    def record(call: ModelCall) -> None:
        if log is not None:
            log.write(
                OpsEntry(
                    call.task,
                    input=call.input,
                    output=call.output,
                    model=call.model,
                    latency_ms=call.latency_ms,
                    success=call.success,
                    fallback=not call.success,
                    tokens_in=call.tokens_in,
                    tokens_out=call.tokens_out,
                )
            )

    return record


class LlmMind:
    """The tasks of ``llm_tasks`` in the words of the port (``Mind``)."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def merge(self, old: str, new: str) -> str | None:
        """One text with every fact of both."""
        return _or_none(tasks.merge(self._model, old, new))

    def atoms(self, text: str, at: datetime) -> tuple[str, ...] | None:
        """The atomic facts of a message."""
        formed = _or_none(tasks.form(self._model, text, at, "", ()))
        return None if formed is None else formed.atomic_facts

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """How a new memory stands to others."""
        links = _or_none(tasks.relate(self._model, new, others))
        return (
            None if links is None else tuple(Bond(one.other, one.kind, one.from_new, one.confidence) for one in links)
        )

    def route(self, cue: str) -> str | None:
        """The intent of a cue."""
        routed = _or_none(tasks.route(self._model, cue))
        return None if routed is None else routed.intent

    def theme(self, texts: Sequence[str]) -> str | None:
        """What a cluster of memories says together: what most of them say, if there are several such things."""
        return _widest(_or_none(tasks.themes(self._model, texts)))

    def pattern(self, texts: Sequence[str]) -> str | None:
        """The habit behind a cluster of memories."""
        return _widest(_or_none(tasks.patterns(self._model, texts)))

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """A category in a few sentences."""
        return _or_none(tasks.summary(self._model, Kind(category), texts))


def _or_none(answer: T | Failed) -> T | None:
    return None if isinstance(answer, Failed) else answer


def _widest(drawn: Sequence[tasks.Drawn] | None) -> str | None:
    """The one with the most sources; of equals the first."""
    return max(drawn, key=_sources).text if drawn else None


def _sources(drawn: tasks.Drawn) -> int:
    return len(drawn.sources)
