"""Labels of a text by patterns from data files: a line ``label: pattern`` each, the most telling label first.

In: a text in either language, or one that could be both. Out: labels. Patterns are read over lower-case text without
diacritics, so that what is typed on an English keyboard counts as well; quotations and code are not read at all.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.detect import turkish_evidence
from reverie.language.text.letters import compose, plain
from reverie.language.text.sentences import masked

TEXT_MAX = 4000
"""Characters that are looked at: what a message is shows in its beginning."""


class Reading(NamedTuple):
    """A text ready for patterns: ``words`` in lower case without diacritics, place for place, and its ``languages``."""

    words: str
    languages: tuple[str, ...]


@lru_cache(maxsize=64)  # every part of the formation reads the same text
def read(text: str) -> Reading:
    """The text as patterns see it; where the language is uncertain, both."""
    text = text[:TEXT_MAX]
    evidence = turkish_evidence(text)
    return Reading(plain(compose(masked(text))), ("tr",) if evidence > 0 else ("en",) if evidence < 0 else ("en", "tr"))


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
