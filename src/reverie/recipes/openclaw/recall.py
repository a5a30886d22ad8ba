"""How ``openclaw`` recalls: document C to the letter. Its similarity is 1/(1 + squared distance)."""

from __future__ import annotations

from reverie.formulas.composite import CompositeWeights
from reverie.recall.bands import Gate
from reverie.recall.pipeline import ReadPath
from reverie.recall.pools import Bm25, Nearest
from reverie.recall.score import Composite, Scale, Since
from reverie.recall.strengthen import StrengthenSettings

RECALL = ReadPath(
    stages=(
        Nearest(Bm25(k1=1.2, b=0.75, postings=20_000)),
        Composite(
            CompositeWeights(similarity=0.5, activation=0.35, importance=0.15),
            since=Since.CREATION,
            scale=Scale.OPENCLAW,
        ),
        Gate(least=0.5, threshold=0.35),
    ),
    limit=5,
    decay_at_open=True,
    strengthen=StrengthenSettings(
        recall_factor=1.2,
        hebbian=0.0,
        spreading=0.0,
        neighbours=0,
        easy=0.0,
        hard=0.0,
        tip_storage=11.0,
        tip_retrieval=0.0,
    ),
)
"""Five for the tool; automatic recall asks for three, and only what reaches the gate's threshold (C1, C4)."""
