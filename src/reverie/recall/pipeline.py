"""The read path: understand, then the recipe's stages in their order, then pack what they chose.

In: a request, the world, and a recipe's stages. Out: a ``Recollection`` and what injecting it strengthens. Nothing is
written here; that is the engine's affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter

from reverie.answers import Hit, Recollection, Step
from reverie.events import Change
from reverie.formulas.tokens import estimated_tokens
from reverie.recall.pack import pack
from reverie.recall.quest import Candidate, Quest, Request, Stage, World
from reverie.recall.strengthen import StrengthenSettings, on_the_tip, strengthen
from reverie.recall.timing import inside
from reverie.recall.understand import understand
from reverie.types import Cue

__all__ = ["Request", "World", "recall"]


@dataclass(frozen=True, slots=True)
class ReadPath:
    """How a recipe recalls: its stages in order, the most it injects, and what a recall strengthens (None: nothing).

    ``decay_at_open``: memories fade and fall asleep first, when a store is opened (C5).
    """

    stages: tuple[Stage, ...]
    limit: int | None = None
    strengthen: StrengthenSettings | None = None
    decay_at_open: bool = False


class Trace:
    """Collects the steps of one recall with the time each took."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._since = perf_counter()

    def note(self, stage: str, note: str) -> None:
        """Close a step."""
        now = perf_counter()
        self.steps.append(Step(stage, note, (now - self._since) * 1000.0))
        self._since = now


def recall(request: Request, world: World, path: ReadPath) -> tuple[Recollection, tuple[Change, ...]]:
    """Answer a request, and say what the answer strengthens."""
    trace = Trace()
    cue = understand(request.text, world.corpus.speaker_names, request.now, request.window)
    trace.note("understand", describe(cue))
    if request.window is not None:
        within = int(inside(world.corpus, request.window).sum())
        trace.note("time", f"filtered to {within} memories said in {request.window.phrase}")
    limit = min(request.top_k, path.limit or request.top_k)
    quest = Quest(request, world, cue, limit, queries=(request.text,))
    for stage in path.stages:
        quest = stage(replace(quest, notes=()))
        trace.note(stage.name, "; ".join(quest.notes))
        if quest.ended:
            break
    injected, withheld = pack(hits(quest.candidates), quest.limit, request.budget_tokens)
    tokens = sum(hit.tokens for hit in injected)
    trace.note("pack", f"{len(injected)} injected, {len(withheld)} withheld, {tokens} tokens")
    changes: tuple[Change, ...] = ()
    if path.strengthen is not None and injected:
        memories = [hit.memory for hit in injected]
        changes = strengthen(memories, world, request.now, path.strengthen)
        tip = on_the_tip(memories, request.now, path.strengthen)
        if changes or tip:
            trace.note(
                "Hebbian", f"{len(changes)} strengthened" + (f"; tip of the tongue: {' '.join(tip)}" if tip else "")
            )
    return _answer(quest, injected, withheld, tuple(trace.steps)), changes


def hits(candidates: Iterable[Candidate]) -> Iterator[Hit]:
    """Candidates as hits, in their order."""
    for place, candidate in enumerate(candidates, start=1):
        yield Hit(
            memory=candidate.memory,
            rank=place,
            score=candidate.score,
            signals=candidate.signals,
            cosine=candidate.cosine,
            tokens=estimated_tokens(candidate.shown or candidate.memory.text),
            withheld=candidate.withheld,
            shown=candidate.shown,
        )


def _answer(quest: Quest, injected: list[Hit], withheld: list[Hit], trace: tuple[Step, ...]) -> Recollection:
    return Recollection(
        cue=quest.cue,
        scope=quest.request.scope,
        at=quest.request.now,
        hits=tuple(injected),
        withheld=tuple(withheld),
        trace=trace,
        tokens=sum(hit.tokens for hit in injected),
        searched=quest.world.corpus.size,
        standing=tuple(hits(quest.hot)),
        intent=quest.intent,
        confidence=quest.confidence,
        ended=quest.ended,
    )


def describe(cue: Cue) -> str:
    """What was understood, in one line."""
    parts = [f"language {cue.language}", f"terms {' '.join(cue.terms) or '(none)'}"]
    if cue.speakers:
        parts.append(f"asks about {', '.join(cue.speakers)}")
    if cue.first_person:
        parts.append("asks about the asker")
    if cue.asks_assistant:
        parts.append("asks what the assistant said")
    if cue.window:
        start, end = cue.window.start.date(), cue.window.end.date()
        parts.append(f"raises what was said {cue.window.phrase}: {start} to {end}")
    return "; ".join(parts)
