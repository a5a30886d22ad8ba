"""Signals: the default's own search: text, meaning, speaker, time and more, weighed for the cue (decision 0051).

In: a quest. Out: candidates read from the store a handful at a time, as later stages ask for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reverie.ports import Corpus
from reverie.recall.embed import asked_vector
from reverie.recall.fuse import Fused, fuse
from reverie.recall.held import held_at, known_at
from reverie.recall.quest import Candidate, Quest
from reverie.recall.ranking import BY_TWO, TEXT_ALONE, WITH_MEANING, shipped
from reverie.recall.search import CueVectors, Found, search
from reverie.recall.settings import RecallSettings
from reverie.types import FloatArray

AT_ONCE = 24
"""So many candidates are read from the store at once, at least: reading one alone costs as much as three of many."""


@dataclass(frozen=True, slots=True)
class Signals:
    """Search and fuse with these weights and limits."""

    settings: RecallSettings
    name: str = "search"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its candidates, best first, equal scores by order of writing."""
        corpus, settings = quest.world.corpus, self.settings
        vector, note = _comparable(quest, settings)
        second = None if vector is None else _by_second(quest, settings)
        known = known_at(corpus, quest.request)
        vectors = None if vector is None else CueVectors(vector, second)
        found = search(corpus, quest.cue, vectors, held_at(corpus, quest.request), settings, known)
        ranking = shipped()[TEXT_ALONE if found.compared is None else WITH_MEANING if second is None else BY_TWO]
        fused = fuse(corpus, quest.cue, found, settings, ranking, known)
        lazily = _candidates(fused, corpus, max(quest.limit, AT_ONCE), vector)
        known_by = replace(quest, traits=fused.grounds(), words=fused.words)
        return known_by.noted(f"{note}; {_describe(found, corpus)}", lazily)


def _comparable(quest: Quest, settings: RecallSettings) -> tuple[FloatArray | None, str]:
    """The cue's vector, or None where meaning cannot be compared, and which of the two."""
    corpus, vector = quest.world.corpus, asked_vector(quest.queries[0], quest.world.embed, quest.cue.speakers)
    if vector is None:
        return None, f"meaning skipped: {quest.world.why_none()}"
    if not vector.any():
        return None, "meaning skipped: nothing in the text to embed"
    if corpus.embedded < settings.embedded_share * corpus.size:
        return None, f"meaning skipped: only {corpus.embedded} of {corpus.size} memories are embedded yet"
    return vector, f"meaning compared in {len(vector)} dimensions"


def _by_second(quest: Quest, settings: RecallSettings) -> FloatArray | None:
    """The cue's vector by the model beside the quick one, once that has read most of what there is."""
    corpus, beside = quest.world.corpus, quest.world.corpus.second
    if beside is None or beside.embedded < max(settings.second_least, settings.second_share * corpus.size):
        return None
    vector = quest.world.embed_second(quest.queries[0])
    return vector if vector is not None and vector.any() else None


def _candidates(fused: Fused, corpus: Corpus, at_once: int, vector: FloatArray | None) -> Iterator[Candidate]:
    order = fused.order()
    for start in range(0, len(order), at_once):
        rows = order[start : start + at_once]
        ordinals = fused.ordinals[rows]
        memories = corpus.fetch(ordinals.tolist())
        cosines = [None] * len(rows) if vector is None else corpus.cosines(vector, ordinals).tolist()
        found = zip(ordinals.tolist(), memories, fused.scores[rows].tolist(), fused.signals(rows), cosines, strict=True)
        for ordinal, memory, score, signals, cosine in found:
            yield Candidate(ordinal, memory, score, signals, cosine)


def _describe(found: Found, corpus: Corpus) -> str:
    left_out = f"; too common: {' '.join(found.dropped)}" if found.dropped else ""
    return f"{len(found.ordinals)} candidates of {corpus.size} memories{left_out}"
