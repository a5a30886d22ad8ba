"""Search a vault's files by words alone: return the best observations with snippets."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from reverie.formulas import text_similarity
from reverie.formulas.freshness import effective_max_age, freshness
from reverie.vault.contents import FileFault, gather
from reverie.vault.files import Places
from reverie.vault.laws import Laws
from reverie.vault.observation import Observation

_WORD = re.compile(r"\w+")
_APART = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
"""ASCII characters that ``\\w`` does not match; splitting at them finds the same words in a third of the time."""
_TAG_WEIGHT = 2
_SNIPPET = 160
_BEFORE = 4
"""Words shown before the first match."""


@dataclass(frozen=True, slots=True)
class VaultHit:
    """A search result: the observation, its score in [0, 1], its freshness, and a snippet."""

    observation: Observation
    score: float
    freshness: float
    snippet: str


def search(observations: Sequence[Observation], query: str, limit: int, laws: Laws, today: date) -> list[VaultHit]:
    """Return the best observations by cosine × importance × freshness; equals newest first, then by name.

    Only observations above the importance floor and within their age are considered; a shared copy is left out if its
    original is considered too.
    """
    asked = Counter(terms(query))
    looked_at = [
        (one, fresh) for one in _each_once(observations) if (fresh := _freshness(one, laws, today)) is not None
    ]
    frequency: Counter[str] = Counter()
    matching: list[tuple[Observation, float, list[str]]] = []
    for one, fresh in looked_at:
        words = _words(one)
        different = set(words)
        frequency.update(different)
        if not different.isdisjoint(asked):
            matching.append((one, fresh, words))
    idfs = {term: text_similarity.idf(number, len(looked_at)) for term, number in frequency.items()}
    wanted = text_similarity.weighted(asked, idfs)
    hits: list[VaultHit] = []
    for one, fresh, words in matching:
        score = text_similarity.score(wanted, text_similarity.weighted(Counter(words), idfs), one.importance, fresh)
        hits.append(VaultHit(one, score, fresh, ""))
    best = _ordered(hits)[:limit]
    return [VaultHit(hit.observation, hit.score, hit.freshness, snippet(hit.observation.body, asked)) for hit in best]


def foremost(observations: Sequence[Observation], limit: int, laws: Laws, today: date) -> list[VaultHit]:
    """Return what to read without a query: the best by importance × freshness; equals newest first, then by name.

    It considers the same observations as search, and shows each whole.
    """
    hits = [
        VaultHit(one, one.importance * fresh, fresh, " ".join(one.body.split()))
        for one in _each_once(observations)
        if (fresh := _freshness(one, laws, today)) is not None
    ]
    return _ordered(hits)[:limit]


def _ordered(hits: Sequence[VaultHit]) -> list[VaultHit]:
    return sorted(hits, key=lambda hit: (-hit.score, -hit.observation.created.toordinal(), hit.observation.path))


def terms(text: str) -> list[str]:
    """Split a text into terms, in lower case and without diacritics."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text.replace("ı", "i"))
        for sign in set(text):
            if unicodedata.combining(sign):
                text = text.replace(sign, "")
    text = text.lower()
    return text.translate(_APART).split() if text.isascii() else _WORD.findall(text)


def snippet(body: str, asked: Counter[str]) -> str:
    """Return, in one line, the part of a body with the most matching words."""
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


def _words(one: Observation) -> list[str]:
    """Return the terms of an observation, those of its tags repeated by their weight."""
    return terms(" ".join((one.body, *one.tags * _TAG_WEIGHT)))


def _freshness(one: Observation, laws: Laws, today: date) -> float | None:
    """Return an observation's freshness; None if search ignores it."""
    age = float(one.age_days(today))
    limit = effective_max_age(one.max_age_days, one.importance, laws.extensions)
    if not text_similarity.is_searchable(one.importance, age, limit, laws.search_floor):
        return None
    return freshness(age, limit, laws.least_freshness)


def _each_once(observations: Sequence[Observation]) -> list[Observation]:
    """Return the observations without shared copies whose originals are included."""
    originals: dict[str, set[str]] = {}
    for one in observations:
        if one.name.agent and one.promoted:
            originals.setdefault(one.body, set()).add(one.name.id)
    return [one for one in observations if one.name.agent or not _is_copy(one, originals.get(one.body, set()))]


def _is_copy(one: Observation, originals: set[str]) -> bool:
    """Whether a shared observation is a copy: same text, and named after one of these originals."""
    return any(one.name.id.endswith(f"-{name}") for name in originals)


@dataclass(frozen=True, slots=True)
class VaultHits:
    """The results of a search, the number of observations searched, and the files it could not read."""

    hits: tuple[VaultHit, ...]
    searched: int
    faults: tuple[FileFault, ...]


@dataclass(frozen=True, slots=True)
class VaultQuery:
    """A query: the words, the agent (None: all) whose observations are searched besides shared ones, and the limit."""

    query: str
    agent: str | None = None
    limit: int = 5


def find(places: Places, laws: Laws, wish: VaultQuery, today: date) -> VaultHits:
    """Search active and shared observations. Raises InvalidInput for an invalid agent name."""
    if wish.agent is not None:
        places.vault(wish.agent)  # checks the name
    held = gather(places, None if wish.agent is None else [wish.agent], archived=False)
    observations = (*held.active, *held.shared)
    hits = search(observations, wish.query, wish.limit, laws, today)
    return VaultHits(tuple(hits), len(observations), (*held.faults, *absent(places, wish.agent)))


def begin(places: Places, laws: Laws, wish: VaultQuery, today: date) -> VaultHits:
    """Return what an agent should know when its session begins: its own and shared observations, the best first.

    The query's words are ignored. Raises InvalidInput for an invalid agent name.
    """
    held = gather(places, None if wish.agent is None else [wish.agent], archived=False)
    observations = (*held.active, *held.shared)
    hits = foremost(observations, wish.limit, laws, today)
    return VaultHits(tuple(hits), len(observations), (*held.faults, *absent(places, wish.agent)))


def absent(places: Places, agent: str | None) -> tuple[FileFault, ...]:
    """Return a fault if the agent has no memory in this vault, so that only shared observations are read."""
    if agent is None or agent in places.agents():
        return ()
    return (
        FileFault(places.agents_folder / agent, 0, f"no agent is called {agent} here; only what is shared was read"),
    )
