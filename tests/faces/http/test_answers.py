"""Models of answers follow from the engine's dataclasses, and from a table that names only what is there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pytest

from reverie.events import DreamStage
from reverie.faces.http.answers import TOLD, of
from reverie.wire.layouts import parts

BY_THE_ROUTE = {"Brought": {"skipped", "left"}, "Erasure": {"erased"}, "Explanation": {"words"}}
"""Keys that a route adds to a value."""


@pytest.mark.parametrize("kind", TOLD, ids=lambda kind: kind.__name__)
def test_a_model_has_the_keys_of_the_shape(kind: type) -> None:
    """No key is missing, and what the table says of a key it says of one there is."""
    keys = {part.name for part in parts(kind)}
    added = BY_THE_ROUTE.get(kind.__name__, set())
    assert set(TOLD[kind].forms) <= keys | added
    assert set(of(kind).model_fields) - {"scope", "text_base64"} == (keys | added) - {"scope"}
    assert TOLD[kind].about


def test_a_dataclass_nobody_named_is_described() -> None:
    """By its own name and first line, with each field; a count is not negative, a moment says that it is one."""

    @dataclass(frozen=True, slots=True)
    class Day:
        """What a day brought.

        More of it.
        """

        at: datetime
        stage: DreamStage
        count: int
        names: tuple[str, ...] = ()
        mood: float | None = None

    schema = of(Day).model_json_schema()
    found = {name: {key: one[key] for key in one if key != "title"} for name, one in schema["properties"].items()}
    assert (schema["title"], schema["description"]) == ("Day", "What a day brought.")
    assert found == {
        "at": {"type": "string", "format": "date-time"},
        "stage": {"type": "string"},
        "count": {"type": "integer", "minimum": 0},
        "names": {"type": "array", "items": {"type": "string"}},
        "mood": {"anyOf": [{"type": "number"}, {"type": "null"}]},
    }
    assert schema["required"] == list(found)
