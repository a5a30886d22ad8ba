from datetime import UTC, datetime

import pytest

from reverie.exchange.fields import NAME_MAX, FieldError, name_in, time_in, time_or_none


@pytest.mark.parametrize(("value", "name"), [("Ada", "Ada"), (7, "7"), (" ", None), ("", None), (None, None)])
def test_names_are_text_or_numbers_and_blank_is_missing(value: object, name: str | None) -> None:
    """Ids are often numbers; a blank name names nobody."""
    assert name_in({"id": value}, "id") == name


@pytest.mark.parametrize("value", [True, [], {}, 1.5, "x" * (NAME_MAX + 1)])
def test_what_cannot_be_a_name_is_a_fault(value: object) -> None:
    """The engine would refuse it; here the line is still known."""
    with pytest.raises(FieldError, match="id"):
        name_in({"id": value}, "id")


def test_the_first_name_that_is_there_counts() -> None:
    """Null is not there."""
    assert name_in({"a": None, "b": "x", "c": "y"}, "a", "b", "c") == "x"


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("20260302", datetime(2026, 3, 2, tzinfo=UTC)),
        ("20260302T0900", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        (" 2026-03-02 ", datetime(2026, 3, 2, tzinfo=UTC)),
        ("1772442000", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("1772442000.0", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        (1772442000000, datetime(2026, 3, 2, 9, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_digits_in_quotes_are_seconds_or_a_date(value: object, at: datetime) -> None:
    """A date written together is no moment of the year 1970."""
    assert time_in({"at": value}, "at") == at


@pytest.mark.parametrize("value", ["2026", "0", "nan", "inf", "dün", "12:30"])
def test_what_is_no_whole_time_is_a_fault(value: object) -> None:
    """A year alone, a clock alone, no number: the line is named, and nobody finds it in 1970."""
    with pytest.raises(FieldError, match="no time"):
        time_in({"at": value}, "at")


def test_a_time_that_only_helps_is_none_where_it_cannot_be_read() -> None:
    """Missing, broken, or there."""
    assert time_or_none({}, "at") is None
    assert time_or_none({"at": "?"}, "at") is None
    assert time_or_none({"at": "2026-03-02T09:00:00Z"}, "at") == datetime(2026, 3, 2, 9, tzinfo=UTC)
