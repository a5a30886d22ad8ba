"""Bend: signals add by curves that were fitted, for the first candidates, where the model brings such curves.

In: what the search found, and the candidates as weighed. Out: the same candidates, the first of them scored anew. Twice
the value is not twice the evidence, and what a message says itself is worth more than what its neighbours lend it
(decision 0041).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reverie.errors import InvalidInput
from reverie.formulas.bend import Bend, bent
from reverie.formulas.scaled import scaled
from reverie.ports import Corpus
from reverie.recall.fuse import Bent, Fused
from reverie.recall.quest import Candidate
from reverie.recall.search import Found
from reverie.types import FloatArray, IntArray

LOOKED_AT = 50
"""First candidates that are scored anew; what follows keeps its score."""

TRAITS = ("own words", "own meaning", "livelier neighbour", "quieter neighbour", "size")
"""Beside the signals: text and meaning without what neighbours lend and the scores of the neighbours, as shares of the
best; and the length in words, its base-2 logarithm. The score itself said nothing that these do not."""

_NO_WEIGHTS = (0.0,) * len(TRAITS)


def bend(corpus: Corpus, found: Found, fused: Fused, bends: Sequence[Bend]) -> Fused:
    """The candidates with what the bends add to the first of them; as they are where no vectors were compared.

    Raises:
        InvalidInput: a bend is of nothing that recall looks at.
    """
    if found.compared is None or not bends or not len(found.ordinals):
        return fused
    rows = np.sort(fused.order()[:LOOKED_AT])
    names, weights = (*fused.names, *TRAITS), (*fused.weights, *_NO_WEIGHTS)
    values = np.concatenate([fused.values[rows], _traits(corpus, found, fused, rows)], axis=1)
    shares = np.zeros_like(values)
    for one in bends:
        if one.name not in names:
            raise InvalidInput(f"The model bends {one.name!r}, which is no signal.", f"Name {', '.join(names)}.")
        column = names.index(one.name)
        shares[:, column] = bent(values[:, column], one)
    places = np.full(len(fused.ordinals), -1)
    places[rows] = np.arange(len(rows))
    scores = fused.scores.copy()
    scores[rows] += shares.sum(axis=1)
    return replace(fused, scores=scores, bent=Bent(names, weights, places, values, shares))


def is_bent(candidate: Candidate) -> bool:
    """Whether bends made up its score."""
    return any(signal.name == TRAITS[0] for signal in candidate.signals)


def _traits(corpus: Corpus, found: Found, fused: Fused, rows: IntArray) -> FloatArray:
    """(m, traits) of the candidates in these rows."""
    assert found.compared is not None
    ordinals = fused.ordinals[rows]
    own, near = found.own[rows], found.compared
    alike = near.alike[np.searchsorted(near.looked_at, ordinals)]
    before, after = (_scores_of(links[ordinals], fused) for links in (corpus.previous, corpus.following))
    best = float(fused.scores.max())
    columns = (
        scaled(own, float(own.max())),
        scaled(alike, float(alike.max())),
        scaled(np.maximum(before, after), best),
        scaled(np.minimum(before, after), best),
        np.log2(np.maximum(corpus.words[ordinals], 1.0)),
    )
    return np.stack(columns, axis=1).astype(np.float32)


def _scores_of(messages: IntArray, fused: Fused) -> FloatArray:
    """The scores of some messages (−1: none); 0 for what is no candidate."""
    places = np.minimum(np.searchsorted(fused.ordinals, messages), len(fused.ordinals) - 1)
    return np.where(fused.ordinals[places] == messages, fused.scores[places], np.float32(0.0))
