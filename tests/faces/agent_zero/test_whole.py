import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reverie.conflicts import verdict
from reverie.engine.core import Reverie
from reverie.faces.agent_zero import enhance, maintain, whole
from reverie.faces.agent_zero.settings import WholeSettings
from reverie.faces.agent_zero.turns import block
from reverie.faces.agent_zero.whole import AT_ONCE, Asking, Beside, HostMessage, answer_in
from reverie.types import Kind, Scope
from tests.conflicts.verdicts import amounts
from tests.faces.agent_zero.conftest import NOW, LoopData, Place

HOW = WholeSettings(embedder="none")
SCOPE = Scope("agent-zero", "user", "default")


def close_all() -> None:
    """Close the engines of this process; they are opened again when they are asked."""
    while whole._engines:
        _, opened = whole._engines.popitem()
        whole._whole(opened).close()


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """No engine outlives its test."""
    yield
    close_all()


def answer(text: str) -> str:
    """An answer as a model gives it to Agent Zero."""
    return json.dumps({"thoughts": [], "tool_name": "response", "tool_args": {"text": text}})


def test_what_was_said_comes_again(place: Place) -> None:
    """Both sides are kept when a monologue ends, and recalled for a later turn with day and speaker."""
    place.configure(engine="reverie", reverie={"embedder": "none"})
    data = LoopData({"user_message": "My sister Zeynep moved to Izmir in May."})
    data.last_response = answer("Good to know.")
    place.run(enhance(place.agent, data, NOW), maintain(place.agent, data, NOW))
    assert "memories" not in data.extras_persistent
    later = LoopData({"user_message": "Where does my sister Zeynep live?"})
    place.run(enhance(place.agent, later, NOW))
    assert "2026-03-02 user: My sister Zeynep moved to Izmir in May." in later.extras_persistent["memories"]
    close_all()
    with Reverie.open(place.root / "usr" / "memory" / "reverie.db", embedder=None) as engine:
        said = [(one.speaker, one.text) for one in engine.timeline(SCOPE) if one.kind is Kind.EPISODE]
    assert said == [("user", "My sister Zeynep moved to Izmir in May."), ("assistant", "Good to know.")]


def test_what_agent_zero_holds_is_brought_over_and_let_go(place: Place) -> None:
    """Once each, a few at a time; what is deleted or deprecated there is not recalled here any more."""
    place.configure(engine="reverie", reverie={"embedder": "none"})
    place.add("helix", "User prefers the helix editor", [1.0])
    place.add("book", "Helix handbook", [1.0], knowledge_source=True)
    place.run(maintain(place.agent, LoopData(""), NOW), maintain(place.agent, LoopData(""), NOW))
    data = LoopData({"user_message": "helix editor?"})
    place.run(enhance(place.agent, data, NOW))
    told = data.extras_persistent["memories"]
    assert "User prefers the helix editor" in told
    assert "handbook" not in told
    place.store.docs["helix"].metadata["classification"] = {"validity": "deprecated"}
    place.run(maintain(place.agent, LoopData(""), NOW))
    data = LoopData({"user_message": "the helix editor?"})
    place.run(enhance(place.agent, data))
    assert "memories" not in data.extras_persistent


def test_many_are_brought_over_little_by_little(tmp_path: Path) -> None:
    """The end of a monologue is not the time for a thousand."""
    docs = {f"m{n}": SimpleNamespace(page_content=f"fact number {n}", metadata={}) for n in range(AT_ONCE + 1)}
    here = Beside(tmp_path, "default", HOW)
    known = here.bring(docs, {}, NOW)
    assert len(known) == AT_ONCE
    known = here.bring(docs, known, NOW)
    assert known.keys() == docs.keys()
    assert here.bring({}, known, NOW) == {}


def test_a_deprecation_taken_back_there_holds_again_here(tmp_path: Path) -> None:
    """Forgotten when it was deprecated, it is recalled again when `reverie review` brought it back."""
    later = datetime.now(UTC) + timedelta(days=1)  # forgetting goes by the engine's own clock
    asking = Asking("where does the payment gateway stand?", "s", "", None, later)
    document = SimpleNamespace(page_content="The payment gateway stands in Frankfurt.", metadata={})
    here = Beside(tmp_path, "default", HOW)
    known = here.bring({"m1": document}, {}, NOW)
    document.metadata["classification"] = {"validity": "deprecated"}
    known = here.bring({"m1": document}, known, NOW)
    assert (known, here.recall(asking)) == ({}, [])
    document.metadata["classification"] = {"validity": "inferred"}
    assert here.bring({"m1": document}, known, NOW).keys() == {"m1"}
    assert any("Frankfurt" in text for text, _ in here.recall(asking))


