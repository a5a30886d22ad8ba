import pytest

from reverie.errors import InvalidInput
from reverie.vault.laws import Laws
from reverie.vault.maintenance import contradicted, flagged, item, outcome, verified
from tests.vault.conftest import DAY
from tests.vault.notes import seen, text


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


NAME = "hawk/obs-2026-02-15-001"


@pytest.mark.req("B3")
def test_an_event_counts_once(laws: Laws) -> None:
    """Told again, it changes nothing."""
    start = item(seen(text()), {}, laws, DAY)
    made = [(outcome(NAME, "", laws, DAY), 0.7), (verified(NAME, laws), 0.65), (contradicted(NAME, "b", laws), 0.3)]
    for event, earned in made:
        once = event.happen(start)
        assert once.record.earned == earned
        assert event.happen(once).record.earned == earned


@pytest.mark.req("B3")
def test_a_flag_sets_importance(laws: Laws) -> None:
    """To .95; or to nothing, and into the archive."""
    start = item(seen(text()), {}, laws, DAY)
    assert flagged(NAME, important=True, laws=laws, today=DAY).happen(start).record.earned == 0.95
    wrong = flagged(NAME, important=False, laws=laws, today=DAY).happen(start)
    assert (wrong.record.earned, wrong.archived) == (0.0, True)


def test_nothing_contradicts_itself(laws: Laws) -> None:
    """That is a mistake in the line."""
    with pytest.raises(InvalidInput):
        contradicted(NAME, NAME, laws)
