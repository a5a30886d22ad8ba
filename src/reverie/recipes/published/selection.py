"""How the published recipes select what to inject: by confidence, kind of question, diversity and use.

In: a recall with its candidates. Out: the same, some withheld, cut short or moved.
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

# Bands: how much of each memory is injected, by the confidence that it bears on the cue (D26); the gate (C3).


SUMMARY_CHARS = 160
"""Longest abbreviated form of a memory."""
_DIGITS = 6
"""Cosines come in single precision: .7 is .69999999."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Decide how each hit is shown, by its confidence: in full from ``full`` on, abbreviated from ``summary`` on,
    withheld below. Without vectors all are shown in full.
    """

    full: float
    summary: float
    name: str = "confidence bands"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates, each with the text to show."""
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
    """Nothing at all where the best score lies below ``threshold`` (C3), and nothing that lies below ``least`` (C1).

    Where a host asks on its own for every message, ``least`` is the threshold itself (C4). What is withheld already
    opens no gate.
    """

    least: float
    threshold: float
    name: str = "confidence gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates that pass, the others withheld behind them; ended, with the best score, where none does."""
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
    """Keep only candidates similar enough on the host's scale (A6); the model's profile sets the number."""

    least: float
    scale: Scale
    name: str = "threshold"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates that are similar enough; without vectors all are."""
        found = list(quest.candidates)
        alike = similarities(found, self.scale).round(_DIGITS).tolist()
        kept = [c for c, similarity in zip(found, alike, strict=True) if c.cosine is None or similarity >= self.least]
        return replace(quest, candidates=kept).noted(f"{len(kept)} of {len(found)} kept")


@dataclass(frozen=True, slots=True)
class DomainGate:
    """End the recall in a domain for which the model's profile switches memory off (A6)."""

    disabled: frozenset[str]
    name: str = "domain gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state, ended in a disabled domain."""
        domain = quest.request.domain.strip()
        if domain and domain in self.disabled:
            ended = f"memory is disabled for the domain {domain}"
            return replace(quest, ended=ended).noted(ended)
        return quest.noted("passed")


def _below(candidate: Candidate, least: float) -> Candidate:
    why = candidate.withheld or f"scores {candidate.score:.3f}, below {least:g}"
    return replace(candidate, withheld=why)


def abbreviated(text: str) -> str:
    """The beginning of a text, cut at a word."""
    if len(text) <= SUMMARY_CHARS:
        return text
    return text[:SUMMARY_CHARS].rsplit(" ", 1)[0] + " …"


# Asked: what only asks answers nothing.


WHY = "only asks"
_READ = 2_000
"""Characters of a message that are looked at: one as long as that is no mere question."""


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """Withholds messages that hold nothing but questions; what was formed stays, and so do statements."""

    name: str = "asked"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, mere questions among them withheld."""
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


# Diversify by maximal marginal relevance over the words of the candidates (D9).


@dataclass(frozen=True, slots=True)
class Mmr:
    """Reorder by maximal marginal relevance: relevant, and unlike those before. Withheld candidates stay last."""

    lambda_: float
    name: str = "diversify"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates in order of marginal relevance."""
        open_ones = [candidate for candidate in quest.candidates if not candidate.withheld]
        closed = [candidate for candidate in quest.candidates if candidate.withheld]
        texts = [Counter(index_terms(candidate.memory.text)) for candidate in open_ones]
        relevance = np.array([candidate.score for candidate in open_ones])
        top = float(relevance.max(initial=0.0)) or 1.0
        order = mmr(relevance / top, text_cosines(texts), self.lambda_, len(open_ones))
        chosen = [open_ones[int(i)] for i in order]
        moved = sum(one is not other for one, other in zip(chosen, open_ones, strict=True))
        return replace(quest, candidates=[*chosen, *closed]).noted(f"{moved} moved")


# Route: what kind of question this is, and which lane it takes (D18): weights, limit, special handling.


@dataclass(frozen=True, slots=True)
class Route:
    """Finds the intent, by the model where there is one or else by ``read``, and takes its lane.

    The caller's own ``top_k`` stands.
    """

    lanes: Lanes
    read: Callable[[str], Intent]
    name: str = "route"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state with its intent and its lane."""
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
    """Adds to a score what the lane gives for having been of use."""

    name: str = "utility boost"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, boosted."""
        share = quest.lane.utility if quest.lane else 0.0
        if not share:
            return quest.noted("not in this lane")
        found = [c.touched("utility", u := c.memory.standing.utility, share * u, share) for c in quest.candidates]
        return replace(quest, candidates=ordered(found)).noted(f"{len(found)} weighed")


@dataclass(frozen=True, slots=True)
class Newest:
    """Order the selected candidates by when they became true, newest first, if the route asks for it."""

    name: str = "newest first"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates; those to be injected are in order of time."""
        if not (quest.lane and quest.lane.latest):
            return quest.noted("not in this lane")
        found = iter(quest.candidates)
        chosen = sorted(islice(found, quest.limit), key=lambda candidate: candidate.memory.valid_from, reverse=True)
        return replace(quest, candidates=[*chosen, *found]).noted(f"{len(chosen)} by time")


# The hot tier (D36): a few memories that are injected whatever the cue, chosen by use.


@dataclass(frozen=True, slots=True)
class HotTier:
    """Add at most ``most`` hot memories next to the hits.

    They are chosen anew after ``minutes``; in between only what is no longer active drops out.
    """

    edges: HotEdges
    most: int
    minutes: float
    name: str = "hot tier"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state with its hot memories."""
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
    """The hot ones among these memories: the most useful first, then the most used, then the latest."""
    if not memories:
        return []
    latest = sorted(memories, key=lambda memory: (memory.recorded_at, memory.id), reverse=True)
    ages = np.array([(request.now - memory.recorded_at).total_seconds() / 86_400.0 for memory in latest])
    utility = np.array([memory.standing.utility for memory in latest])
    accesses = np.array([memory.accesses for memory in latest], np.float64)
    active = np.array([is_awake(memory, request) for memory in latest])
    semantic = np.array([memory.standing.tier is Tier.SEMANTIC for memory in latest])
    hot = qualifies(utility, accesses, ages, active & semantic, settings.edges)
    return [latest[int(i)] for i in rank(utility, accesses, hot, settings.most)]


def is_awake(memory: Memory, request: Request) -> bool:
    """Whether a memory is active and holds now."""
    return memory.standing.state is State.ACTIVE and memory.holds_at(request.now)