def test_each_memory_of_agent_zeros_is_a_scope(tmp_path: Path) -> None:
    """What is said in one project is not recalled in another."""
    Beside(tmp_path, "projects/one", HOW).hear(HostMessage("The password rotates on Mondays.", "", "s", NOW))
    asking = Asking("when does the password rotate?", "t", "", None, NOW)
    assert Beside(tmp_path, "projects/two", HOW).recall(asking) == []
    assert len(Beside(tmp_path, "projects/one", HOW).recall(asking)) >= 1


def test_a_profile_says_how_many_and_where_not(place: Place) -> None:
    """None at all, and nothing is opened for it."""
    place.configure(engine="reverie", reverie={"embedder": "none"})
    profile = place.root / "usr" / "model_profiles" / "default.json"
    profile.parent.mkdir(parents=True)
    profile.write_text('{"memory": {"max_injected": 0}}', encoding="utf-8")
    data = LoopData({"user_message": "hello there, who am I?"})
    place.run(enhance(place.agent, data, NOW))
    assert place.agent.lines == [("util", "[MEM-ENHANCE] 0 memories injected by the whole engine")]
    assert not (place.root / "usr" / "memory" / "reverie.db").exists()


@pytest.mark.req("A13")
def test_an_engine_that_cannot_be_opened_is_one_line_a_hook(place: Place) -> None:
    """The loop goes on without it."""
    place.configure(engine="reverie", reverie={"embedder": "none", "store": "/dev/null/x/reverie.db"})
    data = LoopData({"user_message": "who am I?"})
    place.run(enhance(place.agent, data, NOW), maintain(place.agent, data, NOW))
    assert [kind for kind, _ in place.agent.lines] == ["warning", "warning"]


def test_what_a_superior_says_is_no_users_word(place: Place) -> None:
    """Agents that talk to one another are not captured."""
    place.configure(engine="reverie", reverie={"embedder": "none"})
    place.agent.set_data("_superior", object())
    data = LoopData({"user_message": "Research the weather in Izmir."})
    place.run(maintain(place.agent, data, NOW))
    close_all()
    with Reverie.open(place.root / "usr" / "memory" / "reverie.db", embedder=None) as engine:
        assert engine.timeline(SCOPE) == []


@pytest.mark.parametrize(
    ("forms", "text"),
    [
        ([{"tool_name": "response", "tool_args": {"text": "yes"}}], "yes"),
        ([None, {"tool_name": "response", "tool_args": {"message": "yes"}}], "yes"),
        ([{"tool_name": "search", "tool_args": {"text": "no"}}], ""),
        ([{"tool_name": "response", "tool_args": "no"}], ""),
        ([{"tool_name": "response", "tool_args": {"text": 5}}], ""),
        ([], ""),
    ],
)
def test_only_what_was_answered_is_an_answer(forms: list[Any], text: str) -> None:
    """Not what was thought, and not what a tool was called with."""
    assert answer_in(forms) == text


@pytest.mark.parametrize(
    ("older", "latest", "cue"),
    [
        (
            "My rent is 950 euros a month for the small flat by the river.",
            "The landlord wrote again today: my rent is 1100 euros now.",
            "How much is my rent?",
        ),
        (
            "Nehir kıyısındaki küçük daire için kiram ayda 950 avro.",
            "Ev sahibi bugün yine yazdı: kiram artık 1100 avro.",
            "Kiram ne kadar?",
        ),
    ],
)
def test_what_is_out_of_date_is_labelled(
    tmp_path: Path, older: str, latest: str, cue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the number of what is newer."""
    monkeypatch.setattr(verdict, "shipped", amounts)
    here = Beside(tmp_path, "default", HOW)
    here.hear(HostMessage(older, "", "s1", NOW - timedelta(days=9)))
    here.hear(HostMessage(latest, "", "s2", NOW - timedelta(days=2)))
    found = {text.split(": ", 1)[1]: label for text, label in here.recall(Asking(cue, "t", "", None, NOW))}
    assert found[latest] == "#1"
    assert found[older] in ("superseded by #1", "outdated: #1 is newer")
    shown = block(list(found), list(found.values()))
    assert f"- [[reverie: {found[older]}]] {older}" in shown
