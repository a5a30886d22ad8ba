"""A sentence that names a value only as replaced: June 12, not June 5; 5 Haziran değil, 12 Haziran.

In: a sentence. Out: the sentence without it, and the values it names so, in normal form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reverie.language.contradiction_values import Token, Value, values
from reverie.language.contradiction_words import grammar, tokens

_HAS_NOT = re.compile(r"\bnot\b|\bde[ğg]il\b", re.I)
_BEFORE = re.compile(r"[,\s]+(?:and\s+)?\Z")
_BEHIND = re.compile(r"\s*(?:\Z|[,.;!)]\s*(?:but\b\s*)?|but\b\s*)")


def replacing(sentence: str, language: str) -> tuple[str, frozenset[str]]:
    """A sentence without the value it only replaces, and that value; as it is, where it names no other of its kind."""
    if not _HAS_NOT.search(sentence):
        return sentence, frozenset()
    words = tokens(sentence, language)
    found = values(words, language)
    for value in found:
        span = _denied_turkish(words, value) if language == "tr" else _denied_english(words, value)
        if span is None or not any(other.kind == value.kind and other.normal != value.normal for other in found):
            continue
        end = _BEHIND.match(sentence, span[1])
        if end is None and language == "en":
            continue
        before, rest = sentence[: span[0]], sentence[end.end() if end else span[1] :]
        return _joined(before, rest), frozenset({value.normal})
    return sentence, frozenset()


def _joined(before: str, rest: str) -> str:
    """What stands before a value and behind it, as one statement."""
    return f"{_BEFORE.sub('', before)}{' ' if rest else '.'}{rest}".strip()


def _denied_english(words: Sequence[Token], value: Value) -> tuple[int, int] | None:
    """From "not" to the value, with only "on", "at" or "until" between."""
    for place in (value.first - 1, value.first - 2):
        if place >= 0 and words[place].plain == "not":
            return words[place].start, words[value.last].end
        if place < 0 or words[place].plain not in grammar("post"):
            return None
    return None


def _denied_turkish(words: Sequence[Token], value: Value) -> tuple[int, int] | None:
    """From the value to the "değil" right behind it."""
    behind = words[value.last + 1] if value.last + 1 < len(words) else None
    return (words[value.first].start, behind.end) if behind is not None and behind.plain == "degil" else None
