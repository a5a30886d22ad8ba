"""Schemas are short and still true of what is taken and given."""

from __future__ import annotations

import jsonschema
import pytest

from reverie.faces.mcp import values
from reverie.faces.mcp.service import plain
from reverie.faces.mcp.values import input_schema, output_schema

TYPES = (values.Recall, values.Store, values.Listing, values.Link, values.Feedback, values.Consolidate)


@pytest.mark.parametrize("model", TYPES)
def test_nothing_needless_is_told(model: type[values.Input]) -> None:
    """No titles, no nulls, no references."""
    told = str(input_schema(model))
    assert not any(word in told for word in ("title", "null", "$ref", "$defs", "anyOf", "format"))


def test_a_schema_says_what_is_required_and_possible() -> None:
    """A query is needed, a limit is a number with bounds, a verdict one of five."""
    recall = input_schema(values.Recall)
    assert recall["required"] == ["query"]
    jsonschema.validate({"query": "x", "limit": 5}, recall)
    for wrong in ({}, {"query": 1}, {"query": "x", "limit": 0}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, recall)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": "x", "verdict": "nice"}, input_schema(values.Feedback))


def test_what_is_given_fits_what_was_told() -> None:
    """Fields that are not there are left out, not null."""
    given = plain(values.Changed(scope="s", id="x", state="active"))
    assert "valid_until" not in given
    jsonschema.validate(given, output_schema(values.Changed))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": "x"}, output_schema(values.Changed))
