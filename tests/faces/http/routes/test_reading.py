from __future__ import annotations

from datetime import timedelta

import pytest

from reverie import Reverie
from reverie.faces.http.parts import Serving
from reverie.faces.http.tokens import Right
from tests.faces.http.conftest import NOW, OTHER, SCOPE, Client, named
from tests.faces.http.table import conforms


@pytest.fixture
def kept(engine: Reverie) -> str:
    """A message that is there."""
    return engine.remember("The key is under the mat.", SCOPE, at=NOW - timedelta(days=1)).id


def test_a_recall_says_why(client: Client, kept: str) -> None:
    """Each hit comes with its signals, the answer with its trace, the explanation with its shifts."""
    body = {"cue": "Where is the key?", "top_k": 3, "mood": 0, "session": "s", "budget_tokens": None}
    found = conforms(client.post("/v1/recall", body), "recall")
    assert [hit["memory"]["id"] for hit in found["hits"]] == [kept]
    assert found["hits"][0]["signals"]
    assert "shifts" in conforms(client.post("/v1/explain", body), "explain")


def test_an_explanation_names_the_words_that_match(client: Client, engine: Reverie) -> None:
    """As the index stems them, so that a page can mark kitabı for kitap; stems change their last letter in Turkish."""
    for text in ("Kitabı rafa koydum.", "Ekmeğe yağ sür.", "The mat is red."):
        engine.remember(text, SCOPE, at=NOW - timedelta(days=1))
    for cue, word in (("kitap nerede?", "kitabı"), ("ekmek nerede?", "ekmeğe")):
        assert conforms(client.post("/v1/explain", {"cue": cue}), "explain")["words"] == [word]


def test_a_window_and_a_moment_hold_back_the_rest(client: Client, kept: str) -> None:
    """Only what was said within the window, or held at the moment, comes back."""
    after = {"start": NOW.isoformat(), "end": (NOW + timedelta(days=1)).isoformat()}
    assert conforms(client.post("/v1/recall", {"cue": "key", "window": after}), "recall")["hits"] == []
    then = (NOW - timedelta(days=2)).isoformat()
    assert conforms(client.post("/v1/recall", {"cue": "key", "as_of": then}), "recall")["hits"] == []
    swapped = {"start": after["end"], "end": after["start"]}
    assert client.post("/v1/recall", {"cue": "key", "window": swapped}).status_code == 422


def test_a_read_token_recalls_and_counts_nothing(serving: Serving, engine: Reverie, kept: str, token: object) -> None:
    """It gets the same hits; nothing is counted as used, for that would be writing."""
    assert callable(token)
    reader = Client(serving, token(Right.READ))
    found = conforms(reader.post("/v1/recall", {"cue": "Where is the key?"}), "recall")
    assert [hit["memory"]["id"] for hit in found["hits"]] == [kept]
    assert engine.admin.stats(SCOPE).accesses == 0


def test_the_timeline_can_be_narrowed(client: Client, engine: Reverie, kept: str) -> None:
    """By time, session, kind and number."""
    engine.observe("I moved to Izmir in May.", SCOPE)
    everything = conforms(client.get("/v1/memories"), "timeline")["memories"]
    assert len(everything) >= 3
    assert conforms(client.get("/v1/memories", limit="1"), "timeline")["memories"] == everything[:1]
    episodes = conforms(client.get("/v1/memories", kind=["episode"]), "timeline")["memories"]
    assert {memory["kind"] for memory in episodes} == {"episode"}
    assert conforms(client.get("/v1/memories", start=NOW.isoformat(), session="nowhere"), "timeline")["memories"] == []
    before = (NOW - timedelta(hours=1)).isoformat()
    assert [m["id"] for m in conforms(client.get("/v1/memories", end=before), "timeline")["memories"]] == [kept]
    then = conforms(client.get("/v1/memories", as_of=before), "timeline")["memories"]
    assert {m["id"] for m in then if m["kind"] == "episode"} == {kept}
    (formed,) = (m["text"] for m in then if m["kind"] != "episode")
    assert formed.startswith("I moved to Izmir in May")  # told later, and true by then


def test_what_was_made_of_a_message_is_found(client: Client, engine: Reverie) -> None:
    """By its own route, by its source, and among all that was formed."""
    receipt = engine.observe("I moved to Izmir in May.", SCOPE)
    for answer, name in (
        (client.get(f"/v1/memories/{receipt.id}/formed"), "formed_of"),
        (client.get("/v1/formed", sources=[receipt.id]), "formed"),
        (client.get("/v1/formed"), "formed"),
    ):
        assert tuple(memory["id"] for memory in conforms(answer, name)["memories"]) == receipt.formed


def test_counts_scopes_and_the_journal(client: Client, engine: Reverie, kept: str) -> None:
    """What the store holds, whose it is, and how it came about, page by page."""
    engine.remember("Another's.", OTHER)
    engine.forget(kept, SCOPE, why="moved")
    assert conforms(client.get("/v1/stats"), "stats")["memories"] == 1
    assert conforms(client.get("/v1/scopes", None), "scopes")["scopes"] == [named(SCOPE), named(OTHER)]
    events = conforms(client.get("/v1/events"), "events")["events"]
    assert [event["action"] for event in events] == ["remember", "forget"]
    assert conforms(client.get("/v1/events", limit="1"), "events")["events"] == events[:1]
    assert conforms(client.get("/v1/events", after=str(events[0]["seq"])), "events")["events"] == events[1:]
    assert conforms(client.get(f"/v1/memories/{kept}"), "memory")["memory"]["valid_until"] == NOW.isoformat()


def test_what_was_handed_over_is_listed(client: Client, engine: Reverie, kept: str) -> None:
    """The newest first, of the scope alone; what is quarantined since is still listed."""
    engine.recall("Where is the key?", SCOPE)
    engine.recall("Where is the key?", OTHER)
    conforms(client.post(f"/v1/memories/{kept}/quarantine", {"why": "not this"}), "quarantine")
    [one] = conforms(client.get("/v1/injected", limit="5"), "injected")["injections"]
    assert [given["memory"]["id"] for given in one["memories"]] == [kept]
    assert (one["trigger"], one["words"]) == ("manual", 6)
    assert conforms(client.get("/v1/injected", session="s"), "injected")["injections"] == []
    assert conforms(client.get("/v1/injected", before=one["at"]), "injected")["injections"] == []
