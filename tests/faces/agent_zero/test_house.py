import asyncio
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from reverie.faces.agent_zero.house import House
from tests.faces.agent_zero.conftest import Agent, LoopData, Place


def module(monkeypatch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    """A module of Agent Zero's under this name."""
    made = ModuleType(name)
    made.__dict__.update(members)
    monkeypatch.setitem(sys.modules, name, made)


def test_the_older_layout_is_found_below_python(place: Place) -> None:
    """Its memory, places and settings."""
    house = House(place.agent)
    place.settings["memory_recall_delayed"] = True
    assert asyncio.run(house.memory()) is place.memory
    assert house.path("usr", "memory") == place.root / "usr" / "memory"
    assert house.folder(place.memory) == place.root / "usr" / "memory" / "default"
    assert house.setting("memory_recall_delayed") is True
    assert house.setting("nothing") is None
    assert house.model() == "qwen/qwen3"


def test_the_newer_layout_is_found_below_plugins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Memory is a plugin there, with its own configuration, and so are the models."""

    class Memory:
        @staticmethod
        async def get(agent: Any) -> str:
            return "store"

    module(
        monkeypatch,
        "plugins._memory.helpers.memory",
        Memory=Memory,
        abs_db_dir=lambda name: str(tmp_path / "db" / name),
    )
    module(monkeypatch, "helpers.plugins", get_plugin_config=lambda name, agent: {"memory_recall_delayed": name})
    module(monkeypatch, "helpers.files", get_abs_path=lambda *parts: "/".join(("/new", *parts)))
    module(monkeypatch, "plugins._model_config.helpers.model_config", get_chat_model_config=lambda _: {"name": "m"})
    agent = Agent()
    agent.config = SimpleNamespace()
    house = House(agent)
    assert asyncio.run(house.memory()) == "store"
    assert house.folder(SimpleNamespace(memory_subdir="x")) == tmp_path / "db" / "x"
    assert (house.setting("memory_recall_delayed"), house.model()) == ("_memory", "m")
    assert house.path("usr") == Path("/new/usr")


@pytest.mark.req("A13")
def test_what_is_not_there_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of Agent Zero nothing is found and nothing is raised."""
    for name in [name for name in sys.modules if name.startswith(("plugins.", "helpers", "python."))]:
        monkeypatch.delitem(sys.modules, name)
    agent = Agent()
    agent.config = SimpleNamespace()
    house = House(agent)
    assert asyncio.run(house.memory()) is None
    assert (house.setting("x"), house.model(), house.path("usr")) == (None, "", Path.cwd() / "usr")


def test_the_domain_is_taken_from_where_the_tracker_leaves_it(place: Place) -> None:
    """The prompt's extras first, then the agent's belief state; anything else is no domain."""
    house, data = House(place.agent), LoopData("x")
    assert house.domain(data) == ""
    place.agent._bst_store = {"__bst_belief_state__": {"domain": "coding"}}  # type: ignore[attr-defined] # as it does
    assert house.domain(data) == "coding"
    data.extras_persistent["_bst_domain"] = " git_ops "
    assert house.domain(data) == "git_ops"
    data.extras_persistent["_bst_domain"] = None
    place.agent._bst_store = {"__bst_belief_state__": "rubbish"}  # type: ignore[attr-defined] # as it does
    assert house.domain(data) == ""
    assert house.domain(None) == ""


def test_a_log_that_cannot_be_written_is_no_fault(place: Place) -> None:
    """A fault's line is a warning, another one is not; without a log nothing happens."""
    House(place.agent).log("done", fault=False)
    House(place.agent).log("broken", fault=True)
    assert place.agent.lines == [("util", "done"), ("warning", "broken")]
    House(SimpleNamespace()).log("lost", fault=True)


def test_an_answer_is_read_in_every_form(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the host's own lenient reader where there is one, else as plain JSON; words alone are no tool's."""
    house, data = House(place.agent), LoopData("x")
    data.last_response = 'thinking {"tool_name": "response", "tool_args": {"text": "yes"}} done'
    assert house.answer(data) == [{"tool_name": "response", "tool_args": {"text": "yes"}}]
    module(monkeypatch, "python.helpers.extract_tools", json_parse_dirty=lambda raw: {"dirty": len(raw) > 0})
    data.last_response = "no json"
    assert house.answer(data) == [{"dirty": True}]


def test_whose_words_and_which_chat(place: Place) -> None:
    """A subordinate is spoken to by an agent; the chat's id is the session."""
    house = House(place.agent)
    assert (house.session(), house.is_subordinate()) == ("chat1", False)
    place.agent.set_data("_superior", object())
    assert house.is_subordinate()


def test_a_stock_recall_that_is_done_is_none(place: Place) -> None:
    """Only one that still runs can overwrite what is written."""
    house = House(place.agent)
    assert house.stock_recall() is None
    for done in (True, False):
        task = SimpleNamespace(done=lambda done=done: done)
        place.agent.set_data("_recall_memories_task", task)
        assert (house.stock_recall() is task) is not done
