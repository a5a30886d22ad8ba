"""The read path on one screen: understand → compare meaning → search → fuse → diversify → pack.

In: a request and a corpus. Out: a ``Recollection``. Nothing is written here; counting what was injected is the
engine's affair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

from reverie.formulas.tokens import estimated_tokens
from reverie.ports import Corpus
from reverie.recall.diversify import Repeats
from reverie.recall.fuse import Fused, fuse
from reverie.recall.pack import pack
from reverie.recall.search import Found, search
from reverie.recall.settings import RecallSettings
from reverie.recall.timing import inside
from reverie.recall.understand import understand
from reverie.types import BoolArray, Cue, FloatArray, Hit, Recollection, Scope, Step, TimeWindow


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller asks: the cue's text, its scope, as of when, how much, and a time window that filters.

    ``vector`` is the cue's, of the corpus's model; None with the reason in ``no_vector``: by text alone.
    """

    text: str
    scope: Scope
    now: datetime
    top_k: int
    budget_tokens: int | None
    window: TimeWindow | None = None
    vector: FloatArray | None = None
    no_vector: str = "no model"


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


def recall(request: Request, corpus: Corpus, settings: RecallSettings) -> Recollection:
    """Answer a request from one corpus."""
    trace = Trace()
    cue = understand(request.text, corpus.speaker_names, request.now, request.window)
    trace.note("understand", describe(cue))
    vector = comparable(request, corpus, settings, trace)
    among = holding(corpus, request, trace)
    found = search(corpus, cue, vector, among, settings)
    trace.note("search", describe_search(found, corpus))
    fused = fuse(corpus, cue, found, settings)
    injected, withheld = pack(rank(fused, corpus, request.top_k, vector), request.top_k, request.budget_tokens)
    tokens = sum(hit.tokens for hit in injected)
    trace.note("pack", f"{len(injected)} injected, {len(withheld)} withheld, {tokens} tokens")
    return Recollection(
        cue=cue,
        scope=request.scope,
        at=request.now,
        hits=tuple(injected),
        withheld=tuple(withheld),
        trace=tuple(trace.steps),
        tokens=tokens,
        searched=corpus.size,
    )


def comparable(request: Request, corpus: Corpus, settings: RecallSettings, trace: Trace) -> FloatArray | None:
    """The cue's vector, or None where meaning cannot be compared; the trace says why."""
    if request.vector is None:
        trace.note("meaning", f"skipped: {request.no_vector}")
    elif not request.vector.any():
        trace.note("meaning", "skipped: nothing in the text to embed")
    elif corpus.embedded < settings.embedded_share * corpus.size:
        trace.note("meaning", f"skipped: only {corpus.embedded} of {corpus.size} memories are embedded yet")
    else:
        trace.note("meaning", f"compared in {len(request.vector)} dimensions")
        return request.vector
    return None


def holding(corpus: Corpus, request: Request, trace: Trace) -> BoolArray | None:
    """Which memories may come: those that hold now and, where the caller set a window, lie in it."""
    among = corpus.recallable(request.now)
    if request.window is None:
        return among
    within = inside(corpus, request.window)
    trace.note("time", f"filtered to {int(within.sum())} memories said in {request.window.phrase}")
    return within if among is None else among & within


def rank(fused: Fused, corpus: Corpus, top_k: int, vector: FloatArray | None) -> Iterator[Hit]:
    """The candidates as hits, best first, read from the store a handful at a time as packing asks for them.

    A word-for-word repeat of a better one is marked as withheld. The raw cosine is compared here, for what is shown.
    """
    repeats = Repeats()
    order = fused.order()
    for start in range(0, len(order), top_k):
        rows = order[start : start + top_k]
        ordinals = fused.ordinals[rows]
        memories = corpus.fetch(ordinals.tolist())
        cosines = [None] * len(rows) if vector is None else corpus.cosines(vector, ordinals).tolist()
        for place, (row, memory, cosine) in enumerate(zip(rows, memories, cosines, strict=True), start=start + 1):
            earlier = repeats.of(memory, place)
            yield Hit(
                memory=memory,
                rank=place,
                score=float(fused.scores[row]),
                signals=fused.signals(int(row)),
                cosine=cosine,
                tokens=estimated_tokens(memory.text),
                withheld="" if earlier is None else f"repeats number {earlier}",
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


def describe_search(found: Found, corpus: Corpus) -> str:
    """What the searches brought, in one line."""
    left_out = f"; too common: {' '.join(found.dropped)}" if found.dropped else ""
    return f"{len(found.ordinals)} candidates of {corpus.size} memories{left_out}"
