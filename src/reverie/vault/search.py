"""Search over a vault's files by words alone: in, words, whose observations, the day; out, the best with snippets."""

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

# Search by words alone: in, a query and the observations; out, the best of them with a snippet each.


_WORD = re.compile(r"\w+")
_APART = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
"""What ``\\w`` is not, in ASCII: splitting there finds the same words in a third of the time."""
_TAG_WEIGHT = 2
_SNIPPET = 160
_BEFORE = 4
"""Words shown before the first that was asked for."""


@dataclass(frozen=True, slots=True)
class VaultHit:
    """An observation that was found: its score in [0, 1], its parts, and where in the text it says so."""

    observation: Observation
    score: float
    freshness: float
    snippet: str


def search(observations: Sequence[Observation], query: str, limit: int, laws: Laws, today: date) -> list[VaultHit]:
    """The best observations by cosine × importance × freshness; of equals the newest first, then by name.

    Only what is more important than the floor and not past its age is looked at; the shared copy of an original that
    is looked at too is left out.
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
    """What to read without a question: by importance × freshness; of equals the newest first, then by name.

    What search looks at, each whole.
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
    """The words of a text, as they are compared."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text.replace("ı", "i"))
        for sign in set(text):
            if unicodedata.combining(sign):
                text = text.replace(sign, "")
    text = text.lower()
    return text.translate(_APART).split() if text.isascii() else _WORD.findall(text)


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


def _words(one: Observation) -> list[str]:
    """The terms of an observation, those of its tags as often as they count."""
    return terms(" ".join((one.body, *one.tags * _TAG_WEIGHT)))


def _freshness(one: Observation, laws: Laws, today: date) -> float | None:
    """How fresh it is; None where search does not look at it."""
    age = float(one.age_days(today))
    limit = effective_max_age(one.max_age_days, one.importance, laws.extensions)
    if not text_similarity.is_searchable(one.importance, age, limit, laws.search_floor):
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


# A search over a vault's files: in, words, whose observations, and the day; out, the best of them.


@dataclass(frozen=True, slots=True)
class VaultHits:
    """What a search found, in how many observations, and the files it could not read."""

    hits: tuple[VaultHit, ...]
    searched: int
    faults: tuple[FileFault, ...]


@dataclass(frozen=True, slots=True)
class VaultQuery:
    """What is asked for: the words, whose observations beside the shared ones (None: everybody's), how many at most."""

    query: str
    agent: str | None = None
    limit: int = 5


def find(places: Places, laws: Laws, wish: VaultQuery, today: date) -> VaultHits:
    """Search what is active and what is shared. Raises InvalidInput for what is no agent's name."""
    if wish.agent is not None:
        places.vault(wish.agent)  # checks the name
    held = gather(places, None if wish.agent is None else [wish.agent], archived=False)
    observations = (*held.active, *held.shared)
    hits = search(observations, wish.query, wish.limit, laws, today)
    return VaultHits(tuple(hits), len(observations), (*held.faults, *absent(places, wish.agent)))


def begin(places: Places, laws: Laws, wish: VaultQuery, today: date) -> VaultHits:
    """What an agent is to know when its session begins: its own and the shared, what is important and fresh first.

    The words of the wish do not count. Raises InvalidInput for what is no agent's name.
    """
    held = gather(places, None if wish.agent is None else [wish.agent], archived=False)
    observations = (*held.active, *held.shared)
    hits = foremost(observations, wish.limit, laws, today)
    return VaultHits(tuple(hits), len(observations), (*held.faults, *absent(places, wish.agent)))


def absent(places: Places, agent: str | None) -> tuple[FileFault, ...]:
    """That an agent has no memory in this vault, where it has none: then there is the shared alone."""
    if agent is None or agent in places.agents():
        return ()
    return (
        FileFault(places.agents_folder / agent, 0, f"no agent is called {agent} here; only what is shared was read"),
    )
