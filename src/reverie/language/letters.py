"""Lower case and diacritics: the two places where the Turkish and the English alphabet disagree."""

from __future__ import annotations

import unicodedata

_TURKISH_CAPITALS = str.maketrans({"İ": "i", "I": "ı"})
_LOOSE_LETTERS = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ə": "e"}
)


def lower(text: str, language: str) -> str:
    """Lower case by the rules of the language; the dot that English would leave behind of an İ is dropped."""
    if language == "tr":
        return text.translate(_TURKISH_CAPITALS).lower()
    return text.lower() if text.isascii() else text.replace("İ", "i").lower()


def fold(word: str) -> str:
    """A lower-case word without the diacritics of its Latin letters; marks of other scripts stay, they are letters there."""
    if word.isascii():
        return word
    kept: list[str] = []
    after_latin = False
    for sign in unicodedata.normalize("NFD", word):
        if "\u0300" <= sign <= "\u036f" and after_latin:
            continue
        after_latin = sign.isascii()
        kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LOOSE_LETTERS)
