"""Fold letters, detect English or Turkish, and restore apostrophes.

Fast enough for every message. Restored are apostrophes left out in typing: im allergic, doesnt.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.text import lists

# Lower case and diacritics, where the Turkish and English alphabets differ.


_TURKISH_CAPITALS = str.maketrans({"İ": "i", "I": "ı"})
_ACCENTED = {
    "a": "àáâãäåāăą",
    "c": "çćĉċč",
    "d": "ďđð",
    "e": "èéêëēĕėęěə",
    "g": "ĝğġģ",
    "h": "ĥħ",
    "i": "ìíîïĩīĭįı",
    "j": "ĵ",
    "k": "ķ",
    "l": "ĺļľł",
    "n": "ñńņň",
    "o": "òóôõöøōŏő",
    "r": "ŕŗř",
    "s": "śŝşšș",
    "t": "ţťŧț",
    "u": "ùúûüũūŭůűų",
    "w": "ŵ",
    "y": "ýÿŷ",
    "z": "źżž",
}
_BASES = {sign: base for base, signs in _ACCENTED.items() for sign in signs}
_LOOSE_LETTERS = str.maketrans(_BASES | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"})
_PLAIN = str.maketrans(
    _BASES | {sign.upper(): base for sign, base in _BASES.items() if sign != "ı"} | {"İ": "i", "’": "'"}
)
APOSTROPHES = str.maketrans(dict.fromkeys("’‘`´", "'"))
"""Translation of all characters used as apostrophes to the straight one (``str.translate``)."""


def lower(text: str, language: str) -> str:
    """Lower-case a text by the rules of the language; the dot that English would leave of an İ is dropped."""
    if text.isascii() and (language != "tr" or "I" not in text):
        return text.lower()
    return text.translate(_TURKISH_CAPITALS).lower() if language == "tr" else text.replace("İ", "i").lower()


def fold(word: str) -> str:
    """Remove diacritics from Latin letters of a lower-case word; in other scripts, marks belong to letters and stay."""
    if word.isascii():
        return word
    word = word.translate(_LOOSE_LETTERS)
    return word if word.isascii() else _without_marks(word)


def _without_marks(word: str) -> str:
    kept: list[str] = []
    after_latin = False
    for sign in unicodedata.normalize("NFD", word):
        if "\u0300" <= sign <= "\u036f" and after_latin:
            continue
        after_latin = sign.isascii()
        kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LOOSE_LETTERS)


def plain(text: str) -> str:
    """Fold a composed text to lower case without diacritics, with unchanged positions."""
    if text.isascii():
        return text.lower()
    text = text.translate(_PLAIN)
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text


def compose(text: str) -> str:
    """Return the text with combined characters (NFC)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


# Language detection by letters, function words and endings.


_SAMPLE_MAX = 1000
"""Number of characters examined: the language shows in the first sentences."""
_TURKISH_LETTERS = frozenset("ğışĞİŞ")
_SHARED_LETTERS = frozenset("çöüÇÖÜâîûÂÎÛ")
_FOREIGN_LETTERS = frozenset("qwxQWX")
_ROOT_MAX = 5
"""Words of at most this length are compared as a whole: their last letters may belong to the root."""
_EDGES = ".,;:!?…\"'“”‘’()[]{}<>*_#-–—/\\"


def detect_language(text: str) -> str:
    """Return the language, "en" or "tr"; "en" without evidence for Turkish."""
    return "tr" if turkish_evidence(text) > 0 else "en"


