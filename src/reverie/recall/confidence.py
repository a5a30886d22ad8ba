"""Confidence: the probability that the store contains an answer to a cue, and the evidence for it.

In: a recall with its candidates. Out: the same with ``confidence`` and its grounds: each number, and what it adds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain, islice
from pathlib import Path

import numpy as np

from reverie.answers import Signal
from reverie.formulas.logistic import Term, fitted_rows, probability
from reverie.formulas.text_statistics import entropy
from reverie.language.text import heads
from reverie.language.text.letters import turkish_evidence
from reverie.ports import Corpus
from reverie.recall.co_retrieval import by_two
from reverie.recall.query import asked_vector, inside
from reverie.recall.search import CueWords, only
from reverie.recall.signals import BY_TWO, TEXT_ALONE, WITH_MEANING
from reverie.recall.signals import NAMES as NAMES_OF_SIGNALS
from reverie.recall.state import Candidate, RecallState, held_at, known_at
from reverie.types import BoolArray, Cue, FloatArray, IntArray

RADIUS = 1
"""Number of messages before and after a hit that are read with it."""
BEST = 3
"""How many memories of the highest coverage are averaged: one alone may share the words by chance."""
NEXT_WEIGHT = 0.5
"""Weight of the cosine of a message next to a hit, where the hit's own weight is 1."""
PARTICULARS_MAX = 3
"""Most names, numbers and dates in a cue that count."""
MEAN_COVERED, MEAN_ABSENT = 0.57, 0.16
"""Coverage and absence where the cue's language differs from the hits', so that its words say nothing: the means of the
data that the weights were fitted on (data/answerable.txt)."""
TELLING_SIZE = 120
"""Number of memories from which on an absent word counts fully: the size of the smallest scopes in the fit."""
FOREIGN_LOOKED, FOREIGN_ABSENT = 3, 0.4
"""How many first hits are read for their language, and the share of absent words from which on that is done."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Seven numbers that indicate whether the store contains an answer to a cue.

    Coverage is the share of the cue's words that a text contains, weighted by rarity. The cue's words are its query
    terms without the names of the speakers it asks about. If the cue names exactly one speaker, the coverage in
    ``best`` counts only what that speaker said.

    Attributes:
        best: maximum over hits: coverage of the hit and the messages next to it, plus the hit's centred cosine.
        context: maximum over hits: mean centred cosine of the hit and the messages next to it, which count half.
        person: coverage of the named speaker's best memories minus that of all others'; 0 unless one is named.
        when: coverage in the cue's time minus coverage at any time, ≤ 0; 0 if the cue has no time.
        named: share of the names in the cue that occur in the first hit or next to it; 1 without any.
        absent: share of the cue's words that occur nowhere in the scope.
        particulars: how many of the cue's words are names, numbers or dates, three counting as 1: these match texts
            about the same thing, whether or not such a text contains the answer.
    """

    best: float
    context: float
    person: float
    when: float
    named: float
    absent: float
    particulars: float


NAMES = tuple(field.name for field in fields(Evidence))


def evidence(quest: RecallState, head: Sequence[Candidate]) -> Evidence:
    """Compute the evidence from the first candidates, of which at least one must be in the corpus."""
    corpus, cue = quest.world.corpus, quest.cue
    known = known_at(corpus, quest.request)
    words = quest.words or CueWords.of(corpus, cue, known)
    ordinals = np.array([candidate.ordinal for candidate in head if candidate.ordinal >= 0], np.int64)
    near = neighbourhood(corpus, ordinals, RADIUS)
    near = near if known is None else only(near, known)
    said = said_by(corpus, cue)
    everywhere = _everywhere(words, quest, said)
    is_told = near >= 0 if said is None else (near >= 0) & said[np.maximum(near, 0)]
    held = words.held(near)
    meaning, context = _meanings(quest, head, near)
    is_foreign = words.absent >= FOREIGN_ABSENT and bool(context.any()) and _is_foreign(cue, head)
    covered = MEAN_COVERED if is_foreign else words.shares @ (held & is_told).any(axis=2)
    return Evidence(
        best=float((covered + meaning).max()),
        context=float(context.max()),
        person=0.0 if said is None else _lead(everywhere, said),
        when=_within(corpus, cue, everywhere),
        named=words.named(np.logical_or.reduce(held[:, 0], axis=1)),
        absent=MEAN_ABSENT if is_foreign else _absent(words.absent, corpus.size),
        particulars=min(words.particulars, PARTICULARS_MAX) / PARTICULARS_MAX,
    )


def _everywhere(words: CueWords, quest: RecallState, said: BoolArray | None) -> FloatArray:
    """Return the coverage (n,) of each memory of the scope; empty if neither a speaker nor a time needs it."""
    if said is None and quest.cue.window is None:
        return np.zeros(0, np.float32)
    return words.coverage(quest.world.corpus, held_at(quest.world.corpus, quest.request))


def _is_foreign(cue: Cue, head: Sequence[Candidate]) -> bool:
    """Whether the cue is clearly in one of the two languages and the first hits are in the other."""
    asked = turkish_evidence(cue.text)
    found = [turkish_evidence(one.memory.text) for one in head[:FOREIGN_LOOKED]] if asked else []
    return asked * sum(found) < 0 and all(asked * one <= 0 for one in found)


def _absent(share: float, size: int) -> float:
    """Return the share of absent words, moved towards its mean in small scopes, where an absent word says little."""
    return MEAN_ABSENT + (share - MEAN_ABSENT) * min(1.0, size / TELLING_SIZE)


