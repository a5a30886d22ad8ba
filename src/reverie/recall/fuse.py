"""Fuse: every list scaled by its best, weighted and added; each signal stays readable.

In: what the searches found. Out: ``Fused``, one row a candidate and one column a signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reverie.answers import Signal
from reverie.formulas.scaled import scaled
from reverie.formulas.telling import ample
from reverie.ports import Corpus
from reverie.recall.manner import telling_match
from reverie.recall.search import Found
from reverie.recall.settings import RecallSettings
from reverie.recall.speaker import speaker_match
from reverie.recall.timing import time_match
from reverie.types import Cue, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Bent:
    """What the bends added to some candidates (``recall.bend``).

    Attributes:
        names: of the signals, and of what was looked at beside them.
        weights: of both; 0 for what is no signal.
        places: (m,) the row of each candidate in what follows; −1 for one that was not looked at.
        values: (k, names).
        shares: (k, names) what the bend of each added to the score.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    places: IntArray
    values: FloatArray
    shares: FloatArray


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates in ascending order of ordinal, their signals in [0, 1] by column, and their scores.

    A score is the signals' mean by weight, in [0, 1], and what the bends added.
    """

    ordinals: IntArray
    names: tuple[str, ...]
    weights: tuple[float, ...]
    values: FloatArray
    scores: FloatArray
    bent: Bent | None = None

    def with_values(self, name: str, values: FloatArray) -> Fused:
        """With other values of one signal, and the scores that follow."""
        changed = self.values.copy()
        changed[:, self.names.index(name)] = values
        return replace(self, values=changed, scores=weighed(changed, self.weights))

    def order(self) -> IntArray:
        """Rows by falling score; equal scores by order of writing."""
        result: IntArray = np.argsort(-self.scores, kind="stable")
        return result

    def signals(self, row: int) -> tuple[Signal, ...]:
        """What made up one candidate's score: value, weight and share of each signal; the shares add up to it."""
        total, bent = sum(self.weights), self.bent
        if bent is None or bent.places[row] < 0:
            straight = zip(self.names, self.weights, self.values[row].tolist(), strict=True)
            return tuple([Signal(name, value, weight, value * weight / total) for name, weight, value in straight])
        place = bent.places[row]
        columns = zip(bent.names, bent.weights, bent.values[place].tolist(), bent.shares[place].tolist(), strict=True)
        return tuple(
            [Signal(name, value, weight, value * weight / total + more) for name, weight, value, more in columns]
        )


def fuse(corpus: Corpus, cue: Cue, found: Found, settings: RecallSettings) -> Fused:
    """Weigh what was found. The weights stay the same when a signal is silent, so scores can be compared."""
    silent = np.zeros(len(found.ordinals), np.float32)
    meaning = silent if found.meaning is None else scaled(found.meaning, found.meaning_best)
    columns = (
        ("text", settings.text_weight, scaled(found.text, found.text_best)),
        ("meaning", settings.meaning_weight, meaning),
        ("window", settings.window_weight, scaled(found.window, found.window_best)),
        (
            "speaker",
            settings.speaker_weight,
            speaker_match(corpus, cue, found.ordinals, settings.speaker_asked_assistant),
        ),
        ("time", settings.time_weight, time_match(corpus, cue, found.ordinals)),
        ("telling", settings.telling_weight, telling_match(corpus, found.ordinals)),
        ("length", settings.length_weight, _ample(corpus.words[found.ordinals], settings)),
    )
    weights = tuple(weight for _, weight, _ in columns)
    values = np.stack([column for _, _, column in columns], axis=1)
    return Fused(
        ordinals=found.ordinals,
        names=tuple(name for name, _, _ in columns),
        weights=weights,
        values=values,
        scores=weighed(values, weights),
    )


def weighed(values: FloatArray, weights: Sequence[float]) -> FloatArray:
    """(m,) the mean of each row of signals by weight."""
    shares = np.array(weights, dtype=np.float32) / np.float32(sum(weights))
    result: FloatArray = np.einsum("ij,j->i", values, shares)
    return result


def _ample(words: FloatArray, settings: RecallSettings) -> FloatArray:
    return ample(
        words, settings.length_least, settings.length_most, settings.length_halvings, settings.length_doublings
    )
