"""An Agent Zero small enough to see through: one agent, one store of inner products, a log. Its modules are fakes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from reverie.faces.agent_zero import settled

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DIMS = 8


class Model:
    def __init__(self) -> None:
        self.vectors: dict[str, list[float]] = {}
        self.asked: list[list[str]] = []

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        return self.vectors.get(text, [*[0.0] * (DIMS - 1), 1.0])


class Index:
    def __init__(self) -> None:
        self.rows = np.empty((0, DIMS), np.float32)

    @property
    def ntotal(self) -> int:
        return len(self.rows)

    def search(self, queries: Any, top: int) -> tuple[Any, Any]:
        products = queries @ self.rows.T
        places = np.argsort(-products, axis=1, kind="stable")[:, :top]
        return np.take_along_axis(products, places, axis=1), places

    def reconstruct_n(self, start: int, count: int) -> Any:
        return self.rows[start : start + count]


class Store:
    def __init__(self, model: Model) -> None:
        self.docs: dict[str, Any] = {}
        self.index = Index()
        self.index_to_docstore_id: dict[int, str] = {}
        self.embedding_function = model

    def get_all_docs(self) -> dict[str, Any]:
        return self.docs


class Memory:
    def __init__(self, store: Store) -> None:
        self.db, self.memory_subdir = store, "default"
        self.saves = 0

    def _save_db(self) -> None:
        self.saves += 1


class LoopData:
    def __init__(self, content: object) -> None:
        self.user_message = SimpleNamespace(content=content)
        self.extras_persistent: dict[str, Any] = {}
        self.last_response = ""


class Agent:
    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self.lines: list[tuple[str, str]] = []
        self.config = SimpleNamespace(chat_model=SimpleNamespace(name="qwen/qwen3"))
        self.context = SimpleNamespace(id="chat1", log=SimpleNamespace(log=self._log))

    def get_data(self, name: str) -> Any:
        return self.data.get(name)

    def set_data(self, name: str, value: Any) -> None:
        self.data[name] = value

    def _log(self, type: str, content: str) -> None:
        self.lines.append((type, content))


class Place:
    """An Agent Zero in a folder."""

    def __init__(self, root: Path) -> None:
        self.root, self.model, self.settings = root, Model(), dict[str, Any]()
        self.store = Store(self.model)
        self.memory, self.agent = Memory(self.store), Agent()

    def add(self, name: str, text: str, vector: list[float], **metadata: Any) -> Any:
        """A document with the vector it lies at, filled up with zeros and made a unit."""
        row = np.zeros(DIMS, np.float32)
        row[: len(vector)] = vector
        row /= np.linalg.norm(row)
        self.store.index_to_docstore_id[self.store.index.ntotal] = name
        self.store.index.rows = np.vstack([self.store.index.rows, row])
        doc = SimpleNamespace(page_content=text, metadata={"id": name, "area": "main", **metadata})
        self.store.docs[name] = doc
        return doc

    def ask(self, text: str, vector: list[float]) -> LoopData:
        """A turn's data, and the vector its question and every variant of it gets."""
        self.model.vectors[text] = [*vector, *[0.0] * (DIMS - len(vector))]
        return LoopData({"user_message": text})

    def configure(self, **sections: Any) -> None:
        """The host's configuration."""
        path = self.root / "usr" / "memory" / "classification_config.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(sections), encoding="utf-8")

    def run(self, *work: Coroutine[Any, Any, None]) -> None:
        """Let these happen one after the other, and what they began beside the loop."""

        async def all_of_it() -> None:
            for one in work:
                await one
            await settled()

        asyncio.run(all_of_it())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """An Agent Zero of the older layout, with nothing in its store."""
    made = Place(tmp_path)

    class Class:
        @staticmethod
        async def get(agent: Any) -> Memory:
            return made.memory

    fakes: dict[str, dict[str, Any]] = {
        "memory": {"Memory": Class},
        "files": {"get_abs_path": lambda *parts: str(tmp_path.joinpath(*parts))},
        "settings": {"get_settings": lambda: made.settings},
    }
    monkeypatch.delitem(sys.modules, "plugins._memory.helpers.memory", raising=False)
    for name, members in fakes.items():
        module = ModuleType(f"python.helpers.{name}")
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.delitem(sys.modules, f"helpers.{name}", raising=False)
    return made
