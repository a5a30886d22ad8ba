"""Select from the candidates of the published recipes: by confidence, query routing, diversity and use.

In: a recall state with candidates. Out: the same, some withheld, abbreviated or moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np

from reverie.formulas.gates import Band, band, gate
from reverie.formulas.text_similarity import mmr, text_cosines
from reverie.formulas.tiers import HotEdges, qualifies, rank
from reverie.language.text.analyzer import index_terms
from reverie.language.text.patterns import is_question, sentences
from reverie.recall.state import LOW, Candidate, Intent, Lanes, RecallContext, RecallState, Request, lane_of, ordered
from reverie.recipes.published.scores import Scale, similarities
from reverie.types import Kind, Memory, State, Tier

# Confidence bands (D26) and gates (C3).


SUMMARY_CHARS = 160
"""Longest abbreviated form of a memory, in characters."""
_DIGITS = 6
"""Decimal places of cosines compared: in single precision .7 is .69999999."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Stage: whole text from confidence ``full`` on, abbreviated from ``summary`` on, else withheld; needs vectors."""

    full: float
    summary: float
    name: str = "confidence bands"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with each candidate whole, abbreviated or withheld."""
        judged = [self._judged(candidate, quest.world) for candidate in quest.candidates]
        held = sum(bool(candidate.withheld) for candidate in judged)
        short = sum(bool(candidate.shown) for candidate in judged)
        return replace(quest, candidates=judged).noted(f"{short} abbreviated, {held} of low confidence withheld")

    def _judged(self, candidate: Candidate, world: RecallContext) -> Candidate:
        if candidate.alike is None or candidate.withheld:
            return candidate
        confidence = round(candidate.sure(world), _DIGITS)
        found = band(confidence, self.full, self.summary)
        if found is Band.SUMMARY:
            return replace(candidate, shown=abbreviated(candidate.memory.text))
        if found is Band.WITHHELD:
            return replace(candidate, withheld=f"{LOW}: {confidence:.2f} below {self.summary}")
        return candidate


@dataclass(frozen=True, slots=True)
class ScoreGate:
    """Stage: withhold all if the best score is below ``threshold``, and each score below ``least``.

    In automatic recalls ``least`` is the threshold itself. Candidates withheld before do not
    count.
    """

    least: float
    threshold: float
    name: str = "confidence gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the passing candidates, then the withheld ones; ended, with the best score, if none passes."""
        everything = list(quest.candidates)
        found = [candidate for candidate in everything if not candidate.withheld]
        least = self.threshold if quest.request.automatic else self.least
        answer = gate([candidate.score for candidate in found], self.threshold)
        below = self.threshold if answer.gated else least
        kept = [candidate for candidate in found if candidate.score >= below]
        held = [_below(candidate, below) for candidate in everything if candidate.withheld or candidate.score < below]
        judged = replace(quest, candidates=[*kept, *held], confidence=answer.best)
        if kept:
            return judged.noted(f"{len(kept)} of {len(found)} passed")
        ended = f"gated: the best score {answer.best:.3f} lies below {below:g}"
        return replace(judged, ended=ended, gated=True).noted(ended)


@dataclass(frozen=True, slots=True)
class Threshold:
    """Stage: keep candidates of at least this similarity on the host's scale, from the model's profile."""

    least: float
    scale: Scale
    name: str = "threshold"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with similar candidates; without vectors with all."""
        found = list(quest.candidates)
        alike = similarities(found, self.scale).round(_DIGITS).tolist()
        kept = [c for c, similarity in zip(found, alike, strict=True) if c.cosine is None or similarity >= self.least]
        return replace(quest, candidates=kept).noted(f"{len(kept)} of {len(found)} kept")


@dataclass(frozen=True, slots=True)
class DomainGate:
    """Stage: end the recall in a domain for which the model's profile disables memory."""

    disabled: frozenset[str]
    name: str = "domain gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state, ended in a disabled domain."""
        domain = quest.request.domain.strip()
        if domain and domain in self.disabled:
            ended = f"memory is disabled for the domain {domain}"
            return replace(quest, ended=ended).noted(ended)
        return quest.noted("passed")


def _below(candidate: Candidate, least: float) -> Candidate:
    why = candidate.withheld or f"scores {candidate.score:.3f}, below {least:g}"
    return replace(candidate, withheld=why)


def abbreviated(text: str) -> str:
    """Return the beginning of a text, cut at a word."""
    if len(text) <= SUMMARY_CHARS:
        return text
    return text[:SUMMARY_CHARS].rsplit(" ", 1)[0] + " …"


# Questions answer nothing.


