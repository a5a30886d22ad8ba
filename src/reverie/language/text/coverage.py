"""Compare two texts: what one leaves out of the other, and document D's relations between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.analyzer import index_terms
from reverie.language.text.letters import APOSTROPHES, compose, lower, plain
from reverie.language.text.patterns import sentences

# Coverage: what one text leaves out of another, so that a memory is replaced only by one that says as much.


_STOPS = ".,;:!?…。、，；：！"
"""Punctuation without meaning of its own; a question mark counts as a word."""
_QUOTES = '"“”„‟«»‹›'
_PAIRS = {"(": ")", "[": "]", "{": "}", "'": "'"}
_ALONE = (".", "..")
"""Stops that are words: names of folders."""
_YEAR = re.compile(r"\b\d{4}\b")
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d(?:am|pm)?")
_NAME_MIN = 4
"""Fewest letters of a weekday or month that may have an ending."""


def lacks(whole: str, part: str, *, same_day: bool = True) -> tuple[str, ...]:
    """Return what ``whole`` leaves out of ``part``, in words; empty if it contains all its sentences in a row.

    ``same_day``: both texts are from one day, so that "yesterday" means the same.
    """
    wanted, told = _read(part), _read(whole)
    if not wanted:
        return ("the lack of words",)
    if not _stands(told, wanted):
        return _left_out(told, wanted)
    return () if same_day else tuple(dict.fromkeys(_relative_in(part)))


def holds(whole: str, part: str, *, same_day: bool = True) -> bool:
    """Whether ``whole`` contains everything that ``part`` says."""
    return not lacks(whole, part, same_day=same_day)


def _stands(told: tuple[tuple[str, ...], ...], wanted: tuple[tuple[str, ...], ...]) -> bool:
    first, many = wanted[0], len(wanted)
    return any(one == first and told[place : place + many] == wanted for place, one in enumerate(told))


def _left_out(told: tuple[tuple[str, ...], ...], wanted: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Return the missing words; if none are, that the order differs."""
    missing = Counter(word for one in wanted for word in one) - Counter(word for one in told for word in one)
    return tuple(missing) or ("how it was said",)


@lru_cache(maxsize=1 << 12)
def _read(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each sentence as they are compared, without empty sentences."""
    lines = compose(text).translate(APOSTROPHES).split("\n")
    found = (tuple(_words(one)) for line in lines for one in sentences(line))
    return tuple(one for one in found if one)


def _words(sentence: str) -> Iterator[str]:
    """Yield the words of a sentence with characters that belong to them: C++, .NET, /etc, -5, 3:2."""
    opens = True
    for chunk in sentence.split():
        for word in _parted(chunk):
            yield _opening(word) if opens else word
            opens = False


def _parted(chunk: str) -> Iterator[str]:
    """Yield a word without surrounding punctuation, and "?" if it ends a question."""
    if bare := _bare(chunk):
        yield bare
    if chunk.rstrip(f"{_QUOTES})]}}'.!").endswith("?"):
        yield "?"


def _bare(word: str) -> str:
    """Remove quotation marks, brackets and stops around a word, but no other characters."""
    before = ""
    while word != before and word not in _ALONE:
        before = word
        word = word.lstrip(_QUOTES)
        if not word[-2:-1].isdigit():  # after a number they mean inches
            word = word.rstrip(_QUOTES)
        if word.rstrip(_STOPS)[-1:] not in ("/", "\\"):  # otherwise a folder
            word = word.rstrip(_STOPS)
        word = _unbracketed(word)
    return word


def _unbracketed(word: str) -> str:
    """Remove brackets around a whole word, or one that opens or closes for several words."""
    closing = _PAIRS.get(word[:1], "")
    if closing and len(word) > 1 and word.endswith(closing) and word.count(closing) == 1 + (word[0] == closing):
        return word[1:-1]
    if closing and closing not in word[1:]:
        return word[1:]
    opening = next((one for one, other in _PAIRS.items() if other == word[-1:] and one != other), "")
    return word[:-1] if opening and word.count(opening) < word.count(word[-1]) else word


def _opening(word: str) -> str:
    """Lower the first letter of a sentence, unless the word has other capitals."""
    is_capital = word[:1].isupper() and word[1:] == lower(word[1:], "")
    return lower(word[:1], "tr" if word[:1] == "İ" else "") + word[1:] if is_capital else word


def _relative_in(text: str) -> Iterator[str]:
    """Yield times that depend on the day of the text: yesterday, on Monday, at 9:30; 5 May without a year."""
    for one in sentences(compose(text)):
        named = (*_time_words("weekday"), *(() if _YEAR.search(one) else _time_words("month")))
        for word in _words(one):
            bare = plain(word.partition("'")[0])
            if _CLOCK.fullmatch(bare) or bare in _time_words("which", "day") or _names(bare, *named):
                yield word


def _names(word: str, *names: str) -> bool:
    """Whether a word is one of the names, or a long one with an ending: Mayısta, Mondays."""
    return any(word == name or (len(name) >= _NAME_MIN and word.startswith(name)) for name in names)


@cache
def _time_words(*kinds: str) -> tuple[str, ...]:
    """Return the single time words of some kinds, in both languages, folded."""
    tables = [lists.table(f"time-words.{language}") for language in ("en", "tr")]
    names = [plain(name) for table in tables for key, named in table.items() if key.startswith(kinds) for name in named]
    return tuple(name for name in names if " " not in name)


# Relations between texts: same entities, elaboration, loose relation.


SAME_ENTITY, ELABORATES, RELATED_TO = "same_entity", "elaborates", "related_to"


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


@dataclass(frozen=True)  # without slots, since the stems are computed on demand
class Linkable:
    """Input of the heuristics: names in a text, kind of the memory, and stems of its words."""

    entities: frozenset[str]
    kind: str
    text: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of the words."""
        return frozenset(index_terms(self.text))


class TextLink(NamedTuple):
    """A relation between two texts: document D's name for it, and the confidence in [0, 1]."""

    relation: str
    confidence: float


_PUBLISHED = Linking()


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Compute the share of common words among all words of two texts, in [0, 1]; 0 if both are empty."""
    return len(first & second) / len(first | second) if first or second else 0.0


def link(first: Linkable, second: Linkable, by: Linking = _PUBLISHED) -> TextLink | None:
    """Return the strongest relation between two texts, or None; symmetric."""
    entities = len(first.entities & second.entities)
    if entities >= by.same_entity_min:
        return TextLink(SAME_ENTITY, by.same_entity_confidence)
    if entities < by.elaborates_entities_min and first.kind != second.kind:
        return None  # whatever words they share
    words = overlap(first.terms, second.terms)
    if words > by.elaborates_above and entities >= by.elaborates_entities_min:
        return TextLink(ELABORATES, by.elaborates_confidence)
    if words > by.related_above and first.kind == second.kind:
        return TextLink(RELATED_TO, by.related_confidence)
    return None
