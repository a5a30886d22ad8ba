"""How ``exocortex`` recalls: document A, with the differences that docs/agent-zero.md lists.

Similarities are (1 + cos)/2, its host's (reading 16).
"""

from __future__ import annotations

from dataclasses import dataclass

from reverie.recall.bands import DomainGate, Threshold
from reverie.recall.boosts import RelatedBoost
from reverie.recall.lists import Bm25
from reverie.recall.pipeline import ReadPath
from reverie.recall.pools import Nearest
from reverie.recall.quest import Stage
from reverie.recall.score import Recency, Scale
from reverie.recipes.exocortex.expansion import Expanding, Keywords

EXPANDING = Expanding(max_keywords=12, short=2, by_keywords=True, by_domain=True)  # A1, A2
EXEMPT = frozenset({"load_bearing", "user_asserted", "confirmed"})  # A4
DECAY = Recency(half_life_hours=168.0, weight=0.15, floor=0.1, exempt=EXEMPT, scale=Scale.AGENT_ZERO)  # A3
RELATED = RelatedBoost(0.08)  # A5
BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""Where there is no model; the document knows no text search."""


@dataclass(frozen=True, slots=True)
class Enhancement:
    """What a host's configuration and its model's profile may set; a component that is None is skipped (A6, A13).

    Attributes:
        expanding: how a query is expanded; None: it is searched for as it is.
        each: memories a variant of the query brings.
        decay: how age weighs; None: similarity alone counts.
        related: what a link lifts; None: nothing.
        max_injected: the profile's, else five.
        similarity_threshold: the profile's, on the host's scale; None: there is none.
        disabled_domains: the profile's: where nothing is injected.
    """

    expanding: Expanding | None = EXPANDING
    each: int = 8
    decay: Recency | None = DECAY
    related: RelatedBoost | None = RELATED
    max_injected: int = 5
    similarity_threshold: float | None = None
    disabled_domains: frozenset[str] = frozenset()


def read_path(how: Enhancement) -> ReadPath:
    """The stages in the document's order, without those that are switched off."""
    threshold = how.similarity_threshold
    stages: tuple[Stage | None, ...] = (
        DomainGate(how.disabled_domains) if how.disabled_domains else None,
        Keywords(how.expanding) if how.expanding else None,
        Nearest(BM25, each=how.each),
        Threshold(threshold, Scale.AGENT_ZERO) if threshold is not None else None,
        how.decay,
        how.related,
    )
    return ReadPath(stages=tuple(stage for stage in stages if stage is not None), limit=how.max_injected)


RECALL = read_path(Enhancement())
