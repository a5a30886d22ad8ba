from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from reverie.models import llm_tasks
from reverie.models.llm_call import (
    Completion,
    Form,
    LlmDialect,
    Reply,
    Wire,
    asked_pause_s,
    completion_in,
    pause_s,
    read_answer,
    schema_of,
)
from reverie.models.llm_port import Failed, Why
from reverie.models.llm_tasks import FormWire, RelateWire, RouteWire, TextWire
from reverie.models.openai import Endpoint
from tests.models import fake_chat
from tests.models.fake_chat import FakeChat


@pytest.mark.parametrize(
    ("attempt", "chance", "pause"), [(0, 1.0, 0.5), (0, 0.0, 0.25), (1, 1.0, 1.0), (3, 0.5, 3.0), (9, 1.0, 8.0)]
)
def test_pauses_double_up_to_eight_seconds(attempt: int, chance: float, pause: float) -> None:
    """.5 · 2ᵃ, at most 8; of that a half, and the other half by chance: 4 · (.5 + .5 · .5) = 3."""
    assert pause_s(attempt, chance) == pytest.approx(pause)


def body(message: dict[str, Any], **document: Any) -> bytes:
    """A completion with this message."""
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], **document}).encode()


def test_text_and_tokens_are_read() -> None:
    """As the protocol has them."""
    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    assert completion_in(body({"content": "yes"}, usage=usage)) == Completion("yes", 3, 4)


def test_a_content_in_parts_is_joined() -> None:
    """Some endpoints give a list."""
    read = completion_in(body({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}))
    assert read == Completion("ab", None, None)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None}, {"prompt_tokens": "3"}, {"prompt_tokens": -1}])
def test_tokens_that_are_no_count_are_unknown(usage: Any) -> None:
    """A missing or odd count is not taken for zero."""
    assert completion_in(body({"content": ""}, usage=usage)) == Completion("", None, None)


@pytest.mark.parametrize("content", [["a"], [None], [{"text": 3}]])
def test_odd_parts_do_no_harm(content: Any) -> None:
    """A part of another shape is read as text or refused, never an exception."""
    read = completion_in(body({"content": content}))
    assert read == Completion("3", None, None) or (isinstance(read, Failed) and read.why is Why.UNREADABLE)


def named(param: object) -> bytes:
    """An error that names a field."""
    return json.dumps({"error": {"param": param}}).encode()


def test_forms_grow_simpler_until_there_is_none() -> None:
    """Schema, object, plain; then the request itself is wrong."""
    first = LlmDialect().simpler(400, b"")
    assert first is not None
    second = first.simpler(422, b"no json")
    assert second is not None
    assert (first.form, second.form, second.simpler(400, b"")) == (Form.OBJECT, Form.PLAIN, None)


@pytest.mark.parametrize("status", [401, 404, 429, 500])
def test_other_refusals_are_no_matter_of_dialect(status: int) -> None:
    """A key, a missing model or a limit are not mended by asking more simply."""
    assert LlmDialect().simpler(status, named("temperature")) is None


@pytest.mark.parametrize("refusal", [b"[]", b'{"error": "text"}', b"\xff", named(["temperature"]), named("messages")])
def test_an_error_of_another_shape_only_weakens_the_form(refusal: bytes) -> None:
    """What cannot be read names no field."""
    assert LlmDialect().simpler(400, refusal) == LlmDialect(form=Form.OBJECT)


def test_a_field_is_dropped_once() -> None:
    """If its new name is refused as well, the form is next."""
    renamed = LlmDialect().simpler(400, named("max_tokens"))
    assert renamed == LlmDialect(length_key="max_completion_tokens")
    assert renamed.simpler(400, named("max_tokens")) == LlmDialect(Form.OBJECT, "max_completion_tokens")


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeChat]:
    """An endpoint on this machine, reached past any proxy."""
    monkeypatch.setenv("no_proxy", "*")
    with fake_chat.fake_chat() as running:
        yield running


def test_any_status_is_a_reply(server: FakeChat) -> None:
    """With its body and its wish to be left alone."""
    server.script = [fake_chat.Reply(b"busy", 503, {"Retry-After": "7"})]
    assert Wire(Endpoint(server.url), lambda: 0.0).post({}, 5) == Reply(503, b"busy", "7")


def test_without_a_key_no_header_is_sent(server: FakeChat) -> None:
    """Local servers ask for none."""
    server.script = [fake_chat.Reply(b"{}")]
    Wire(Endpoint(server.url + "/"), lambda: 0.0).post({}, 5)
    assert (server.keys, server.paths) == ([None], ["/v1/chat/completions"])


def test_a_server_that_trickles_is_late(server: FakeChat) -> None:
    """Each piece comes in time, the whole does not."""
    server.script = [fake_chat.Reply(b"x" * 300_000)]
    readings = iter(range(0, 10_000, 3))
    late = Wire(Endpoint(server.url), lambda: float(next(readings))).post({}, 5)
    assert isinstance(late, Failed)
    assert late.why is Why.TIMEOUT


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("12", 12),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ("soon", 0),
        ("-5", 0),
    ],
)
def test_retry_after_is_a_number_or_a_date(header: str | None, seconds: float) -> None:
    """What is neither, or past, asks for nothing."""
    assert asked_pause_s(header, NOW) == seconds


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
