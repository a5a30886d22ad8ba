"""Agent Zero's documents as memories: in, a document's id, text and metadata; out, what the engine's stages look at.

The four axes of the classification and the lineage stand where Agent Zero's memory classifier writes them (A15). What
is missing or of another kind is read as the classifier's beginning: inferred, active, tactical, said by the agent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from reverie.types import Kind, Memory, Role, Scope, Standing

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
class Record:
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


def record(doc_id: str, text: str, metadata: Metadata, now: datetime) -> Record:
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
    return Record(memory, axes["utility"], axes["source"], axes["validity"], related(lineage), axes["relevance"], said)


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