def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages a text may be in: both if there is no evidence."""
    evidence = turkish_evidence(text)
    return ("tr",) if evidence > 0 else ("en",) if evidence < 0 else ("en", "tr")


def turkish_evidence(text: str) -> int:
    """Sum the evidence for Turkish (positive) or English (negative) over the words at the beginning of a text."""
    return _summed(text if len(text) <= _SAMPLE_MAX else text[:_SAMPLE_MAX])


@lru_cache(maxsize=128)  # every part of an analysis detects the language of the same text
def _summed(sample: str) -> int:
    return sum(map(_evidence, sample.split()))


@lru_cache(maxsize=1 << 15)
def _evidence(chunk: str) -> int:
    """Return the evidence of a word: 3 for a Turkish letter, 2 for a function word or case ending, 1 for other
    endings.
    """
    known = _known()
    if chunk.isascii() and chunk.isalpha() and chunk.islower():
        return _plain_evidence(chunk, known)
    word = chunk.strip(_EDGES)
    if not word.isascii() and not _TURKISH_LETTERS.isdisjoint(word):
        return 3
    plain = lower(word, "en")
    if plain in known.foreign:
        return -2
    if word in known.turkish_lower or lower(word, "tr") in known.turkish:
        return 2
    _, apostrophe, ending = word.replace("’", "'").rpartition("'")
    if apostrophe and ending in lists.words("case-endings.tr"):
        return 2
    return _shape(plain, word)


def _plain_evidence(word: str, known: _Known) -> int:
    """Return the evidence of a word of plain lower-case letters, the usual case, in a third of the time."""
    if word in known.foreign:
        return -2
    if word in known.turkish_lower or word in known.turkish:
        return 2
    if "w" in word or "x" in word or "q" in word:
        return -1
    if len(word) <= _ROOT_MAX:
        return 0
    last = word[-1]
    return word.endswith(known.turkish_endings.get(last, ())) - word.endswith(known.english_endings.get(last, ()))


def _shape(plain: str, word: str) -> int:
    turkish = english = 0
    if len(plain) > _ROOT_MAX:
        turkish = int(lists.has_ending(plain, "endings.tr"))
        english = int(lists.has_ending(plain, "endings.en"))
    if not word.isascii() and not _SHARED_LETTERS.isdisjoint(word):
        return 2 * turkish
    return turkish - english if _FOREIGN_LETTERS.isdisjoint(word) else -1


class _Known(NamedTuple):
    """Function words of English and other languages, and of Turkish: as written, and in lower case.

    Endings of both languages, by last letter.
    """

    foreign: frozenset[str]
    turkish_lower: frozenset[str]
    turkish: frozenset[str]
    turkish_endings: Mapping[str, tuple[str, ...]]
    english_endings: Mapping[str, tuple[str, ...]]


@cache
def _known() -> _Known:
    foreign = lists.words("function-words.en") | lists.words("function-words.other")
    turkish_lower, turkish = lists.words("function-words-lower.tr"), lists.words("function-words.tr")
    return _Known(foreign, turkish_lower, turkish, lists.by_last("endings.tr"), lists.by_last("endings.en"))


# Apostrophes left out in typing: im allergic → i'm allergic, doesnt → doesn't.


def spelled(text: str) -> str:
    """Insert missing apostrophes into English contractions; Turkish texts stay unchanged."""
    pattern, places = _contractions()
    if pattern.search(text) is None or turkish_evidence(text) > 0:
        return text
    return pattern.sub(lambda match: _with(match.group(), places[match.group().lower()]), text)


def _with(word: str, place: int) -> str:
    return f"{word[:place]}'{word[place:]}"


@cache
def _contractions() -> tuple[re.Pattern[str], dict[str, int]]:
    """Return the pattern of contractions, and the position of each one's apostrophe."""
    words: list[str] = []
    places: dict[str, int] = {}
    for entry in lists.entries("apostrophes.en"):
        whole, _, following = entry.partition(" ")
        word = whole.replace("'", "")
        places[word] = whole.index("'")
        words.append(rf"{word}(?= (?:{following})\b)" if following else word)
    return re.compile(rf"(?<![\w'’./@-])(?:{'|'.join(words)})(?![\w'’@-]|\.\w)", re.IGNORECASE | re.ASCII), places
