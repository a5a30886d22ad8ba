"""The whole engine beside Agent Zero's own store (``engine: reverie``): it records messages and answers queries.

It has a store of its own, with one scope for each memory folder of Agent Zero. The memories of Agent Zero's own store
are copied to it little by little, and forgotten here when they are deleted there.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reverie.engine.core import Reverie
from reverie.engine.factories import open_embedder
from reverie.engine.logs import STORE_FILE
from reverie.engine.requests import Question
from reverie.errors import ReverieError
from reverie.faces.agent_zero.records import holds, record
from reverie.faces.agent_zero.settings import WholeSettings
from reverie.recall.annotations import labels, notes
from reverie.screen.fences import one_line
from reverie.types import Message, Role, Scope
from reverie.wire.opening import Warming

AT_ONCE = 50
"""Memories of Agent Zero's that are copied at the end of each monologue."""
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Asking:
    """A turn's query to the engine; ``most`` None: as many as its recipe chooses."""

    text: str
    session: str
    domain: str
    most: int | None
    now: datetime


@dataclass(frozen=True, slots=True)
class HostMessage:
    """What both sides said in a monologue; the answer may be missing."""

    prompt: str
    answer: str
    session: str
    at: datetime


class Beside:
    """The engine, in the scope of one of Agent Zero's stores; opened on first use, once a process.

    Agents that share a memory folder in Agent Zero share a scope here: that is how it separates profiles and projects.
    """

    def __init__(self, folder: Path, subdir: str, how: WholeSettings) -> None:
        self._path, self._how = Path(how.store) if how.store else folder / STORE_FILE, how
        self._scope = Scope(how.agent or "agent-zero", how.user or "user", subdir or "default")

    def recall(self, asking: Asking) -> list[tuple[str, str]]:
        """Return the memories that answer the query, each with day and speaker, and its label. Raises ReverieError."""
        question = Question(asking.text, session=asking.session, domain=asking.domain, automatic=True)
        engine = _opened(self._path, self._how).engine
        answer = engine.recall(question, self._scope, top_k=asking.most, now=asking.now)
        hits = (hit for hit in (*answer.standing, *answer.hits) if hit.memory.text.strip() != asking.text.strip())
        found = notes(hits)
        told = labels(found, [hit.memory for hit in answer.withheld])
        texts = [f"{one.memory.at:%Y-%m-%d} {one_line(one.memory.speaker)}: {one.text}" for one in found]
        return list(zip(texts, told, strict=True))

    def hear(self, heard: HostMessage) -> None:
        """Store both messages, and form memories from them. Raises ReverieError."""
        engine = _whole(_opened(self._path, self._how))
        for role, text in ((Role.USER, heard.prompt), (Role.ASSISTANT, heard.answer)):
            if text.strip():
                engine.observe(Message(text, str(role), role, heard.session, heard.at), self._scope)

    def bring(self, docs: Mapping[str, Any], known: Mapping[str, str], now: datetime) -> dict[str, str]:
        """Copy these memories of Agent Zero, forget those it deleted, and return Reverie's id for each of its ids."""
        engine = _whole(_opened(self._path, self._how))
        there = {name: document for name, document in docs.items() if holds(document.metadata)}
        for name in known.keys() - there.keys():
            with suppress(ReverieError):  # also gone here, or pinned by a person
                engine.forget(known[name], self._scope, why="gone from Agent Zero's memory")
        here = {name: episode for name, episode in known.items() if name in there}
        for name in [name for name in there if name not in here][:AT_ONCE]:
            one = record(name, there[name].page_content, there[name].metadata, now).memory
            told = Message(one.text, "assistant", Role.ASSISTANT, "agent-zero", one.at, f"agent-zero-{name}")
            kept = engine.observe(told, self._scope, deliberate=True)
            here[name] = kept.id
            if not kept.new:  # forgotten here when deprecated there, and valid there again
                with suppress(ReverieError):
                    engine.admin.reopen(kept.id, self._scope, why="back in Agent Zero's memory")
        return here


_engines: dict[tuple[Path, WholeSettings], Warming] = {}
_opening = threading.Lock()


def _opened(path: Path, how: WholeSettings) -> Warming:
    """Return the engine while its model is loading: until then it recalls by text, and writers wait."""
    with _opening:
        if (path, how) not in _engines:
            Path(str(path).removeprefix("sqlcipher:")).parent.mkdir(parents=True, exist_ok=True)
            engine = Reverie.open(path, embedder=None, recipe=how.recipe)
            _engines[path, how] = Warming(engine, lambda: open_embedder(how.embedder)).start()
        return _engines[path, how]


def _whole(opened: Warming) -> Reverie:
    """Return the engine once its model is loaded."""
    opened.wait(_PATIENCE_S)
    return opened.engine


def answer_in(said: Sequence[object]) -> str:
    """Return the words of an answer from the forms in which Agent Zero keeps it: the arguments of its response tool."""
    for one in said:
        if isinstance(one, Mapping) and one.get("tool_name") == "response":
            arguments = one.get("tool_args")
            text = arguments.get("text") or arguments.get("message") if isinstance(arguments, Mapping) else None
            return text if isinstance(text, str) else ""
    return ""