WHY = "only asks"
_READ = 2_000
"""A message longer than this is not a mere question."""


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """Stage: withhold episodes that consist of questions only; formed memories stay."""

    name: str = "asked"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with mere questions withheld."""
        found = [_judged(candidate) for candidate in quest.candidates]
        asked = sum(candidate.withheld == WHY for candidate in found)
        return replace(quest, candidates=found).noted(f"{asked} only ask")


def _judged(candidate: Candidate) -> Candidate:
    memory = candidate.memory
    if candidate.withheld or memory.kind is not Kind.EPISODE or not only_asks(memory.text):
        return candidate
    return replace(candidate, withheld=WHY)


def only_asks(text: str) -> bool:
    """Whether every sentence of a text is a question."""
    if len(text) > _READ:
        return False
    found = [sentence for sentence in sentences(text) if sentence.strip()]
    return bool(found) and all(is_question(sentence) for sentence in found)


@dataclass(frozen=True, slots=True)
class Mmr:
    """Stage: reorder by maximal marginal relevance over the candidates' words; withheld ones come last."""

    lambda_: float
    name: str = "diversify"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with candidates in order of marginal relevance."""
        open_ones = [candidate for candidate in quest.candidates if not candidate.withheld]
        closed = [candidate for candidate in quest.candidates if candidate.withheld]
        texts = [Counter(index_terms(candidate.memory.text)) for candidate in open_ones]
        relevance = np.array([candidate.score for candidate in open_ones])
        top = float(relevance.max(initial=0.0)) or 1.0
        order = mmr(relevance / top, text_cosines(texts), self.lambda_, len(open_ones))
        chosen = [open_ones[int(i)] for i in order]
        moved = sum(one is not other for one, other in zip(chosen, open_ones, strict=True))
        return replace(quest, candidates=[*chosen, *closed]).noted(f"{moved} moved")


# Query routing (D18).


@dataclass(frozen=True, slots=True)
class Route:
    """Stage: classify the cue's intent, by a model if there is one, else by ``read``, and choose its lane.

    A ``top_k`` of the caller overrides the lane's limit.
    """

    lanes: Lanes
    read: Callable[[str], Intent]
    name: str = "route"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with intent and lane."""
        said = quest.world.route(quest.request.text)
        intent = Intent(said) if said else self.read(quest.request.text)
        lane = lane_of(self.lanes, intent)
        request = replace(quest.request, past=quest.request.past or lane.latest)
        limit = quest.request.top_k or lane.limit
        by = "the model" if said else "its words"
        routed = replace(quest, request=request, intent=intent, lane=lane, limit=limit)
        return routed.noted(f"{intent}, by {by}: at most {limit}")


@dataclass(frozen=True, slots=True)
class UtilityBoost:
    """Stage: add the lane's share of a memory's utility to its score."""

    name: str = "utility boost"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with boosted candidates."""
        share = quest.lane.utility if quest.lane else 0.0
        if not share:
            return quest.noted("not in this lane")
        found = [c.touched("utility", u := c.memory.standing.utility, share * u, share) for c in quest.candidates]
        return replace(quest, candidates=ordered(found)).noted(f"{len(found)} weighed")


@dataclass(frozen=True, slots=True)
class Newest:
    """Stage: in a lane that wants the latest, order the chosen candidates by start of validity, newest first."""

    name: str = "newest first"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state; candidates within the limit are ordered by time."""
        if not (quest.lane and quest.lane.latest):
            return quest.noted("not in this lane")
        found = iter(quest.candidates)
        chosen = sorted(islice(found, quest.limit), key=lambda candidate: candidate.memory.valid_from, reverse=True)
        return replace(quest, candidates=[*chosen, *found]).noted(f"{len(chosen)} by time")


# The hot tier (D36): a few memories injected for every cue, chosen by use.


@dataclass(frozen=True, slots=True)
class HotTier:
    """Stage: add at most ``most`` hot memories beside the hits.

    They are chosen again after ``minutes``; meanwhile only inactive ones are dropped.
    """

    edges: HotEdges
    most: int
    minutes: float
    name: str = "hot tier"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with hot memories."""
        request, world = quest.request, quest.world
        names = world.kept(self.minutes, partial(self._chosen, request, world))
        known = (world.memory(name) for name in names)
        awake = [memory for memory in known if memory is not None and is_awake(memory, request)]
        hot = tuple(Candidate(-1, m, 0.0).rescored("hot", u := m.standing.utility, u) for m in awake)
        return replace(quest, hot=hot).noted(f"{len(hot)} stand")

    def _chosen(self, request: Request, world: RecallContext) -> tuple[str, ...]:
        often = world.often(int(self.edges.accesses))
        return tuple(memory.id for memory in choose(often, request, self))


def choose(memories: Sequence[Memory], request: Request, settings: HotTier) -> list[Memory]:
    """Choose the hot memories: highest utility first, then most accesses, then latest."""
    if not memories:
        return []
    latest = sorted(memories, key=lambda memory: (memory.recorded_at, memory.id), reverse=True)
    ages = np.array([(request.now - memory.aged_from).total_seconds() / 86_400.0 for memory in latest])
    utility = np.array([memory.standing.utility for memory in latest])
    accesses = np.array([memory.accesses for memory in latest], np.float64)
    active = np.array([is_awake(memory, request) for memory in latest])
    semantic = np.array([memory.standing.tier is Tier.SEMANTIC for memory in latest])
    hot = qualifies(utility, accesses, ages, active & semantic, settings.edges)
    return [latest[int(i)] for i in rank(utility, accesses, hot, settings.most)]


def is_awake(memory: Memory, request: Request) -> bool:
    """Whether a memory is active and valid now."""
    return memory.standing.state is State.ACTIVE and memory.holds_at(request.now)
