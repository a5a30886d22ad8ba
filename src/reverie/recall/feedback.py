"""Feedback: what the best candidates say draws the cue's meaning towards it, and all are weighed again (decision 0035).

In: what the search found, and the candidates as weighed. Out: the same candidates, weighed once more. Nothing is
searched anew.
"""

from __future__ import annotations

from dataclasses import replace

from reverie.formulas.scaled import scaled
from reverie.ports import Corpus
from reverie.recall.fuse import Fused
from reverie.recall.meaning import in_place
from reverie.recall.search import Found
from reverie.recall.settings import RecallSettings


def fed_back(corpus: Corpus, found: Found, fused: Fused, settings: RecallSettings) -> Fused:
    """The candidates by a meaning that leans towards the best of them; as they are where none was compared."""
    if found.compared is None or not settings.feedback_weight or not len(found.ordinals):
        return fused
    best = found.ordinals[fused.order()[: settings.feedback_best]]
    towards = corpus.vectors_of(best).mean(axis=0)
    if not towards.any():
        return fused
    leaning = corpus.similarities(towards, found.compared.looked_at)
    alike = found.compared.alike + settings.feedback_weight * leaning
    meaning = in_place(corpus, replace(found.compared, alike=alike), settings)
    return fused.with_values("meaning", scaled(meaning, float(meaning.max())))
