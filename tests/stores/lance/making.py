"""What the tests of OpenClaw's table are made of: tables as its plugin makes them, rows, and a store over them."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from reverie import Reverie
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.stores.lance import LanceStore, Reception
from reverie.types import FloatArray, IndexEntry, Memory, Message, ModelInfo, Scope
from tests.stores.making import ADA, MODEL, START, vector

HAS_LANCE = importlib.util.find_spec("lancedb") is not None
WHY_NOT = "the extra lance is not installed"
HOME = ADA


def index_of(memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
    """Its words are its terms."""
    return IndexEntry(tuple(memory.text.split()), len(memory.text.split()), vector, model)


def screened(text: str) -> tuple[str, str]:
    """Masks one secret, holds one order back."""
    return text.replace("hunter2", "[password]"), "gives orders" if text.startswith("Ignore all") else ""


def lent() -> Reception:
    """A reception with a clock that stands still."""
    return Reception(index_of, screened, FixedClock(START), RandomIds(7))


def open_table_store(folder: Path, *, home: Scope | None = HOME, reception: Reception | None = None) -> LanceStore:
    """A store over the table in a folder."""
    return LanceStore(folder, reception or lent(), home=home)


def name(number: int) -> str:
    """The UUID of a row."""
    return str(UUID(int=(0xAB << 120) | number, version=4))


def row(number: int, text: str = "", **fields: object) -> dict[str, object]:
    """A row as the stock plugin writes it; its vector depends on its text alone."""
    words = text or f"row {number}"
    plain: dict[str, object] = {
        "id": name(number),
        "text": words,
        "vector": vector_of(words).tolist(),
        "importance": 0.7,
        "category": "fact",
        "createdAt": START.timestamp() * 1000.0 - 1000.0 * number,
        "agentId": HOME.agent,
    }
    return plain | fields


def vector_of(text: str, model: ModelInfo = MODEL) -> FloatArray:
    """A unit vector that depends on the text and the model alone."""
    return vector(sum(text.encode("utf-8", "surrogatepass")) + 31 * len(text) + int(model.revision) * 7919, model.dims)


class TextModel:
    """An embedder whose vectors depend on the text and the model alone."""

    def __init__(self, info: ModelInfo = MODEL) -> None:
        self.info = info
        self.asked: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        self.asked += texts
        return np.array([vector_of(text, self.info) for text in texts], np.float32).reshape(-1, self.info.dims)

    def embed_query(self, text: str) -> FloatArray:
        return vector_of(text, self.info)


class Stock:
    """OpenClaw's stock plugin as far as the table goes: makes it from a sample row, appends, deletes by id, reads."""

    def __init__(self, folder: Path, *, dims: int = MODEL.dims, agents: bool = True) -> None:
        lancedb = pytest.importorskip("lancedb", reason=WHY_NOT)
        import pyarrow

        self.folder = folder
        self._base = lancedb.connect(str(folder))
        self._agents = agents
        fields = [pyarrow.field(field, pyarrow.utf8()) for field in ("id", "text")]
        fields.append(pyarrow.field("vector", pyarrow.list_(pyarrow.float32(), dims)))
        fields.append(pyarrow.field("importance", pyarrow.float64()))
        fields += [pyarrow.field("category", pyarrow.utf8()), pyarrow.field("createdAt", pyarrow.float64())]
        fields += [pyarrow.field("agentId", pyarrow.utf8())] if agents else []
        self.schema = pyarrow.schema(fields)
        seed = row(0, "", id="__schema__", vector=[0.0] * dims, importance=0.0, category="other", createdAt=0.0)
        self.table = self._base.create_table("memories", data=self._data([seed]))
        self.table.delete("id = '__schema__'")

    def _data(self, rows: Sequence[Mapping[str, object]]) -> Any:
        import pyarrow

        known = [{key: value for key, value in one.items() if key in self.schema.names} for one in rows]
        return pyarrow.Table.from_pylist(known, schema=self.schema)

    def store(self, *rows: Mapping[str, object]) -> None:
        """Append rows, with the columns it knows and no others."""
        self.table.checkout_latest()
        self.table.add(self._data(rows))

    def forget(self, number: int) -> None:
        """Delete a row."""
        self.table.checkout_latest()
        self.table.delete(f"id = '{name(number)}'")

    def update(self, number: int, **values: object) -> None:
        """Change a row."""
        self.table.checkout_latest()
        self.table.update(where=f"id = '{name(number)}'", values=values)

    def rows(self) -> dict[str, dict[str, Any]]:
        """Every row by its id, as it is read."""
        self.table.checkout_latest()
        return {one["id"]: one for one in self.table.search().limit(None).to_arrow().to_pylist()}

    def texts(self) -> list[str]:
        """What stands in the table, sorted."""
        return sorted(one["text"] for one in self.rows().values())


def opened(stock: Stock, model: TextModel | None = None, **options: object) -> Reverie:
    """An engine on a table; its clock stands still and its ids are the same each time."""
    given: dict[str, object] = {"home": HOME, "background": False, "clock": FixedClock(START), "ids": RandomIds(1)}
    given["embedder"] = model or TextModel()
    return Reverie.open(f"lance:{stock.folder}", **{**given, **options})  # type: ignore[arg-type] # named where called


def formed(memory: Reverie, text: str, scope: Scope = HOME) -> Memory:
    """A memory formed of a message."""
    receipt = memory.observe(Message(text), scope, deliberate=True)
    return memory.memory(receipt.formed[0], scope)
