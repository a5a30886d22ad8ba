"""Agent Zero's documents as memories, and its vector index: the nearest documents with their real cosines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

import numpy as np

from reverie.types import FloatArray, Kind, Memory, Role, Scope, Standing

# Agent Zero's documents as memories: in, a document's id, text and metadata; out, what the engine's stages look at.


Metadata: TypeAlias = dict[str, Any]

CLASSIFICATION, LINEAGE = "classification", "lineage"
UNCLASSIFIED = {
    "validity": "inferred",
    "relevance": "active",
    "utility": "tactical",
    "source": "agent_inferred",
}
DEPRECATED = "deprecated"
_OUT = (DEPRECATED, "loop_period")
"""What does not hold; the second is a later classifier's word for what held for one loop alone."""
SOLUTIONS = "solutions"
HERE = Scope("agent-zero", "its", "store")
"""A store of Agent Zero's is one scope: the host keeps its agents and projects apart by having a store for each."""


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document as a memory; its standing's tags are its utility, source and validity, as its classifier calls them.

    Attributes:
        memory: the memory.
        utility: load_bearing, tactical or archived.
        source: user_asserted, agent_inferred, external_retrieved, …
        validity: confirmed, inferred or deprecated.
        related: the ids it is linked to.
        relevance: active, dormant, … .
        tags: what its classification says it is about, in small letters; most classifiers say nothing.
    """

    memory: Memory
    utility: str
    source: str
    validity: str
    related: tuple[str, ...]
    relevance: str = "active"
    tags: frozenset[str] = frozenset()

    @property
    def is_active(self) -> bool:
        """Whether its classifier has not put it aside."""
        return self.relevance == UNCLASSIFIED["relevance"]


def record(doc_id: str, text: str, metadata: Metadata, now: datetime) -> DocumentRecord:
    """A document as a memory; one that does not say when it was made was made now."""
    axes = _axes(metadata)
    lineage = part(metadata, LINEAGE)
    made = moment(lineage.get("created_at")) or moment(metadata.get("timestamp")) or now
    memory = Memory(
        id=doc_id,
        scope=HERE,
        kind=Kind.FACT,
        text=text,
        at=made,
        recorded_at=made,
        session="",
        seq=0,
        speaker="",
        role=Role.PERSON,
        accesses=accesses(lineage),
        last_access=moment(lineage.get("last_accessed")),
        standing=Standing(tags=(axes["utility"], axes["source"], axes["validity"])),
    )
    tags = part(metadata, CLASSIFICATION).get("tags")
    said = frozenset(tag.casefold() for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else frozenset()
    return DocumentRecord(
        memory, axes["utility"], axes["source"], axes["validity"], related(lineage), axes["relevance"], said
    )


def holds(metadata: Metadata) -> bool:
    """Whether it is a memory that holds: no document of the knowledge base, and not deprecated."""
    return not is_knowledge(metadata) and part(metadata, CLASSIFICATION).get("validity") not in _OUT


def may_come(metadata: Metadata) -> bool:
    """Whether it may come into the block of memories; solutions have a block of their own, which is the host's."""
    return metadata.get("area") != SOLUTIONS and holds(metadata)


def is_knowledge(metadata: Metadata) -> bool:
    """Whether it is a piece of a knowledge file, which Agent Zero keeps in the same store."""
    return bool(metadata.get("knowledge_source"))


def deprecate(metadata: Metadata, by: str, now: datetime) -> None:
    """Say that it was superseded by another; nothing else of what is said of it changes."""
    metadata[CLASSIFICATION] = {**UNCLASSIFIED, **part(metadata, CLASSIFICATION), "validity": DEPRECATED}
    lineage_of(metadata, now)["superseded_by"] = by


def take_back(metadata: Metadata, validity: str, now: datetime) -> str:
    """Say that it holds again, as it did before; the id of what had superseded it, "" where nothing had."""
    metadata[CLASSIFICATION] = {**UNCLASSIFIED, **part(metadata, CLASSIFICATION), "validity": validity}
    lineage = lineage_of(metadata, now)
    by, lineage["superseded_by"] = lineage.get("superseded_by"), None
    return by if isinstance(by, str) else ""


def lineage_of(metadata: Metadata, now: datetime) -> Metadata:
    """Its lineage, to be written to; begun where there is none, in the classifier's words."""
    lineage = metadata.get(LINEAGE)
    if not isinstance(lineage, dict):
        made = moment(metadata.get("timestamp")) or now
        lineage = {"created_at": written(made), "supersedes": None, "superseded_by": None}
        lineage |= {"access_count": 0, "last_accessed": None}
        metadata[LINEAGE] = lineage
    lineage.setdefault("related_memory_ids", [])
    return lineage


def part(metadata: Metadata, name: str) -> Mapping[str, Any]:
    """The classification or the lineage; empty where there is none."""
    said = metadata.get(name)
    return said if isinstance(said, dict) else {}


def accesses(lineage: Mapping[str, Any]) -> int:
    """How often it was injected."""
    said = lineage.get("access_count")
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else 0


def related(lineage: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids it is linked to."""
    said = lineage.get("related_memory_ids")
    return tuple(one for one in said if isinstance(one, str)) if isinstance(said, list | tuple) else ()


def moment(said: object) -> datetime | None:
    """A time as Agent Zero and its classifier write it.

    With a "T" and without a zone it is UTC, as the classifier writes it; with a blank it is local, as Agent Zero does.
    """
    if not isinstance(said, str):
        return None
    try:
        at = datetime.fromisoformat(said.strip())
        if at.tzinfo is None and "T" in said:
            at = at.replace(tzinfo=UTC)
        return at.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def written(at: datetime) -> str:
    """A time as we write it: ISO 8601, UTC, with its zone."""
    return at.astimezone(UTC).isoformat()


def _axes(metadata: Metadata) -> dict[str, str]:
    said = part(metadata, CLASSIFICATION)
    return {name: said[name] if isinstance(said.get(name), str) else first for name, first in UNCLASSIFIED.items()}


# Agent Zero's vector index: in, its store as LangChain keeps it; out, the nearest documents with their real cosines.


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
