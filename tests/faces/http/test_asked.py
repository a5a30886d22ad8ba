from __future__ import annotations

import json

import pytest

from reverie import Reverie
from reverie.faces.http.asked import dumped
from tests.faces.http.conftest import SCOPE, Client


def test_json_is_ascii_and_without_what_json_has_not() -> None:
    """Any text goes over any wire; a number that is none is a fault, not an answer nobody can read."""
    assert dumped({"text": "\ud800é"}) == b'{"text":"\\ud800\\u00e9"}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumped({"score": float("nan")})


def test_what_a_call_names_twice_or_wrongly_is_told(client: Client, engine: Reverie) -> None:
    """A scope whose part is blank, too long or empty is refused with the part's name."""
    engine.remember("x", SCOPE)
    for part in ("", " ", "x" * 201, "a\0b"):
        answer = client.ask("GET", "/v1/stats", params={"agent": part, "user": "ada", "project": "home"})
        assert answer.status_code == 422
        assert "agent" in json.dumps(answer.json())
