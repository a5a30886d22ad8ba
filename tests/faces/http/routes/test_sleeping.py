from __future__ import annotations

import pytest

from reverie import Reverie
from tests.faces.http.conftest import SCOPE, Client
from tests.faces.http.table import conforms


def test_a_dream_is_dreamt_listed_and_taken_back(client: Client, engine: Reverie) -> None:
    """A dry run writes nothing; a dream is among the past ones; undoing names what it took back."""
    engine.observe("I moved to Izmir in May.", SCOPE)
    head = engine.admin.head()
    assert conforms(client.post("/v1/dream", {"dry_run": True}), "dream")["dry_run"]
    assert engine.admin.head() == head
    cycle = conforms(client.post("/v1/dream", {}), "dream")["cycle"]
    assert [one["cycle"] for one in conforms(client.get("/v1/dreams"), "dreams")["dreams"]] == [cycle]
    assert conforms(client.post("/v1/undo", {"cycle": cycle}), "undo")["cycle"] == cycle
    assert conforms(client.get("/v1/dreams"), "dreams")["dreams"][0]["undone"]
    assert client.post("/v1/undo", {"cycle": cycle}).status_code == 409


def test_one_event_is_taken_back(client: Client, engine: Reverie) -> None:
    """A forgetting is undone by its place in the journal; a dream and an event at once are refused."""
    kept = engine.remember("The key is under the mat.", SCOPE).id
    engine.forget(kept, SCOPE)
    event = engine.admin.history(kept, SCOPE)[-1].seq
    assert client.post("/v1/undo", {"event": event, "cycle": "x"}).status_code == 422
    assert conforms(client.post("/v1/undo", {"event": event}), "undo")["event"] == event
    assert engine.memory(kept, SCOPE).valid_until is None


@pytest.mark.parametrize("recipe", ["v9"])
def test_fading_and_compacting_say_what_they_did(client: Client, engine: Reverie) -> None:
    """The parts of a dream that run alone answer as a dream does."""
    engine.observe("I moved to Izmir in May.", SCOPE)
    assert conforms(client.post("/v1/decay", {}), "decay")["steps"]
    assert conforms(client.post("/v1/compact"), "compact")["freed_bytes"] == 0


def test_by_default_nothing_fades_and_that_is_told(client: Client, engine: Reverie) -> None:
    """Nothing is written; compacting is there."""
    engine.observe("I moved to Izmir in May.", SCOPE)
    before = engine.admin.head()
    answer = client.post("/v1/decay", {})
    assert (answer.status_code, answer.json()["detail"]) == (422, "In the recipe reverie nothing fades.")
    assert engine.admin.head() == before
    assert conforms(client.post("/v1/compact"), "compact")["freed_bytes"] == 0
