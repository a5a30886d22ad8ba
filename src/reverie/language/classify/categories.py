"""Classify statements: correction, instruction, preference, decision, plan, fact, entity, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.claims import life
from reverie.language.names.entities import entities
from reverie.language.names.named_entities import named
from reverie.language.orders import HEADS, standing
from reverie.language.text import lists, patterns
from reverie.language.text.heads import likely
from reverie.language.text.letters import compose, plain, spelled
from reverie.language.text.patterns import is_question, masked, read, sentences
from reverie.types import Kind

# Classes of statements, with confidences.


CLASSES = ("correction", "instruction", "decision", "preference", "entity-rich", "fact")
"""Classes in order of precedence at equal confidence."""
_TEXT_MAX = 4000
_AGAIN = 0.05
"""Confidence added by each further pattern besides its own gain."""
_ENTITIES_MIN = 2
_CONFIDENCE_MAX = 0.95
_LIFE, _LIFE_GAIN = "life", 0.2
"""Facts and plans of life: besides a pattern of their own, they make no other class more confident."""
_END = r"(?=\s|\Z)"
_BOUNDARY = r"\b"
"""Beginning of most patterns, factored out so that positions inside words are skipped quickly."""


@dataclass(frozen=True, slots=True)
class BaseConfidences:
    """Confidence (0 … 1) of each class when a plain trigger fires; that of instructions is our own."""

    correction: float = 0.4
    preference: float = 0.3
    decision: float = 0.35
    entity_rich: float = 0.3
    fact: float = 0.25
    instruction: float = 0.35


BASES = BaseConfidences()


@dataclass(frozen=True, slots=True)
class Classified:
    """A class of CLASSES and the confidence (0 … 1) that a text belongs to it."""

    kind: str
    confidence: float


class ClassedStatement(NamedTuple):
    """A pattern that matched: its class, gain, matched words, and the index of the sentence."""

    kind: str
    gain: float
    words: str
    sentence: int


def classify(text: str, bases: BaseConfidences = BASES) -> tuple[Classified, ...]:
    """Classify a text, the most confident class first; none for questions and small talk."""
    gains: dict[str, float] = {}
    for statement in statements(text):
        before = gains.get(statement.kind)
        if before is None:
            gains[statement.kind] = statement.gain
        elif statement.words:
            gains[statement.kind] = before + statement.gain + _AGAIN
    count = len(named(text))
    if count >= _ENTITIES_MIN:
        gains["entity-rich"] = _AGAIN * (count - _ENTITIES_MIN)
    found = [_classified(kind, gains[kind], bases) for kind in CLASSES if kind in gains]
    return tuple(sorted(found, key=lambda one: -one.confidence))


def statements(text: str) -> tuple[ClassedStatement, ...]:
    """Return the patterns that match in sentences that are no questions, each once, in order."""
    return _statements(text[:_TEXT_MAX])


@lru_cache(maxsize=16)  # classes and density read the same text
def _statements(text: str) -> tuple[ClassedStatement, ...]:
    text = spelled(text)
    reading = read(text)
    groups = [
        (language, group)
        for language in reading.languages
        for group in _groups(language)
        if group.any.search(reading.words)
    ]
    fired: dict[tuple[str, int], ClassedStatement] = {}
    for number, sentence in enumerate(sentences(text)):
        if is_question(sentence):
            continue
        words = plain(compose(masked(sentence)))
        for language, group in groups:
            for place, statement in _firing(group, words, number):
                fired.setdefault((language + group.kind, place), statement)
        if life(sentence):
            fired.setdefault((_LIFE, 0), ClassedStatement("fact", _LIFE_GAIN, "", number))
    return tuple(fired.values())


class _Group(NamedTuple):
    kind: str
    any: re.Pattern[str]
    patterns: tuple[tuple[float, re.Pattern[str]], ...]


def _firing(group: _Group, words: str, number: int) -> Iterator[tuple[int, ClassedStatement]]:
    for place, (gain, pattern) in enumerate(group.patterns):
        match = pattern.search(words)
        if match:
            yield place, ClassedStatement(group.kind, gain, match.group(), number)


def _classified(kind: str, gain: float, bases: BaseConfidences) -> Classified:
    base: float = getattr(bases, kind.replace("-", "_"))
    return Classified(kind, round(min(_CONFIDENCE_MAX, base + gain), 4))


def _relaxed(pattern: str) -> str:
    """Convert a pattern for sentences to one for texts, where sentences end before white space."""
    pattern = pattern.removeprefix(_BOUNDARY).removeprefix("^")
    return pattern.replace(r"\Z", _END).replace("$", _END)


@cache
def _groups(language: str) -> tuple[_Group, ...]:
    """Return the patterns by class, each with one that matches if any of them does."""
    grouped: dict[str, list[tuple[float, str]]] = {}
    for entry in lists.entries(f"observation.{language}"):
        kind, gain, pattern = entry.split(" ", 2)
        grouped.setdefault(kind, []).append((float(gain), pattern))
    return tuple(
        _Group(
            kind,
            re.compile(rf"\b(?:{'|'.join(_relaxed(pattern) for _, pattern in patterns)})"),
            tuple((gain, re.compile(pattern)) for gain, pattern in patterns),
        )
        for kind, patterns in grouped.items()
    )


# The category.


SURELY = {Kind.INSTRUCTION: 0.4, Kind.PREFERENCE: 0.7}
"""Least probability of an instruction or preference for its category: the kind of a memory is not revised later."""
ENTITIES_MIN = 2
"""Number of names from which a statement without other signs is about entities (document D's "entity-rich")."""


@lru_cache(maxsize=64)  # density, kind and reasons examine the same texts
def category(text: str) -> Kind | None:
    """Return the kind a text would be stored as; None if there is none, and for questions."""
    stated = _stated(text)
    said = "\n".join(stated)
    label = patterns.label("category", said)
    stands = None if label == Kind.CORRECTION else standing(said)
    is_sure = stands is not None and likely(said, HEADS[stands]) >= SURELY[stands]
    if stands is Kind.INSTRUCTION and is_sure:
        return stands
    if (found := _by_patterns(stated)) is not None or is_sure:
        return found or stands
    return Kind.ENTITY if len(entities(said)) >= ENTITIES_MIN else None


@lru_cache(maxsize=64)
def plain_category(clause: str) -> Kind | None:
    """Return the kind of a clause by patterns alone, since a few words are too few for the classifiers."""
    return _by_patterns(_stated(clause))


def _stated(text: str) -> list[str]:
    return [sentence for sentence in sentences(spelled(text[: patterns.TEXT_MAX])) if not is_question(sentence)]


def _by_patterns(stated: list[str]) -> Kind | None:
    label = patterns.label("category", "\n".join(stated))
    if label is not None:
        return Kind(label)
    return next(filter(None, map(life, stated)), None)
