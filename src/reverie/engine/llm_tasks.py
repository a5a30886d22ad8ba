"""Use a language model as the engine's ``Mind``: send it the tasks, and check and screen its answers.

An answer is None wherever the model gives none that can be used.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from reverie.models import llm_tasks as tasks
from reverie.models.llm import LlmEnvironment, load_language_model
from reverie.models.llm_grounding import Ground, unborne, until_of
from reverie.models.llm_port import Failed, LanguageModel, ModelCall
from reverie.ops.log import OpsEntry, OpsLog, tokens_on
from reverie.ports import Bond, Clock, FormingMind, Mind, Said, Stated, Told
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings
from reverie.types import Kind

T = TypeVar("T")


def open_mind(spec: str, clock: Clock, log: OpsLog | None, path: Path | None, **options: Any) -> LlmMind | None:
    """Open the language model that a specification names; None for "none".

    ``path`` is the log's file: tokens that other processes spent today count too. ``options`` are the model's limits.

    Raises:
        InvalidSetting: the specification or an option cannot be used.
    """
    spent = tokens_on(path, clock.now().date()) if path is not None else 0
    surroundings = LlmEnvironment(clock, random.SystemRandom().random, told(log), spent_today=spent)
    model = load_language_model(spec, surroundings, **options)
    return None if model is None else LlmMind(model)


def told(log: OpsLog | None) -> Callable[[ModelCall], None]:
    """Make a function that logs a model's calls; a failed call is marked as done by the heuristic."""

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
    """Implements the port ``Mind`` with the tasks of ``reverie.models.llm_tasks``."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def merge(self, old: str, new: str) -> str | None:
        """Merge two texts into one with every fact of both."""
        return _or_none(tasks.merge(self._model, old, new))

    def form(self, said: Said) -> Told:
        """Extract the facts that the message supports, with their kinds, ends and names."""
        formed = tasks.form(self._model, said.text, said.at, said.speaker, said.before)
        return Told(failed=formed.why.value) if isinstance(formed, Failed) else _borne(formed, said)

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Find the relations of a new memory to others."""
        links = _or_none(tasks.relate(self._model, new, others))
        return (
            None if links is None else tuple(Bond(one.other, one.kind, one.from_new, one.confidence) for one in links)
        )

    def route(self, cue: str) -> str | None:
        """Classify the intent of a cue."""
        routed = _or_none(tasks.route(self._model, cue))
        return None if routed is None else routed.intent

    def theme(self, texts: Sequence[str]) -> str | None:
        """State what a cluster of memories has in common; of several themes, the one with the most sources."""
        return _widest(_or_none(tasks.themes(self._model, texts)))

    def pattern(self, texts: Sequence[str]) -> str | None:
        """State the habit behind a cluster of memories."""
        return _widest(_or_none(tasks.patterns(self._model, texts)))

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Summarize the memories of a category in a few sentences."""
        return _or_none(tasks.summary(self._model, Kind(category), texts))


class OneMessage:
    """A language model for forming one message: after one call without an answer it is not called again.

    Otherwise an endpoint that is down would cost one deadline for each task of the message.
    """

    def __init__(self, mind: FormingMind) -> None:
        self._mind = mind
        self._is_down = False

    def form(self, said: Said) -> Told:
        """Extract the facts of a message; a failure ends the use of the model for this message."""
        told = self._mind.form(said)
        self._is_down = bool(told.failed)
        return told

    def merge(self, old: str, new: str) -> str | None:
        """Merge two texts; None if the model has failed before."""
        return None if self._is_down else self._noted(self._mind.merge(old, new))

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Find relations; None if the model has failed before."""
        return None if self._is_down else self._noted(self._mind.relate(new, others))

    def _noted(self, answer: T | None) -> T | None:
        self._is_down = answer is None
        return answer


def _or_none(answer: T | Failed) -> T | None:
    return None if isinstance(answer, Failed) else answer


def _borne(formed: tasks.DrawnMemory, said: Said) -> Told:
    """Keep the facts that the message supports; its overall kind and end apply only if there is a single fact."""
    ground = Ground(said)
    why = {fact: unborne(fact, ground) for fact in formed.atomic_facts}
    alone = len(why) == 1
    ends = _ends(formed)
    facts = tuple(
        Stated(
            fact,
            kind=formed.category if alone and formed.category is not Kind.FACT else None,
            until=until_of(fact, ends, ground),
            names=tuple(name for name in formed.entities if name in fact),
        )
        for fact, wrong in why.items()
        if not wrong
    )
    return Told(facts, tuple(wrong for wrong in why.values() if wrong))


def _ends(formed: tasks.DrawnMemory) -> tuple[tuple[str, datetime], ...]:
    """Return what ends and when: each plan, and the fact if there is only one."""
    found = [(plan.text, plan.until) for plan in formed.foresight]
    alone = dict.fromkeys(formed.atomic_facts)
    if len(alone) == 1 and formed.valid_until is not None:
        found += [(fact, formed.valid_until) for fact in alone]
    return tuple(found)


def _widest(drawn: Sequence[tasks.Drawn] | None) -> str | None:
    """Return the text with the most sources; of equals the first."""
    return max(drawn, key=_sources).text if drawn else None


def _sources(drawn: tasks.Drawn) -> int:
    return len(drawn.sources)


class ScreenedMind:
    """Wraps a language model (``Mind``) and screens all texts it writes."""

    def __init__(self, mind: Mind, settings: ScreenSettings) -> None:
        self._mind = mind
        self._settings = settings

    def form(self, said: Said) -> Told:
        """Extract the facts of a message, masked; those that the screen holds back are refused, with the reason."""
        told = self._mind.form(said)
        seen = [(fact, screen(fact.text, self._settings)) for fact in told.facts]
        held = [one.quarantine for _, one in seen if one.quarantine]
        reasons = [screen(reason, self._settings).text for reason in told.refused]
        facts = tuple(_as_seen(fact, one.text) for fact, one in seen if not one.quarantine)
        return replace(told, facts=facts, refused=(*reasons, *held))

    def merge(self, old: str, new: str) -> str | None:
        """Merge two texts into one; None if the screen holds it back."""
        return self._fit(self._mind.merge(old, new))

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Find the relations of a new memory to others."""
        return self._mind.relate(new, others)

    def route(self, cue: str) -> str | None:
        """Classify the intent of a cue."""
        return self._mind.route(cue)

    def theme(self, texts: Sequence[str]) -> str | None:
        """State what a cluster of memories has in common; None if the screen holds it back."""
        return self._fit(self._mind.theme(texts))

    def pattern(self, texts: Sequence[str]) -> str | None:
        """State the habit behind a cluster of memories; None if the screen holds it back."""
        return self._fit(self._mind.pattern(texts))

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Summarize the memories of a category; None if the screen holds it back."""
        return self._fit(self._mind.summary(category, texts))

    def _fit(self, answer: str | None) -> str | None:
        if answer is None:
            return None
        seen = screen(answer, self._settings)
        return None if seen.quarantine else seen.text


def _as_seen(fact: Stated, text: str) -> Stated:
    """Return the fact with its screened text, and with the names that this still contains."""
    return replace(fact, text=text, names=tuple(name for name in fact.names if name in text))
