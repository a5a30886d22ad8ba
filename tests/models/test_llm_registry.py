from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from reverie.engine.runtime import FixedClock
from reverie.errors import InvalidSetting
from reverie.models.llm import LlmEnvironment, load_language_model

WORLD = LlmEnvironment(FixedClock(datetime(2026, 3, 1, tzinfo=UTC)), lambda: 0.5, lambda call: None)


@pytest.mark.parametrize(
    ("spec", "name"),
    [("openai:gpt-4o-mini", "gpt-4o-mini"), ("OpenAI: qwen2:7b@q4@http://127.0.0.1:8080/v1", "qwen2:7b@q4")],
)
def test_a_spec_names_a_model(spec: str, name: str) -> None:
    """The model's name may hold colons and at signs; the address begins at the last one."""
    model = load_language_model(spec, WORLD, api_key="k", timeout_s=5, deadline_s=9)
    assert model is not None
    assert model.name == name


def test_none_is_no_model() -> None:
    """Reverie works without one."""
    assert load_language_model("none", WORLD) is None


@pytest.mark.parametrize(
    ("spec", "options", "words"),
    [
        ("", {}, "no language model"),
        ("gpt-4o", {}, "openai:NAME"),
        ("none:x", {}, "no language model"),
        ("openai:", {}, "no name"),
        ("openai:m@http://", {}, "no endpoint"),
        ("openai:m@localhost:8080/v1", {}, "no endpoint"),
        ("openai:m@notaurl", {}, "no endpoint"),
        ("openai:m@", {}, "openai:MODEL@http://"),
        ("openai:m@ftp://x", {}, "no endpoint"),
        ("openai:m", {"timout_s": 3}, "timeout_s"),
        ("openai:m", {"endpoint": 3}, "no option"),
        ("openai:m", {"attempts": 0}, "positive"),
    ],
)
def test_what_is_not_known_is_named(spec: str, options: dict[str, Any], words: str) -> None:
    """The error says what may be written instead."""
    with pytest.raises(InvalidSetting, match=words):
        load_language_model(spec, WORLD, **options)
