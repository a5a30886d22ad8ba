"""Feedback: what the best candidates say draws the cue's meaning towards it, and all are weighed again (decision 0035).

In: what the search found, and the candidates as weighed. Out: the same candidates, the first of them weighed once
more. Nothing is searched anew.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reverie.formulas.scaled import scaled
from reverie.ports import Corpus
from reverie.recall.fuse import Fused
from reverie.recall.meaning import in_place
from reverie.recall.search import Found
from reverie.recall.settings import RecallSettings

LOOKED_AT = 50
"""First candidates that are weighed again; all of them gave the same first twenty, and took nearly twice as long."""


def fed_back(corpus: Corpus, found: Found, fused: Fused, settings: RecallSettings) -> Fused:
    """The candidates by a meaning that leans towards the best of them; as they are where none was compared."""
    if found.compared is None or found.meaning is None or not settings.feedback_weight or not len(found.ordinals):
        return fused
    order = fused.order()
    towards = corpus.vectors_of(found.ordinals[order[: settings.feedback_best]]).mean(axis=0)
    if not towards.any():
        return fused
    rows = np.sort(order[:LOOKED_AT])
    near = found.compared.only(rows)
    alike = near.alike + settings.feedback_weight * corpus.similarities(towards, near.looked_at)
    meaning = found.meaning.copy()
    meaning[rows] = in_place(corpus, replace(near, alike=alike), settings)
    return fused.with_values("meaning", scaled(meaning, float(meaning.max())))
