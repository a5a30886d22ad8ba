"""Search by words alone: in, a query and the observations; out, the best of them with a snippet each.

Everything is read when it is asked for: no index to build, none to go stale. A term is a word in lower case without
the marks on its letters; a tag counts twice, like a word that stands there twice.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from reverie.formulas import tfidf
from reverie.formulas.freshness import freshness
from reverie.formulas.max_age import effective_max_age
from reverie.vault.laws import Laws
from reverie.vault.observation import Observation

_WORD = re.compile(r"\w+")
_TAG_WEIGHT = 2
_SNIPPET = 160
_BEFORE = 4
"""Words shown before the first that was asked for."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An observation that was found: its score in [0, 1], its parts, and where in the text it says so."""

    observation: Observation
    score: float
    freshness: float
    snippet: str


def search(observations: Sequence[Observation], query: str, limit: int, laws: Laws, today: date) -> list[Hit]:
    """The best observations by cosine × importance × freshness; of equals the newest first, then by name.

    Only what is more important than the floor and not past its age is looked at; the shared copy of an original that
    is looked at too is left out.
    """
    asked = Counter(terms(query))
    looked_at = [
        (one, fresh) for one in _each_once(observations) if (fresh := _freshness(one, laws, today)) is not None
    ]
    counted = [_counts(one) for one, _ in looked_at]
    frequency: Counter[str] = Counter()
    for counts in counted:
        frequency.update(counts.keys())
    idfs = {term: tfidf.idf(number, len(counted)) for term, number in frequency.items()}
    wanted = tfidf.weighted(asked, idfs)
    hits: list[Hit] = []
    for (one, fresh), counts in zip(looked_at, counted, strict=True):
        if counts.keys().isdisjoint(wanted):
            continue
        score = tfidf.score(wanted, tfidf.weighted(counts, idfs), one.importance, fresh)
        hits.append(Hit(one, score, fresh, ""))
    best = sorted(hits, key=lambda hit: (-hit.score, -hit.observation.created.toordinal(), hit.observation.path))
    return [
        Hit(hit.observation, hit.score, hit.freshness, snippet(hit.observation.body, asked)) for hit in best[:limit]
    ]


def terms(text: str) -> list[str]:
    """The words of a text, as they are compared."""
    if not text.isascii():
        text = text.replace("İ", "i").replace("ı", "i")
        text = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    return _WORD.findall(text.lower())


def snippet(body: str, asked: Counter[str]) -> str:
    """The part of a body where most of the words that were asked for stand together, in one line."""
    words = body.split()
    hits = [not asked.keys().isdisjoint(terms(word)) for word in words]
    if sum(map(len, words)) + len(words) <= _SNIPPET:
        return " ".join(words)
    width = 24
    start = max(range(max(1, len(words) - width + 1)), key=lambda place: sum(hits[place : place + width]))
    first = next((place for place in range(start, min(start + width, len(hits))) if hits[place]), start)
    start = max(0, first - _BEFORE)
    shown = " ".join(words[start : start + width])
    cut = shown if len(shown) <= _SNIPPET else f"{shown[: _SNIPPET - 1]}…"
    return f"{'… ' if start else ''}{cut}{' …' if start + width < len(words) and cut is shown else ''}"


def _counts(one: Observation) -> Counter[str]:
    counts = Counter(terms(one.body))
    for term in terms(" ".join(one.tags)) if one.tags else ():
        counts[term] += _TAG_WEIGHT
    return counts


def _freshness(one: Observation, laws: Laws, today: date) -> float | None:
    """How fresh it is; None where search does not look at it."""
    age = float(one.age_days(today))
    limit = effective_max_age(one.max_age_days, one.importance, laws.extensions)
    if not tfidf.is_searchable(one.importance, age, limit, laws.search_floor):
        return None
    return freshness(age, limit, laws.least_freshness)


def _each_once(observations: Sequence[Observation]) -> list[Observation]:
    """Without the copies whose originals are there as well."""
    originals: dict[str, set[str]] = {}
    for one in observations:
        if one.name.agent and one.promoted:
            originals.setdefault(one.body, set()).add(one.name.id)
    return [one for one in observations if one.name.agent or not _is_copy(one, originals.get(one.body, set()))]


def _is_copy(one: Observation, originals: set[str]) -> bool:
    """Whether a shared observation says what one of these says, and is called after it."""
    return any(one.name.id.endswith(f"-{name}") for name in originals)
