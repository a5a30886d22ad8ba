"""Split a text into sentences, mask quotations, and label texts by patterns from data files."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.letters import compose, detect_language, languages_of, plain
from reverie.language.text.words import expression

# Sentences of a text, and what in it is quoted, code or an address and therefore nobody's own words.


MASK = "\ufffc"
"""Stands for each sign that is not to be read; no word holds it."""

STOP = re.compile(r"[.!…]*\Z")
"""The stops a statement ends with; it matches always."""

_FOREIGN = expression(
    r"```.*?(?:```|\Z)|`[^`\n]{1,400}`|https?://\S+|\"[^\"\n]{1,400}\"|“[^“”\n]{1,400}”|«[^«»\n]{1,400}»|‘[^‘’\n]{1,200}’(?!\w)",
    re.DOTALL,
)
_BREAK = expression(r"(?<![.!?…])(?P<stop>[.!?…]++)[)\]\"”»*_]*+\s++|\n\s*+")
_DOTTED = expression(r"(?:[^\W\d_]\.)+[^\W\d_]")
"""p.m, U.S: the stop behind it is one of its own."""
_WORD_BEFORE = expression(r"[\w.]+\Z")


def masked(text: str) -> str:
    """The text with quotations, code and addresses blanked, sign for sign: places in it are places in the text."""
    if not any(sign in text for sign in '"“«`‘:'):
        return text
    return _FOREIGN.sub(lambda match: MASK * len(match.group()), text)


@lru_cache(maxsize=16)  # every part of the formation cuts the same text
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text without the white space around them; lines are sentences, quotations are never cut."""
    kept: list[str] = []
    start = 0
    hidden = masked(text)
    for match in _BREAK.finditer(hidden):
        if _ends(hidden, match, start):
            kept.append(text[start : match.end()].strip())
            start = match.end()
    kept.append(text[start:].strip())
    return tuple(sentence for sentence in kept if sentence)


def capital(sentence: str, language: str) -> str:
    """A sentence with its first letter large; by the rules of Turkish where it is Turkish."""
    first = "İ" if language == "tr" and sentence[:1] == "i" else sentence[:1].upper()
    return first + sentence[1:]


def is_question(sentence: str) -> bool:
    """Whether a sentence ends in a question mark."""
    return "?" in sentence[-3:]


def _ends(hidden: str, match: re.Match[str], start: int) -> bool:
    """Whether a stop ends its sentence: not after an abbreviation, an initial or the number of a list or a century."""
    if match["stop"] != ".":
        return True
    before = _WORD_BEFORE.search(hidden, max(start, match.start() - 20), match.start())
    word = before.group() if before else ""
    if word.isdecimal() and len(word) <= 2:
        return match.start() - len(word) > start and detect_language(hidden) == "en"
    if _DOTTED.fullmatch(word):
        return hidden[match.end() : match.end() + 1].isupper()
    is_short = len(word) == 1 and word.isalpha() and word not in ("I", "i")
    return not is_short and plain(word) not in lists.words("abbreviations")


# Labels of a text by patterns from data files: a line ``label: pattern`` each, the most telling label first.


TEXT_MAX = 4000
"""Characters that are looked at: what a message is shows in its beginning."""


class LabelReading(NamedTuple):
    """A text ready for patterns: ``words`` in lower case without diacritics, place for place, and its ``languages``."""

    words: str
    languages: tuple[str, ...]


@lru_cache(maxsize=64)  # every part of the formation reads the same text
def read(text: str) -> LabelReading:
    """The text as patterns see it; where the language is uncertain, both."""
    text = text[:TEXT_MAX]
    return LabelReading(plain(compose(masked(text))), languages_of(text))


def label(name: str, text: str, folder: Path = lists.DATA) -> str | None:
    """The first label of the lists ``name.en`` and ``name.tr`` one of whose patterns is in the text, or None."""
    words, languages = read(text)
    ranked = [
        (rank, key)
        for language in languages
        for rank, (key, pattern) in enumerate(_compiled(f"{name}.{language}", folder))
        if pattern.search(words)
    ]
    return min(ranked)[1] if ranked else None


def found(name: str, text: str, folder: Path = lists.DATA) -> bool:
    """Whether any pattern of the lists ``name.en`` and ``name.tr``, lines without labels, is in the text."""
    words, languages = read(text)
    return any(any_of(f"{name}.{language}", folder).search(words) is not None for language in languages)


@cache
def any_of(name: str, folder: Path = lists.DATA) -> re.Pattern[str]:
    """The lines of a list without labels as one pattern."""
    return re.compile("|".join(lists.entries(name, folder)))


@cache
def _compiled(name: str, folder: Path) -> tuple[tuple[str, re.Pattern[str]], ...]:
    grouped: dict[str, list[str]] = {}
    for entry in lists.entries(name, folder):
        key, _, pattern = entry.partition(": ")
        grouped.setdefault(key, []).append(pattern)
    return tuple((key, re.compile("|".join(patterns))) for key, patterns in grouped.items())


@cache
def labelled(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The lines ``label: pattern`` of a list, one by one: patterns that name what they find cannot be joined."""
    entries = (entry.partition(": ") for entry in lists.entries(name))
    return tuple((label, re.compile(pattern)) for label, _, pattern in entries)
