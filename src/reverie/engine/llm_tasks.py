"""Give the engine a language model for its optional tasks, with its answers checked and screened.

In: a model that answers prompts. Out: the answers in the types of ``ports``; None if there is no usable answer.
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
    """Load the language model that a specification names; None for "none".

    ``path`` is the log's file, which says how many tokens were spent today. ``options`` are the model's limits.

    Raises:
        InvalidSetting: the specification or an option cannot be used.
    """
    spent = tokens_on(path, clock.now().date()) if path is not None else 0
    surroundings = LlmEnvironment(clock, random.SystemRandom().random, told(log), spent_today=spent)
    model = load_language_model(spec, surroundings, **options)
    return None if model is None else LlmMind(model)


def told(log: OpsLog | None) -> Callable[[ModelCall], None]:
    """Return a function that records a model's calls in the log; for a failed call the heuristic took over."""

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
    """Implement the port ``Mind`` with the tasks of ``llm_tasks``."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def merge(self, old: str, new: str) -> str | None:
        """Combine two texts into one that keeps every fact of both."""
        return _or_none(tasks.merge(self._model, old, new))

    def form(self, said: Said) -> Told:
        """Extract the facts that a message supports, and the reasons others were refused."""
        formed = tasks.form(self._model, said.text, said.at, said.speaker, said.before)
        return Told(failed=formed.why.value) if isinstance(formed, Failed) else _borne(formed, said)

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Relate a new memory to others."""
        links = _or_none(tasks.relate(self._model, new, others))
        return (
            None if links is None else tuple(Bond(one.other, one.kind, one.from_new, one.confidence) for one in links)
        )

    def route(self, cue: str) -> str | None:
        """Classify the intent of a cue."""
        routed = _or_none(tasks.route(self._model, cue))
        return None if routed is None else routed.intent

    def theme(self, texts: Sequence[str]) -> str | None:
        """State what the memories of a cluster have in common; of several themes, the one with the most sources."""
        return _widest(_or_none(tasks.themes(self._model, texts)))

    def pattern(self, texts: Sequence[str]) -> str | None:
        """State the habit that a cluster of memories shows."""
        return _widest(_or_none(tasks.patterns(self._model, texts)))

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Summarise a category in a few sentences."""
        return _or_none(tasks.summary(self._model, Kind(category), texts))


class OneMessage:
    """Use a language model for one message: after the first call without an answer it is not called again.

    Otherwise an endpoint that is down would cost a message one deadline for each call.
    """

    def __init__(self, mind: FormingMind) -> None:
        self._mind = mind
        self._is_down = False

    def form(self, said: Said) -> Told:
        """Extract the facts of a message."""
        told = self._mind.form(said)
        self._is_down = bool(told.failed)
        return told

    def merge(self, old: str, new: str) -> str | None:
        """Combine two texts, or return None once the model has failed."""
        return None if self._is_down else self._noted(self._mind.merge(old, new))

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Relate a new memory to others, or return None once the model has failed."""
        return None if self._is_down else self._noted(self._mind.relate(new, others))

    def _noted(self, answer: T | None) -> T | None:
        self._is_down = answer is None
        return answer


def _or_none(answer: T | Failed) -> T | None:
    return None if isinstance(answer, Failed) else answer


def _borne(formed: tasks.DrawnMemory, said: Said) -> Told:
    """Keep the facts that the message supports; a kind or an end found for the whole message applies to a sole fact."""
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
    """Return what has an end, and when: each plan, and a sole fact."""
    found = [(plan.text, plan.until) for plan in formed.foresight]
    alone = dict.fromkeys(formed.atomic_facts)
    if len(alone) == 1 and formed.valid_until is not None:
        found += [(fact, formed.valid_until) for fact in alone]
    return tuple(found)


def _widest(drawn: Sequence[tasks.Drawn] | None) -> str | None:
    """Return the text with the most sources; among equals the first."""
    return max(drawn, key=_sources).text if drawn else None


def _sources(drawn: tasks.Drawn) -> int:
    return len(drawn.sources)


class ScreenedMind:
    """A language model (``Mind``) whose answers pass the screen before they are used."""

    def __init__(self, mind: Mind, settings: ScreenSettings) -> None:
        self._mind = mind
        self._settings = settings

    def form(self, said: Said) -> Told:
        """Extract facts; those the screen would quarantine are refused, with the reason."""
        told = self._mind.form(said)
        seen = [(fact, screen(fact.text, self._settings)) for fact in told.facts]
        held = [one.quarantine for _, one in seen if one.quarantine]
        reasons = [screen(reason, self._settings).text for reason in told.refused]
        facts = tuple(_as_seen(fact, one.text) for fact, one in seen if not one.quarantine)
        return replace(told, facts=facts, refused=(*reasons, *held))

    def merge(self, old: str, new: str) -> str | None:
        """Combine two texts into one that keeps every fact of both."""
        return self._fit(self._mind.merge(old, new))

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Relate a new memory to others."""
        return self._mind.relate(new, others)

    def route(self, cue: str) -> str | None:
        """Classify the intent of a cue."""
        return self._mind.route(cue)

    def theme(self, texts: Sequence[str]) -> str | None:
        """State what the memories of a cluster have in common."""
        return self._fit(self._mind.theme(texts))

    def pattern(self, texts: Sequence[str]) -> str | None:
        """State the habit that a cluster of memories shows."""
        return self._fit(self._mind.pattern(texts))

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Summarise a category in a few sentences."""
        return self._fit(self._mind.summary(category, texts))

    def _fit(self, answer: str | None) -> str | None:
        if answer is None:
            return None
        seen = screen(answer, self._settings)
        return None if seen.quarantine else seen.text


def _as_seen(fact: Stated, text: str) -> Stated:
    """Return the fact with its screened text and the names that remain in it."""
    return replace(fact, text=text, names=tuple(name for name in fact.names if name in text))
