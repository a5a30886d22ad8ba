from __future__ import annotations

import json
from typing import Any

import pytest

from reverie.models.llm_call import Completion, completion_in
from reverie.models.llm_port import Failed, Why


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
