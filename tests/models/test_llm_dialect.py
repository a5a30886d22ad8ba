from __future__ import annotations

import json

import pytest

from reverie.models.llm_call import Form, LlmDialect


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
