"""The stand-in's vector store: exact inner products, with the surface and the habits of the one Agent Zero uses.

The habits that matter: a filter is applied to the ``fetch_k`` nearest alone; a store asked for more than it has pads
with -1; removing compacts the positions; saving writes everything anew.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np


@dataclass
class Document:
    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


class InMemoryDocstore:
    def __init__(self) -> None:
        self._dict: dict[str, Document] = {}

    def search(self, search: str) -> Document | str:
        return self._dict.get(search, f"ID {search} not found.")


class IndexFlatIP:
    def __init__(self, d: int) -> None:
        self.d, self._rows = d, np.zeros((0, d), dtype=np.float32)

    @property
    def ntotal(self) -> int:
        return len(self._rows)

    def add(self, x: np.ndarray) -> None:
        self._rows = np.concatenate([self._rows, np.asarray(x, dtype=np.float32)])

    def remove(self, positions: Sequence[int]) -> None:
        self._rows = np.delete(self._rows, list(positions), axis=0)

    def reconstruct(self, key: int) -> np.ndarray:
        return self._rows[key].copy()

    def reconstruct_n(self, n0: int = 0, ni: int = -1) -> np.ndarray:
        return self._rows[n0 : self.ntotal if ni < 0 else n0 + ni].copy()

    def search(self, x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        products = np.asarray(x, dtype=np.float32) @ self._rows.T
        scores = np.full((len(x), k), np.finfo(np.float32).min, dtype=np.float32)
        found = np.full((len(x), k), -1, dtype=np.int64)
        best = np.argsort(-products, axis=1, kind="stable")[:, :k]
        found[:, : best.shape[1]] = best
        scores[:, : best.shape[1]] = np.take_along_axis(products, best, axis=1)
        return scores, found


class MyFaiss:
    def __init__(
        self, embedding_function: Any, index: IndexFlatIP, relevance_score_fn: Callable[[float], float]
    ) -> None:
        self.embedding_function, self.index = embedding_function, index
        self.docstore = InMemoryDocstore()
        self.index_to_docstore_id: dict[int, str] = {}
        self.override_relevance_score_fn = relevance_score_fn
        self.distance_strategy = "COSINE"

    @property
    def embeddings(self) -> Any:
        return self.embedding_function

    def get_by_ids(self, ids: Sequence[str] | str) -> list[Document]:
        held = self.docstore._dict
        return [held[one] for one in (ids if isinstance(ids, list) else [ids]) if one in held]

    async def aget_by_ids(self, ids: Sequence[str] | str) -> list[Document]:
        return self.get_by_ids(ids)

    def get_all_docs(self) -> dict[str, Document]:
        return self.docstore._dict

    def add_documents(self, documents: list[Document], ids: list[str]) -> list[str]:
        first = self.index.ntotal
        self.index.add(np.array(self.embedding_function.embed_documents([one.page_content for one in documents])))
        for position, (one, document) in enumerate(zip(ids, documents, strict=True), start=first):
            self.docstore._dict[one] = Document(document.page_content, document.metadata, one)
            self.index_to_docstore_id[position] = one
        return ids

    async def aadd_documents(self, documents: list[Document], ids: list[str]) -> list[str]:
        return self.add_documents(documents, ids)

    def delete(self, ids: Sequence[str]) -> bool:
        where = {one: position for position, one in self.index_to_docstore_id.items()}
        missing = [one for one in ids if one not in where]
        if missing:
            raise ValueError(f"these ids are not in the store: {missing}")
        self.index.remove([where[one] for one in ids])
        left = [one for _, one in sorted(self.index_to_docstore_id.items()) if one not in set(ids)]
        self.index_to_docstore_id = dict(enumerate(left))
        for one in ids:
            del self.docstore._dict[one]
        return True

    async def adelete(self, ids: Sequence[str]) -> bool:
        return self.delete(ids)

    def similarity_search_with_score_by_vector(
        self, embedding: list[float], k: int = 4, filter: Any = None, fetch_k: int = 20, **_: Any
    ) -> list[tuple[Document, float]]:
        scores, found = self.index.search(np.array([embedding], dtype=np.float32), k if filter is None else fetch_k)
        pairs = []
        for score, position in zip(scores[0], found[0], strict=True):
            if position == -1:
                continue
            document = self.docstore._dict[self.index_to_docstore_id[int(position)]]
            if filter is None or filter(document.metadata):
                pairs.append((document, score))
        return pairs[:k]

    def similarity_search_with_score(self, query: str, k: int = 4, **how: Any) -> list[tuple[Document, float]]:
        return self.similarity_search_with_score_by_vector(self.embedding_function.embed_query(query), k, **how)

    async def asimilarity_search_with_score_by_vector(
        self, embedding: list[float], k: int = 4, **how: Any
    ) -> list[tuple[Document, float]]:
        return await asyncio.to_thread(self.similarity_search_with_score_by_vector, embedding, k, **how)

    async def asimilarity_search_with_score(self, query: str, k: int = 4, **how: Any) -> list[tuple[Document, float]]:
        embedding = await self.embedding_function.aembed_query(query)
        return await self.asimilarity_search_with_score_by_vector(embedding, k, **how)

    def similarity_search_with_relevance_scores(
        self, query: str, k: int = 4, score_threshold: float | None = None, **how: Any
    ) -> list[tuple[Document, float]]:
        return self._relevant(self.similarity_search_with_score(query, k, **how), score_threshold)

    async def asimilarity_search_with_relevance_scores(
        self, query: str, k: int = 4, score_threshold: float | None = None, **how: Any
    ) -> list[tuple[Document, float]]:
        return self._relevant(await self.asimilarity_search_with_score(query, k, **how), score_threshold)

    def _relevant(self, found: list[tuple[Document, float]], threshold: float | None) -> list[tuple[Document, float]]:
        scored = [(document, self.override_relevance_score_fn(score)) for document, score in found]
        return [(document, score) for document, score in scored if threshold is None or score >= threshold]

    async def asearch(self, query: str, search_type: str, **how: Any) -> list[Document]:
        if search_type != "similarity_score_threshold":
            raise ValueError(search_type)
        return [document for document, _ in await self.asimilarity_search_with_relevance_scores(query, **how)]

    def save_local(self, folder_path: str, index_name: str = "index") -> None:
        folder = Path(folder_path)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{index_name}.faiss").open("wb") as stream:
            np.save(stream, self.index._rows)
        with (folder / f"{index_name}.pkl").open("wb") as stream:
            pickle.dump((self.docstore, self.index_to_docstore_id), stream)

    @classmethod
    def load_local(cls, folder_path: str, embeddings: Any, relevance_score_fn: Callable[[float], float]) -> MyFaiss:
        folder = Path(folder_path)
        with (folder / "index.faiss").open("rb") as stream:
            rows = np.load(stream)
        index = IndexFlatIP(rows.shape[1])
        index.add(rows)
        store = cls(embeddings, index, relevance_score_fn)
        with (folder / "index.pkl").open("rb") as stream:
            store.docstore, store.index_to_docstore_id = pickle.load(stream)
        return store
