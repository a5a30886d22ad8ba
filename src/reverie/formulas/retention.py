"""Retention: how likely a memory is still retrievable after a time, by four laws, and the thresholds set on it."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values
from reverie.types import IntArray

# Ebbinghaus' curve: what is left falls by the same share every day.


def exponential_retention(elapsed_days: Values, stability_days: Values) -> Floats:
    """Share still retrievable: e^(−t/S), in [0, 1], 1 at the moment of access and .37 after S days.

    Args:
        elapsed_days: days since the last access; a clock that ran backwards counts as 0.
        stability_days: S, > 0.

    Source: openclaw-cognitive-memory, ebbinghaus-forgetting
    """
    result: Floats = np.exp(-np.maximum(elapsed_days, 0.0) / np.asarray(stability_days, np.float64))
    return result


# The power law of forgetting in the form document D gives it: a heavy tail, so that old knowledge never quite goes.


def power_retention(elapsed_days: Values, stability_days: Values) -> Floats:
    """Share still retrievable: (1 + t/(9·S))⁻², in (0, 1], 1 at the moment of access.

    Args:
        elapsed_days: days since the last access; a clock that ran backwards counts as 0.
        stability_days: S, > 0; after S days (10/9)⁻² = .81 is left.

    Source: cognitive-memory-v9, wixted-ebbesen-forgetting
    """
    elapsed = np.maximum(elapsed_days, 0.0)
    result: Floats = (1.0 + elapsed / (9.0 * np.asarray(stability_days, np.float64))) ** -2.0
    return result


# The forgetting curve of FSRS-6, the scheduler flashcard programs fit to billions of reviews.


FSRS6_DECAY = 0.1542
"""w20 of the published default parameters."""


def fsrs6_retention(elapsed_days: Values, stability_days: Values, decay: float = FSRS6_DECAY) -> Floats:
    """Chance of recall: (1 + f·t/S)^(−w20) with f = .9^(−1/w20) − 1, in (0, 1]; exactly .9 after S days.

    Args:
        elapsed_days: days since the last access; a clock that ran backwards counts as 0.
        stability_days: S, > 0: the days after which nine in ten are recalled.
        decay: w20, > 0; the smaller, the heavier the tail.

    Source: fsrs-6
    """
    factor = 0.9 ** (-1.0 / decay) - 1.0
    elapsed = np.maximum(elapsed_days, 0.0)
    result: Floats = (1.0 + factor * elapsed / np.asarray(stability_days, np.float64)) ** -decay
    return result


# Tiers forget at different speeds: the stability a test uses is the stored one divided by the tier's multiplier.


def effective_stability(stability_days: Values, multiplier: Values) -> Floats:
    """stability/multiplier; a multiplier of 0 is frozen, with a stability without end.

    Source: pahf-tiers, cognitive-memory-v9
    """
    stability, times = np.broadcast_arrays(np.asarray(stability_days, np.float64), np.asarray(multiplier, np.float64))
    result: Floats = np.divide(stability, times, out=np.full(stability.shape, np.inf), where=times > 0)
    return result


# Importance as scoring sees it: some categories lose weight with every day unused, the stored value stays.


def decayed(importance: Values, rate_per_day: Values, days: Values) -> Floats:
    """importance·e^(−rate·days), in [0, importance]; a rate of 0 never decays.

    Args:
        importance: in [0, 1].
        rate_per_day: the category's, ≥ 0.
        days: since the last access; a clock that ran backwards counts as 0.

    Source: cognitive-memory-v9
    """
    result: Floats = np.multiply(importance, np.exp(-np.asarray(rate_per_day) * np.maximum(days, 0.0)))
    return result


# How much use is much is decided by the store itself: the mean count of accesses over its active memories.


def threshold(accesses: Floats) -> float:
    """θ: the mean of (m,) access counts; 0 where there are none.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    return float(np.mean(accesses)) if np.size(accesses) else 0.0


def stability_for_test(stability_days: Values, accesses: Values, theta: float, share: float, factor: float) -> Floats:
    """The stability a forgetting test uses: times ``factor`` (½) where accesses lie below ``share`` (½) of θ.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, np.where(np.less(accesses, share * theta), factor, 1.0))
    return result


def is_protected(accesses: Values, theta: float, share: float) -> Bools:
    """Whether use protects from forgetting: accesses above ``share`` (1½) times θ.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    result: Bools = np.greater(accesses, share * theta)
    return result


def is_within_minimum(age_days: Values, minimum_days: Values) -> Bools:
    """Whether a memory is younger than its category's minimum retention; one without end (inf) always is.

    Source: cognitive-memory-v9
    """
    result: Bools = np.less(age_days, minimum_days)
    return result


# The testing effect: what is about to be lost is recalled once, and then lasts longer.


def endangered(retention: Floats, below: float, limit: int) -> IntArray:
    """Indices of at most ``limit`` of (m,) memories whose retention lies below ``below``, nearest to loss first.

    Source: roediger-karpicke-testing, cognitive-memory-v9
    """
    indices = np.flatnonzero(retention < below)
    order = np.argsort(retention[indices], kind="stable")
    return indices[order][:limit].astype(np.int64)


def rehearsed(stability_days: Values, factor: float) -> Floats:
    """Stability after a rehearsal, ``factor`` ≥ 1 times what it was.

    Source: roediger-karpicke-testing, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, factor)
    return result


# The two rules of forgetting that are figures: what proved useless, and what is one too many.


def is_below_floor(utility: Values, idle_days: Values, floor: float, least_idle_days: float) -> Bools:
    """Whether a memory is of less use than ``floor`` and unused for at least ``least_idle_days``, both.

    Source: cognitive-memory-v9
    """
    result: Bools = np.logical_and(np.less(utility, floor), np.greater_equal(idle_days, least_idle_days))
    return result


def surplus(utility: Floats, exempt: Bools, capacity: int, trimmed: int) -> IntArray:
    """Indices to trim, least useful first: none up to ``capacity`` memories, above it as many as leave ``trimmed``.

    The exempt count towards the capacity but are never among them; of equals the earlier goes.

    Args:
        utility: (m,) of all active memories.
        exempt: (m,) those that must stay.
        capacity: how many may be.
        trimmed: how many are left after trimming, ≤ capacity.

    Source: cognitive-memory-v9
    """
    over = len(utility) - trimmed if len(utility) > capacity else 0
    indices = np.flatnonzero(~exempt)
    order = np.argsort(utility[indices], kind="stable")
    return indices[order][:over].astype(np.int64)
