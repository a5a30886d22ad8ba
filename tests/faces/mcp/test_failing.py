"""What goes wrong is told with what to do about it, and without what nobody should see."""

from __future__ import annotations

import logging

import pytest
from mcp import types
from pydantic import ValidationError

from reverie import errors
from reverie.faces.mcp import values
from reverie.faces.mcp.fencing import broke, failed, refused, wrong_arguments
from reverie.wire.errors import CODES


def test_a_failed_answer_says_whose_memory_and_stays_short() -> None:
    """Even where the message quotes a long argument that JSON cannot carry."""
    answer = failed("a/b/c", "x\ud800" * 10_000)
    assert answer.is_error
    (content,) = answer.content
    assert isinstance(content, types.TextContent)
    assert content.text.endswith("(scope: a/b/c)")
    assert len(content.text) < 700
    content.text.encode()


@pytest.mark.parametrize("kind", list(CODES))
def test_every_error_has_a_code_of_the_protocol(kind: type[errors.ReverieError]) -> None:
    """The caller's fault or ours, as the one table says; the mend goes with it."""
    told = refused(kind("What happened.", "What to do.")).error
    assert told.code == (types.INVALID_PARAMS if CODES[kind].status < 500 else types.INTERNAL_ERROR)
    assert told.message == "What happened. What to do."


def test_wrong_arguments_are_named_not_repeated() -> None:
    """Their place and what is wrong with them."""
    with pytest.raises(ValidationError) as error:
        values.Recall.model_validate({"query": ["secret"], "other": "secret"})
    told = wrong_arguments(error.value)
    assert "query" in told
    assert "other" in told
    assert "secret" not in told


def test_what_nobody_foresaw_goes_to_the_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    """The caller is told where to look."""
    with caplog.at_level(logging.ERROR):
        try:
            raise RuntimeError("the particulars")
        except RuntimeError:
            told = broke("memory_recall")
    assert "particulars" not in told
    assert "particulars" in caplog.text
