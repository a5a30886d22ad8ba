import pytest

from reverie.errors import InvalidInput
from reverie.vault.laws import Laws
from reverie.vault.maintenance import contradicted, flagged, item, outcome, verified
from tests.vault.conftest import DAY
from tests.vault.notes import seen, text

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
