"""Words of feeling in a technical sense: a killed process, a fatal error, "sunucu çöktü". English and Turkish.

In: the words of a clause and a place among them. Out: whether only a machine or a program is spoken of there. The lists
are words/technical.*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from reverie.language import lists
from reverie.recipes.v9.wordlists import WORDS

CLAUSE_MAX = 6
"""Words of a clause on each side of the place that are looked at."""
_BEFORE, _BEHIND = 3, 4
"""So many words before it and behind it may the thing stand."""
_AWAY = re.compile(r".{3,}(?:[dt][ae]n?|ken|[ıiuü]p)\Z")
"""Turkish: where, whence or while something happened, so the thing before it is not what it happened to."""


def is_technical(words: Sequence[str], place: int, language: str) -> bool:
    """Whether the word at a place says what happened to a machine or a program, so that nothing is felt."""
    things = _things(words[place], language)
    return bool(things) and (_is_before(words, place, things, language) or _is_behind(words, place, things, language))


def _is_before(words: Sequence[str], place: int, things: frozenset[str], language: str) -> bool:
    behind = words[place + 1 : place + 1 + _BEHIND]
    if not _kind("people", language).isdisjoint(behind) and not _is_behind(words, place, things, language):
        return False
    for word in reversed(words[max(0, place - _BEFORE) : place]):
        if word in _kind("apart", language) or (language == "tr" and _AWAY.fullmatch(word)):
            return False
        if _is_thing(word, things, language):
            return True
    return False


def _is_behind(words: Sequence[str], place: int, things: frozenset[str], language: str) -> bool:
    for word in words[place + 1 : place + 1 + _BEHIND]:
        if _is_thing(word, things, language):
            return True
        if word not in _kind("between", language):
            return False
    return False


def _is_thing(word: str, things: frozenset[str], language: str) -> bool:
    """Whether a word is one of the things, in Turkish with any ending of nouns."""
    if word in things or language == "en":
        return word in things
    return any(word[:length] in things and _tail().fullmatch(word[length:]) for length in range(3, len(word)))


@cache
def _tail() -> re.Pattern[str]:
    """Turkish endings of a noun that is still the same thing: several, somebody's, in a case."""
    return re.compile(r"(?:l[ae]r)?(?:[ıiuü]m|[ıiuü]m[ıiuü]z|m|s?[ıiuü])?(?:['’]?n?[ıiuü]|['’]?[yn]?[ae])?")


@cache
def _kind(kind: str, language: str) -> frozenset[str]:
    return frozenset(lists.table(f"technical.{language}", WORDS)[kind])


@lru_cache(maxsize=1 << 12)
def _things(word: str, language: str) -> frozenset[str]:
    """The things of which a word may speak technically, none for most words."""
    found: set[str] = set()
    for roots, things in lists.table(f"technical.{language}", WORDS).items():
        if roots not in ("between", "apart", "people") and word.startswith(tuple(roots.split())):
            found.update(things)
    return frozenset(found)
