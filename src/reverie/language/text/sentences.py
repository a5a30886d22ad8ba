"""Sentences of a text, and what in it is quoted, code or an address and therefore nobody's own words.

In: any text. Out: its sentences, in order; nothing but white space between them is left out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language.text import lists
from reverie.language.text.detect import detect_language
from reverie.language.text.letters import plain
from reverie.language.text.words import expression

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
