"""Encoding settings of ``reverie``: document D's, restricted to classified, self-contained facts.

Facts are formed verbatim, equal facts must also agree, and additions become memories of their own. No channels of
importance, emotions, flashbulbs or tags: no answer improved with them (decision 0037).
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
"""Document D's seven filters: texts that are too short, files or code are not observed."""

CLASSES = BaseConfidences(correction=0.4, preference=0.3, decision=0.35, entity_rich=0.3, fact=0.25, instruction=0.35)
"""Base confidence of each class, as in document D; of several classes the highest counts."""

OBSERVE = ObserveSettings(
    filters=FILTERS,
    classes=CLASSES,
    min_density=2,  # document D's (D11)
    pre_gate=True,  # nothing is formed from greetings (D11)
)

FORM = FormSettings(
    read=own_words,  # each sentence verbatim: splitting sentences gained nothing (decision 0064)
    needs_class=True,  # facts without a class were not useful (decision 0017)
    standalone=True,  # nor were facts that are not self-contained (decision 0017)
    rewrite=None,  # verbatim (decision 0017)
    confidence=0.5,  # ours (decision 0017)
    foresight_days=7.0,  # document D's (D12)
    limit_chars=500,  # document D's (D12)
    most=8,  # facts of one message; ours (decision 0017)
    entities=8,  # of one memory; document D's (D12)
)

GATE = GateSettings(
    edges=GateEdges(create=0.7, update=0.75, reinforce=0.92, important=0.6),  # document D's (D4)
    neighbours=8,  # ours (decision 0018)
    agree=True,  # a cosine alone does not make two facts the same (decision 0015)
    supersede=None,  # both are kept; recall marks which is newer (decision 0052)
    merging=Merging.BESIDE,  # no text is overwritten (decision 0018)
    reinforce=1.2,  # ours (decision 0018)
    counts=True,  # a repetition counts as an access (D28)
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
"""Thresholds and confidences of new edges: document D's."""

RELATE = RelateSettings(
    thresholds=LINKS,
    cause=None,  # no causes within a sentence: each is a fact of its own (decision 0064)
    most=1000,  # document D's (D16)
    keep=900,  # document D's (D16)
)

ENCODE = EncodeSettings(
    importance=0.5,  # start value of every memory; a person may raise it (decision 0037)
    utility=0.5,  # middle of the scale, since it has not been recalled yet
    stability_days=1.0,  # document D's (D1)
    accesses=0,  # formation is not an access
    form=FORM,
    observe=OBSERVE,
    gate=GATE,
    relate=RELATE,
)
