"""Find named entities with kind and address, entity://kind/slug: technologies, organisations, persons, places,
products.

In: an English or Turkish text. Out: a limited number of entities, in order. Known ones are found in the gazetteer, the
others by shape (``entities``) and the words beside them. Names of unknown kind are omitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.names.entities import (
    GazetteerEntry,
    Word,
    entities,
    is_doubtful_name,
    is_given_name,
    listed_at,
    may_begin,
    slug,
    words_in,
)
from reverie.language.names.people import is_related, is_relation
from reverie.language.text import lists
from reverie.language.text.letters import detect_language

LIMIT = 8
PERSON = "person"
KINDS = ("tech", "org", PERSON, "place", "product")
_TEXT_MAX = 20_000
"""Number of characters examined, as in ``entities``."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity: kind (tech, org, person, place, product), slug, and spelling in the text."""

    kind: str
    slug: str
    surface: str

    @property
    def uri(self) -> str:
        """Address of the entity: entity://kind/slug."""
        return f"entity://{self.kind}/{self.slug}"


class _Hit(NamedTuple):
    """An entity at a position, its number of words, and whether it is also an ordinary word."""

    place: int
    length: int
    entity: Entity
    ambiguous: bool


def named(text: str, limit: int = LIMIT) -> tuple[Entity, ...]:
    """Return at most ``limit`` distinct entities, in order of the text."""
    return _all(text[:_TEXT_MAX])[:limit]


@lru_cache(maxsize=16)  # classes and density use the same entities
def _all(text: str) -> tuple[Entity, ...]:
    words = words_in(text)
    hits = _listed(words, text)
    shaped = list(_shaped(text, words, hits))
    covered = _covered(shaped)
    kept = [hit for hit in hits if hit.place not in covered] + shaped
    distinct: dict[tuple[str, str], Entity] = {}
    for hit in sorted(kept, key=lambda hit: hit.place):
        distinct.setdefault((hit.entity.kind, hit.entity.slug), hit.entity)
    return tuple(distinct.values())


def _covered(hits: Sequence[_Hit]) -> set[int]:
    return {place for hit in hits for place in range(hit.place, hit.place + hit.length)}


def _listed(words: Sequence[Word], text: str) -> list[_Hit]:
    """Find the gazetteer's names, without ambiguous ones that nothing supports."""
    turkish = detect_language(text) == "tr"
    is_small = not any(sign.isupper() for sign in text)
    hits: list[_Hit] = []
    place = 0
    while place < len(words):
        found = listed_at(words, place, turkish=turkish) if may_begin(words[place].core, turkish=turkish) else None
        if found is None or not _may_be(found[0], words[place], is_small):
            place += 1
            continue
        listed, length = found
        surface = " ".join(word.core for word in words[place : place + length])
        hits.append(_Hit(place, length, Entity(listed.kind, listed.slug, surface), listed.ambiguous))
        place += length
    sure = any(hit.entity.kind == "tech" and not hit.ambiguous for hit in hits)
    return [hit for hit in hits if not hit.ambiguous or _speaks_for(hit, words, sure)]


def _may_be(listed: GazetteerEntry, word: Word, is_small: bool) -> bool:
    """Whether capitalisation allows the kind: places are capitalised, unless nothing in the text is."""
    return listed.kind != "place" or word.core[0].isupper() or is_small


def _speaks_for(hit: _Hit, words: Sequence[Word], beside_tech: bool) -> bool:
    """Whether the context supports a name that is also a word."""
    last = words[hit.place + hit.length - 1]
    if hit.entity.kind == "place":
        before = words[hit.place - 1].key if hit.place else ""
        return before in _beside("place before") or last.ending in _beside("place ending")
    if _is_run(words, hit.place):
        return False
    return not words[hit.place].initial or bool(last.ending) or (beside_tech and hit.entity.kind == "tech")


def _is_run(words: Sequence[Word], place: int) -> bool:
    """Whether a given name is right before, as in Taylor Swift."""
    before = words[place - 1] if place and not words[place].initial else None
    return before is not None and is_given_name(before.core)


def _shaped(text: str, words: Sequence[Word], hits: Sequence[_Hit]) -> Iterator[_Hit]:
    """Find names by shape and context; they may replace a gazetteer name inside them."""
    known = _covered(hits)
    taken: set[int] = set()
    for surface in entities(text):
        parts = surface.removeprefix("@").split()
        place = _place(words, parts, taken)
        if place is None:
            continue
        taken.update(range(place, place + len(parts)))
        parts = _unlisted(parts, place, known)
        if len(parts) > 1 and words[place].initial and is_relation(parts[0]):  # Oğlu Rüzgar
            parts, place = parts[1:], place + 1
        kind = _kind(surface, parts, words, place) if parts else None
        if kind is None and parts and is_related(text, words, place, len(parts)):
            kind = "person"
        if kind in KINDS:
            name = " ".join(parts)
            yield _Hit(place, len(parts), Entity(kind, slug(name), "@" * surface.startswith("@") + name), False)


def _place(words: Sequence[Word], parts: Sequence[str], taken: set[int]) -> int | None:
    """Return the first position of a name among the words that no other name has taken."""
    for place, word in enumerate(words[: max(0, len(words) - len(parts) + 1)]):
        is_it = word.core == parts[0] and place not in taken
        if is_it and all(a.core == b for a, b in zip(words[place:], parts, strict=False)):
            return place
    return None


def _unlisted(parts: list[str], place: int, known: set[int]) -> list[str]:
    """Return the part of a run that is not in the gazetteer: without a known name at its end."""
    if parts[0] in _beside("place first") and len(parts) > 1:
        return parts
    end = len(parts)
    while end and place + end - 1 in known:
        end -= 1
    return parts[:end]


def _kind(surface: str, parts: Sequence[str], words: Sequence[Word], place: int) -> str | None:
    """Return the kind of a name by its words, or by the words beside it."""
    if surface.startswith("@"):
        return "person"
    by_shape = _by_shape(parts) if len(parts) > 1 else None
    return by_shape or ("person" if _is_person(parts, words, place) else None)


def _by_shape(parts: Sequence[str]) -> str | None:
    """Return the kind that a first or last word implies; "none" for an event, work or prize."""
    for kind in ("org", "place", "none"):
        if parts[-1] in _beside(f"{kind} last") or parts[0] in _beside(f"{kind} first"):
            return kind
    return None


def _is_person(parts: Sequence[str], words: Sequence[Word], place: int) -> bool:
    before, behind = _around(words, place, place + len(parts))
    titles = _beside("person before")
    if before in titles or behind in _beside("person behind") or parts[-1] in _beside("person behind"):
        return True
    first = parts[1] if len(parts) > 1 and parts[0] in titles else parts[0]
    if not is_given_name(first):
        return False
    if len(parts) > 1 or not is_doubtful_name(first):
        return True
    return any(word.core == first and (not word.initial or word.ending) for word in words)


def _around(words: Sequence[Word], start: int, end: int) -> tuple[str, str]:
    """Return the words right before and after a name; "" at the ends of the text."""
    return words[start - 1].core if start else "", words[end].core if end < len(words) else ""


@cache
def _beside(kind: str) -> frozenset[str]:
    return frozenset(lists.table("entity-shapes").get(kind, ()))
