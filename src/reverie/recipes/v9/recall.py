"""How ``v9`` recalls: document D with the readings, in the order of D39; departures: docs/recipes.md."""

from __future__ import annotations

from math import inf

from reverie.formulas.composite import CompositeWeights
from reverie.formulas.hot_tier import HotEdges
from reverie.formulas.utility import UtilityWeights
from reverie.recall.bands import Bands
from reverie.recall.boosts import CoActivation, EntityBoost, EpisodeBoost, Mood
from reverie.recall.collapse import BelowFormed
from reverie.recall.hot import HotTier
from reverie.recall.lanes import Intent, Lane
from reverie.recall.lists import Bm25
from reverie.recall.marginal import Mmr
from reverie.recall.outdated import Outdated
from reverie.recall.pipeline import ReadPath
from reverie.recall.pools import Hybrid
from reverie.recall.pregate import PreGate
from reverie.recall.route import Newest, Route, UtilityBoost
from reverie.recall.score import Composite, Scale, Since, Trust
from reverie.recall.strengthen import StrengthenSettings
from reverie.recipes.v9.decompose import Decompose
from reverie.recipes.v9.emotion import emotion
from reverie.recipes.v9.hyde import Hyde
from reverie.recipes.v9.intents import route
from reverie.recipes.v9.subtiers import SubTier, SubTierBoost
from reverie.types import Kind

_PERMANENT = 0.0
LANES = (
    (Intent.FACTUAL, Lane(vector=0.6, text=0.4, limit=10, utility=0.2)),
    (Intent.TEMPORAL, Lane(vector=0.4, text=0.6, limit=15, latest=True)),
    (Intent.CAUSAL, Lane(vector=0.3, text=0.3, graph=0.4, limit=20, hops=2)),
    (Intent.ENTITY_PROFILE, Lane(vector=0.5, text=0.5, limit=15, utility=0.3, hub=True)),
    (Intent.PREFERENCE, Lane(vector=0.5, text=0.5, limit=10, kinds=(Kind.PREFERENCE, Kind.CORRECTION))),
    (Intent.GENERAL, Lane(vector=0.5, text=0.5, limit=10)),
)
"""D18's later table; "causal" leaves .4 of its weight to the graph (reading 4)."""

BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""The document names no constants: those of the field."""

DECAY = (
    (Kind.PREFERENCE, _PERMANENT),
    (Kind.INSTRUCTION, _PERMANENT),  # the document has no such category; what a person asks for always is a preference
    (Kind.ENTITY, _PERMANENT),
    (Kind.CORRECTION, _PERMANENT),
    (Kind.FACT, 0.005),
    (Kind.DECISION, 0.02),
)
COMPOSITE = Composite(
    CompositeWeights(similarity=0.4, activation=0.3, importance=0.15, fused=0.15),
    since=Since.ACCESS,
    scale=Scale.COSINE,
    decay_per_day=DECAY,
    other_decay=0.05,
)
"""D6's weights, D7's age, D8's rates."""

SUB_TIERS = SubTierBoost(
    (
        (SubTier.PERSONAL, 1.1),
        (SubTier.OBSERVED, 1.0),
        (SubTier.VICARIOUS, 0.9),
        (SubTier.SCHEMATIC, 1.1),
        (SubTier.PROCEDURAL, 1.05),
        (SubTier.FACTUAL, 1.0),
    )
)
"""D37."""

STRENGTHEN = StrengthenSettings(
    recall_factor=1.0,
    hebbian=0.02,
    spreading=0.02,
    neighbours=50,
    easy=0.02,
    hard=0.2,
    tip_storage=3.0,
    tip_retrieval=0.3,
)
"""D31 and D13's 2 %; how storage grows (D2): decision 0008."""

RECALL = ReadPath(
    stages=(
        PreGate(always=True),  # D23
        Route(LANES, route),
        Decompose(  # D29
            (
                Hyde(),  # D10; its vectors come through the cache (D24)
                Hybrid(overfetch=3, k=60, bm25=BM25),  # D6
                COMPOSITE,
                EntityBoost(0.1),  # D6
                EpisodeBoost(0.15),  # D6
                SUB_TIERS,
                CoActivation(least=3, boost=0.05),  # D31
                Mood(1.1, lambda cue: emotion(cue).valence),  # D32
                UtilityBoost(),  # D18
                Trust(threshold=0.3, least=0.5),  # D22, decision 0010
            ),
            k=60,
            ties=UtilityWeights(semantic=0.6, utility=0.2, importance=0.2),  # D15
        ),
        Bands(full=0.7, summary=0.4),  # D26
        Mmr(0.7),  # D9
        Outdated(times=2),  # reading 26: an episode stands below what superseded what was formed of it, too
        BelowFormed(),  # reading 26
        Newest(),  # D18
        HotTier(  # D36
            HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=inf), most=15, minutes=5.0
        ),
    ),
    strengthen=STRENGTHEN,
)
"""The Hebbian changes are committed once it is known what was injected (reading 24)."""
