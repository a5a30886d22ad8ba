from datetime import UTC, datetime

import click
import pytest

from reverie.faces.cli.invocation import TIME
from tests.faces.cli.conftest import Run


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("2026-03-02T18:30", datetime(2026, 3, 2, 18, 30, tzinfo=UTC)),
        ("2026-03-02T18:30:00+03:00", datetime(2026, 3, 2, 15, 30, tzinfo=UTC)),
        (" 2026-03-02 18:30Z ", datetime(2026, 3, 2, 18, 30, tzinfo=UTC)),
    ],
)
def test_times_are_typed_as_people_write_them(text: str, at: datetime) -> None:
    """A day, a day and a time, with a zone or without."""
    assert TIME.convert(text, None, None) == at


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01", "0001-01-01T00:00+14:00"])
def test_what_is_no_time_is_a_mistake_in_the_line(text: str) -> None:
    """With an example of how to write it."""
    with pytest.raises(click.BadParameter, match="2026-03-02"):
        TIME.convert(text, None, None)


def test_help_lists_own_options_before_the_common_ones(run: Run) -> None:
    """What only this command can do is read first."""
    shown = run("recall", "--help").out
    assert shown.index("--top-k") < shown.index("Common options:") < shown.index("--store")
