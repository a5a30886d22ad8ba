"""From a lower-case word to the term that stands for all its forms, English and Turkish.

English: diacritics folded, then Snowball's English stemmer. Turkish: Snowball's Turkish stemmer, diacritics folded,
then cut to five letters, because that stemmer leaves most verb endings on. The figures are in
docs/decisions/0005-text-analysis.md.
"""

from __future__ import annotations

from functools import cache, lru_cache
from threading import Lock
from typing import Protocol

from reverie.language.letters import fold

TURKISH_STEM_MAX = 5
"""Letters of a Turkish stem that are kept. Tuned 2026-11-21 on xquad-tr-dev: R@1 87 uncut, 89.1 at 5, 89.7 at 6; at 6
fewer forms of everyday words meet (60 % of pairs, 72 % at 5)."""
_SAFE_MIN = 4
"""A stem of so many letters is taken as it is."""
_AGAIN_MIN = 5
"""From so many letters on a second ending is looked for: one pass leaves "arkadaşlar" of "arkadaşlarım"."""
_VOWELS = frozenset("aeıioöuüâîû")

_snowball = Lock()  # a Snowball stemmer keeps its word in the object: two threads must not share it at once


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the name is PyStemmer's


@lru_cache(maxsize=1 << 15)  # one word comes in many chunks: with a comma, in brackets, at the end of a sentence
def stem(word: str, language: str) -> str:
    """The term for one lower-case word; a number or a word in another script comes back as it is."""
    if language == "en" and word.isascii():
        with _snowball:
            return _stemmer("english").stemWord(word)
    if "\u0370" <= word[0] < "\u1d00" or word[0] >= "\u2c80":  # no Latin letter
        return word
    if not word.isascii() and any("\ud800" <= sign <= "\udfff" for sign in word):  # no stemmer takes half a character
        return word
    if language == "tr":
        return _turkish(word)
    with _snowball:
        return _stemmer("english").stemWord(fold(word))


def release() -> str:
    """The stemmer's release: another one may give other stems."""
    import Stemmer  # lazy, as below

    return str(Stemmer.version())


def _turkish(word: str) -> str:
    short = _stripped(word)
    while len(short) >= _AGAIN_MIN and len(again := _stripped(short)) >= _AGAIN_MIN - 1 and again != short:
        short = again
    folded = fold(short)
    return folded[:TURKISH_STEM_MAX] if folded.isascii() and folded.isalpha() else folded


def _stripped(word: str) -> str:
    """A word without its endings, as Snowball sees it, if what is left can be a word.

    It makes "ev" of "evde" and "gün" of "günde", but also "a" of "ayşe", "de" of "deniz", and "dok" of "doğum".
    """
    with _snowball:
        short = _stemmer("turkish").stemWord(word)
    if len(short) >= _SAFE_MIN:
        return short
    is_word = len(short) == _SAFE_MIN - 1 or (len(short) == 2 and short[0] in _VOWELS and short[1] not in _VOWELS)
    return short if is_word and word.startswith(short) else word


@cache
def _stemmer(name: str) -> _Stemmer:
    import Stemmer  # lazy: a compiled module that reading a store does not need

    made: _Stemmer = Stemmer.Stemmer(name, 0)  # 0: no cache of its own, ours holds whole analyses
    return made
