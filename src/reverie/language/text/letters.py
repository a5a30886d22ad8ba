"""Lower case and diacritics: the two places where the Turkish and the English alphabet disagree."""

from __future__ import annotations

import unicodedata

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
