import pytest

from reverie.exchange.fields import NAME_MAX, FieldError, name_in


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
