"""How ``openclaw`` recalls: document C to the letter. Its similarity is 1/(1 + squared distance)."""

from __future__ import annotations

from reverie.formulas.composite import CompositeWeights
from reverie.recall.asked import Asked
from reverie.recall.bands import Gate
from reverie.recall.collapse import Collapse
from reverie.recall.lists import Bm25
from reverie.recall.pipeline import ReadPath
from reverie.recall.pools import Nearest
from reverie.recall.score import Composite, Scale, Since
from reverie.recall.strengthen import StrengthenSettings
from reverie.recipes.openclaw.keys import Keys

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


def read_path(keys: Keys) -> ReadPath:
    """The stages with these keys (C1, C3, C4).

    The document keeps a text once, and keeps no questions; here every message stands beside what was formed of it. So
    twice as many are looked at, of the two one is handed over, and what only asks is not (decision 0030).
    """
    weights = CompositeWeights(
        similarity=keys.similarity_weight, activation=keys.activation_weight, importance=keys.importance_weight
    )
    return ReadPath(
        stages=(
            Nearest(BM25, times=2),
            Composite(weights, since=Since.CREATION, scale=Scale.OPENCLAW),
            Asked(),
            Collapse(share=0.6),
            Gate(least=keys.min_score, threshold=keys.confidence_threshold),
        ),
        limit=keys.limit,
        automatic_limit=keys.automatic_limit,
        strengthen=STRENGTHEN,
        decay_at_open=keys.decay and keys.decay_on_startup,
    )


RECALL = read_path(Keys())
