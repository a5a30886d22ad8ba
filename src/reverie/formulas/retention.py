"""Forgetting curves: the probability that a memory is still retrievable after a time, and thresholds on it."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values
from reverie.types import IntArray

# Ebbinghaus' curve: the same share is lost each day.


def exponential_retention(elapsed_days: Values, stability_days: Values) -> Floats:
    """Compute retention e^(−t/S), in [0, 1]: 1 at the moment of access, .37 after S days.

    Args:
        elapsed_days: days since the last access; a negative time counts as 0.
        stability_days: S, > 0.

    Source: openclaw-cognitive-memory, ebbinghaus-forgetting
    """
    result: Floats = np.exp(-np.maximum(elapsed_days, 0.0) / np.asarray(stability_days, np.float64))
    return result


# The power law of forgetting as document D gives it: a heavy tail, so that old knowledge is never quite lost.


def power_retention(elapsed_days: Values, stability_days: Values) -> Floats:
    """Compute retention (1 + t/(9·S))⁻², in (0, 1]: 1 at the moment of access.

    Args:
        elapsed_days: days since the last access; a negative time counts as 0.
        stability_days: S, > 0; after S days (10/9)⁻² = .81 is left.

    Source: cognitive-memory-v9, wixted-ebbesen-forgetting
    """
    elapsed = np.maximum(elapsed_days, 0.0)
    result: Floats = (1.0 + elapsed / (9.0 * np.asarray(stability_days, np.float64))) ** -2.0
    return result


# The forgetting curve of FSRS-6, the flashcard scheduler fitted to billions of reviews.


FSRS6_DECAY = 0.1542
"""Weight w20 of the published default parameters."""


def fsrs6_retention(elapsed_days: Values, stability_days: Values, decay: float = FSRS6_DECAY) -> Floats:
    """Compute the recall probability (1 + f·t/S)^(−w20), f = .9^(−1/w20) − 1, in (0, 1]; exactly .9 after S days.

    Args:
        elapsed_days: days since the last access; a negative time counts as 0.
        stability_days: S, > 0: after this many days, nine in ten are recalled.
        decay: w20, > 0; the smaller, the heavier the tail.

    Source: fsrs-6
    """
    factor = 0.9 ** (-1.0 / decay) - 1.0
    elapsed = np.maximum(elapsed_days, 0.0)
    result: Floats = (1.0 + factor * elapsed / np.asarray(stability_days, np.float64)) ** -decay
    return result


# Tiers forget at different speeds: the stability of a tier is the stored one divided by its multiplier.


def effective_stability(stability_days: Values, multiplier: Values) -> Floats:
    """Compute the stability of a memory in its tier: stability/multiplier, infinite for a multiplier of 0 (frozen).

    Source: pahf-tiers, cognitive-memory-v9
    """
    stability, times = np.broadcast_arrays(np.asarray(stability_days, np.float64), np.asarray(multiplier, np.float64))
    result: Floats = np.divide(stability, times, out=np.full(stability.shape, np.inf), where=times > 0)
    return result


# Some categories lose importance with every unused day; the stored value stays.


def decayed(importance: Values, rate_per_day: Values, days: Values) -> Floats:
    """Compute importance after decay: importance·e^(−rate·days), in [0, importance]; a rate of 0 never decays.

    Args:
        importance: in [0, 1].
        rate_per_day: decay rate of the category, ≥ 0.
        days: days since the last access; a negative time counts as 0.

    Source: cognitive-memory-v9
    """
    result: Floats = np.multiply(importance, np.exp(-np.asarray(rate_per_day) * np.maximum(days, 0.0)))
    return result


# The BCM threshold: how much use is much depends on the mean access count of the store's active memories.


def threshold(accesses: Floats) -> float:
    """Compute the threshold θ: the mean of (m,) access counts; 0 for none.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    return float(np.mean(accesses)) if np.size(accesses) else 0.0


def stability_for_test(stability_days: Values, accesses: Values, theta: float, share: float, factor: float) -> Floats:
    """Compute the stability a forgetting test uses: times ``factor`` (½) if accesses lie below ``share`` (½) of θ.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, np.where(np.less(accesses, share * theta), factor, 1.0))
    return result


def is_protected(accesses: Values, theta: float, share: float) -> Bools:
    """Whether use protects a memory from forgetting: accesses above ``share`` (1½) times θ.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    result: Bools = np.greater(accesses, share * theta)
    return result


def is_within_minimum(age_days: Values, minimum_days: Values) -> Bools:
    """Whether a memory is younger than its category's minimum retention; always for a minimum of inf.

    Source: cognitive-memory-v9
    """
    result: Bools = np.less(age_days, minimum_days)
    return result


# The testing effect: memories close to loss are rehearsed, which stabilises them.


def endangered(retention: Floats, below: float, limit: int) -> IntArray:
    """Return indices of at most ``limit`` of (m,) memories with retention less than ``below``, lowest retention first.

    Source: roediger-karpicke-testing, cognitive-memory-v9
    """
    indices = np.flatnonzero(retention < below)
    order = np.argsort(retention[indices], kind="stable")
    return indices[order][:limit].astype(np.int64)


def rehearsed(stability_days: Values, factor: float) -> Floats:
    """Compute the stability after a rehearsal: ``factor`` ≥ 1 times the old one.

    Source: roediger-karpicke-testing, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, factor)
    return result


# Two rules of forgetting: low utility, and exceeded capacity.


def is_below_floor(utility: Values, idle_days: Values, floor: float, least_idle_days: float) -> Bools:
    """Whether a memory has utility below ``floor`` and has been unused for at least ``least_idle_days``.

    Source: cognitive-memory-v9
    """
    result: Bools = np.logical_and(np.less(utility, floor), np.greater_equal(idle_days, least_idle_days))
    return result


def surplus(utility: Floats, exempt: Bools, capacity: int, trimmed: int) -> IntArray:
    """Return indices of memories to trim, least useful first, if there are more than ``capacity``: down to ``trimmed``.

    Exempt memories count towards the capacity but are never trimmed; of equally useful ones the earlier goes first.

    Args:
        utility: (m,) utility of all active memories.
        exempt: (m,) memories that must stay.
        capacity: maximum number of memories.
        trimmed: number of memories left after trimming, ≤ capacity.

    Source: cognitive-memory-v9
    """
    over = len(utility) - trimmed if len(utility) > capacity else 0
    indices = np.flatnonzero(~exempt)
    order = np.argsort(utility[indices], kind="stable")
    return indices[order][:over].astype(np.int64)
