"""Letters and languages: where the Turkish and the English alphabet disagree, and which of the two a text is in.

Cheap enough for each message. And apostrophes that were left out in typing: im allergic, doesnt.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.text import lists

# Lower case and diacritics: the two places where the Turkish and the English alphabet disagree.


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
"""What is written for an apostrophe, to the straight one (``str.translate``)."""


def lower(text: str, language: str) -> str:
    """Lower case by the rules of the language; the dot that English would leave behind of an İ is dropped."""
    if text.isascii() and (language != "tr" or "I" not in text):
        return text.lower()
    return text.translate(_TURKISH_CAPITALS).lower() if language == "tr" else text.replace("İ", "i").lower()


def fold(word: str) -> str:
    """A lower-case word without the diacritics of its Latin letters; in other scripts marks are letters, and stay."""
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
    """A composed text in lower case without diacritics, sign for sign: places in it are places in the text."""
    if text.isascii():
        return text.lower()
    text = text.translate(_PLAIN)
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text


def compose(text: str) -> str:
    """The text with its marks on its letters (NFC)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


# Which of the two languages a text is in, by letters, function words and endings; cheap enough for each message.


_SAMPLE_MAX = 1000
"""Characters that are looked at: the language of a text shows in its first sentences."""
_TURKISH_LETTERS = frozenset("ğışĞİŞ")
_SHARED_LETTERS = frozenset("çöüÇÖÜâîûÂÎÛ")
_FOREIGN_LETTERS = frozenset("qwxQWX")
_ROOT_MAX = 5
"""A word of so few letters is looked at whole: its last letters may be its root."""
_EDGES = ".,;:!?…\"'“”‘’()[]{}<>*_#-–—/\\"


def detect_language(text: str) -> str:
    """The language, "en" or "tr"; "en" when nothing speaks for Turkish."""
    return "tr" if turkish_evidence(text) > 0 else "en"


def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages a text may be in; both if its words do not show it."""
    evidence = turkish_evidence(text)
    return ("tr",) if evidence > 0 else ("en",) if evidence < 0 else ("en", "tr")


def turkish_evidence(text: str) -> int:
    """How much speaks for Turkish (positive) or English (negative), summed over the words of the text's beginning."""
    return _summed(text if len(text) <= _SAMPLE_MAX else text[:_SAMPLE_MAX])


@lru_cache(maxsize=128)  # every part of an analysis asks for the language of the same text
def _summed(sample: str) -> int:
    return sum(map(_evidence, sample.split()))


@lru_cache(maxsize=1 << 15)
def _evidence(chunk: str) -> int:
    """What one word says: a letter only Turkish has 3, a function word or the case ending of a name 2, endings 1."""
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
    """What the rest of ``_evidence`` says of plain lower-case letters, as most words are, in a third of the time."""
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
    """Function words of English and of other languages, and of Turkish: as they are written, and in lower case.

    Endings of both by their last letter.
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


# Apostrophes that were left out in typing: im allergic → i'm allergic, doesnt → doesn't.


def spelled(text: str) -> str:
    """The text with the apostrophes of English contractions; a Turkish one as it is."""
    pattern, places = _contractions()
    if pattern.search(text) is None or turkish_evidence(text) > 0:
        return text
    return pattern.sub(lambda match: _with(match.group(), places[match.group().lower()]), text)


def _with(word: str, place: int) -> str:
    return f"{word[:place]}'{word[place:]}"


@cache
def _contractions() -> tuple[re.Pattern[str], dict[str, int]]:
    """Load contractions without apostrophes, and where in each the apostrophe belongs."""
    words: list[str] = []
    places: dict[str, int] = {}
    for entry in lists.entries("apostrophes.en"):
        whole, _, following = entry.partition(" ")
        word = whole.replace("'", "")
        places[word] = whole.index("'")
        words.append(rf"{word}(?= (?:{following})\b)" if following else word)
    return re.compile(rf"(?<![\w'’./@-])(?:{'|'.join(words)})(?![\w'’@-]|\.\w)", re.IGNORECASE | re.ASCII), places