def neighbourhood(corpus: Corpus, ordinals: IntArray, radius: int) -> IntArray:
    """Return the messages (m, 2·radius + 1) around each message in its session, itself in the middle; −1 for none."""
    columns = [ordinals]
    for links, is_later in ((corpus.previous, False), (corpus.following, True)):
        at = ordinals
        for _ in range(radius):
            at = np.where(at >= 0, links[np.maximum(at, 0)], -1)
            columns = [*columns, at] if is_later else [at, *columns]
    return np.stack(columns, axis=1)


def said_by(corpus: Corpus, cue: Cue) -> BoolArray | None:
    """Return a mask (n,) of what the speaker named in the cue said; None unless it names exactly one."""
    if len(cue.speakers) != 1:
        return None
    result: BoolArray = corpus.speakers == list(corpus.speaker_names).index(cue.speakers[0])
    return result


def _lead(everywhere: FloatArray, said: BoolArray) -> float:
    """Return the best coverage by the named speaker's memories less the best coverage by all others'."""
    covering = np.flatnonzero(everywhere)
    coverage, is_theirs = everywhere[covering], said[covering]
    return _highest(coverage[is_theirs]) - _highest(coverage[~is_theirs])


def _highest(coverage: FloatArray) -> float:
    """Return the mean of the ``BEST`` highest values; missing ones count as 0."""
    count = len(coverage)
    best = coverage if count <= BEST else np.partition(coverage, count - BEST)[count - BEST :]
    return float(best.sum()) / BEST


def _meanings(quest: RecallState, head: Sequence[Candidate], near: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return each hit's cosine (m,), and its mean (m,) with the messages around it; 0 if no vectors were compared."""
    compared = any(candidate.cosine is not None for candidate in head)
    vector = asked_vector(quest.queries[0], quest.world.embed, quest.cue.speakers) if compared else None
    if vector is None:
        return np.zeros(len(near), np.float32), np.zeros(len(near), np.float32)
    alike = quest.world.corpus.similarities(vector, np.maximum(near, 0).ravel()).reshape(near.shape)
    weights = np.where(near >= 0, np.float32(NEXT_WEIGHT), np.float32(0.0))
    weights[:, RADIUS] = 1.0
    return alike[:, RADIUS], (alike * weights).sum(axis=1) / weights.sum(axis=1)


def _within(corpus: Corpus, cue: Cue, everywhere: FloatArray) -> float:
    """Return the highest coverage within the cue's time less the highest at any time; 0 if the cue has no time."""
    if cue.window is None:
        return 0.0
    return float(everywhere[inside(corpus, cue.window)].max(initial=0.0) - everywhere.max(initial=0.0))


LOOKED_AT = 10
"""How many first candidates the evidence is computed from; 5 and 20 gave the same within .002 AUROC."""
_WEIGHTS = Path(__file__).with_name("data") / "answerable.txt"
_UNFITTED = Term(0.0, 0.0, 0.0)
IDLE = "cue needs nothing"
"""The log-odds, from the cue's text alone, that it needs no memory: thanks, or a task that says all it needs."""
_DOUBLINGS = 10.0
"""The number ``memories`` is the base-2 logarithm of the corpus's size over this, 1 from 1,023 memories on: what was
learned from smaller stores, extrapolated, said that in large ones nothing answers (decision 0108)."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model of the confidence: the intercept, and a term for each input by name."""

    intercept: float
    terms: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class AnswerConfidence:
    """A stage that computes the confidence; it withholds nothing. Without candidates the confidence is 0."""

    name: str = "answerable"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with its confidence, and the grounds of it."""
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


def numbers(quest: RecallState, head: Sequence[Candidate]) -> Iterator[tuple[str, float]]:
    """Yield the model's inputs by name: evidence, traits of the cue, how scores fall, signals of the first hit."""
    found = evidence(quest, head)
    yield from ((name, float(getattr(found, name))) for name in NAMES)
    yield "memories", min(1.0, math.log2(1 + quest.world.corpus.size) / _DOUBLINGS)
    yield from ((f"cue {trait.name}", trait.value) for trait in quest.traits[1:])
    yield IDLE, heads.log_odds(quest.request.text, heads.NEEDS_NOTHING)
    scores = [candidate.score for candidate in head]
    yield "best score", scores[0]
    yield "lead", scores[0] - scores[min(1, len(scores) - 1)]
    yield "fall", scores[0] - scores[-1]
    yield "spread", entropy(scores)
    first = {signal.name: signal.value for signal in head[0].signals}
    yield from ((f"first {name}", first.get(name, 0.0)) for name in NAMES_OF_SIGNALS)


def grounds_of(found: Mapping[str, float], weights: Weights) -> Iterator[Signal]:
    """Yield a signal per input: its value, weight per deviation, and share of the log-odds; 0 if it was not fitted."""
    for name, value in found.items():
        term = weights.terms.get(name, _UNFITTED)
        yield Signal(name, value, term.weight, term.log_odds(value))


def told(grounds: Iterable[Signal]) -> str:
    """Format the grounds in one line, the one with the largest share first."""
    ordered = sorted(grounds, key=lambda ground: -abs(ground.share))
    return ", ".join(f"{ground.name} {ground.value:.2f} ({ground.share:+.2f})" for ground in ordered)


@cache
def shipped() -> dict[str, Weights]:
    """Load the model that comes with the package: for two embedding models, for one, and for text alone."""
    return read_weights(_WEIGHTS.read_text(encoding="utf-8"))


def read_weights(text: str) -> dict[str, Weights]:
    """Read weights from a file: ``[section]``, ``intercept: b``, ``name: mean deviation weight``, ``#`` comments."""
    return {name: _weights(found) for name, found in fitted_rows(text).items()}


def _weights(rows: dict[str, list[float]]) -> Weights:
    terms = {name: Term(*numbers) for name, numbers in rows.items() if name != "intercept"}
    return Weights(rows["intercept"][0], terms)
