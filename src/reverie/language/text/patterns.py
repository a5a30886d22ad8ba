"""Split texts into sentences, mask quotations and code, and label texts by patterns from data files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.letters import compose, detect_language, languages_of, plain
from reverie.language.text.words import expression

# Sentences, and quoted text, code and addresses, which are not the speaker's own words.


MASK = "\ufffc"
"""Replacement of each masked character, which is in no word."""

STOP = re.compile(r"[.!…]*\Z")
"""Final stops of a statement; always matches."""

_FOREIGN = expression(
    r"```.*?(?:```|\Z)|`[^`\n]{1,400}`|https?://\S+|\"[^\"\n]{1,400}\"|“[^“”\n]{1,400}”|«[^«»\n]{1,400}»|‘[^‘’\n]{1,200}’(?!\w)",
    re.DOTALL,
)
_BREAK = expression(r"(?<![.!?…])(?P<stop>[.!?…]++)[)\]\"”»*_]*+\s++|\n\s*+")
_DOTTED = expression(r"(?:[^\W\d_]\.)+[^\W\d_]")
"""Abbreviations such as p.m, U.S: the next stop belongs to them."""
_WORD_BEFORE = expression(r"[\w.]+\Z")


def masked(text: str) -> str:
    """Mask quotations, code and addresses in a text, with unchanged positions."""
    if not any(sign in text for sign in '"“«`‘:'):
        return text
    return _FOREIGN.sub(lambda match: MASK * len(match.group()), text)


@lru_cache(maxsize=16)  # every part of the formation splits the same text
def sentences(text: str) -> tuple[str, ...]:
    """Split a text into sentences, stripped; lines are separate sentences, quotations are never split."""
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
    """Capitalise a sentence, by the rules of Turkish if it is Turkish."""
    first = "İ" if language == "tr" and sentence[:1] == "i" else sentence[:1].upper()
    return first + sentence[1:]


def is_question(sentence: str) -> bool:
    """Whether a sentence ends in a question mark."""
    return "?" in sentence[-3:]


def _ends(hidden: str, match: re.Match[str], start: int) -> bool:
    """Whether a stop ends a sentence: not after an abbreviation, an initial, or the number of a list or century."""
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


# Labels by patterns from data files, one line ``label: pattern`` each, the most significant label first.


TEXT_MAX = 4000
"""Number of characters examined: the kind of a message shows at its beginning."""


class LabelReading(NamedTuple):
    """A text prepared for patterns: ``words`` is folded with unchanged positions; ``languages`` it may be in."""

    words: str
    languages: tuple[str, ...]


@lru_cache(maxsize=64)  # every part of the formation reads the same text
def read(text: str) -> LabelReading:
    """Prepare a text for patterns; if the language is uncertain, for both."""
    text = text[:TEXT_MAX]
    return LabelReading(plain(compose(masked(text))), languages_of(text))


def label(name: str, text: str, folder: Path = lists.DATA) -> str | None:
    """Return the first label in the lists ``name.en`` and ``name.tr`` with a matching pattern, or None."""
    words, languages = read(text)
    ranked = [found for language in languages if (found := _first(_compiled(f"{name}.{language}", folder), words))]
    return min(ranked)[1] if ranked else None


def _first(patterns: Sequence[tuple[str, re.Pattern[str]]], words: str) -> tuple[int, str] | None:
    """Return rank and label of the first pattern that matches; the others need not be searched for."""
    for rank, (key, pattern) in enumerate(patterns):
        if pattern.search(words):
            return rank, key
    return None


def found(name: str, text: str, folder: Path = lists.DATA) -> bool:
    """Whether any pattern of the unlabelled lists ``name.en`` and ``name.tr`` matches the text."""
    words, languages = read(text)
    return any(any_of(f"{name}.{language}", folder).search(words) is not None for language in languages)


@cache
def any_of(name: str, folder: Path = lists.DATA) -> re.Pattern[str]:
    """Return the lines of an unlabelled list as one pattern."""
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
    """Return the lines ``label: pattern`` of a list separately, since patterns with named groups cannot be joined."""
    entries = (entry.partition(": ") for entry in lists.entries(name))
    return tuple((label, re.compile(pattern)) for label, _, pattern in entries)
