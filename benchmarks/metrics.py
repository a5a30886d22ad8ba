"""How good a ranking is: numbers for one question.

In: a ranking and a question. Out: one value in [0, 1] a column. Rank metrics count every place, also what a gate or
cut withheld; token metrics count only what would be injected. A formed memory counts as the episodes it came from: it
takes as many places as it has new ones, and costs its own words.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.values import Entry, Haystack, Question, Ranking

CUTS = (1, 5, 10, 20)
MRR_CUT = 10
BUDGETS = (150, 300, 500, 600, 1000, 2000)
RANKED = 3 * len(CUTS) + 1
"""Values by rank: any, fraction and all at each cut, and the reciprocal rank."""

TOKENS_PER_TEN_WORDS = 13
"""The one tokeniser of every row: 1.3 tokens a word (split at white space), in whole numbers so that nothing rounds."""


@dataclass(frozen=True, slots=True)
class Column:
    """What one value says: the unit that is counted, the metric, and the k or token budget it is taken at."""

    unit: str
    metric: str
    at: int


def columns(unit: str, sessions: bool) -> tuple[Column, ...]:
    """Every column of a set, in the order ``measure`` gives the values."""
    units = (unit, "session") if sessions else (unit,)
    ranked = [
        Column(u, metric, cut)
        for u in units
        for metric, cuts in (("any", CUTS), ("fraction", CUTS), ("all", CUTS), ("mrr", (MRR_CUT,)))
        for cut in cuts
    ]
    return (*ranked, *(Column(u, "tokens", budget) for u in units for budget in BUDGETS))


def measure(ranking: Ranking, question: Question, haystack: Haystack, sessions: bool) -> list[float]:
    """The value of each of ``columns`` for a labelled question; NaN by item where the set labels sessions alone."""
    order = distinct(one for entry in ranking for one in entry.ids)
    gold = frozenset(question.gold)
    values = ranked_values(order, gold)
    packed = [found_within(ranking, gold, budget) for budget in BUDGETS]
    if sessions:
        of = {item.id: item.session for item in haystack.items}
        wanted = frozenset(question.sessions or (of[one] for one in gold))
        values += ranked_values(distinct(of[one] for one in order), wanted)
        by_session = [replace(entry, ids=tuple(of[one] for one in entry.ids)) for entry in ranking]
        packed += [found_within(by_session, wanted, budget) for budget in BUDGETS]
    return values + packed


def distinct(ids: Iterable[str]) -> list[str]:
    """Each id once, where it first stood."""
    return list(dict.fromkeys(ids))


def ranked_values(order: Sequence[str], gold: Collection[str]) -> list[float]:
    """any, fraction and all at each cut, then the reciprocal rank of the first gold one within ``MRR_CUT``.

    NaN throughout where nothing is known to be gold.
    """
    if not gold:
        return [math.nan] * RANKED
    hits = [sum(one in gold for one in order[:cut]) for cut in CUTS]
    first = next((rank for rank, one in enumerate(order[:MRR_CUT], start=1) if one in gold), None)
    return [
        *(float(hit > 0) for hit in hits),
        *(hit / len(gold) for hit in hits),
        *(float(hit == len(gold)) for hit in hits),
        1.0 / first if first else 0.0,
    ]


def found_within(ranking: Sequence[Entry], gold: frozenset[str], budget_tokens: int) -> float:
    """Fraction of the gold in what fits the budget: whole entries in rank order, one that does not fit is skipped."""
    if not gold:
        return math.nan
    left = 10 * budget_tokens
    found: set[str] = set()
    for entry in ranking:
        cost = TOKENS_PER_TEN_WORDS * entry.words
        if not entry.withheld and cost <= left:
            left -= cost
            found |= gold.intersection(entry.ids)
    return len(found) / len(gold)


def count_words(text: str) -> int:
    """What the tokeniser counts: runs without white space."""
    return len(text.split())


def entries(order: Iterable[str], words: Mapping[str, int]) -> Ranking:
    """A ranking of plain items, one a place."""
    return tuple(Entry((one,), words[one]) for one in order)
