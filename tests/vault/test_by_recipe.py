import pytest

from reverie.vault.laws import Laws


@pytest.mark.req("B3", "B5", "B6", "B7", "B8")
def test_the_numbers_are_the_documents(laws: Laws) -> None:
    """What the recipe says is what document B says."""
    assert laws.start == 0.5
    assert (laws.table.referenced, laws.table.referenced_by_other) == (0.1, 0.15)
    assert (laws.neglect.per_period, laws.neglect.period_days, laws.neglect.most) == (0.1, 14.0, 0.3)
    assert [(one.importance, one.factor) for one in laws.extensions] == [(0.8, 2.0), (0.9, 3.0)]
    assert (laws.edges.floor, laws.edges.low, laws.edges.high, laws.extend_by) == (0.2, 0.4, 0.7, 1.5)
    assert (laws.sharing.importance, laws.sharing.verified_importance) == (0.8, 0.6)
    assert (laws.search_floor, laws.least_freshness) == (0.1, 0.05)
