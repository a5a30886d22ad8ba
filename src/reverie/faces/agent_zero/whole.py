"""The whole engine beside Agent Zero's own store (``engine: reverie``): in, what is asked and said; out, an answer.

It works on a store of its own, in the scope of Agent Zero's: whoever shares a memory there shares one here. What Agent
Zero's own memory holds is brought over little by little, and what goes there is forgotten here.
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
"""Memories of Agent Zero's that are brought over when a monologue ends."""
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Asking:
    """What a turn asks of the engine; ``most`` None: as many as its recipe thinks fit."""

    text: str
    session: str
    domain: str
    most: int | None
    now: datetime


@dataclass(frozen=True, slots=True)
class HostMessage:
    """What was said in a monologue, by both sides; the answer may be missing."""

    prompt: str
    answer: str
    session: str
    at: datetime


class Beside:
    """The engine, in the scope of one of Agent Zero's stores; opened when it is first asked, once a process.

    Whoever shares a folder of memory in Agent Zero shares one here: that is how it keeps profiles and projects apart.
    """

    def __init__(self, folder: Path, subdir: str, how: WholeSettings) -> None:
        self._path, self._how = Path(how.store) if how.store else folder / STORE_FILE, how
        self._scope = Scope(how.agent or "agent-zero", how.user or "user", subdir or "default")

    def recall(self, asking: Asking) -> list[tuple[str, str]]:
        """What bears on the question, each with its day and speaker, and its marks in words. Raises ReverieError."""
        question = Question(asking.text, session=asking.session, domain=asking.domain, automatic=True)
        engine = _opened(self._path, self._how).engine
        answer = engine.recall(question, self._scope, top_k=asking.most, now=asking.now)
        hits = (hit for hit in (*answer.standing, *answer.hits) if hit.memory.text.strip() != asking.text.strip())
        found = notes(hits)
        told = labels(found, [hit.memory for hit in answer.withheld])
        texts = [f"{one.memory.at:%Y-%m-%d} {one_line(one.memory.speaker)}: {one.text}" for one in found]
        return list(zip(texts, told, strict=True))

    def hear(self, heard: HostMessage) -> None:
        """Keep both sides, and form what is worth knowing. Raises ReverieError."""
        engine = _whole(_opened(self._path, self._how))
        for role, text in ((Role.USER, heard.prompt), (Role.ASSISTANT, heard.answer)):
            if text.strip():
                engine.observe(Message(text, str(role), role, heard.session, heard.at), self._scope)

    def bring(self, docs: Mapping[str, Any], known: Mapping[str, str], now: datetime) -> dict[str, str]:
        """Bring some of Agent Zero's memories over, and forget what is gone there; what is here, by its id there."""
        engine = _whole(_opened(self._path, self._how))
        there = {name: document for name, document in docs.items() if holds(document.metadata)}
        for name in known.keys() - there.keys():
            with suppress(ReverieError):  # it is gone here, too, or a person has pinned it
                engine.forget(known[name], self._scope, why="gone from Agent Zero's memory")
        here = {name: episode for name, episode in known.items() if name in there}
        for name in [name for name in there if name not in here][:AT_ONCE]:
            one = record(name, there[name].page_content, there[name].metadata, now).memory
            told = Message(one.text, "assistant", Role.ASSISTANT, "agent-zero", one.at, f"agent-zero-{name}")
            kept = engine.observe(told, self._scope, deliberate=True)
            here[name] = kept.id
            if not kept.new:  # it was forgotten here when it was deprecated there, and holds there again
                with suppress(ReverieError):
                    engine.admin.reopen(kept.id, self._scope, why="back in Agent Zero's memory")
        return here


_engines: dict[tuple[Path, WholeSettings], Warming] = {}
_opening = threading.Lock()


def _opened(path: Path, how: WholeSettings) -> Warming:
    """An engine whose model is being loaded: until then it recalls by text, and whoever writes waits."""
    with _opening:
        if (path, how) not in _engines:
            path.parent.mkdir(parents=True, exist_ok=True)
            engine = Reverie.open(path, embedder=None, recipe=how.recipe)
            _engines[path, how] = Warming(engine, lambda: open_embedder(how.embedder)).start()
        return _engines[path, how]


def _whole(opened: Warming) -> Reverie:
    """The engine with its model."""
    opened.wait(_PATIENCE_S)
    return opened.engine


def answer_in(said: Sequence[object]) -> str:
    """The words of an answer among the forms in which Agent Zero keeps one: the arguments of its response tool."""
    for one in said:
        if isinstance(one, Mapping) and one.get("tool_name") == "response":
            arguments = one.get("tool_args")
            text = arguments.get("text") or arguments.get("message") if isinstance(arguments, Mapping) else None
            return text if isinstance(text, str) else ""
    return ""
