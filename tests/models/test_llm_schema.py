from __future__ import annotations

import json
from typing import Any

import pytest

from reverie.models import llm_tasks
from reverie.models.llm_call import read_answer, schema_of
from reverie.models.llm_port import Failed, Why
from reverie.models.llm_tasks import FormWire, RelateWire, RouteWire, TextWire

WIRES = [
    llm_tasks.FormWire,
    llm_tasks.TextWire,
    llm_tasks.RelateWire,
    llm_tasks.RouteWire,
    llm_tasks.DrawnsWire,
]


def objects(schema: Any) -> list[dict[str, Any]]:
    """Every object type in a schema."""
    if isinstance(schema, list):
        return [found for entry in schema for found in objects(entry)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for value in schema.values() for found in objects(value)]


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_a_schema_is_what_strict_endpoints_take(wire: type) -> None:
    """An object without references, every field required, no other allowed, no long repetitions to compile."""
    schema = schema_of(wire)
    assert schema["type"] == "object"
    assert "$ref" not in json.dumps(schema)
    for found in objects(schema):
        assert found["additionalProperties"] is False
        assert set(found["required"]) == set(found["properties"])
    assert "maxLength" not in json.dumps(schema)


@pytest.mark.req("D12")
def test_formation_asks_for_the_documents_output() -> None:
    """The names and choices of document D, to the letter."""
    schema = schema_of(FormWire)
    assert list(schema["properties"]) == [
        "resolvedText",
        "atomicFacts",
        "foresightSignals",
        "temporalType",
        "validUntil",
        "entities",
        "category",
    ]
    assert schema["properties"]["temporalType"]["enum"] == ["persistent", "time_bounded"]
    categories = ["correction", "decision", "entity", "fact", "plan", "preference"]
    assert sorted(schema["properties"]["category"]["enum"]) == categories


@pytest.mark.req("D18")
def test_a_question_has_one_of_six_intents() -> None:
    """And no other."""
    intents = ["causal", "entity_profile", "factual", "general", "preference", "temporal"]
    assert sorted(schema_of(RouteWire)["properties"]["intent"]["enum"]) == intents


@pytest.mark.parametrize(
    "content",
    [
        '{"text": "a"}',
        ' \n{"text": "a"} ',
        '```json\n{"text": "a"}\n```',
        'Here: {"text": "a"}. Done.',
        '<think>{"x": 1}</think>{"text": "a"}',
    ],
)
def test_json_is_found_in_what_stands_around_it(content: str) -> None:
    """Marks, explanations and thoughts aside, the object is the same."""
    assert read_answer(content, TextWire) == TextWire("a")


@pytest.mark.parametrize(
    "content", ["", "}{", "{", "null", '{"text": "a"} and {"text": "b"}', '{"text": "\ud83d"}', "[" * 100_000]
)
def test_no_json_is_a_reason(content: str) -> None:
    """Never an exception."""
    read = read_answer(content, TextWire)
    assert isinstance(read, Failed)
    assert read.why is Why.UNREADABLE


@pytest.mark.parametrize(
    "link",
    [
        {"number": 0, "kind": "causes", "confidence": 1},
        {"number": 1, "kind": "causes", "confidence": 1.1},
        {"number": 1, "kind": "loves", "confidence": 1},
    ],
)
def test_values_out_of_range_do_not_fit(link: dict[str, Any]) -> None:
    """Numbers count from 1, confidences end at 1, kinds are listed; the reason names the place alone."""
    read = read_answer(json.dumps({"links": [link]}), RelateWire)
    assert isinstance(read, Failed)
    assert (read.why, "$.links" in read.note, "loves" in read.note) == (Why.SCHEMA, True, False)


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    "wrong",
    [
        {"category": "habit"},
        {"entities": None},
        {"foresightSignals": [{"text": ""}]},
        {"temporalType": 3, "validUntil": 4},
    ],
)
def test_a_spare_field_that_is_wrong_costs_no_fact(wrong: dict[str, Any]) -> None:
    """It is as if nothing were said of it; a wrong fact still does not fit."""
    right = {"resolvedText": "a", "atomicFacts": ["a"], "foresightSignals": [], "temporalType": "persistent"}
    right |= {"validUntil": None, "entities": [], "category": "fact"}
    assert read_answer(json.dumps(right | wrong), FormWire) == read_answer(json.dumps(right), FormWire)
    assert isinstance(read_answer(json.dumps(right | wrong | {"atomicFacts": [""]}), FormWire), Failed)
