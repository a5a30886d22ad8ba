"""Diversify by maximal marginal relevance over the words of the candidates (D9)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from reverie.formulas.mmr import mmr
from reverie.formulas.text_cosines import text_cosines
from reverie.language.analyzer import index_terms
from reverie.recall.quest import Quest


@dataclass(frozen=True, slots=True)
class Mmr:
    """Reorders so that each next memory is relevant and unlike those before; what is withheld stays behind."""

    lambda_: float
    name: str = "diversify"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates in order of marginal relevance."""
        open_ones = [candidate for candidate in quest.candidates if not candidate.withheld]
        closed = [candidate for candidate in quest.candidates if candidate.withheld]
        texts = [Counter(index_terms(candidate.memory.text)) for candidate in open_ones]
        relevance = np.array([candidate.score for candidate in open_ones])
        top = float(relevance.max(initial=0.0)) or 1.0
        order = mmr(relevance / top, text_cosines(texts), self.lambda_, len(open_ones))
        chosen = [open_ones[int(i)] for i in order]
        moved = sum(one is not other for one, other in zip(chosen, open_ones, strict=True))
        return replace(quest, candidates=[*chosen, *closed]).noted(f"{moved} moved")
