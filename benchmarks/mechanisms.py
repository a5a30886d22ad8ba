"""The mechanisms of ``reverie``, each as what a recipe is without it; and those of other recipes that can be put in.

In: a recipe. Out: the recipe with one thing changed. Stages are known by the names they bear in a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from math import inf
from types import MappingProxyType
from typing import Any, TypeAlias

from reverie.consolidate.settings import StepName
from reverie.recipes.recipe import OwnRecipe, recipe

Alter: TypeAlias = Callable[[OwnRecipe], OwnRecipe]


def _without_steps(*names: StepName) -> Alter:
    def alter(of: OwnRecipe) -> OwnRecipe:
        return replace(of, dream=replace(of.dream, order=tuple(name for name in of.dream.order if name not in names)))

    return alter


def _without_stages(*names: str) -> Alter:
    def alter(of: OwnRecipe) -> OwnRecipe:
        kept = tuple(stage for stage in of.recall.stages if stage.name not in names)
        return replace(of, recall=replace(of.recall, stages=kept))

    return alter


def _both(first: Alter, second: Alter) -> Alter:
    return lambda of: second(first(of))


def _muted(*names: str) -> Alter:
    """The default's own search, these signals counting nothing."""

    def alter(of: OwnRecipe) -> OwnRecipe:
        stages = tuple(_reset(stage, names) for stage in of.recall.stages)
        return replace(of, recall=replace(of.recall, stages=stages))

    return alter


def _without_neighbours(of: OwnRecipe) -> OwnRecipe:
    """What is said before and after lends nothing."""
    numbers = {"neighbour": 0.0, "second_neighbour": 0.0, "meaning_neighbour": 0.0}
    stages = tuple(_reset(stage, ("window",), **numbers) for stage in of.recall.stages)
    return replace(of, recall=replace(of.recall, stages=stages))


def _reset(stage: Any, muted: Collection[str], **numbers: float) -> Any:
    """The search with these signals muted beside those that are; any other stage as it is."""
    if stage.name != "search":
        return stage
    return replace(
        stage, settings=replace(stage.settings, muted=frozenset(muted).union(stage.settings.muted or ()), **numbers)
    )


def _encode(**parts: object) -> Alter:
    def alter(of: OwnRecipe) -> OwnRecipe:
        return replace(of, encode=replace(of.encode, **parts))  # type: ignore[arg-type]  # named where it is called

    return alter


def _gate(**parts: object) -> Alter:
    def alter(of: OwnRecipe) -> OwnRecipe:
        gate = of.encode.gate
        other = None if gate is None else replace(gate, **parts)  # type: ignore[arg-type]  # named where it is called
        return replace(of, encode=replace(of.encode, gate=other))

    return alter


def _unmerged(of: OwnRecipe) -> OwnRecipe:
    """What is said again, or says more of the same, is formed as if it were new; what it takes back still goes."""
    gate = of.encode.gate
    return of if gate is None else _gate(edges=replace(gate.edges, create=inf))(of)


MECHANISMS: Mapping[str, Alter] = MappingProxyType(
    {
        "text": _muted("text", "window", "coverage"),
        "meaning": _muted("meaning", "own meaning", "second likeness", "second meaning"),
        "second model": _muted("second likeness", "second meaning"),
        "context reinstatement": _without_neighbours,
        "speaker weight": _muted("speaker"),
        "roles": _muted("user", "assistant", "device"),
        "time weight": _muted("time", "dated"),
        "telling": _muted("telling"),
        "length": _muted("length", "size"),
        "recency": _muted("recency"),
        "answerable": _without_stages("answerable", "answer gate"),
        "opposed": _without_stages("opposed"),
        "echoes": _without_stages("echoes"),
        "repeats": _without_stages("repeats"),
        "collapse": _without_stages("collapse"),
        "outdated": _without_stages("outdated"),
        "updates": _without_stages("updates"),
        "company": _without_stages("company"),
        "pre-gate": _without_stages("pre-gate"),
        "hot tier": _both(_without_stages("hot tier"), _without_steps(StepName.HOT)),
        "standing orders": _without_stages("standing orders"),
        "gate": _encode(gate=None),
        "merging": _unmerged,
        "relations": _encode(relate=None),
        "dream merging": _without_steps(StepName.REDUNDANCY),
        "themes": _without_steps(StepName.CLUSTERING, StepName.CONSOLIDATION, StepName.ABSTRACTION),
        "trimming": _without_steps(StepName.TRIMMING),
        "resting": _without_steps(StepName.RESTING),
    }
)
"""What ``reverie`` has: name → the recipe without it."""


AT_NIGHT = (
    "hot tier",
    "tier decay",
    "emotional consolidation",
    "synaptic replay",
    "tiers",
    "utility drift",
    "rehearsal",
    "foresight expiry",
    "forgetting",
    "dream merging",
    "summaries",
    "themes",
    "trimming",
    "resting",
)
"""Of all, what happens in a dream alone: not by itself, but when somebody asks for one or schedules it."""


