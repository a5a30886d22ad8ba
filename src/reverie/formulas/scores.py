"""Scores: activation, weighted sums, factors for mood and source confidence, and fusion of rankings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from reverie.formulas.arrays import Floats, Values
from reverie.types import FloatArray

# ACT-R's base-level activation, approximated from an access count and one age, and mapped to (0, 1).


def base_level(count: Values, age_s: Values) -> Floats:
    """Compute the base-level activation B = ln n − ½·ln(age): higher with use, lower with age.

    Args:
        count: accesses; less than 1 counts as 1.
        age_s: seconds; less than 1 counts as 1.

    Source: anderson-schooler-actr, petrov-base-level
    """
    result: Floats = np.log(np.maximum(count, 1.0)) - 0.5 * np.log(np.maximum(age_s, 1.0))
    return result


def activation(count: Values, age_s: Values) -> Floats:
    """Compute activation, the logistic of the base level, in (0, 1); ½ where accesses equal √(age in seconds).

    Source: cognitive-memory-v9, openclaw-cognitive-memory
    """
    result: Floats = 1.0 / (1.0 + np.exp(-base_level(count, age_s)))
    return result


@dataclass(frozen=True, slots=True)
class CompositeWeights:
    """Weights of the signals in the composite score, each ≥ 0. Recipes with three terms leave ``fused`` at 0."""

    similarity: float
    activation: float
    importance: float
    fused: float = 0.0


def composite(
    similarity: Values, activation: Values, importance: Values, fused: Values, weights: CompositeWeights
) -> Floats:
    """Compute the weighted sum of the signals, each in [0, 1] but ``fused``, a reciprocal-rank score of at most 2/61.

    Source: cognitive-memory-v9, openclaw-cognitive-memory
    """
    result: Floats = np.asarray(
        weights.similarity * np.asarray(similarity)
        + weights.activation * np.asarray(activation)
        + weights.importance * np.asarray(importance)
        + weights.fused * np.asarray(fused),
        np.float64,
    )
    return result


# Source confidence: a memory from an uncertain source ranks lower.


def ranked_down(score: Values, confidence: Values, threshold: float, least: float) -> Floats:
    """Scale ``score`` down for an uncertain source: unchanged from ``threshold`` on, else linearly down to ``least``.

    Args:
        score: ≥ 0.
        confidence: confidence in the source, in [0, 1].
        threshold: > 0.
        least: the factor at confidence 0, in [0, 1].

    Source: cognitive-memory-v9, decision-0010
    """
    share = np.clip(np.divide(confidence, threshold), 0.0, 1.0)
    result: Floats = np.multiply(score, least + (1.0 - least) * share)
    return result


# Mood-congruent recall: memories of the same mood are recalled more easily.


def congruent(score: Values, mood: float, valence: Values, factor: float) -> Floats:
    """Multiply ``score`` by ``factor`` where mood and memory have valences of the same sign; a mood of 0 has no effect.

    Args:
        score: ≥ 0.
        mood: valence of the cue, in [−1, 1].
        valence: of each memory, in [−1, 1].
        factor: ≥ 1.

    Source: bower-mood, cognitive-memory-v9
    """
    same = np.sign(mood) * np.sign(valence) > 0
    result: Floats = np.multiply(score, np.where(same, factor, 1.0))
    return result


# Reciprocal rank fusion: combines rankings from the ranks alone.


Item = TypeVar("Item", bound=Hashable)


def rrf(rankings: Sequence[Sequence[Item]], k: int = 60, weights: Sequence[float] | None = None) -> dict[Item, float]:
    """Fuse rankings: for each item the sum of weight/(k + rank) over the rankings that hold it, ranks from 1.

    Without weights, each is 1. Items come in order of first appearance, so that a stable sort breaks ties by it.

    Source: cormack-rrf
    """
    scores: dict[Item, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return scores


# Scaling by the best score, so that lists of different kinds can be added.


def scaled(values: FloatArray, best: float) -> FloatArray:
    """Scale ``values`` to [0, 1]: divide by ``best`` and clip; all 0 where nothing scored (``best`` ≤ 0).

    Unlike ranks, this keeps the margins between scores.

    Source: decision-0007
    """
    if best <= 0.0:
        return np.zeros_like(values)
    result: FloatArray = np.minimum(np.maximum(values / np.float32(best), 0.0), 1.0)
    return result
