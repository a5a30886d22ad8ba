"""The facts about Agent Zero that our extensions rest on, asked of the stand-in and of the real one alike."""

from __future__ import annotations

import os
from datetime import datetime, timedelta

import pytest

from tests.agent_zero.houses import REAL, SOURCE, House
from tests.agent_zero.vectors import at


def test_the_real_agent_zero_is_asked_too() -> None:
    """Where its sources are named, everything in this folder runs in the real program as well."""
    if SOURCE not in os.environ:
        pytest.skip(f"the real Agent Zero is run by `make hosts-agent-zero`, which reads it from {SOURCE}")
    from tests.agent_zero.conftest import KINDS

    assert set(REAL) <= set(KINDS)


def test_a_turn_ends_with_what_the_stock_recall_found(bare: House) -> None:
    """The stock recall puts the nearest memories into the prompt's extras before the model is asked."""
    bare.start()
    wanted = bare.add("The user prefers the helix editor")
    bare.add("Deploys happen on Fridays")
    turn = bare.turn("user message The user prefers the helix editor")
    assert turn.error == ""
    assert wanted in bare.injected(turn)
    assert "current_datetime" in turn.extras


def test_the_stock_recall_searches_with_the_message_as_json(bare: House) -> None:
    """Its query is the history's text, role and JSON included: what defect 3 of the known implementation copies."""
    bare.start()
    assert any(
        text.startswith('user: {"user_message": "which editor?"') for text in bare.turn("which editor?").embedded
    )


def test_a_filter_sees_the_twenty_nearest_alone(bare: House) -> None:
    """A filtered search loses what twenty nearer memories of another area stand before."""
    bare.start()
    query = 'user: {"user_message": "q"}\n\nuser: {"user_message": "q"}'
    made = {f"solution {n}": at(0.95, axis=n) for n in range(1, 22)} | {"the one": at(0.9, axis=30), query: at(1.0)}
    bare.vectors(made)
    for text in made:
        if text != query:
            bare.add(text, area="solutions" if text.startswith("solution") else "main")
    assert bare.injected(bare.turn("q")) == []


def test_every_writer_saves_the_whole_store_and_stamps_the_local_time(bare: House) -> None:
    """The timestamp has no zone and is the machine's own; area and id are set."""
    bare.start()
    one = bare.add("a memory")
    held = bare.docs()[one]["metadata"]
    stamped = datetime.strptime(held["timestamp"], "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007  # that it has none is the point
    assert abs(datetime.now() - stamped) < timedelta(minutes=1)  # noqa: DTZ005  # that it is local is the point
    assert (held["area"], held["id"]) == ("main", one)
    assert (bare.memory / "default" / "index.faiss").is_file()


def test_the_store_is_read_again_after_a_restart(bare: House) -> None:
    """Metadata that was saved is there in the next process."""
    bare.start()
    one = bare.add("a memory", classification={"validity": "confirmed"})
    bare.restart()
    assert bare.validity(one) == "confirmed"


def test_the_first_file_of_a_name_wins(bare: House) -> None:
    """A file in the user's folder takes the place of the stock one of the same name."""
    folder = "usr/extensions" if bare.kind.is_old else "usr/extensions/python"
    file = bare.root / folder / "message_loop_prompts_after" / "_50_recall_memories.py"
    file.parent.mkdir(parents=True)
    helpers = "python.helpers" if bare.kind.is_old else "helpers"
    file.write_text(
        f"from {helpers}.extension import Extension\n\n"
        "class Mine(Extension):\n"
        "    async def execute(self, loop_data=None, **kwargs):\n"
        "        loop_data.extras_persistent['memories'] = 'mine'\n",
        encoding="utf-8",
    )
    bare.start()
    assert bare.turn("anything").extras["memories"] == "mine"
