"""A host's cache of its prompt holds: what it sent before is the beginning of what it sends next, memory or none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.hosts.real.model import Model
from tests.hosts.real.programs import Desk, Program
from tests.hosts.real.test_journey import FACT, QUESTION, WORD, asked, tell

TURNS = ("Which colour has the second key?", "And the third one?", QUESTION)
"""What is said after the question, in the same session."""
PARTS = ("tools", "system", "instructions", "systemInstruction", "messages", "input", "contents")
"""What a request to a model consists of, in the order in which models cache it."""


def parts(body: str) -> list[str]:
    """A request as a list of texts: its tools, its system prompt, and its messages one by one."""
    said = json.loads(body)
    return [part for name in PARTS if name in said for part in _each(said[name])]


def _each(part: object) -> Iterator[str]:
    for one in part if isinstance(part, list) else [part]:
        yield json.dumps(_bare(one), sort_keys=True)


def _bare(one: object) -> object:
    """A message without the mark up to which it is to be cached, which moves on with each request."""
    if isinstance(one, list):
        bare = [_bare(each) for each in one]
        return bare[0]["text"] if len(bare) == 1 and isinstance(bare[0], dict) and set(bare[0]) == {"text"} else bare
    if not isinstance(one, dict):
        return one
    bare_parts = {name: _bare(value) for name, value in one.items() if name != "cache_control"}
    return {"text": bare_parts["text"]} if set(bare_parts) == {"type", "text"} else bare_parts


@pytest.mark.parametrize("memory", [False, True], ids=["plain", "with memory"])
def test_each_request_begins_with_the_one_before(program: Program, desk: Desk, model: Model, memory: bool) -> None:
    """Over four turns of a session, each in a process of its own: every request is continued, and none rewritten.

    Nothing is handed over a second time, at the start of a resumed session or with a prompt.
    """
    if memory:
        desk.reverie("install", program.name, "--yes")
        tell(program, desk, model)
    sent = [asked(program, desk, model, QUESTION)]
    for text in TURNS:
        program.resume(desk, text)
        sent += model.drain()
    requests = [parts(body) for body in sent]
    assert len(requests) == len(TURNS) + 1
    for before, after in pairwise(requests):
        assert after[: len(before)] == before
    if memory:
        assert sum(part.count(WORD) for part in requests[-1]) == sum(part.count(WORD) for part in requests[0])
        assert FACT in "".join(requests[-1])
