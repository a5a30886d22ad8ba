"""Signals: the default's own search: text, meaning, speaker, time and more, weighed for the cue (decision 0051).

In: a quest. Out: candidates read from the store a handful at a time, as later stages ask for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from reverie.ports import Corpus
from reverie.recall.embed import asked_vector
from reverie.recall.fuse import Fused, fuse
from reverie.recall.held import held_at, known_at
from reverie.recall.quest import Candidate, Quest
from reverie.recall.ranking import BY_TWO, TEXT_ALONE, WITH_MEANING, shipped
from reverie.recall.search import CueVectors, Found, search
from reverie.recall.settings import RecallSettings
from reverie.recall.timing import inside
from reverie.recall.tool_calls import ASKED, ToolCallSettings, asks_what_was_done, merged, tool_calls
from reverie.types import BoolArray, FloatArray

AT_ONCE = 24
"""So many candidates are read from the store at once, at least: reading one alone costs as much as three of many."""


@dataclass(frozen=True, slots=True)
class Signals:
    """Search and fuse with these weights and limits; ``tools`` says how tool calls come where a cue asks for them."""

    settings: RecallSettings
    tools: ToolCallSettings | None = None
    name: str = "search"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its candidates, best first, equal scores by order of writing."""
        held = held_at(quest.world.corpus, quest.request)
        found = _searched(quest, self.settings, held)
        quest = replace(quest, traits=found.fused.grounds(), words=found.fused.words)
        calls = None if self.tools is None else tool_calls(quest.world.corpus)
        if self.tools is None or calls is None:
            return quest.noted(found.note, found.candidates)
        chance = asks_what_was_done(quest)
        note = f"{found.note}; asks what was done with probability {chance:.2f}"
        if chance < self.tools.likely:
            return quest.noted(note, found.candidates)
        done = _searched(quest, self.settings, _of_the_time(quest, calls if held is None else calls & held))
        lift = self.tools.lift
        brought = [one.touched(ASKED, chance, lift) for one in islice(done.candidates, self.tools.most)]
        return quest.noted(f"{note}: {len(brought)} tool calls", merged(found.candidates, brought))


def _of_the_time(quest: Quest, calls: BoolArray) -> BoolArray:
    """Of the tool calls those of the time the cue speaks of, if there are any."""
    if quest.cue.window is None:
        return calls
    within: BoolArray = calls & inside(quest.world.corpus, quest.cue.window)
    return within if within.any() else calls


@dataclass(frozen=True, slots=True)
class _Searched:
    """What a search brought: the candidates, best first, what they were scored by, and a line for the trace."""

    candidates: Iterator[Candidate]
    fused: Fused
    note: str


def _searched(quest: Quest, settings: RecallSettings, among: BoolArray | None) -> _Searched:
    """Search ``among`` some of the memories (None: all) and fuse."""
    corpus, known = quest.world.corpus, known_at(quest.world.corpus, quest.request)
    vector, note = _comparable(quest, settings)
    second = None if vector is None else _by_second(quest, settings)
    vectors = None if vector is None else CueVectors(vector, second)
    found = search(corpus, quest.cue, vectors, among, settings, known)
    ranking = shipped()[TEXT_ALONE if found.compared is None else WITH_MEANING if second is None else BY_TWO]
    fused = fuse(corpus, quest.cue, found, settings, ranking, known)
    lazily = _candidates(fused, corpus, max(quest.limit, AT_ONCE), vector)
    return _Searched(lazily, fused, f"{note}; {_describe(found, corpus)}")


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
