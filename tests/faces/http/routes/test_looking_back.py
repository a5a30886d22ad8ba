from __future__ import annotations

import pytest

from reverie import Reverie
from tests.faces.http.conftest import NOW, SCOPE, Client
from tests.faces.http.table import conforms


def test_a_memory_tells_its_history(client: Client, engine: Reverie) -> None:
    """Every event that touched it, with its payload; what was erased has none."""
    kept = engine.remember("The key is under the mat.", SCOPE, at=NOW).id
    engine.admin.pin(kept, SCOPE)
    events = conforms(client.get(f"/v1/memories/{kept}/history"), "history")["events"]
    assert [event["action"] for event in events] == ["remember", "change"]
    assert events[0]["payload"]["episode"]["text"] == "The key is under the mat."
    [change] = events[1]["payload"]["changes"]
    assert change["fields"] == [{"name": "pinned", "before": False, "after": True}]


@pytest.mark.parametrize("recipe", ["v9"])
def test_a_memory_fades_along_its_curve(client: Client, engine: Reverie) -> None:
    """A formed memory's retrievability falls, day by day; an episode has no curve."""
    receipt = engine.observe("I moved to Izmir in May.", SCOPE)
    points = conforms(client.get(f"/v1/memories/{receipt.formed[0]}/curve", days="30"), "curve")["points"]
    assert points[0]["retrievability"] > points[-1]["retrievability"]
    assert conforms(client.get(f"/v1/memories/{receipt.id}/curve"), "curve")["points"] == []


def test_by_default_no_memory_has_a_curve(client: Client, engine: Reverie) -> None:
    """That is told, with the recipes that have one; what is not there is not found."""
    receipt = engine.observe("I moved to Izmir in May.", SCOPE)
    answer = client.get(f"/v1/memories/{receipt.formed[0]}/curve")
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:reverie:invalid-input")
    assert "v9 and openclaw" in answer.json()["mend"]
    assert client.get("/v1/memories/nobody/curve").status_code == 404


def test_the_last_messages_of_a_session(client: Client, engine: Reverie) -> None:
    """In their order; what was forgotten only where it is asked for."""
    kept = [engine.remember(text, SCOPE, session="s").id for text in ("one", "two", "three")]
    engine.forget(kept[2], SCOPE)
    texts = [m["text"] for m in conforms(client.get("/v1/latest", session="s", limit="2"), "latest")["memories"]]
    assert texts == ["one", "two"]
    every = conforms(client.get("/v1/latest", session="s", forgotten="true"), "latest")["memories"]
    assert [memory["text"] for memory in every] == ["one", "two", "three"]


def test_how_a_scope_is_doing(client: Client, engine: Reverie) -> None:
    """Counts by kind and state, growth by day, and the share that was passed over."""
    engine.observe("I moved to Izmir in May.", SCOPE)
    found = conforms(client.get("/v1/health"), "health")
    assert found["kinds"]["episode"] == 1
    assert found["growth"][0]["episodes"] == 1
    assert 0 <= found["gated_share"] <= 1


def test_a_memory_tells_what_it_was_made_of(client: Client, engine: Reverie) -> None:
    """The fact first, then the message it was formed of."""
    receipt = engine.observe("I moved to Izmir in May.", SCOPE)
    origins = conforms(client.get(f"/v1/memories/{receipt.formed[0]}/provenance"), "provenance")["origins"]
    assert [one["memory"]["id"] for one in origins] == [receipt.formed[0], receipt.id]


@pytest.mark.req("D56", "D56b")
def test_a_memory_is_expanded_and_a_session_condensed(client: Client, engine: Reverie) -> None:
    """The words that it was made of, and short statements that point to the messages."""
    receipt = engine.observe("I moved to Izmir in May.", SCOPE)
    found = conforms(client.get(f"/v1/memories/{receipt.formed[0]}/expand"), "expand")
    assert [one["id"] for one in found["sources"]] == [receipt.id]
    made = conforms(client.get("/v1/condense", session="default"), "condense")
    assert made["statements"][0]["sources"] == [receipt.id]
    assert conforms(client.get("/v1/condense", ids=receipt.id), "condense")["statements"] == made["statements"]
    assert client.get("/v1/condense").status_code == 422
