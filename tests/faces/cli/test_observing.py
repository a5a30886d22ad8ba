import json
from pathlib import Path

import pytest

from tests.faces.cli.conftest import ORDER, TALK, Run, formed
from tests.models.fake_endpoint import fake_endpoint


def test_a_message_is_kept_and_each_stage_says_what_it_decided(home: Run) -> None:
    """The words are an episode; what is worth knowing is a memory of its own that names it."""
    done = home("observe", "My sister Zeynep moved to Izmir in May.", "--speaker", "Ada", "--json").shape
    assert done["new"] is True
    assert {"observe", "form", "gate"} <= {decision["stage"] for decision in done["decisions"]}
    [memory] = formed(home)
    assert done["formed"] == [memory["id"]]
    assert memory["sources"] == [done["id"]]
    shown = home("observe", "Zeynep works at Arçelik as an engineer.")
    assert "form " in shown.out
    assert "formed: " in shown.out


def test_a_message_may_be_piped_in(home: Run) -> None:
    """As of remember; the last line break is no part of it."""
    home("observe", "-", input="I prefer tea to coffee.\n")
    assert "I prefer tea to coffee." in [m["text"] for m in home("timeline", "--json").shape["memories"]]


def test_a_conversation_is_observed_message_by_message(talk: Run) -> None:
    """Every message is kept, what is worth knowing is formed, and a second time nothing is new."""
    memories = talk("timeline", "--json").shape["memories"]
    assert {m["text"] for m in memories if m["kind"] == "episode"} == {*TALK, ORDER}
    assert len(formed(talk)) >= 3
    again = talk("observe", "--file", "talk.jsonl", "--json").shape
    assert (again["new"], again["known"], again["formed"]) == (0, 5, [])


def test_a_conversation_may_be_piped_in(home: Run) -> None:
    """JSON lines on the standard input, what is broken named, and the exit code says so."""
    lines = json.dumps({"text": TALK[0], "id": "a"}) + "\nnot json\n"
    done = home("observe", "--file", "-", "--json", input=lines)
    assert done.code == 7
    assert done.shape["new"] == 1
    assert len(done.shape["broken"]) == 1
    assert list(Path.cwd().glob("*standard*")) == []


def test_a_message_known_with_other_words_does_not_stop_the_others(talk: Run) -> None:
    """It is named, and not kept; the exit code says so."""
    lines = [{"id": "t2", "text": "Something else."}, {"id": "new", "text": "I am allergic to peanuts."}]
    Path("more.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = talk("observe", "--file", "more.jsonl", "--json").shape
    assert (done["new"], done["conflicts"]) == (1, ["t2"])
    assert talk("observe", "--file", "more.jsonl", "--json").code == 4
    assert "1 messages are known with other words" in talk("observe", "--file", "more.jsonl").err


def test_text_and_file_together_are_a_mistake(home: Run) -> None:
    """Which of the two should it be."""
    assert home("observe", "hello", "--file", "talk.jsonl").code == 2


def test_deliberate_passes_the_filters(home: Run) -> None:
    """What the observer passes over is formed where somebody asked for it."""
    shrugged = home("observe", "ok", "--json").shape
    asked = home("observe", "ok", "--deliberate", "--json").shape
    said = [d for d in shrugged["decisions"] if d["stage"] == "observe"]
    assert said != [d for d in asked["decisions"] if d["stage"] == "observe"]


def test_working_memory_is_told_by_the_journal(talk: Run) -> None:
    """A session's formed memories are at hand from another process; another session has none."""
    items = talk("session", "working", "--json").shape["items"]
    assert {item["id"] for item in items} == {memory["id"] for memory in formed(talk)}
    assert talk("session", "working", "--session", "other", "--json").shape["items"] == []
    assert items[0]["text"] in talk("session", "working").out


def test_what_no_longer_holds_is_not_at_hand(talk: Run) -> None:
    """Said to be wrong, forgotten, or replaced since."""
    wrong, gone = [memory["id"] for memory in formed(talk)][:2]
    talk("feedback", wrong, "--wrong")
    talk("forget", gone)
    told = {item["id"] for item in talk("session", "working", "--json").shape["items"]}
    assert told
    assert not told & {wrong, gone}


def test_a_conversation_kept_without_vectors_is_told_once(home: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One word on the error stream, however many messages it were."""
    monkeypatch.setenv("no_proxy", "*")
    lines = [{"text": text, "speaker": "Ada", "id": text[:3]} for text in ("On at six.", "Off at ten.")]
    Path("two.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with fake_endpoint() as server:
        server.refusals = [(401, {})] * 20
        done = home("observe", "--file", "two.jsonl", "--embedder", f"openai:tiny@{server.url}")
    assert done.code == 0
    assert done.err.count("kept without a vector") == 1
