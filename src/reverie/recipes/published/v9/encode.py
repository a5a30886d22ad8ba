"""Encoding settings of ``v9``: document D with the readings; differences: docs/recipes.md."""

from __future__ import annotations

from reverie.encode.settings import (
    EncodeSettings,
    FormSettings,
    GateSettings,
    Merging,
    ObserveSettings,
    RelateSettings,
    TagSettings,
    WeighSettings,
)
from reverie.formulas.associations import FlashbulbLaw
from reverie.formulas.gates import GateEdges
from reverie.formulas.tiers import BoostLaw, Channels, PriorityEdges
from reverie.language.classify.categories import BaseConfidences
from reverie.language.classify.worth import FilterLimits
from reverie.language.text.coverage import Linking
from reverie.recipes.published.v9.emotion import emotion
from reverie.recipes.published.v9.facts import resolved_facts
from reverie.recipes.published.v9.third_person import third_person

OBSERVE = ObserveSettings(
    filters=FilterLimits(length_min=10, length_max=5000, markdown_lines=5, code_share=0.5, xml_share=0.5, emoji_max=3),
    classes=BaseConfidences(
        correction=0.4, preference=0.3, decision=0.35, entity_rich=0.3, fact=0.25, instruction=0.35
    ),
    min_density=2,
    pre_gate=True,
    feel=emotion,
)
FORM = FormSettings(
    read=resolved_facts,
    needs_class=False,
    standalone=False,
    rewrite=third_person,
    confidence=0.5,
    foresight_days=7.0,
    limit_chars=500,
    most=8,
    entities=8,
)
"""D11 and D12; the limit of facts per message and the confidence of unclassified facts are ours (decision 0017)."""
GATE = GateSettings(
    edges=GateEdges(create=0.7, update=0.75, reinforce=0.92, important=0.6),
    neighbours=8,
    agree=False,
    supersede=0.8,
    merging=Merging.APPEND,
    reinforce=1.2,
    counts=True,
)
"""D4 and D28; number of neighbours and factor of reinforcement are ours (decision 0018)."""
WEIGH = WeighSettings(
    weights=Channels(novelty=0.25, arousal=0.3, reward=0.25, attention=0.2),
    boost=BoostLaw(low=0.7, high=1.3, half_density=3.0),
    unknown=0.5,
    similar=0.5,
    priorities=PriorityEdges(critical=0.8, high=0.6, normal=0.4),
)
"""D3; the default for unknown channels and the threshold of similarity are ours (decision 0017)."""
RELATE = RelateSettings(
    thresholds=Linking(
        same_entity_min=2,
        elaborates_above=0.3,
        elaborates_entities_min=1,
        related_above=0.15,
        same_entity_confidence=0.7,
        elaborates_confidence=0.5,
        related_confidence=0.4,
    ),
    cause=0.9,
    most=1000,
    keep=900,
)
"""D16; the confidence of a stated cause is ours (decision 0018)."""

ENCODE = EncodeSettings(
    importance=WEIGH.unknown,
    utility=0.5,
    stability_days=1.0,
    accesses=0,
    form=FORM,
    observe=OBSERVE,
    gate=GATE,
    weigh=WEIGH,
    flashbulb=FlashbulbLaw(arousal=0.8, importance=0.9, factor=1.5),
    tag=TagSettings(weak=0.5, hours=4.0, strong=0.7, factor=1.3),
    relate=RELATE,
)
