"""The read path: parse the cue, run the recipe's stages in order, and pack the candidates into the token budget.

In: a request, the context, and a recipe's stages. Out: a ``Recollection``, and the changes of the memories that it
strengthens. Nothing is written here; the engine does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from reverie.answers import Hit, Recollection, Step
from reverie.events import Change
from reverie.formulas.text_statistics import estimated_tokens
from reverie.recall import granted
from reverie.recall.query import inside, understand
from reverie.recall.rerank import SIGNAL, Rerank
from reverie.recall.settings import CondenseSettings
from reverie.recall.state import Candidate, Page, RecallContext, RecallState, Request, Stage
from reverie.recall.strengthen import StrengthenSettings, on_the_tip, strengthen
from reverie.types import Cue


def pack(
    hits: Iterable[Hit], top_k: int, budget_tokens: int | None, condense: CondenseSettings | None = None
) -> tuple[list[Hit], list[Hit]]:
    """Split ranked hits into injected (at most ``top_k``, together within the budget) and withheld.

    A hit that does not fit is withheld and the next one tried. Packing stops after ``top_k`` injected hits, or after
    more than ``top_k`` withheld ones. Hits that were withheld before stay withheld. With ``condense``, the room that is
    left then goes to digests of hits that did not fit, best first.
    """
    injected: list[Hit] = []
    withheld: list[Hit] = []
    left = budget_tokens
    for hit in hits:
        if hit.withheld:
            withheld.append(hit)
        elif left is not None and hit.tokens > left:
            withheld.append(replace(hit, withheld=f"{_TOO_LONG}: {hit.tokens} tokens, {left} left"))
        else:
            injected.append(hit)
            left = None if left is None else left - hit.tokens
        if len(injected) == top_k or len(withheld) > top_k:
            break
    return (injected, withheld) if condense is None else _filled(injected, withheld, top_k, left or 0, condense)


_TOO_LONG = "does not fit"


def _filled(
    injected: list[Hit], withheld: list[Hit], top_k: int, room_tokens: int, settings: CondenseSettings
) -> tuple[list[Hit], list[Hit]]:
    """Return the injected hits with digests of those that did not fit, and the hits that stay withheld."""
    too_long = [hit for hit in withheld if hit.withheld.startswith(_TOO_LONG)]
    short = list(_condensed(too_long, top_k - len(injected), room_tokens, settings))
    placed = {hit.rank for hit in short}
    kept = [hit for hit in withheld if hit.rank not in placed]
    return sorted([*injected, *short], key=lambda hit: hit.rank), kept


def _condensed(hits: Sequence[Hit], most: int, room_tokens: int, settings: CondenseSettings) -> Iterator[Hit]:
    """Yield hits that show the digest of their memory, as long as there is room.

    The memory's id is the pointer: ``memory`` and ``admin.expand`` return its words.
    """
    from reverie.language.digest import Source, digest

    for hit in hits[: max(0, most)]:
        if room_tokens < settings.least_tokens:
            return
        made = digest([Source(hit.memory.id, hit.shown or hit.memory.text)], room_tokens)
        text = " ".join(one.text for one in made.statements)
        tokens = estimated_tokens(text)
        if text and tokens <= room_tokens:
            yield replace(hit, shown=text, tokens=tokens, withheld="")
            room_tokens -= tokens


@dataclass(frozen=True, slots=True)
class ReadPath:
    """The recall settings of a recipe: its stages in order, its limits, and what a recall strengthens.

    Attributes:
        stages: in the order in which they run.
        limit: hits on the first page, and the number of hits where the caller sets no limit.
        automatic_limit: number of hits of an automatic recall; None: ``limit``.
        looked: number of first candidates that are compared pairwise (``Page``).
        same: a formed memory of at least this share of its episode's length makes the episode a repeat (``Page``).
        strengthen: how a recall changes the memories it injects; None: not at all.
        condense: how a hit that does not fit the budget is injected as a digest (decision 0075); None: not at all.
        decay_at_open: whether the first use of a scope after opening lets its memories fade and become dormant.
        reads_counts: whether an answer depends on access counts, so that each recall is counted before the next.
    """

    stages: tuple[Stage, ...]
    limit: int = 10
    automatic_limit: int | None = None
    looked: int = 40
    same: float = 0.6
    strengthen: StrengthenSettings | None = None
    condense: CondenseSettings | None = None
    decay_at_open: bool = False
    reads_counts: bool = True

    @property
    def page(self) -> Page:
        """The limits that several stages share."""
        return Page(self.limit, self.looked, self.same)

    @property
    def reranks(self) -> bool:
        """Whether one of the stages is a reranker."""
        return any(isinstance(stage, Rerank) for stage in self.stages)

    def through(self, world: RecallContext) -> Iterator[Stage]:
        """Yield the stages to run in a context; without a reranker, its stage is left out, even of the trace."""
        return (stage for stage in self.stages if world.read is not None or not isinstance(stage, Rerank))

    def wanted(self, request: Request) -> int:
        """Return the greatest number of hits that a request gets."""
        own = self.automatic_limit if request.automatic else None
        return request.top_k or own or self.limit


class Trace:
    """Collects the steps of one recall with the time each took."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._since = perf_counter()

    def note(self, stage: str, note: str) -> None:
        """Add a step to the trace; it ends now and began when the step before ended."""
        now = perf_counter()
        self.steps.append(Step(stage, note, (now - self._since) * 1000.0))
        self._since = now


