"""Answerable: how likely anything in the store matters to a cue, from what the search has found.

In: a quest with its candidates. Out: the quest with ``confidence``, a probability, and its grounds: each number
it rests on, and what that adds to or takes from the log-odds. Learned from cues of many lives and sets, some of which
nothing answers (decision 0053).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from pathlib import Path

from reverie.answers import Signal
from reverie.formulas.entropy import entropy
from reverie.formulas.logistic import Term, fitted_rows, probability
from reverie.language import text_heads
from reverie.recall.compared import by_two
from reverie.recall.evidence import NAMES, evidence
from reverie.recall.fuse import NAMES as NAMES_OF_SIGNALS
from reverie.recall.quest import Candidate, Quest
from reverie.recall.ranking import BY_TWO, TEXT_ALONE, WITH_MEANING

LOOKED_AT = 10
"""First candidates whose evidence is read; 5 and 20 gave the same within .002 AUROC."""
_WEIGHTS = Path(__file__).with_name("data") / "answerable.txt"
_UNFITTED = Term(0.0, 0.0, 0.0)
IDLE = "cue needs nothing"
"""How likely the cue, by its words alone, is one to which nothing matters: thanks, a task that says all it needs."""
_DOUBLINGS = 10.0
"""How large a store is counts in doublings over this: 1,023 memories are 1."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A fit: the intercept, and a term for each number by name."""

    intercept: float
    terms: Mapping[str, Term]


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
        weights = shipped()[_section(head)]
        grounds = tuple(grounds_of(dict(numbers(quest, head)), weights))
        confidence = probability(weights.intercept, [ground.share for ground in grounds])
        note = f"an answer is here with probability {confidence:.2f}: {told(grounds)}"
        lazily = chain[Candidate](head, candidates)
        notes = (*quest.notes, note)
        return replace(quest, candidates=lazily, confidence=confidence, grounds=grounds, notes=notes)


def _section(head: Sequence[Candidate]) -> str:
    if all(candidate.cosine is None for candidate in head):
        return TEXT_ALONE
    return BY_TWO if by_two(head) else WITH_MEANING


def numbers(quest: Quest, head: Sequence[Candidate]) -> Iterator[tuple[str, float]]:
    """What speaks for and against, by name: evidence, traits of the cue, how scores fall, signals of the first."""
    found = evidence(quest, head)
    yield from ((name, float(getattr(found, name))) for name in NAMES)
    yield "memories", math.log2(1 + quest.world.corpus.size) / _DOUBLINGS
    yield from ((f"cue {trait.name}", trait.value) for trait in quest.traits[1:])
    yield IDLE, text_heads.log_odds(quest.request.text, text_heads.NEEDS_NOTHING)
    scores = [candidate.score for candidate in head]
    yield "best score", scores[0]
    yield "lead", scores[0] - scores[min(1, len(scores) - 1)]
    yield "fall", scores[0] - scores[-1]
    yield "spread", entropy(scores)
    first = {signal.name: signal.value for signal in head[0].signals}
    yield from ((f"first {name}", first.get(name, 0.0)) for name in NAMES_OF_SIGNALS)


def grounds_of(found: Mapping[str, float], weights: Weights) -> Iterator[Signal]:
    """Each number: its value, the weight of one deviation, and its share of the log-odds; 0 where it was not fitted."""
    for name, value in found.items():
        term = weights.terms.get(name, _UNFITTED)
        yield Signal(name, value, term.weight, term.log_odds(value))


def told(grounds: Iterable[Signal]) -> str:
    """The grounds in one line, the weightiest first."""
    ordered = sorted(grounds, key=lambda ground: -abs(ground.share))
    return ", ".join(f"{ground.name} {ground.value:.2f} ({ground.share:+.2f})" for ground in ordered)


@cache
def shipped() -> dict[str, Weights]:
    """The weights that come with the package: by two models, by one, and for text alone."""
    return read_weights(_WEIGHTS.read_text(encoding="utf-8"))


def read_weights(text: str) -> dict[str, Weights]:
    """Weights from their file: ``[section]``, ``intercept: b``, ``name: mean deviation weight``; ``#`` comments."""
    return {name: _weights(found) for name, found in fitted_rows(text).items()}


def _weights(rows: dict[str, list[float]]) -> Weights:
    terms = {name: Term(*numbers) for name, numbers in rows.items() if name != "intercept"}
    return Weights(rows["intercept"][0], terms)
