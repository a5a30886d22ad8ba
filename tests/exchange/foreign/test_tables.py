"""Reading single columns of a foreign row."""

from __future__ import annotations

import pytest

from reverie.exchange.fields import FieldError
from reverie.exchange.foreign.note import key_in, text_in


def test_the_first_column_that_holds_something_is_read() -> None:
    """Null and empty ones are passed over."""
    assert text_in({"a": None, "b": "", "c": "tea"}, "a", "b", "c") == "tea"
    assert text_in({}, "a") == ""


@pytest.mark.parametrize("value", [3, 2.5, b"\xff\xfe"])
def test_what_is_no_text_is_named(value: object) -> None:
    """Numbers, and bytes that are no UTF-8."""
    with pytest.raises(FieldError, match="title"):
        text_in({"title": value}, "title")


@pytest.mark.parametrize("value", [None, "", 2.5, True, b"x"])
def test_a_row_without_a_name_is_refused(value: object) -> None:
    """Nothing stable could be made of it."""
    assert key_in({"id": 7}) == "7"
    with pytest.raises(FieldError):
        key_in({"id": value})
