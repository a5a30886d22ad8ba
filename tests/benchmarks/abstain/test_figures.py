"""Rows: every system, every kind, and intervals around the values."""

from __future__ import annotations

import numpy as np

from benchmarks.abstain.figures import BASELINES, CROSS_VALIDATED, ELSEWHERE, JOINTLY, SHIPPED, judged, measured
from benchmarks.abstain.figures import question_weights as weights
from tests.benchmarks.abstain.cases_of import asked


def test_rows_of_every_system_with_their_intervals() -> None:
    """Alone there is nothing to fit elsewhere; a value lies within its interval; a baseline is no probability."""
    some = asked()
    assert [one.system for one in judged(some, ())] == [*BASELINES, SHIPPED, CROSS_VALIDATED]
    systems = list(judged(some, asked(of="other", seed=3)))
    assert [one.system for one in systems] == [*BASELINES, SHIPPED, CROSS_VALIDATED, JOINTLY, ELSEWHERE]
    rows = list(measured("toy", some, systems, seed=0))
    assert all(row.low <= row.value <= row.high for row in rows if row.metric != "ece")
    assert {row.category for row in rows} == {
        "all",
        "evidence removed",
        "evidence removed: odd",
        "evidence removed: even",
    }
    assert {row.system for row in rows if row.metric == "ece"} == {SHIPPED, CROSS_VALIDATED, JOINTLY, ELSEWHERE}
    assert [row.at for row in rows if row.metric == "risk" and row.system == SHIPPED] == [0.2, 0.4, 0.6, 0.8, 1.0]


def test_a_question_and_its_twin_are_drawn_together() -> None:
    """Twins have the same weight in every resample; the resamples are the seed's."""
    some = asked()
    drawn = weights(some, 0)
    assert (drawn[:, 0::2] == drawn[:, 1::2]).all()
    assert (drawn == weights(some, 0)).all()
    assert not (drawn == weights(some, 1)).all()


def test_what_found_nothing_is_never_answered() -> None:
    """Without evidence the probability is 0 in every system."""
    first, *rest = asked()
    bare = type(first)(
        **{**{name: getattr(first, name) for name in first.__slots__}, "evidence": {}, "confidence": 0.0}
    )
    for system in judged([bare, *rest], ()):
        assert not system.is_chance or system.scores[0] == 0.0
        assert np.isfinite(system.scores).all()
