"""Recipe ``ocean``: document B's search, encoding and maintenance.

Search is TF-IDF cosine × importance × freshness, without vectors. All memories start equal, and importance is
earned. Differences from the document: docs/vault.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from reverie.consolidate.settings import DreamSettings, Earning, Retention, Sharing, StepName, SweepSettings
from reverie.encode.settings import EncodeSettings
from reverie.formulas import text_similarity
from reverie.formulas.freshness import Extension, declared_days, effective_max_age, freshness
from reverie.language.text.analyzer import index_terms
from reverie.ports import Corpus
from reverie.recall.deduplication import BelowFormed
from reverie.recall.pipeline import ReadPath
from reverie.recall.search import best
from reverie.recall.state import Candidate, RecallState, held_at, ordered
from reverie.recipes.published import ocean_numbers
from reverie.types import BoolArray, FloatArray, Kind, Memory

# Document B's age classes (B5), assigned to kinds; recall and sweep use the same.


AGES = (
    (Kind.EPISODE, 14.0),  # only its freshness fades: it is never swept and always found (reading 26)
    (Kind.PLAN, 14.0),
    (Kind.INTENTION, 14.0),
    (Kind.FACT, 30.0),
    (Kind.DECISION, 90.0),
    (Kind.PREFERENCE, 90.0),
    (Kind.CORRECTION, 180.0),
    (Kind.INSTRUCTION, inf),
    (Kind.SKILL, inf),
)
"""Maximum age in days, by kind."""

OTHER_DAYS = 30.0
"""Maximum age of all other kinds."""


# Search as in the vault (B8).


@dataclass(frozen=True, slots=True)
class Tfidf:
    """Stage: the vault's search over memories that are important enough and not past their age."""

    max_age_days: tuple[tuple[Kind, float], ...]
    other_age_days: float
    extensions: tuple[Extension, ...]
    floor: float
    least: float
    most: int
    name: str = "tf-idf"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with the candidates, best first."""
        corpus, asked = quest.world.corpus, Counter(index_terms(quest.queries[0]))
        weigh = _Idfs(corpus)
        ordinals = best(_roughly(corpus, asked, weigh, held_at(corpus, quest.request)), self.most)
        memories = corpus.fetch(ordinals.tolist())
        wanted = text_similarity.weighted(asked, weigh.of(asked))
        kept: list[Candidate] = []
        for ordinal, memory in zip(ordinals.tolist(), memories, strict=True):
            fresh = self._freshness(memory, quest)
            if fresh is None:
                continue
            counts = Counter(index_terms(memory.text))
            importance = memory.standing.importance
            score = text_similarity.score(wanted, text_similarity.weighted(counts, weigh.of(counts)), importance, fresh)
            if score > 0.0:
                kept.append(Candidate(ordinal, memory, 0.0).rescored("tf-idf", score, score))
        return replace(quest, candidates=ordered(kept)).noted(f"{len(kept)} of {len(memories)} are searchable")

    def _freshness(self, memory: Memory, quest: RecallState) -> float | None:
        """Return freshness, or None if search ignores the memory. Episodes are always found (reading 26)."""
        importance = memory.standing.importance
        age_days = (quest.request.now - memory.aged_from).total_seconds() / 86_400.0
        of_class = dict(self.max_age_days).get(memory.kind, self.other_age_days)
        declared = declared_days(memory.standing.tags, of_class)
        limit = effective_max_age(declared, importance, self.extensions)
        if text_similarity.is_searchable(importance, age_days, limit, self.floor):
            return freshness(age_days, limit, self.least)
        return self.least if memory.kind is Kind.EPISODE else None


class _Idfs:
    """Weights of terms in one corpus, cached for a recall."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known: dict[str, float] = {}

    def of(self, terms: Iterable[str]) -> dict[str, float]:
        """Return term → idf."""
        return {term: self._of(term) for term in terms}

    def _of(self, term: str) -> float:
        known = self._known.get(term)
        if known is None:
            known = text_similarity.idf(len(self._corpus.postings(term).ordinals), self._corpus.size)
            self._known[term] = known
        return known


def _roughly(corpus: Corpus, asked: Counter[str], weigh: _Idfs, among: BoolArray | None) -> FloatArray:
    """Approximate the cosine (n,) from the index: shared weight divided by the root of the length."""
    scores = np.zeros(corpus.size, np.float32)
    for term, weight in weigh.of(asked).items():
        found = corpus.postings(term)
        scores[found.ordinals] += np.float32(asked[term] * weight * weight) * found.counts
    scores /= np.sqrt(np.maximum(corpus.lengths, 1.0))
    if among is not None:
        scores[~among] = 0.0
    return scores


# Recall of ``ocean``: document B, with the differences listed in docs/vault.md.


RECALL = ReadPath(
    stages=(
        Tfidf(
            max_age_days=AGES,
            other_age_days=OTHER_DAYS,
            extensions=ocean_numbers.EXTENSIONS,
            floor=ocean_numbers.SEARCH_FLOOR,
            least=ocean_numbers.LEAST_FRESHNESS,
            most=500,
        ),
        BelowFormed(),  # reading 26
    ),
)


# Encoding of ``ocean``: all memories start equal.


ENCODE = EncodeSettings(importance=ocean_numbers.START, utility=0.5, stability_days=1.0, accesses=0)
"""B3: importance starts at .5; utility and stability are the engine's neutral values."""


# Dream of ``ocean``: document B's references, sweep and promotion, in the order of reading 15.


DREAM = DreamSettings(
    period_hours=24.0,  # B3
    order=(StepName.EARNING, StepName.SWEEP, StepName.SHARING),  # reading 15
    earning=Earning(table=ocean_numbers.TABLE, neglect=ocean_numbers.NEGLECT),
    sweep=SweepSettings(
        ages=Retention(for_good=(), days=AGES, other_days=OTHER_DAYS),
        extensions=ocean_numbers.EXTENSIONS,
        edges=ocean_numbers.EDGES,
        extend_by=ocean_numbers.EXTEND_BY,
    ),
    sharing=Sharing(
        edges=ocean_numbers.SHARED_FROM,
        asked_tag="promote",
        done_tag="promoted",
    ),
)
