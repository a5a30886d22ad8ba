"""Answerable: how likely the store holds an answer at all, from what the search has found.

In: a quest with its candidates. Out: the quest with ``confidence``, a calibrated probability, and its grounds: what
each piece of evidence is, and what it adds to or takes from the log-odds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from pathlib import Path

from reverie.answers import Signal
from reverie.formulas.logistic import Term, probability
from reverie.recall.evidence import NAMES, Evidence, evidence
from reverie.recall.quest import Candidate, Quest

LOOKED_AT = 10
"""First candidates whose evidence is read; 5 and 20 gave the same within .002 AUROC."""
_WEIGHTS = Path(__file__).with_name("data") / "answerable.txt"
WITH_MEANING, TEXT_ALONE = "with meaning", "text alone"


@dataclass(frozen=True, slots=True)
class Weights:
    """A fit: the intercept and a term for each of ``evidence.NAMES``."""

    intercept: float
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Answerable:
    """Fills the confidence; withholds nothing. A store without any candidate holds no answer."""

    name: str = "answerable"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its confidence and the grounds of it, the weightiest first."""
        candidates = iter(quest.candidates)
        head = list(islice(candidates, LOOKED_AT))
        if not any(candidate.ordinal >= 0 for candidate in head):
            return replace(quest, candidates=chain(head, candidates), confidence=0.0).noted("nothing was found")
        compared = any(candidate.cosine is not None for candidate in head)
        weights = shipped()[WITH_MEANING if compared else TEXT_ALONE]
        grounds = tuple(grounds_of(evidence(quest, head), weights))
        confidence = probability(weights.intercept, [ground.share for ground in grounds])
        note = f"an answer is here with probability {confidence:.2f}: {told(grounds)}"
        lazily = chain[Candidate](head, candidates)
        notes = (*quest.notes, note)
        return replace(quest, candidates=lazily, confidence=confidence, grounds=grounds, notes=notes)


def grounds_of(found: Evidence, weights: Weights) -> Iterator[Signal]:
    """Each piece of evidence: its value, the weight of one deviation, and its share of the log-odds."""
    for name, term in zip(NAMES, weights.terms, strict=True):
        value = getattr(found, name)
        yield Signal(name, value, term.weight, term.log_odds(value))


def told(grounds: Iterable[Signal]) -> str:
    """The grounds in one line, the weightiest first."""
    ordered = sorted(grounds, key=lambda ground: -abs(ground.share))
    return ", ".join(f"{ground.name} {ground.value:.2f} ({ground.share:+.2f})" for ground in ordered)


@cache
def shipped() -> dict[str, Weights]:
    """The weights that come with the package, with meaning and for text alone."""
    return read_weights(_WEIGHTS.read_text(encoding="utf-8"))


def read_weights(text: str) -> dict[str, Weights]:
    """Weights from their file: ``[section]``, then a line a number: name, mean, deviation, weight; ``#`` comments."""
    rows: dict[str, dict[str, list[float]]] = {}
    section = ""
    for line in text.splitlines():
        content = line.partition("#")[0].split()
        if content and content[0].startswith("["):
            section = " ".join(content).strip("[]")
        elif content:
            rows.setdefault(section, {})[content[0]] = [float(number) for number in content[1:]]
    return {name: _weights(found) for name, found in rows.items()}


def _weights(rows: dict[str, list[float]]) -> Weights:
    return Weights(rows["intercept"][0], tuple(Term(*rows[name]) for name in NAMES))
