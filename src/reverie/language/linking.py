"""How two texts hang together: same entities, one adding to the other, loosely related; and causes named in one text.

In: entities, kind and text of two memories; or a text. Out: a relation's name with its confidence; pairs of a cause
and its effect. No model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from reverie.language import lists
from reverie.language.analyzer import index_terms
from reverie.language.letters import compose, plain
from reverie.language.patterns import read
from reverie.language.sentences import is_question, masked, sentences
from reverie.language.tenses import is_past

SAME_ENTITY, ELABORATES, RELATED_TO = "same_entity", "elaborates", "related_to"
TEXT_MAX = 4000
"""Characters that are looked at for causes."""
CLAUSE_WORDS_MIN = 2
"""Words of a cause or an effect; Turkish says a fact in two, "hava soğuktu"."""
_TENSE_WORDS = 4
"""Words behind "so" among which the past tense is looked for."""


@dataclass(frozen=True, slots=True)
class Linking:
    """Thresholds of document D's heuristics: shared entities, shares of common words in [0, 1], and confidences."""

    same_entity_min: int = 2
    elaborates_above: float = 0.30
    elaborates_entities_min: int = 1
    related_above: float = 0.15
    same_entity_confidence: float = 0.7
    elaborates_confidence: float = 0.5
    related_confidence: float = 0.4


@dataclass(frozen=True)  # without slots: the stems are read when they are asked for
class Linkable:
    """What the heuristics look at: the names in a text, what kind of memory it is, and the stems of its words."""

    entities: frozenset[str]
    kind: str
    text: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """The stems."""
        return frozenset(index_terms(self.text))


class Link(NamedTuple):
    """A relation between two texts: its name as document D has it, and the confidence in [0, 1]."""

    relation: str
    confidence: float


class Cause(NamedTuple):
    """A cause and its effect, both as they are written."""

    cause: str
    effect: str


_OPENED = re.compile(r"because (?!of\b)([^,]+), ")
_PUBLISHED = Linking()


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """The share of common words among all words of two texts, in [0, 1]; 0 if both are empty."""
    return len(first & second) / len(first | second) if first or second else 0.0


def link(first: Linkable, second: Linkable, by: Linking = _PUBLISHED) -> Link | None:
    """The strongest relation that shows between two texts, None if none does. Which is first makes no difference."""
    entities = len(first.entities & second.entities)
    if entities >= by.same_entity_min:
        return Link(SAME_ENTITY, by.same_entity_confidence)
    if entities < by.elaborates_entities_min and first.kind != second.kind:
        return None  # whatever words they share
    words = overlap(first.terms, second.terms)
    if words > by.elaborates_above and entities >= by.elaborates_entities_min:
        return Link(ELABORATES, by.elaborates_confidence)
    if words > by.related_above and first.kind == second.kind:
        return Link(RELATED_TO, by.related_confidence)
    return None


def causes(text: str) -> tuple[Cause, ...]:
    """The causes and effects a text joins by "because", "so that", "çünkü", "bu yüzden" …, in order.

    A connective at the beginning of a sentence joins it to the sentence before. Questions name no cause.
    """
    found: list[Cause] = []
    before = ""
    for sentence in sentences(compose(text[:TEXT_MAX])):
        if is_question(sentence):
            before = ""
            continue
        found += _in_sentence(sentence) or _with_before(before, sentence)
        before = sentence
    return tuple(found)


def _in_sentence(sentence: str) -> list[Cause]:
    words = plain(masked(sentence))
    for first, match in _connectives(sentence, words):
        pair = _pair(first, sentence[: match.start()], sentence[match.end() :])
        if pair:
            return [pair]
    return []


def _with_before(before: str, sentence: str) -> list[Cause]:
    """Because A, B; or a sentence that begins with its connective, and the one before it."""
    words = plain(masked(sentence))
    opened = _OPENED.match(words)
    if opened:
        pair = _pair("cause", sentence[opened.start(1) : opened.end(1)], sentence[opened.end() :])
        return [pair] if pair else []
    for first, match in _connectives(sentence, f". {words}"):
        if match.start() <= 1:
            pair = _pair(first, before, sentence[match.end() - 2 :]) if before else None
            return [pair] if pair else []
    return []


def _connectives(sentence: str, words: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The connectives in a sentence, and whether cause or effect goes before each."""
    for language in read(sentence).languages:
        for first, pattern in _patterns(language):
            match = pattern.search(words)
            if match:
                yield first, match


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lines = (entry.partition(": ") for entry in lists.entries(f"causes.{language}"))
    return tuple((first, re.compile(pattern)) for first, _, pattern in lines)


def _pair(first: str, before: str, behind: str) -> Cause | None:
    """The two sides as cause and effect; None if one of them is no clause."""
    left, right = before.strip(" ,;"), behind.strip(" ,;")
    words = right.split()
    if min(len(left.split()), len(words)) < CLAUSE_WORDS_MIN:
        return None
    if first == "done" and not is_past(" ".join(words[:_TENSE_WORDS])):
        return None
    return Cause(right, left) if first == "effect" else Cause(left, right)