def _borrowed(name: str, after: str) -> Alter:
    """A stage of document D's recipe, put behind a stage of ours."""

    def alter(of: OwnRecipe) -> OwnRecipe:
        stages = list(of.recall.stages)
        place = next((n for n, stage in enumerate(stages, start=1) if stage.name == after), len(stages))
        return replace(of, recall=replace(of.recall, stages=(*stages[:place], _v9(name), *stages[place:])))

    return alter


def _v9(name: str) -> Any:
    """The stage of document D's recipe that bears a name, also inside another."""
    waiting: list[Any] = list(recipe("v9").recall.stages)
    for stage in waiting:
        if stage.name == name:
            return stage
        waiting += getattr(stage, "stages", ())
    raise LookupError(name)


def _strengthened(**without: float) -> Alter:
    """Document D's law of what a recall strengthens, with the default's ten neighbours at most, less some of it."""

    def alter(of: OwnRecipe) -> OwnRecipe:
        law = recipe("v9").recall.strengthen
        assert law is not None
        own = replace(law, **{"neighbours": 10, **without})  # type: ignore[arg-type]  # shares, named where it is called
        return replace(of, recall=replace(of.recall, strengthen=own))

    return alter


def _encoded(part: str) -> Alter:
    """A part of document D's write path."""
    return lambda of: _encode(**{part: getattr(recipe("v9").encode, part)})(of)


def _dreamt(part: str, name: StepName) -> Alter:
    """A step of document D's dream, before the first of ours that comes behind it there."""

    def alter(of: OwnRecipe) -> OwnRecipe:
        theirs, order = recipe("v9").dream, of.dream.order
        behind = theirs.order[theirs.order.index(name) + 1 :]
        place = next((at for at, one in enumerate(order) if one in behind), len(order))
        whole = (*order[:place], name, *order[place:])
        return replace(of, dream=replace(of.dream, order=whole, **{part: getattr(theirs, part)}))

    return alter


def _appending(of: OwnRecipe) -> OwnRecipe:
    """What adds to a memory is appended to it, as in document D's recipe."""
    law = recipe("v9").encode.gate
    assert law is not None
    return _gate(merging=law.merging)(of)


BORROWED: Mapping[str, Alter] = MappingProxyType(
    {
        "confidence bands": _borrowed("confidence bands", "search"),
        "MMR": _borrowed("diversify", "search"),
        "activation and importance in the ranking": _borrowed("activation", "search"),
        "entity boost": _borrowed("entity boost", "search"),
        "co-activation": _borrowed("co-activation", "search"),
        "mood": _borrowed("mood", "search"),
        "utility in the ranking": _borrowed("utility boost", "search"),
        "source confidence": _borrowed("source confidence", "search"),
    }
)
"""Stages of document D's read path that ``reverie`` does not have: name → the recipe with it."""

ADDED: Mapping[str, Alter] = MappingProxyType(
    {
        **BORROWED,
        "strengthening on access": _strengthened(),
        "Hebbian": _strengthened(spreading=0.0, easy=0.0, hard=0.0),
        "spreading activation": _strengthened(hebbian=0.0, easy=0.0, hard=0.0),
        "storage strength": _strengthened(hebbian=0.0, spreading=0.0),
        "appending": _appending,
        "tier decay": _dreamt("tier_decay", StepName.TIER_DECAY),
        "emotional consolidation": _dreamt("emotion", StepName.EMOTION),
        "synaptic replay": _dreamt("replay", StepName.REPLAY),
        "tiers": _dreamt("tiers", StepName.TIERS),
        "utility drift": _dreamt("drift", StepName.DRIFT),
        "rehearsal": _dreamt("rehearsal", StepName.REHEARSAL),
        "foresight expiry": _dreamt("foresight", StepName.FORESIGHT),
        "forgetting": _dreamt("forgetting", StepName.FORGETTING),
        "summaries": _dreamt("summaries", StepName.SUMMARIES),
        "importance": _encoded("weigh"),
        "flashbulb": _encoded("flashbulb"),
        "tag and capture": _encoded("tag"),
    }
)
"""All that ``reverie`` does not have. What is no stage, it had, until the long run found no use for it (0018, 0037)."""


def without(name: str) -> OwnRecipe:
    """``reverie`` without a mechanism, and without a limit."""
    ours = recipe("reverie")
    return MECHANISMS[name](OwnRecipe(ours.name, ours.recall, ours.encode, ours.dream, ours.working))


def bare(of: OwnRecipe) -> OwnRecipe:
    """The recipe without any mechanism but search by words and by meaning: what each is put into alone."""
    for name, alter in MECHANISMS.items():
        if name not in ("text", "meaning"):
            of = alter(of)
    return of


def alone(name: str, of: OwnRecipe) -> OwnRecipe:
    """The bare recipe with one mechanism put in."""
    for other, alter in MECHANISMS.items():
        if other not in (name, "text", "meaning") and not _contains(name, other):
            of = alter(of)
    return of


def _contains(name: str, other: str) -> bool:
    """Whether taking ``other`` out would take ``name`` with it."""
    return (name, other) == ("merging", "gate")
