"""What is promised of a host, seen with the host itself: told once, it knows; forgotten, it does not."""

from __future__ import annotations

import json

import pytest

from tests.hosts.real.model import ANSWER, Model
from tests.hosts.real.programs import Desk, Program

FACT = "The spare key hangs behind the boiler."
QUESTION = "Where does the spare key hang?"
WORD = "boiler"
OPENING, CLOSING = "[[reverie:begin ", "[[reverie:end "


def asked(program: Program, desk: Desk, model: Model, text: str) -> str:
    """What the model is sent in a new session in which this is said."""
    model.drain()
    assert ANSWER in program.say(desk, text)
    sent = model.drain()
    assert any(text in body for body in sent)
    return "\n".join(sent)


def tell(program: Program, desk: Desk, model: Model) -> None:
    """A session in which the fact is told; when this returns, it is kept."""
    assert WORD in asked(program, desk, model, FACT)
    desk.until(lambda: len(desk.memories(WORD)) > 0)


@pytest.mark.parametrize("scope", ["user", "project"])
def test_told_in_one_session_known_in_the_next_forgotten_after(
    program: Program, desk: Desk, model: Model, scope: str
) -> None:
    """A fact told in one session stands in the model's request of the next, as data; forgotten, it does not."""
    desk.reverie("install", program.name, "--scope", scope, "--yes")
    tell(program, desk, model)
    known = asked(program, desk, model, QUESTION)
    assert WORD in known
    before, after = known[: known.rindex(WORD)], known[known.rindex(WORD) :]
    assert before.rindex(OPENING) > before.rfind(CLOSING)
    assert CLOSING in after
    desk.until(lambda: len(desk.texts()) >= 4)
    assert desk.texts() == [FACT, ANSWER, QUESTION, ANSWER]
    for memory in desk.memories(WORD):
        desk.reverie("forget", memory)
    assert WORD not in asked(program, desk, model, QUESTION)


def test_undone_nothing_is_left(program: Program, desk: Desk, model: Model) -> None:
    """After --undo the host's files name Reverie no more, and nothing of it reaches the model; memories stay."""
    desk.reverie("install", program.name, "--yes")
    tell(program, desk, model)
    again = json.loads(desk.reverie("install", program.name, "--yes", "--json"))
    assert not any(file["changes"] for file in again["files"])  # also after the host has worked with its files
    desk.reverie("install", program.name, "--undo", "--yes")
    for name in program.written:
        file = desk.home / name
        left = file.read_text(encoding="utf-8") if file.is_file() else ""
        assert "reverie" not in left
        if name in program.settings:
            assert left == desk.filled(program.settings[name])
    assert WORD not in asked(program, desk, model, QUESTION)
    assert desk.memories(WORD)
