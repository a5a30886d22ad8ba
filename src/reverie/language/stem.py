"""From a lower-case word to the term that stands for all its forms, English and Turkish.

English: diacritics folded, then Snowball's English stemmer. Turkish: Snowball's Turkish stemmer, diacritics folded, then
cut to five letters, because the stemmer leaves most verb endings on. The figures: docs/decisions/0005-text-analysis.md.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Protocol

from reverie.language.letters import fold

TURKISH_STEM_MAX = 5
"""Letters of a Turkish stem that are kept. Tuned 2026-11-21 on xquad-tr-dev: R@1 86.8 uncut, 88.6 at 5, 88.4 at 6."""
_STEM_MIN = 3
_VOWELS = frozenset("aeıioöuüâîû")

_snowball = Lock()  # a Snowball stemmer keeps its word in the object: two threads must not share it at once


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the name is PyStemmer's


def stem(word: str, language: str) -> str:
    """The term for one lower-case word; a number or a word in another script comes back as it is."""
    if "\u0370" <= word[0] < "\u1d00" or word[0] >= "\u2c80":  # no Latin letter
        return word
    if language == "tr":
        return _turkish(word)
    with _snowball:
        return _stemmer("english").stemWord(fold(word))


def _turkish(word: str) -> str:
    with _snowball:
        short = _stemmer("turkish").stemWord(word)
    folded = fold(short if _is_whole(short) else word)
    return folded[:TURKISH_STEM_MAX] if folded.isascii() and folded.isalpha() else folded


def _is_whole(short: str) -> bool:
    """Whether a stem can be a word: Snowball makes "a" of "ayşe" and "de" of "deniz", but also "ev" of "evde"."""
    if len(short) >= _STEM_MIN:
        return True
    return len(short) == 2 and short[0] in _VOWELS and short[1] not in _VOWELS


@lru_cache(maxsize=None)
def _stemmer(name: str) -> _Stemmer:
    import Stemmer  # lazy: a compiled module that reading a store does not need

    made: _Stemmer = Stemmer.Stemmer(name, 0)  # 0: no cache of its own, ours holds whole analyses
    return made
