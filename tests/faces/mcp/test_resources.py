"""Addresses lead to memories, timelines, the hot set and counts, or to an error that says which there are."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from reverie import Message, Reverie
from reverie.errors import InvalidInput, NotFound
from reverie.faces.mcp.server import LISTED, read
from reverie.faces.mcp.service import Service
from tests.faces.mcp.serving import NOW, SCOPE


def test_every_listed_resource_can_be_read(service: Service, engine: Reverie) -> None:
    """As JSON that says whose it is."""
    engine.observe("I prefer tea over coffee.", SCOPE)
    for one in LISTED:
        assert json.loads(read(service, one.uri))["scope"] == "helper/ada/home"


def test_a_memory_by_its_id(service: Service, engine: Reverie) -> None:
    """Also where a client wrote it in lower case, as hosts' names are."""
    kept = engine.remember("The spare key hangs behind the boiler.", SCOPE).id
    for uri in (f"memory://{kept}", f"memory://{kept.lower()}", f"memory://{kept}/"):
        assert json.loads(read(service, uri))["id"] == kept


def test_a_day_and_a_conversation(service: Service, engine: Reverie) -> None:
    """What was said on the day, and in the conversation of that name, whatever stands in the name."""
    engine.remember(Message("today", session="a b/ç", at=NOW), SCOPE)
    engine.remember(Message("yesterday", at=NOW - timedelta(days=1)), SCOPE)
    assert len(json.loads(read(service, "memory://timeline/2026-06-14"))["memories"]) == 1
    assert "today" in json.loads(read(service, "memory://session/a%20b%2F%C3%A7"))["notes"]
    assert json.loads(read(service, "memory://timeline/0001-01-01"))["memories"] == []


@pytest.mark.parametrize("uri", ["memory://", "file:///etc/passwd", "memory://nope", "memory://hot/x", "x", ""])
def test_an_address_of_nothing_says_so(service: Service, uri: str) -> None:
    """With what to do about it."""
    with pytest.raises(NotFound) as error:
        read(service, uri)
    assert error.value.mend


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "9999-12-31", "%00"])
def test_what_is_no_day_is_refused(service: Service, day: str) -> None:
    """With an example of one."""
    with pytest.raises(InvalidInput):
        read(service, f"memory://timeline/{day}")