def recall(request: Request, world: RecallContext, path: ReadPath) -> tuple[Recollection, tuple[Change, ...]]:
    """Answer a request, and return with the answer the changes by which it strengthens memories."""
    trace = Trace()
    cue = understand(request.text, world.corpus.speaker_names, request.now, request.window)
    trace.note("understand", describe(cue))
    if request.window is not None:
        within = int(inside(world.corpus, request.window).sum())
        trace.note("time", f"filtered to {within} memories said in {request.window.phrase}")
    quest = RecallState(request, world, cue, path.wanted(request), (request.text,), path.page)
    for stage in path.through(world):
        told, was_empty = len(quest.notes), quest.candidates == ()
        quest = stage(quest)
        trace.note(stage.name, "; ".join(quest.notes[told:]))
        if world.own is not None and was_empty and quest.candidates != ():
            quest = granted.weighed(quest, world.own, world.outlived_there)
        if quest.ended:
            break
    if world.own is not None:
        quest = granted.weighed_again(quest, world.own)
    if world.read is not None and not path.reranks:
        trace.note(SIGNAL, "skipped: the recipe has no place for a reranker")
    packed = _packed(quest, path.condense)
    trace.note("pack", packed.note)
    changes = _strengthened(packed.injected, quest, path.strengthen, trace) if path.strengthen else ()
    return _answer(quest, packed, tuple(trace.steps)), changes


@dataclass(frozen=True, slots=True)
class _Packed:
    """The hits that are injected, those that are withheld, and those that are injected for every cue."""

    injected: list[Hit]
    withheld: list[Hit]
    standing: list[Hit]

    @property
    def tokens(self) -> int:
        return sum(hit.tokens for hit in (*self.injected, *self.standing))

    @property
    def note(self) -> str:
        beside = f", {len(self.standing)} stand beside" if self.standing else ""
        return f"{len(self.injected)} injected, {len(self.withheld)} withheld{beside}, {self.tokens} tokens"


def _packed(quest: RecallState, condense: CondenseSettings | None) -> _Packed:
    """Fill the budget with the memories for every cue first, then with the candidates; inject none of them twice."""
    budget = quest.request.budget_tokens
    standing = pack(hits(quest.hot), len(quest.hot), budget)[0] if quest.hot else []
    left = None if budget is None else budget - sum(hit.tokens for hit in standing)
    injected, withheld = pack(hits(quest.candidates, quest.world.own), quest.limit, left, condense)
    found = {hit.memory.id for hit in injected}
    return _Packed(injected, withheld, [hit for hit in standing if hit.memory.id not in found])


def _strengthened(
    injected: Sequence[Hit], quest: RecallState, law: StrengthenSettings, trace: Trace
) -> tuple[Change, ...]:
    """Return the changes for the injected hits, without those for every cue: these were not retrieved."""
    memories, now = [hit.memory for hit in injected if hit.origin is None], quest.request.now
    changes = strengthen(memories, quest.world, now, law)
    tip = on_the_tip(memories, now, law)
    if changes or tip:
        told = f"; tip of the tongue: {' '.join(tip)}" if tip else ""
        trace.note("Hebbian", f"{len(changes)} strengthened{told}")
    return changes


def hits(candidates: Iterable[Candidate], own: int | None = None) -> Iterator[Hit]:
    """Convert candidates to hits in their order, with ranks from 1; those of ordinals from ``own`` on are granted."""
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
            origin=None if own is None or candidate.ordinal < own else candidate.memory.scope,
        )


def _answer(quest: RecallState, packed: _Packed, trace: tuple[Step, ...]) -> Recollection:
    return Recollection(
        cue=quest.cue,
        scope=quest.request.scope,
        at=quest.request.now,
        hits=tuple(packed.injected),
        withheld=tuple(packed.withheld),
        trace=trace,
        tokens=packed.tokens,
        searched=quest.world.corpus.size,
        standing=tuple(packed.standing),
        intent=quest.intent,
        confidence=quest.confidence,
        grounds=quest.grounds,
        traits=quest.traits,
        ended=quest.ended,
        gated=quest.gated and not packed.injected,
    )


def describe(cue: Cue) -> str:
    """Describe in one line for the trace how a cue was parsed."""
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
