"""The stand-in's memory: one store a folder for the whole process, saved whole after each change of its own."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

import models
from helpers import files
from helpers.vectors import Document, IndexFlatIP, MyFaiss
from layout import OLD

MODEL = models.ModelConfig(models.ModelType.EMBEDDING, "huggingface", "sentence-transformers/all-MiniLM-L6-v2")


class Memory:
    class Area(Enum):  # noqa: D106  # the real one's
        MAIN = "main"
        FRAGMENTS = "fragments"
        SOLUTIONS = "solutions"

    index: dict[str, MyFaiss] = {}  # noqa: RUF012  # one for the process, as in the real one

    def __init__(self, db: MyFaiss, memory_subdir: str) -> None:
        self.db, self.memory_subdir = db, memory_subdir

    @staticmethod
    async def get(agent: Any) -> Memory:
        subdir = get_agent_memory_subdir(agent)
        if subdir not in Memory.index:
            agent.context.log.log(type="util", heading=f"Initializing VectorDB in '/{subdir}'")
            Memory.index[subdir] = Memory.initialize(agent.config.embeddings_model if OLD else MODEL, subdir)
        return Memory(Memory.index[subdir], subdir)

    @staticmethod
    def initialize(config: Any, memory_subdir: str) -> MyFaiss:
        folder = Path(abs_db_dir(memory_subdir))
        embedder = models.get_embedding_model(config.provider, config.name, **config.build_kwargs())
        if (folder / "index.faiss").is_file():
            return MyFaiss.load_local(str(folder), embedder, Memory._cosine_normalizer)
        db = MyFaiss(embedder, IndexFlatIP(len(embedder.embed_query("example"))), Memory._cosine_normalizer)
        db.save_local(str(folder))
        model = {"model_provider": config.provider, "model_name": config.name}
        files.write_file(str(folder / "embedding.json"), json.dumps(model))
        return db

    async def search_similarity_threshold(
        self, query: str, limit: int, threshold: float, filter: str = ""
    ) -> list[Document]:
        chosen = Memory._get_comparator(filter) if filter else None
        how = {"k": limit, "score_threshold": threshold, "filter": chosen}
        return await self.db.asearch(query, search_type="similarity_score_threshold", **how)

    async def insert_text(self, text: str, metadata: dict[str, Any]) -> str:
        return (await self.insert_documents([Document(text, metadata)]))[0]

    async def insert_documents(self, docs: list[Document]) -> list[str]:
        ids = [secrets.token_hex(5) for _ in docs]
        for document, one in zip(docs, ids, strict=True):
            document.metadata["id"] = one
            document.metadata["timestamp"] = self.get_timestamp()
            document.metadata["area"] = document.metadata.get("area") or Memory.Area.MAIN.value
        await self.db.aadd_documents(docs, ids)
        self._save_db()
        return ids

    async def update_documents(self, docs: list[Document]) -> list[str]:
        ids = [document.metadata["id"] for document in docs]
        await self.db.adelete(ids)
        await self.db.aadd_documents(docs, ids)
        self._save_db()
        return ids

    async def delete_documents_by_ids(self, ids: list[str]) -> list[Document]:
        gone = await self.db.aget_by_ids(ids)
        if gone:
            await self.db.adelete([document.metadata["id"] for document in gone])
            self._save_db()
        return gone

    def get_document_by_id(self, id: str) -> Document:
        return self.db.get_by_ids(id)[0]

    def _save_db(self) -> None:
        self.db.save_local(abs_db_dir(self.memory_subdir))

    @staticmethod
    def _get_comparator(condition: str) -> Callable[[dict[str, Any]], bool]:
        """The host evaluates it as an expression; an unknown name is a no."""
        code = compile(condition, "<filter>", "eval")

        def comparator(metadata: dict[str, Any]) -> bool:
            try:
                return bool(eval(code, {"__builtins__": {}}, dict(metadata)))
            except (NameError, KeyError, TypeError):
                return False

        return comparator

    @staticmethod
    def _cosine_normalizer(val: float) -> float:
        return max(0, min(1, (1 + val) / 2))

    @staticmethod
    def get_timestamp() -> str:
        """The local time, without a zone."""
        return datetime.now().strftime("%Y-%m-%d %H:%M:%S")  # noqa: DTZ005  # as the real one does


def abs_db_dir(memory_subdir: str) -> str:
    return files.get_abs_path("usr/memory", memory_subdir)


def get_agent_memory_subdir(agent: Any) -> str:
    return (agent.config.memory_subdir if OLD else "") or "default"
