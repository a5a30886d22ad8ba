"""Search as the vault does it (B8): cosine TF-IDF, times importance, times freshness. No vectors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from reverie.formulas import tfidf
from reverie.formulas.freshness import freshness
from reverie.formulas.max_age import Extension, effective_max_age
from reverie.language.analyzer import index_terms
from reverie.recall.held import held_at
from reverie.recall.quest import Candidate, Quest, ordered
from reverie.types import Kind, Memory


@dataclass(frozen=True, slots=True)
class Tfidf:
    """The vault's search over what is important enough and not past its age.

    Attributes:
        max_age_days: by kind; ``other_age_days`` for the rest.
        extensions: how importance lengthens it.
        floor: importance must lie above it.
        least: freshness at the end of the age.
        most: memories read for their words, the newest of those that share a term.
    """

    max_age_days: tuple[tuple[Kind, float], ...]
    other_age_days: float
    extensions: tuple[Extension, ...]
    floor: float
    least: float
    most: int
    name: str = "tf-idf"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, best first."""
        corpus, among = quest.world.corpus, held_at(quest.world.corpus, quest.request)
        asked = Counter(index_terms(quest.queries[0]))
        postings = {term: corpus.postings(term).ordinals for term in asked}
        found = [ordinals for ordinals in postings.values() if len(ordinals)]
        if not found:
            return replace(quest, candidates=[]).noted("no term occurs")
        ordinals = np.unique(np.concatenate(found))
        ordinals = (ordinals if among is None else ordinals[among[ordinals]])[-self.most :]
        memories = corpus.fetch(ordinals.tolist())
        scored = [self._scored(int(o), m, asked, quest) for o, m in zip(ordinals, memories, strict=True)]
        kept = [candidate for candidate in scored if candidate is not None]
        return replace(quest, candidates=ordered(kept)).noted(f"{len(kept)} of {len(memories)} are searchable")

    def _scored(self, ordinal: int, memory: Memory, asked: Counter[str], quest: Quest) -> Candidate | None:
        importance = memory.standing.importance
        age_days = (quest.request.now - memory.recorded_at).total_seconds() / 86_400.0
        declared = dict(self.max_age_days).get(memory.kind, self.other_age_days)
        limit = effective_max_age(declared, importance, self.extensions)
        if not tfidf.is_searchable(importance, age_days, limit, self.floor):
            return None
        counts = Counter(index_terms(memory.text))
        corpus = quest.world.corpus
        idfs = {term: tfidf.idf(len(corpus.postings(term).ordinals), corpus.size) for term in {*counts, *asked}}
        fresh = freshness(age_days, limit, self.least)
        score = tfidf.score(tfidf.weighted(asked, idfs), tfidf.weighted(counts, idfs), importance, fresh)
        return Candidate(ordinal, memory, 0.0).rescored("tf-idf", score, score)
