"""How ``reverie`` recalls: chosen by measurement (decisions 0007 and 0014)."""

from __future__ import annotations

from reverie.formulas.hot_tier import HotEdges
from reverie.recall.collapse import Collapse
from reverie.recall.hot import HotTier
from reverie.recall.outdated import Outdated
from reverie.recall.pipeline import ReadPath
from reverie.recall.pregate import PreGate
from reverie.recall.settings import RecallSettings
from reverie.recall.signals import Signals
from reverie.recall.strengthen import StrengthenSettings
from reverie.types import Kind

SIGNALS = RecallSettings(
    k1=1.5,
    b=0.75,
    neighbour=0.4,
    neighbour_full_words=60.0,
    window_radius=3,
    text_weight=1.0,
    meaning_weight=0.85,
    window_weight=0.5,
    speaker_weight=0.7,
    speaker_asked_assistant=0.5,
    time_weight=0.3,
    pool=100,
    postings=20_000,
    window_postings=2_000,
    embedded_share=0.95,
)
STRENGTHEN = StrengthenSettings(
    recall_factor=1.0,
    hebbian=0.02,
    spreading=0.02,
    neighbours=10,
    easy=0.02,
    hard=0.2,
    tip_storage=3.0,
    tip_retrieval=0.3,
)
HOT = HotTier(
    HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=0.4),
    most=15,
    minutes=5.0,
    standing=frozenset({Kind.INSTRUCTION, Kind.PREFERENCE}),
)
"""Reading 28: standing instructions and preferences, whatever their count and age, unless they proved useless."""

RECALL = ReadPath(
    stages=(HOT, PreGate(always=False), Signals(SIGNALS), Outdated(times=2), Collapse(share=0.6)),
    limit=10,
    standing_share=0.25,
    strengthen=STRENGTHEN,
)
"""What stands comes first: a standing order holds for small talk, too."""
