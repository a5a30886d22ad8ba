"""Write path of the default recipe: form facts and keep them verbatim if they have a category and are self-contained;
merge only what also agrees; keep additions beside the memory they add to.

No importance out of channels, no feelings, no flashbulbs, no tags: no answer ever came out better for them (decision
0037).
"""

from __future__ import annotations

from reverie.encode.settings import (
    EncodeSettings,
    FormSettings,
    GateSettings,
    Merging,
    ObserveSettings,
    RelateSettings,
)
from reverie.encode.statements import own_words
from reverie.formulas.gates import GateEdges
from reverie.language.classify.categories import BaseConfidences
from reverie.language.classify.worth import FilterLimits
from reverie.language.text.coverage import Linking

FILTERS = FilterLimits(length_min=10, length_max=5000, markdown_lines=5, code_share=0.5, xml_share=0.5, emoji_max=3)
"""Document D's seven filters (D11): what is too short, a file, or code states nothing of its speaker."""

CLASSES = BaseConfidences(correction=0.4, preference=0.3, decision=0.35, entity_rich=0.3, fact=0.25, instruction=0.35)
"""How sure a class is, as document D has it (D11); who says more than one thing is known by the surer."""

OBSERVE = ObserveSettings(
    filters=FILTERS,
    classes=CLASSES,
    min_density=2,  # document D's (D11)
    pre_gate=True,  # greetings are formed of nothing (D11)
)

FORM = FormSettings(
    read=own_words,  # each sentence as it stands: cutting them gained nothing (decision 0064)
    needs_class=True,  # what has no class was of use to nobody (decision 0017)
    standalone=True,  # nor was what cannot be understood by itself (decision 0017)
    rewrite=None,  # in the speaker's own words (decision 0017)
    confidence=0.5,  # ours (decision 0017)
    foresight_days=7.0,  # document D's (D12)
    limit_chars=500,  # document D's (D12)
    most=8,  # facts of one message; ours (decision 0017)
    entities=8,  # of one memory; document D's (D12)
)

GATE = GateSettings(
    edges=GateEdges(create=0.7, update=0.75, reinforce=0.92, important=0.6),  # document D's (D4)
    neighbours=8,  # ours (decision 0018)
    agree=True,  # no cosine is enough to call two the same (decision 0015)
    supersede=None,  # they stand beside each other; the read path says which is newer (decision 0052)
    merging=Merging.BESIDE,  # no words are written over others (decision 0018)
    reinforce=1.2,  # ours (decision 0018)
    counts=True,  # saying it again is an access (D28)
)

LINKS = Linking(
    same_entity_min=2,
    elaborates_above=0.3,
    elaborates_entities_min=1,
    related_above=0.15,
    same_entity_confidence=0.7,
    elaborates_confidence=0.5,
    related_confidence=0.4,
)
"""Which edges are drawn, and how sure each is: document D's (D16)."""

RELATE = RelateSettings(
    thresholds=LINKS,
    cause=None,  # a sentence names no other as its cause: each is a fact of its own (decision 0064)
    most=1000,  # document D's (D16)
    keep=900,  # document D's (D16)
)

ENCODE = EncodeSettings(
    importance=0.5,  # whatever is formed begins with .5; a person raises it (decision 0037)
    utility=0.5,  # the middle of the scale: nobody has asked for it yet
    stability_days=1.0,  # document D's (D1)
    accesses=0,  # being formed is no access
    form=FORM,
    observe=OBSERVE,
    gate=GATE,
    relate=RELATE,
)
