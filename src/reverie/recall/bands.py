"""Bands: how much of each memory is injected, by the confidence that it bears on the cue (D26); the gate (C3).

The confidence is the similarity, not the composite score (reading 21).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.formulas.bands import Band, band
from reverie.formulas.confidence_gate import gate
from reverie.recall.quest import Candidate, Quest
from reverie.recall.score import Scale, on_scale

SUMMARY_CHARS = 160
"""Longest abbreviated form of a memory."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Full from ``full`` on, abbreviated from ``summary`` on, withheld below. Without vectors everything is full."""

    full: float
    summary: float
    name: str = "confidence bands"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, each with what is shown of it."""
        judged = [self._judged(candidate) for candidate in quest.candidates]
        held = sum(bool(candidate.withheld) for candidate in judged)
        short = sum(bool(candidate.shown) for candidate in judged)
        return replace(quest, candidates=judged).noted(f"{short} abbreviated, {held} of low confidence withheld")

    def _judged(self, candidate: Candidate) -> Candidate:
        if candidate.cosine is None:
            return candidate
        found = band(candidate.cosine, self.full, self.summary)
        if found is Band.SUMMARY:
            return replace(candidate, shown=abbreviated(candidate.memory.text))
        if found is Band.WITHHELD:
            return replace(candidate, withheld=f"low confidence: {candidate.cosine:.2f} below {self.summary}")
        return candidate


@dataclass(frozen=True, slots=True)
class Gate:
    """Nothing below ``least`` is kept, and nothing at all where the best lies below ``threshold`` (C1, C3)."""

    least: float
    threshold: float
    name: str = "confidence gate"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates that pass; ended, with the best score, where none may."""
        found = list(quest.candidates)
        answer = gate([candidate.score for candidate in found], self.threshold)
        if answer.gated:
            ended = f"gated: the best score {answer.best:.3f} lies below {self.threshold}"
            return replace(quest, candidates=[], ended=ended, confidence=answer.best).noted(ended)
        kept = [candidate for candidate in found if candidate.score >= self.least]
        return replace(quest, candidates=kept, confidence=answer.best).noted(f"{len(kept)} of {len(found)} passed")


@dataclass(frozen=True, slots=True)
class Threshold:
    """Only what is similar enough on the host's scale (A6); a host's profile names the number."""

    least: float
    scale: Scale
    name: str = "threshold"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates that are similar enough."""
        found = list(quest.candidates)
        alike = on_scale([candidate.cosine or 0.0 for candidate in found], self.scale).tolist()
        kept = [c for c, similarity in zip(found, alike, strict=True) if c.cosine is None or similarity >= self.least]
        return replace(quest, candidates=kept).noted(f"{len(kept)} of {len(found)} kept")


def abbreviated(text: str) -> str:
    """The beginning of a text, cut at a word."""
    if len(text) <= SUMMARY_CHARS:
        return text
    return text[:SUMMARY_CHARS].rsplit(" ", 1)[0] + " …"
