"""Agent Zero's documents as memories, and its vector index: the nearest documents with their real cosines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

import numpy as np

from reverie.types import FloatArray, Kind, Memory, Role, Scope, Standing

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
"""Validities of documents that do not hold; a later classifier uses the second for what held for one loop only."""
SOLUTIONS = "solutions"
HERE = Scope("agent-zero", "its", "store")
"""The scope of every store: Agent Zero separates agents and projects by giving each a store of its own."""


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document as a memory, tagged with its utility, source and validity from the classifier.

    Attributes:
        memory: the memory.
        utility: load_bearing, tactical or archived.
        source: user_asserted, agent_inferred, external_retrieved, …
        validity: confirmed, inferred or deprecated.
        related: the ids it is linked to.
        relevance: active, dormant, … .
        tags: topics from its classification, in lower case; most classifiers give none.
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
        """Whether its classifier considers it active."""
        return self.relevance == UNCLASSIFIED["relevance"]


def record(doc_id: str, text: str, metadata: Metadata, now: datetime) -> DocumentRecord:
    """Convert a document to a memory; without a creation time it counts as created now."""
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
    """Whether a document is a memory that holds: not part of the knowledge base, and not deprecated."""
    return not is_knowledge(metadata) and part(metadata, CLASSIFICATION).get("validity") not in _OUT


def may_come(metadata: Metadata) -> bool:
    """Whether a document may be injected; solutions are excluded, because the host injects them itself."""
    return metadata.get("area") != SOLUTIONS and holds(metadata)


def is_knowledge(metadata: Metadata) -> bool:
    """Whether a document is part of a knowledge file, which Agent Zero keeps in the same store."""
    return bool(metadata.get("knowledge_source"))


def deprecate(metadata: Metadata, by: str, now: datetime) -> None:
    """Mark a document as deprecated and superseded by another; nothing else in its metadata changes."""
    metadata[CLASSIFICATION] = {**UNCLASSIFIED, **part(metadata, CLASSIFICATION), "validity": DEPRECATED}
    lineage_of(metadata, now)["superseded_by"] = by


def take_back(metadata: Metadata, validity: str, now: datetime) -> str:
    """Undo a deprecation: restore the validity; return the id of the superseding document ("" if none)."""
    metadata[CLASSIFICATION] = {**UNCLASSIFIED, **part(metadata, CLASSIFICATION), "validity": validity}
    lineage = lineage_of(metadata, now)
    by, lineage["superseded_by"] = lineage.get("superseded_by"), None
    return by if isinstance(by, str) else ""


def lineage_of(metadata: Metadata, now: datetime) -> Metadata:
    """Return a document's lineage for writing; create it in the classifier's form if missing."""
    lineage = metadata.get(LINEAGE)
    if not isinstance(lineage, dict):
        made = moment(metadata.get("timestamp")) or now
        lineage = {"created_at": written(made), "supersedes": None, "superseded_by": None}
        lineage |= {"access_count": 0, "last_accessed": None}
        metadata[LINEAGE] = lineage
    lineage.setdefault("related_memory_ids", [])
    return lineage


def part(metadata: Metadata, name: str) -> Mapping[str, Any]:
    """Return the classification or the lineage; empty if there is none."""
    said = metadata.get(name)
    return said if isinstance(said, dict) else {}


def accesses(lineage: Mapping[str, Any]) -> int:
    """Return how often a document was injected."""
    said = lineage.get("access_count")
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else 0


def related(lineage: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids a document is linked to."""
    said = lineage.get("related_memory_ids")
    return tuple(one for one in said if isinstance(one, str)) if isinstance(said, list | tuple) else ()


def moment(said: object) -> datetime | None:
    """Parse a time as Agent Zero or its classifier writes it.

    Without a zone, a time with "T" is in UTC (the classifier's form), and one with a blank is local (Agent Zero's
    form).
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
    """Format a time as ISO 8601 in UTC, with its zone."""
    return at.astimezone(UTC).isoformat()


def _axes(metadata: Metadata) -> dict[str, str]:
    said = part(metadata, CLASSIFICATION)
    return {name: said[name] if isinstance(said.get(name), str) else first for name, first in UNCLASSIFIED.items()}


_WIDER = 4
_LEAST = 64
_BLOCK = 500
"""Rows that are compared with all others in one step."""
_UNIT = 1e-3
"""Tolerance for the length of a unit vector."""


async def embedded(store: Any, texts: Sequence[str]) -> FloatArray:
    """Return (q, d) unit vectors of texts, from the store's own model in one call.

    The model's disk cache for documents is bypassed, because a query is not asked again.
    """
    model = store.embedding_function
    vectors = await getattr(model, "underlying_embeddings", model).aembed_documents(list(texts))
    return np.asarray(vectors, np.float32).reshape(len(texts), -1)


def nearest(
    store: Any, queries: FloatArray, each: int, wanted: Callable[[Metadata], bool]
) -> dict[str, tuple[int, float]]:
    """Return, by id, the position and best cosine of the ``each`` nearest wanted documents of every query.

    The index cannot filter, so more documents are fetched until enough are wanted, at most all.
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
    """Return the ids of all documents in index order, and their (n, d) unit vectors."""
    total = int(store.index.ntotal)
    ids = tuple(str(store.index_to_docstore_id.get(place, "")) for place in range(total))
    if not total:
        return ids, np.empty((0, 1), np.float32)
    rows = np.array(store.index.reconstruct_n(0, total), np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: FloatArray = (rows / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)
    return ids, unit


def pairs(rows: FloatArray, above: float, each: int) -> list[tuple[int, int, float]]:
    """Return pairs of rows with a cosine above ``above`` of which one is among the ``each`` nearest of the other;
    nearest first, then in order of writing. Every row is compared with every other.
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
    """Return the ids and positions of the first ``each`` wanted documents of a list."""
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
    """Convert inner products to cosines; with unit vectors they are equal."""
    length = float(np.linalg.norm(query))
    if abs(length - 1.0) < _UNIT or not length:
        return [products[place] for place in places]
    lengths = [float(np.linalg.norm(store.index.reconstruct_n(place, 1))) for place in places]
    return [products[place] / (length * of) if of else 0.0 for place, of in zip(places, lengths, strict=True)]
