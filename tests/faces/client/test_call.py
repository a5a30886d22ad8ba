"""A call as it is written down, and an answer as it is read."""

from __future__ import annotations

import json

import pytest

from reverie.errors import (
    AccessRefused,
    InvalidInput,
    InvalidScope,
    NotFound,
    ServerError,
    ServerUnavailable,
    StoreBusy,
)
from reverie.faces.client.call import Call, at, read, refusal, within
from reverie.types import Scope


def test_any_id_is_one_part_of_a_path() -> None:
    """It cannot name another route, nor another query."""
    assert at("memories", "a/../b?c#d é", "pin") == "/v1/memories/a%2F..%2Fb%3Fc%23d%20%C3%A9/pin"


def test_every_call_names_its_scope(scope: Scope) -> None:
    """What is None is left out; truth is written as JSON writes it."""
    assert within(scope, limit=None, forgotten=True, sources=["a", "b"]) == {
        "agent": "tester",
        "user": "ada",
        "project": "house",
        "forgotten": "true",
        "sources": ["a", "b"],
    }
    with pytest.raises(InvalidScope):
        within("ada")  # type: ignore[arg-type] # what a caller may do nevertheless


def test_a_body_is_ascii_whatever_the_text() -> None:
    """Lone surrogates among it."""
    content = Call("POST", "/", lambda told: told, body={"text": "\ud83d é"}).content
    assert content is not None
    assert content.isascii()
    assert json.loads(content) == {"text": "\ud83d é"}


@pytest.mark.parametrize(
    ("status", "kind", "wanted"),
    [
        (404, "urn:reverie:not-found", NotFound),
        (503, "urn:reverie:store-busy", StoreBusy),
        (401, "urn:reverie:unauthorized", AccessRefused),
        (403, "urn:reverie:forbidden", AccessRefused),
        (429, "about:blank", ServerUnavailable),
        (422, "urn:reverie:invalid-request", InvalidInput),
        (500, "", ServerError),
    ],
)
def test_a_problem_becomes_the_error_it_tells_of(status: int, kind: str, wanted: type[Exception]) -> None:
    """By its type where the tree has it, else by the status."""
    error = refusal(status, {"type": kind, "detail": "What.", "mend": "Mend.", "errors": [{"where": "a", "what": "b"}]})
    assert type(error) is wanted
    assert str(error) == "What. a: b Mend."


@pytest.mark.parametrize("content", [b"", b"<html>", b"[1]"])
def test_an_answer_that_is_no_json_is_an_error_too(content: bytes) -> None:
    """As a proxy in between may give one."""
    with pytest.raises(ServerUnavailable, match="502"):
        read(502, content)
