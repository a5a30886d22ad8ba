"""Composite scores: activation, the weighted sum of parts, and factors for mood and the source's confidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats, Values

# ACT-R's base-level activation, approximated from a count and one age, and squeezed into (0, 1).


def base_level(count: Values, age_s: Values) -> Floats:
    """B = ln n − ½·ln(age): often used lifts, long ago lowers.

    Args:
        count: accesses; less than 1 counts as 1.
        age_s: seconds; less than 1 counts as 1.

    Source: anderson-schooler-actr, petrov-base-level
    """
    result: Floats = np.log(np.maximum(count, 1.0)) - 0.5 * np.log(np.maximum(age_s, 1.0))
    return result


def activation(count: Values, age_s: Values) -> Floats:
    """The logistic of the base level, in (0, 1); ½ when a memory was used as often as the root of its age in seconds.

    Source: cognitive-memory-v9, openclaw-cognitive-memory
    """
    result: Floats = 1.0 / (1.0 + np.exp(-base_level(count, age_s)))
    return result


# One score out of several signals.


@dataclass(frozen=True, slots=True)
class CompositeWeights:
    """Shares of the signals, each ≥ 0. Three-term recipes leave ``fused`` at 0."""

    similarity: float
    activation: float
    importance: float
    fused: float = 0.0


def composite(
    similarity: Values, activation: Values, importance: Values, fused: Values, weights: CompositeWeights
) -> Floats:
    """The weighted sum of the signals, each in [0, 1]; ``fused`` is the reciprocal-rank score as it is, at most 2/61.

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


# What little the source of a memory is trusted takes from its score.


def ranked_down(score: Values, confidence: Values, threshold: float, least: float) -> Floats:
    """``score`` unchanged from ``threshold`` on; below, times a factor that falls evenly to ``least`` at confidence 0.

    Args:
        score: ≥ 0.
        confidence: of the source, in [0, 1].
        threshold: > 0.
        least: the factor at confidence 0, in [0, 1].

    Source: cognitive-memory-v9, decision-0010
    """
    share = np.clip(np.divide(confidence, threshold), 0.0, 1.0)
    result: Floats = np.multiply(score, least + (1.0 - least) * share)
    return result


# Mood-congruent recall: who is glad remembers glad things more easily.


def congruent(score: Values, mood: float, valence: Values, factor: float) -> Floats:
    """``score`` times ``factor`` where mood and memory have a valence of the same sign; 0 is no mood.

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
