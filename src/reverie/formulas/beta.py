"""Beta posterior of a success rate: its mean, and the lower bound that it exceeds with a given probability."""

from __future__ import annotations

import math

PRIOR = 1.0
"""Both parameters of the prior Beta(1, 1): before the first trial every rate is equally probable."""
_STEPS_MAX = 300
_HALVINGS = 40
_TINY = 1e-300
_ENOUGH = 1e-14


def posterior_mean(successes: float, failures: float, prior: float = PRIOR) -> float:
    """Compute the mean of Beta(successes + prior, failures + prior), in (0, 1); ½ without a trial.

    Args:
        successes: ≥ 0, also a fraction where older trials count less.
        failures: ≥ 0, likewise.
        prior: > 0.

    Source: gelman-bda
    """
    return (successes + prior) / (successes + failures + 2.0 * prior)


def lower_bound(successes: float, failures: float, level: float = 0.95, prior: float = PRIOR) -> float:
    """Compute the rate in [0, 1] that the posterior Beta(successes + prior, failures + prior) exceeds with ``level``.

    Args:
        successes: ≥ 0, also a fraction where older trials count less.
        failures: ≥ 0, likewise.
        level: in (0, 1); .95 leaves a probability of .05 that the rate is lower.
        prior: > 0.

    Source: gelman-bda
    """
    low, high, alpha, beta = 0.0, 1.0, successes + prior, failures + prior
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if beta_below(middle, alpha, beta) < 1.0 - level:
            low = middle
        else:
            high = middle
    return low


def beta_below(rate: float, alpha: float, beta: float) -> float:
    """Compute the probability in [0, 1] that a variable of Beta(alpha, beta) is at most ``rate``.

    This is the regularised incomplete beta function, by its continued fraction.

    Args:
        rate: in [0, 1]; values outside count as the nearer end.
        alpha: > 0.
        beta: > 0.

    Source: lentz-continued
    """
    if rate <= 0.0 or rate >= 1.0:
        return 0.0 if rate <= 0.0 else 1.0
    weight = alpha * math.log(rate) + beta * math.log1p(-rate)
    weight += math.lgamma(alpha + beta) - math.lgamma(alpha) - math.lgamma(beta)
    if rate < (alpha + 1.0) / (alpha + beta + 2.0):
        return math.exp(weight) * _fraction(rate, alpha, beta) / alpha
    return 1.0 - math.exp(weight) * _fraction(1.0 - rate, beta, alpha) / beta


def _fraction(rate: float, alpha: float, beta: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    above, below = 1.0, _safe(1.0 - (alpha + beta) * rate / (alpha + 1.0))
    below = 1.0 / below
    value = below
    for m in range(1, _STEPS_MAX):
        twice = alpha + 2.0 * m
        even = m * (beta - m) * rate / ((twice - 1.0) * twice)
        odd = -(alpha + m) * (alpha + beta + m) * rate / (twice * (twice + 1.0))
        factor = 1.0
        for part in (even, odd):
            below, above = 1.0 / _safe(1.0 + part * below), _safe(1.0 + part / above)
            factor = below * above
            value *= factor
        if abs(factor - 1.0) < _ENOUGH:
            break
    return value


def _safe(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
