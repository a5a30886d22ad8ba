"""What one run without blanks looks like to who searches for names: English and Turkish, by its shape alone.

Capitals, digits and what stands around a word decide, and lists of words that are no names with a capital either.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.expressions import expression
from reverie.language.letters import APOSTROPHES, lower
from reverie.language.stem import stem

_CHUNK_MAX = 64
_VERSION = expression(r"[vV]\d+(?:\.\d+)+\Z|\d+(?:\.\d+){2,}\Z")
_NUMBER = expression(r"\d{1,3}(?:\.\d+)?\Z")
_MIXED = expression(r"[^\W\d_]*[a-zçğıöşü][A-ZÇĞİÖŞÜ]|\w+\.js\Z")
_OPENING = "([{\"“‘«„'*_~<#-–—"
_CLOSING = ".,;:!?…)]}\"”’»'*_~>-–—"
_NEVER = ("function-words", "stop-index", "stop-question", "no-names")
_SENTENCE_ENDS = frozenset(".!?…:")
_ROOT_MAX = 4
"""A word of so few letters has no verb's ending."""

OTHER, LINK, COUNT, OPENER, WORD, NAME, SURE = range(7)
"""Kinds: no part of a name; a small word or a number, parts of one; words with a capital: common ones that often open
a name (New), other common ones, words that are names, words that are names wherever they stand."""


class Shape(NamedTuple):
    """A run without blanks: its kind, its core without punctuation and endings, and how it ends what it is part of."""

    kind: int
    core: str
    opens: bool
    closes: bool
    ends_sentence: bool
    like_verb: bool


def shape(chunk: str, language: str) -> Shape:
    """The shape of a run, in a language."""
    if len(chunk) > _CHUNK_MAX:
        return Shape(OTHER, "", True, True, False, False)
    inner = chunk.lstrip(_OPENING)
    core = inner.rstrip(_CLOSING)
    closing = inner[len(core) :]
    if core.isascii() and core.isalpha() and core.islower():  # most words, and no name
        kind, suffixed, like_verb = LINK if core in lists.words("name-links") else OTHER, False, False
    else:
        core, suffixed = _without_ending(core.translate(APOSTROPHES), language)
        kind = _kind(core, language)
        if suffixed and kind == NAME:
            kind = SURE
        like_verb = kind == NAME and _is_like_verb(lower(core, language), language)
    ends_sentence = not _SENTENCE_ENDS.isdisjoint(closing)
    return Shape(kind, core, inner != chunk, suffixed or bool(closing), ends_sentence, like_verb)


def plain_shape(word: str) -> Shape:
    """The shape of a run of plain lower-case letters: no name."""
    return Shape(LINK if word in lists.words("name-links") else OTHER, word, False, False, False, False)


def _is_like_verb(word: str, language: str) -> bool:
    return len(word) > _ROOT_MAX and lists.has_ending(word, f"verb-endings.{language}")


def _without_ending(core: str, language: str) -> tuple[str, bool]:
    """A name without 's or a Turkish case ending, and whether it had one; don't and I'll are no names with endings."""
    head, apostrophe, ending = core.rpartition("'")
    if not apostrophe or not head or _is_never(core.lower(), language):
        return core, False
    is_ending = ending in lists.words("case-endings.tr") or ending.lower() in lists.words("short-endings.en")
    return (head, True) if is_ending else (core, False)


def _kind(core: str, language: str) -> int:
    """The kind of a core."""
    if core in lists.words("name-links"):
        return LINK
    if core[:1].isdecimal() or _VERSION.match(core):
        return SURE if _VERSION.match(core) else COUNT if _NUMBER.match(core) else OTHER
    is_mixed = _MIXED.match(core) is not None
    if len(core) == 1 or "/" in core or "@" in core or not (is_mixed or core[:1].isupper()):
        return OTHER
    return _capital(core, language, is_mixed)


def _capital(core: str, language: str, is_mixed: bool) -> int:
    """The kind of a word with a capital in it."""
    if core in lists.words("name-openers"):
        return OPENER
    word = lower(core, language)
    if _is_never(word, language):
        return OTHER
    if not is_mixed and stem(word, language) in _common(language):
        return WORD
    return SURE if is_mixed or core.isupper() else NAME


def _is_never(word: str, language: str) -> bool:
    """Whether a word is no name even with a capital inside a sentence: function words, days, months, greetings."""
    return any(word in lists.words(f"{kind}.{language}") for kind in _NEVER)


@cache
def _common(language: str) -> frozenset[str]:
    """The stems of common words: at the beginning of a sentence their capital says nothing."""
    return frozenset(stem(word, language) for word in lists.entries(f"common-words.{language}"))
