"""Bands: how much of each memory is injected, by the confidence that it bears on the cue (D26); the gate (C3).

The confidence is the similarity on the documents' scale, not the composite score (reading 21).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from reverie.formulas.bands import Band, band
from reverie.formulas.confidence_gate import gate
from reverie.recall.quest import Candidate, Quest
from reverie.recall.score import Scale, similarities

SUMMARY_CHARS = 160
"""Longest abbreviated form of a memory."""
_DIGITS = 6
"""Cosines come in single precision: .7 is .69999999."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Full from ``full`` on, abbreviated from ``summary`` on, withheld below. Without vectors everything is full."""

    full: float
    summary: float
    name: str = "confidence bands"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, each with what is shown of it."""
        judged = [self._judged(candidate, quest.world.scale) for candidate in quest.candidates]
        held = sum(bool(candidate.withheld) for candidate in judged)
        short = sum(bool(candidate.shown) for candidate in judged)
        return replace(quest, candidates=judged).noted(f"{short} abbreviated, {held} of low confidence withheld")

    def _judged(self, candidate: Candidate, scale: Callable[[float], float]) -> Candidate:
        if candidate.cosine is None or candidate.withheld:
            return candidate
        confidence = round(scale(candidate.cosine), _DIGITS)
        found = band(confidence, self.full, self.summary)
        if found is Band.SUMMARY:
            return replace(candidate, shown=abbreviated(candidate.memory.text))
        if found is Band.WITHHELD:
            return replace(candidate, withheld=f"low confidence: {confidence:.2f} below {self.summary}")
        return candidate


@dataclass(frozen=True, slots=True)
class Gate:
    """Nothing at all where the best score lies below ``threshold`` (C3), and nothing that lies below ``least`` (C1).

    Where a host asks on its own for every message, ``least`` is the threshold itself (C4).
    """

    least: float
    threshold: float
    name: str = "confidence gate"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates that pass; ended, with the best score, where none does."""
        found = list(quest.candidates)
        least = self.threshold if quest.request.automatic else self.least
        answer = gate([candidate.score for candidate in found], self.threshold)
        kept = [] if answer.gated else [candidate for candidate in found if candidate.score >= least]
        if not kept:
            below = self.threshold if answer.gated else least
            ended = f"gated: the best score {answer.best:.3f} lies below {below:g}"
            return replace(quest, candidates=[], ended=ended, confidence=answer.best).noted(ended)
        return replace(quest, candidates=kept, confidence=answer.best).noted(f"{len(kept)} of {len(found)} passed")


@dataclass(frozen=True, slots=True)
class Threshold:
    """Only what is similar enough on the host's scale (A6); the model's profile names the number."""

    least: float
    scale: Scale
    name: str = "threshold"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates that are similar enough; without vectors all are."""
        found = list(quest.candidates)
        alike = similarities(found, self.scale).round(_DIGITS).tolist()
        kept = [c for c, similarity in zip(found, alike, strict=True) if c.cosine is None or similarity >= self.least]
        return replace(quest, candidates=kept).noted(f"{len(kept)} of {len(found)} kept")


@dataclass(frozen=True, slots=True)
class DomainGate:
    """Ends the quest in a domain for which the model's profile switches memory off (A6)."""

    disabled: frozenset[str]
    name: str = "domain gate"

    def __call__(self, quest: Quest) -> Quest:
        """The quest, ended in a disabled domain."""
        domain = quest.request.domain.strip()
        if domain and domain in self.disabled:
            ended = f"memory is disabled for the domain {domain}"
            return replace(quest, ended=ended).noted(ended)
        return quest.noted("passed")


def abbreviated(text: str) -> str:
    """The beginning of a text, cut at a word."""
    if len(text) <= SUMMARY_CHARS:
        return text
    return text[:SUMMARY_CHARS].rsplit(" ", 1)[0] + " …"
