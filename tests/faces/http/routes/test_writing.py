from __future__ import annotations

import base64

from reverie import Reverie
from tests.faces.http.conftest import SCOPE, Client
from tests.faces.http.table import conforms

SPLIT = "\ud83d" + "\ude00"
"""Two characters that JSON would make one of."""


def test_a_message_twice_is_kept_once(client: Client) -> None:
    """The same id with the same words is known; with other words it is a conflict."""
    message = {"text": "The key is under the mat.", "message_id": "m1", "role": "user", "seq": 3.0}
    assert conforms(client.post("/v1/remember", message), "remember")["new"]
    assert not conforms(client.post("/v1/remember", message), "remember")["new"]
    answer = client.post("/v1/remember", {**message, "text": "Another."})
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:reverie:conflict")


def test_many_messages_are_counted(client: Client) -> None:
    """New ones, known ones and those that contradict what is there."""
    messages = [{"text": "One.", "message_id": "1"}, {"text": "Two.", "message_id": "2"}]
    assert conforms(client.post("/v1/remember-many", {"messages": messages}), "remember_many")["new"] == 2
    changed = [messages[0], {"text": "Three.", "message_id": "2"}]
    found = conforms(client.post("/v1/remember-many", {"messages": changed}), "remember_many")
    assert (found["new"], found["known"], found["conflicts"]) == (0, 1, ["2"])


def test_what_is_observed_is_formed(client: Client, engine: Reverie) -> None:
    """The receipt names what was made of the message and what each stage decided."""
    body = {"text": "I moved to Izmir in May.", "deliberate": True, "source": "user_message"}
    found = conforms(client.post("/v1/observe", body), "observe")
    assert found["formed"] == [memory.id for memory in engine.formed(SCOPE)]
    assert found["decisions"]


def test_a_text_that_json_cannot_carry_comes_packed(client: Client, engine: Reverie) -> None:
    """Two halves of a pair stay two characters where the text is given in base64."""
    packed = base64.b64encode(SPLIT.encode("utf-8", "surrogatepass")).decode()
    found = conforms(client.post("/v1/remember", {"text": "", "text_base64": packed}), "remember")
    assert engine.memory(found["id"], SCOPE).text == SPLIT


def test_what_is_known_of_a_message_stands_before_what_would_be_found(client: Client, engine: Reverie) -> None:
    """Its kind, its importance, and that only what has a class is formed."""
    body = {"text": "The build takes a minute.", "deliberate": True, "kind": "decision", "importance": 0.9}
    (name,) = conforms(client.post("/v1/observe", body), "observe")["formed"]
    memory = engine.memory(name, SCOPE)
    assert (str(memory.kind), memory.standing.importance) == ("decision", 0.9)
    talk = {"text": "Okay then, thanks a lot for all of that.", "classed": True}
    assert conforms(client.post("/v1/observe", talk), "observe")["formed"] == []
    for wrong in ({"kind": "episode"}, {"kind": "thought"}, {"importance": 2}):
        assert client.post("/v1/observe", {**body, **wrong}).status_code == 422
