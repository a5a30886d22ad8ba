"""Turkish case endings of names by harmony of vowels and hardness of consonants: Ali'nin, Ayşe'yi, Fatih'e."""

from __future__ import annotations

from reverie.language.kin import CIRCUMFLEX, HIGH, VOWELS
from reverie.language.letters import lower

_LOW = {"a": "a", "ı": "a", "o": "a", "u": "a", "e": "e", "i": "e", "ö": "e", "ü": "e"}
_HARD = frozenset("fstkçşhp")


def inflected(name: str, case: str) -> str:
    """A name in the genitive, accusative, dative, ablative or locative, the ending behind an apostrophe.

    A name without any vowel is read letter by letter, and each letter's own name ends in e: NTV'nin.
    """
    letters = lower(name, "tr").translate(CIRCUMFLEX)
    spelled = not any(sign in VOWELS for sign in letters)
    vowel = next((sign for sign in reversed(letters) if sign in VOWELS), "e")
    high, low = HIGH[vowel], _LOW[vowel]
    open_end = spelled or letters[-1] in VOWELS
    stop = "t" if not spelled and letters[-1] in _HARD else "d"
    ending = {
        "genitive": f"n{high}n" if open_end else f"{high}n",
        "accusative": f"y{high}" if open_end else high,
        "dative": f"y{low}" if open_end else low,
        "ablative": f"{stop}{low}n",
        "locative": f"{stop}{low}",
    }[case]
    return f"{name}'{ending}"
