"""Turkish endings by harmony of vowels and hardness of consonants: case endings of names, Ali'nin, Ayşe'yi, Fatih'e;
and the ending of what is somebody's, annesi, kardeşi.
"""

from __future__ import annotations

from reverie.language.letters import lower

_VOWELS = "aeıioöuü"
_HIGH = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_LOW = {"a": "a", "ı": "a", "o": "a", "u": "a", "e": "e", "i": "e", "ö": "e", "ü": "e"}
_HARD = frozenset("fstkçşhp")
_CIRCUMFLEX = str.maketrans("âîû", "aiu")


def inflected(name: str, case: str) -> str:
    """A name in the genitive, accusative, dative, ablative or locative, the ending behind an apostrophe.

    A name without any vowel is read letter by letter, and each letter's own name ends in e: NTV'nin.
    """
    letters = lower(name, "tr").translate(_CIRCUMFLEX)
    spelled = not any(sign in _VOWELS for sign in letters)
    vowel = next((sign for sign in reversed(letters) if sign in _VOWELS), "e")
    high, low = _HIGH[vowel], _LOW[vowel]
    open_end = spelled or letters[-1] in _VOWELS
    stop = "t" if not spelled and letters[-1] in _HARD else "d"
    ending = {
        "genitive": f"n{high}n" if open_end else f"{high}n",
        "accusative": f"y{high}" if open_end else high,
        "dative": f"y{low}" if open_end else low,
        "ablative": f"{stop}{low}n",
        "locative": f"{stop}{low}",
    }[case]
    return f"{name}'{ending}"


def possessive(noun: str) -> str:
    """A noun, in lower case, as that of somebody: anne as annesi, kardeş as kardeşi."""
    letters = noun.translate(_CIRCUMFLEX)
    vowel = next((sign for sign in reversed(letters) if sign in _VOWELS), "e")
    return f"{noun}{'s' if letters[-1] in _VOWELS else ''}{_HIGH[vowel]}"
