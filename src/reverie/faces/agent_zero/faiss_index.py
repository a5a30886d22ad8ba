"""Agent Zero's vector index: in, its store as LangChain keeps it; out, the nearest documents with their real cosines.

The store is met through what it has, never through its library: an index of inner products (``index.search``,
``reconstruct_n``, ``ntotal``), the documents' ids by place, the documents by id, and the embedding model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reverie.faces.agent_zero.records import Metadata
from reverie.types import FloatArray

_WIDER = 4
_LEAST = 64
_BLOCK = 500
"""Rows compared with all others at a time."""
_UNIT = 1e-3
"""How far from 1 the length of a unit vector may be."""


async def embedded(store: Any, texts: Sequence[str]) -> FloatArray:
    """(q, d) unit vectors of some texts, by the store's own model in one call.

    What keeps the vectors of documents on disk is passed by: a query is not asked again.
    """
    model = store.embedding_function
    vectors = await getattr(model, "underlying_embeddings", model).aembed_documents(list(texts))
    return np.asarray(vectors, np.float32).reshape(len(texts), -1)


def nearest(
    store: Any, queries: FloatArray, each: int, wanted: Callable[[Metadata], bool]
) -> dict[str, tuple[int, float]]:
    """By id the place and the best cosine of the ``each`` nearest wanted documents of every query.

    The index knows nothing of what is wanted, so more is fetched until there are enough, at last everything.
    """
    total = int(store.index.ntotal)
    top = min(total, max(_LEAST, _WIDER * each))
    found: dict[str, tuple[int, float]] = {}
    while top:
        products, places = store.index.search(np.ascontiguousarray(queries, np.float32), top)
        rows = [_wanted(store, row, each, wanted) for row in places.tolist()]
        if top == total or all(len(row) == each for row in rows):
            for row, query, values, listed in zip(rows, queries, products, places.tolist(), strict=True):
                cosines = _cosines(store, query, dict(zip(listed, values.tolist(), strict=True)), [*row.values()])
                for (name, place), cosine in zip(row.items(), cosines, strict=True):
                    if name not in found or cosine > found[name][1]:
                        found[name] = place, cosine
            break
        top = min(total, _WIDER * top)
    return found


def vectors(store: Any) -> tuple[tuple[str, ...], FloatArray]:
    """The ids of all documents in the order of the index, and their (n, d) vectors, each of length 1."""
    total = int(store.index.ntotal)
    ids = tuple(str(store.index_to_docstore_id.get(place, "")) for place in range(total))
    if not total:
        return ids, np.empty((0, 1), np.float32)
    rows = np.array(store.index.reconstruct_n(0, total), np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: FloatArray = (rows / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)
    return ids, unit


def pairs(rows: FloatArray, above: float, each: int) -> list[tuple[int, int, float]]:
    """Pairs of rows whose cosine lies above an edge and where one is among the ``each`` nearest of the other, nearest
    first, then in order of writing. Every row is compared with every other.
    """
    found: dict[tuple[int, int], float] = {}
    for start in range(0, len(rows), _BLOCK):
        cosines = rows[start : start + _BLOCK] @ rows.T
        here = np.arange(len(cosines))
        cosines[here, start + here] = -1.0  # nothing is its own neighbour
        if cosines.shape[1] > each:
            near = np.argpartition(cosines, -each, axis=1)[:, -each:]
        else:
            near = np.tile(np.arange(cosines.shape[1]), (len(cosines), 1))
        values = np.take_along_axis(cosines, near, axis=1)
        for row, column in np.argwhere(values > above).tolist():
            one, other = sorted((start + row, int(near[row, column])))
            found[one, other] = round(float(values[row, column]), 5)
    return sorted(((one, other, cosine) for (one, other), cosine in found.items()), key=lambda p: (-p[2], p[0], p[1]))


def _wanted(store: Any, places: Sequence[int], each: int, wanted: Callable[[Metadata], bool]) -> dict[str, int]:
    """The ids and places of the first wanted documents of a list."""
    found: dict[str, int] = {}
    docs = store.get_all_docs()
    for place in places:
        name = store.index_to_docstore_id.get(place)
        document = docs.get(name)
        if document is not None and wanted(document.metadata):
            found[name] = place
            if len(found) == each:
                break
    return found


def _cosines(store: Any, query: FloatArray, products: dict[int, float], places: Sequence[int]) -> list[float]:
    """The inner products as cosines: a model that gives unit vectors has given them already."""
    length = float(np.linalg.norm(query))
    if abs(length - 1.0) < _UNIT or not length:
        return [products[place] for place in places]
    lengths = [float(np.linalg.norm(store.index.reconstruct_n(place, 1))) for place in places]
    return [products[place] / (length * of) if of else 0.0 for place, of in zip(places, lengths, strict=True)]
