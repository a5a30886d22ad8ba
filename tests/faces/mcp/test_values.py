"""What a model hands in is checked, and never names a scope."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from reverie.faces.mcp import values


@pytest.mark.parametrize("name", ["scope", "agent", "user", "project"])
def test_a_model_cannot_name_a_scope(name: str) -> None:
    """An argument that is not known is refused, not passed over."""
    with pytest.raises(ValidationError):
        values.Recall.model_validate({"query": "x", name: "somebody else"})


def test_times_are_taken_as_people_write_them() -> None:
    """A day, a moment with a zone, a moment without one, which is UTC."""
    for text, at in (
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("2026-03-02T12:00:00+03:00", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("2026-03-02T12:00", datetime(2026, 3, 2, 12, tzinfo=UTC)),
    ):
        since = values.Recall.model_validate({"query": "x", "since": text}).since
        assert since == at
        assert since.utcoffset() == timedelta(0)


def test_a_time_off_the_calendar_is_refused() -> None:
    """Midnight of the first year, east of Greenwich, was before it."""
    with pytest.raises(ValidationError):
        values.Recall.model_validate({"query": "x", "since": "0001-01-01T00:00:00+10:00"})
