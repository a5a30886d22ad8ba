"""Bands: how much of each memory is injected, by the confidence that it bears on the cue (D26); the gate (C3).

In the documents' recipes the confidence is the similarity as its model's calibration for questions reads it, not the
composite score (reading 21); in ``reverie`` it is the probability that the store holds an answer (decision 0022).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from reverie.formulas.bands import Band, band
from reverie.formulas.confidence_gate import gate
from reverie.recall.quest import Candidate, Quest, World
from reverie.recall.score import Scale, similarities
from reverie.recall.tool_calls import is_asked_for

SUMMARY_CHARS = 160
"""Longest abbreviated form of a memory."""
LOW = "low confidence"
"""Why a hit is withheld below the bands; the operation under which the ops log tells of it."""
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
        judged = [self._judged(candidate, quest.world) for candidate in quest.candidates]
        held = sum(bool(candidate.withheld) for candidate in judged)
        short = sum(bool(candidate.shown) for candidate in judged)
        return replace(quest, candidates=judged).noted(f"{short} abbreviated, {held} of low confidence withheld")

    def _judged(self, candidate: Candidate, world: World) -> Candidate:
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
class Gate:
    """Nothing at all where the best score lies below ``threshold`` (C3), and nothing that lies below ``least`` (C1).

    Where a host asks on its own for every message, ``least`` is the threshold itself (C4). What is withheld already
    opens no gate.
    """

    least: float
    threshold: float
    name: str = "confidence gate"

    def __call__(self, quest: Quest) -> Quest:
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
class AnswerGate:
    """Hands nothing over where it is less likely than ``least`` that anything here matters to the cue.

    Only where a host asks on its own (``Request.automatic``): who asks by hand sees what there is, and how sure of it
    we are; from ``full`` on nothing is said of doubt. Without an estimate everything passes. What tools did comes all
    the same where the cue asks what was done, which is told by the cue itself.
    """

    full: float
    least: float
    name: str = "answer gate"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, or as many as are wanted withheld; what stands may still come."""
        if quest.confidence is None or not quest.request.automatic:
            return quest.noted("not estimated" if quest.confidence is None else "asked by hand")
        if quest.confidence >= self.least:
            return quest.noted("passed")
        why = f"hardly anything here matters: probability {quest.confidence:.2f}, below {self.least:g}"
        head = list(islice(quest.candidates, quest.limit))
        asked = [candidate for candidate in head if is_asked_for(candidate)]
        held = [replace(candidate, withheld=why) for candidate in head if not is_asked_for(candidate)]
        return replace(quest, candidates=[*asked, *held], gated=not asked).noted(why)


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


def _below(candidate: Candidate, least: float) -> Candidate:
    why = candidate.withheld or f"scores {candidate.score:.3f}, below {least:g}"
    return replace(candidate, withheld=why)


def abbreviated(text: str) -> str:
    """The beginning of a text, cut at a word."""
    if len(text) <= SUMMARY_CHARS:
        return text
    return text[:SUMMARY_CHARS].rsplit(" ", 1)[0] + " …"
