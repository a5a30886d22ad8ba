from datetime import timedelta

import pytest

from reverie.vault.laws import Laws
from reverie.vault.maintenance import item, sweep
from tests.vault.conftest import DAY
from tests.vault.notes import seen, text


@pytest.mark.req("B5", "B6")
@pytest.mark.parametrize(
    ("importance", "age", "what", "max_age"),
    [
        ("0.19", 1, "archived", "30d"),
        ("0.2", 30, None, "30d"),
        ("0.39", 31, "archived", "30d"),
        ("0.4", 31, "for review", "30d"),
        ("0.69", 31, "for review", "30d"),
        ("0.7", 31, "extended", "45d"),
        ("0.7", 60, "extended", "68d"),
        ("0.8", 60, None, "30d"),
        ("0.8", 61, "extended", "45d"),
        ("0.9", 90, None, "30d"),
        ("0.9", 91, "extended", "45d"),
    ],
)
def test_the_sweep_goes_by_age_and_importance(
    laws: Laws, importance: str, age: int, what: str | None, max_age: str
) -> None:
    """As the document's table says; extended as often as it takes, so that a second look finds nothing."""
    one = item(seen(text(importance=importance)), {}, laws, DAY)
    [(then, told)] = sweep([one], laws, DAY + timedelta(days=age))
    assert [change.what for change in told] == ([what] if what else [])
    assert then.archived is (what == "archived")
    assert f"max_age: {max_age}\n" in then.now.front.text
    assert bool(then.record.review) is (what == "for review")
    if what == "extended":
        assert list(sweep([then], laws, DAY + timedelta(days=age))) == [(then, ())]
