"""How ``openclaw`` recalls: document C to the letter. Its similarity is 1/(1 + squared distance)."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.formulas.composite import CompositeWeights
from reverie.recall.bands import Gate
from reverie.recall.lists import Bm25
from reverie.recall.pipeline import ReadPath
from reverie.recall.pools import Nearest
from reverie.recall.score import Composite, Scale, Since
from reverie.recall.strengthen import StrengthenSettings

BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""Where there is no model; the document knows no text search."""
STRENGTHEN = StrengthenSettings(
    recall_factor=1.2,  # C5
    hebbian=0.0,
    spreading=0.0,
    neighbours=0,
    easy=0.0,
    hard=0.0,
    tip_storage=11.0,
    tip_retrieval=0.0,
)
"""C5's recall alone: the document knows no storage strength, so nothing is ever on the tip of the tongue."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The plugin's keys that bear on recall, each with the documented default (C10).

    Attributes:
        similarity_weight: share of similarity in the score.
        activation_weight: share of activation.
        importance_weight: share of importance.
        confidence_threshold: below this best score nothing is handed over.
        min_score: least score of a hit of the tool.
        limit: most hits of the tool.
        automatic_limit: most hits where the host asks on its own.
        decay_on_startup: whether memories fade and fall asleep when the store is opened.
    """

    similarity_weight: float = 0.5
    activation_weight: float = 0.35
    importance_weight: float = 0.15
    confidence_threshold: float = 0.35
    min_score: float = 0.5
    limit: int = 5
    automatic_limit: int = 3
    decay_on_startup: bool = True


def read_path(keys: Keys) -> ReadPath:
    """The stages with these keys (C1, C3, C4)."""
    weights = CompositeWeights(
        similarity=keys.similarity_weight, activation=keys.activation_weight, importance=keys.importance_weight
    )
    return ReadPath(
        stages=(
            Nearest(BM25),
            Composite(weights, since=Since.CREATION, scale=Scale.OPENCLAW),
            Gate(least=keys.min_score, threshold=keys.confidence_threshold),
        ),
        limit=keys.limit,
        automatic_limit=keys.automatic_limit,
        strengthen=STRENGTHEN,
        decay_at_open=keys.decay_on_startup,
    )


RECALL = read_path(Keys())
