"""How ``exocortex`` recalls: document A to the letter. Similarities are (1 + cos)/2, its host's (reading 16)."""

from __future__ import annotations

from reverie.language.expansion import Expanding
from reverie.recall.boosts import RelatedBoost
from reverie.recall.expand import Keywords
from reverie.recall.pipeline import ReadPath
from reverie.recall.pools import Bm25, Nearest
from reverie.recall.score import Recency, Scale

EXPANDING = Expanding(max_keywords=12, short=2, by_keywords=True, by_domain=True)
EXEMPT = frozenset({"load_bearing", "user_asserted", "confirmed"})

RECALL = ReadPath(
    stages=(
        Keywords(EXPANDING),
        Nearest(Bm25(k1=1.2, b=0.75, postings=20_000), each=8),
        Recency(half_life_hours=168.0, weight=0.15, floor=0.1, exempt=EXEMPT, scale=Scale.AGENT_ZERO),
        RelatedBoost(0.08),
    ),
    limit=5,
)
"""Five where no model profile says otherwise (A6); a host hands its own number to ``recall``."""
