"""MemPalace through its memory tools: ``mempalace_add_drawer`` for each message, ``search_memories`` for each question.

Its default backend (ChromaDB) and hybrid ranking, its ``openai-compat`` embedding model pointed at the benchmark's own
endpoint. A long message becomes several drawers, as the tool splits it: each stands for the message and costs its own
words. Messages of one session with the same words are one drawer, which stands for all of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.peers.job import Found, Job, Said

WING = "conversation"

FOREIGN = re.compile(r"[^\w .'-]")
"""What the name of a room may not hold."""


class MemPalace:
    """One wing; a session is a room, a message a drawer."""

    def __init__(self, job: Job) -> None:
        self._palace = str(Path(job.folder) / "palace")
        os.environ["MEMPALACE_PALACE_PATH"] = self._palace
        os.environ["MEMPALACE_EMBEDDING_MODEL"] = "openai-compat"
        os.environ["MEMPALACE_EMBEDDING_API_URL"] = job.endpoint
        os.environ["MEMPALACE_EMBEDDING_API_MODEL"] = job.model
        # It reads the environment when it is imported.
        from mempalace.mcp_server import tool_add_drawer
        from mempalace.searcher import search_memories

        # Any: an optional package of another environment; this class is its adapter.
        self._add: Any = tool_add_drawer
        self._search: Any = search_memories
        self._ids: dict[str, list[str]] = {}

    def tell(self, said: Sequence[Said]) -> None:
        """File each, word for word."""
        for one in said:
            filed = self._add(WING, room(one.session), one.text, added_by=one.speaker)
            if not filed["success"]:
                raise RuntimeError(f"MemPalace did not take {one.id}: {filed}")
            self._ids.setdefault(filed["drawer_id"], []).append(one.id)

    def ask(self, question: str, depth: int) -> list[Found]:
        """What it recalls, best first."""
        found = self._search(question, self._palace, n_results=depth)
        if "results" not in found:
            raise RuntimeError(f"MemPalace did not answer: {found}")
        return [Found(tuple(self._ids[hit["drawer_id"]]), hit["text"]) for hit in found["results"]]


def room(session: str) -> str:
    """The room of a session: its name, with the code of each character that a room's name may not hold."""
    return FOREIGN.sub(lambda found: f"-{ord(found[0]):x}-", session)
