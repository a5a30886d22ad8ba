"""Asking a life: what each system brings for each cue, by hand and as a host does, within a budget of tokens.

In: a life and an embedding model. Out: an ``Answer`` a cue, system and way of asking. A cue hears what was said before
it and nothing later. Looking is not using: no cue changes the next one's answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from benchmarks.embedding import SHARED_READS, affordable
from benchmarks.lives.form import Cue, Life
from benchmarks.systems.baselines import Bm25Index
from benchmarks.systems.reverie import message
from benchmarks.values import Haystack, Question
from reverie import FixedClock, Reverie, Scope
from reverie.answers import Hit, Recollection
from reverie.engine.requests import Question as Asked
from reverie.formulas.text_statistics import estimated_tokens
from reverie.ports import Embedder

SCOPE = Scope(agent="benchmark", user="reader", project="lives")
BY_HAND, AUTOMATIC, FILLED = "by hand", "automatic", "filled"
"""Ten places; as a host asks; and the system's own ranking filled to the budget, nothing cut."""
BUDGETS = (150, 300, 600)
DEPTH = 200
MARKS = ("outdated", "superseded")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came: the messages of each place, tokens, and how sure the system is.

    ``marked``: each message that is marked as no longer so, with the newer one that the mark names ("" for none).
    """

    system: str
    way: str
    budget: int
    cue: Cue
    places: tuple[tuple[str, ...], ...]
    marked: frozenset[tuple[str, str]]
    tokens: int
    confidence: float | None = None


def answers(life: Life, embedder: Embedder | None) -> Iterator[Answer]:
    """Every cue by every system: Reverie as it observes, BM25, and cosine where there is a model."""
    yield from _reverie(life, embedder)
    yield from _filled("bm25", life, _by_text(life))
    if embedder is not None:
        yield from _filled("cosine", life, _by_meaning(life, embedder))


def stages(life: Life) -> Iterator[tuple[int, list[Cue]]]:
    """How many messages have been said, and the cues that come then."""
    found: dict[int, list[Cue]] = {}
    for cue in life.cues:
        found.setdefault(cue.heard, []).append(cue)
    yield from sorted(found.items())


def _reverie(life: Life, embedder: Embedder | None) -> Iterator[Answer]:
    clock = FixedClock(datetime.min.replace(tzinfo=UTC))
    known: dict[str, str] = {}
    told = 0
    model = affordable(embedder, (item.text for item in life.items), SHARED_READS)
    with Reverie.open(":memory:", embedder=model, clock=clock, background=False) as engine:
        for heard, cues in stages(life):
            for item in life.items[told:heard]:
                clock.at = item.at
                known[engine.observe(message(item), SCOPE).id] = item.id
            told = heard
            engine.admin.embed()
            for cue in cues:
                clock.at = max(clock.at, cue.at)
                yield from _asked(engine, cue, known)


def _asked(engine: Reverie, cue: Cue, known: Mapping[str, str]) -> Iterator[Answer]:
    plain = engine.explain(cue.text, SCOPE, top_k=DEPTH, budget_tokens=None, now=cue.at).recollection
    yield _answer(cue, BY_HAND, 0, plain, (*plain.standing, *plain.hits), known)
    everything = [*plain.standing, *sorted((*plain.hits, *plain.withheld), key=lambda hit: hit.rank)]
    for budget in BUDGETS:
        host = engine.explain(Asked(cue.text, automatic=True), SCOPE, budget_tokens=budget, now=cue.at).recollection
        yield _answer(cue, AUTOMATIC, budget, host, (*host.standing, *host.hits), known)
        yield _answer(cue, FILLED, budget, plain, _within(everything, budget), known)


def _answer(
    cue: Cue, way: str, budget: int, found: Recollection, hits: Sequence[Hit], known: Mapping[str, str]
) -> Answer:
    sources = {hit.memory.id: _messages(hit, known) for hit in hits}
    marked = {
        (older, newer)
        for hit in hits
        for signal in hit.signals
        if signal.name in MARKS
        for older in sources[hit.memory.id]
        for newer in sources.get(signal.about, (known.get(signal.about, ""),)) or ("",)
    }
    places = tuple(sources[hit.memory.id] for hit in hits)
    tokens = sum(hit.tokens for hit in hits)
    return Answer("reverie", way, budget, cue, places, frozenset(marked), tokens, found.confidence)


def _messages(hit: Hit, known: Mapping[str, str]) -> tuple[str, ...]:
    """The messages a hit stands for."""
    return tuple(known[one] for one in (hit.memory.sources or (hit.memory.id,)) if one in known)


def _within(hits: Sequence[Hit], budget: int) -> list[Hit]:
    """The hits in their order, without what would not fit and what was told by one before."""
    left, told, kept = budget, set[str](), []
    for hit in hits:
        own = set(hit.memory.sources or (hit.memory.id,))
        cost = estimated_tokens(hit.memory.text)
        if cost <= left and not own <= told:
            left -= cost
            told |= own
            kept.append(hit)
    return kept


def _filled(system: str, life: Life, orders: Mapping[str, Sequence[str]]) -> Iterator[Answer]:
    tokens = {item.id: estimated_tokens(item.text) for item in life.items}
    for cue in life.cues:
        order = orders[cue.id]
        whole = tuple((one,) for one in order[:DEPTH])
        yield Answer(system, BY_HAND, 0, cue, whole, frozenset(), 0)
        for budget in BUDGETS:
            left, kept = budget, []
            for one in order:
                if tokens[one] <= left:
                    left -= tokens[one]
                    kept.append((one,))
            yield Answer(system, FILLED, budget, cue, tuple(kept), frozenset(), budget - left)


def _by_text(life: Life) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for heard, cues in stages(life):
        index = Bm25Index(Haystack(life.name, life.language, life.items[:heard], ()))
        found |= {cue.id: index.order(Question(cue.id, cue.text, "all", (), cue.at)) for cue in cues}
    return found


def _by_meaning(life: Life, embedder: Embedder) -> dict[str, list[str]]:
    vectors = embedder.embed_passages([item.text for item in life.items])
    ids = [item.id for item in life.items]
    found = {}
    for cue in life.cues:
        cosines = vectors[: cue.heard] @ embedder.embed_query(cue.text)
        found[cue.id] = [ids[place] for place in (-cosines).argsort(kind="stable")]
    return found
