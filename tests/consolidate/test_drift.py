from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.consolidate.tiers import drift
from reverie.recipes.published.v9.dream import DREAM as V9
from tests.consolidate.making import NOW, after, days_ago, memory, snapshot


@pytest.mark.req("D15", "D33")
def test_utility_drifts_to_neutral_by_a_hundredth_a_day() -> None:
    """Twenty days: .9 + .01·20·(.5 − .9) = .82 by the document, .5 + .4·.99²⁰ day by day; neutral stays."""
    used = memory("used", utility=0.9, idle_days=20.0), memory("low", utility=0.1, idle_days=20.0), memory("half")
    assert V9.drift is not None
    document = after(drift(snapshot(*used), V9.drift, NOW))
    assert document["used"]["utility"] == pytest.approx(0.82)
    assert document["low"]["utility"] == pytest.approx(0.18)
    assert document["used"]["drifted_at"] == NOW
    assert "half" not in document
    daily = after(drift(snapshot(*used), replace(V9.drift, daily=True), NOW))
    assert daily["used"]["utility"] == pytest.approx(0.5 + 0.4 * 0.99**20)
    assert daily["low"]["utility"] == pytest.approx(0.5 - 0.4 * 0.99**20)
    assert "half" not in daily


@pytest.mark.req("D15")
def test_drift_counts_from_where_it_was_applied_to() -> None:
    """Or from the last access, if that is later; twice in a night moves nothing the second time."""
    assert V9.drift is not None
    applied = memory("applied", utility=0.9, idle_days=50.0, drifted_at=days_ago(10))
    accessed = memory("accessed", utility=0.9, idle_days=10.0, drifted_at=days_ago(50))
    first = snapshot(applied, accessed)
    outcome = drift(first, V9.drift, NOW)
    assert [what["utility"] for what in after(outcome).values()] == pytest.approx([0.86, 0.86])
    assert not drift(first.after(outcome), V9.drift, NOW).changes
