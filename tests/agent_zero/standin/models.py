"""The stand-in's models: embeddings alone, by the same package that the real one asks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from sentence_transformers import SentenceTransformer


class ModelType(Enum):
    CHAT = "Chat"
    EMBEDDING = "Embedding"


@dataclass
class ModelConfig:
    type: ModelType
    provider: str
    name: str
    api_base: str = ""
    kwargs: dict[str, Any] = field(default_factory=dict)

    def build_kwargs(self) -> dict[str, Any]:
        return dict(self.kwargs)


class Embedder:
    """Documents and queries as vectors; a query is never cached."""

    def __init__(self, name: str) -> None:
        self._model = SentenceTransformer(name)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [list(map(float, row)) for row in self._model.encode(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    async def aembed_query(self, text: str) -> list[float]:
        return await asyncio.to_thread(self.embed_query, text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self.embed_documents, texts)


def get_embedding_model(provider: str, name: str, **_: Any) -> Embedder:
    return Embedder(name)
