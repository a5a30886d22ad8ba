"""Which two memories belong in one cluster.

The document's "or … +" is read as: a shared entity, or else one category and close importance. The second rule alone
would chain everything of a category together, so whoever clusters compares with the cluster, not with its last member.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AffinityEdges:
    """Least number of shared entities, and the difference of importance that must not be reached."""

    entities: int
    importance_gap: float


def is_affine(shared_entities: int, same_category: bool, importance_gap: float, edges: AffinityEdges) -> bool:
    """Whether two memories share enough entities, or are of one category and about equally important.

    Source: cognitive-memory-v9
    """
    if shared_entities >= edges.entities:
        return True
    return same_category and abs(importance_gap) < edges.importance_gap
