"""Who of a family a word names: mother, mum; annem, anneciğim. The one list of kin a language is data/kin.*.txt.

In: a word. Out: the person, the same for all words for them; and, by its endings, whose kin a Turkish word is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.letters import fold, lower

_FIRST, _SECOND, _THIRD = r"[iu]?m(?:[iu]z)?", r"[iu]?n(?:[iu]z)?", r"s?[iu](?:n(?=.))?"
"""Turkish: annem, annemiz; annen, anneniz; annesi, annesini."""
_OWNED = re.compile(rf"{_FIRST}|s?[iu]n?")
_MINE = re.compile(r"[iu]?m")
_BEFORE_OWNER = r"(?P<dear>c[iu](?:g(?=[iu])|(?=m)))?(?P<several>l[ae]r)?"
_BEHIND_OWNER = r"(?P<house>l[ae]r)?(?P<case>n?[iu]n|y?[iuae]|n[ae]|[dt][ae]n?(?:ki)?|y?l[ae]|d[iu]r|yd[iu])?"
"""Turkish: anneciğim, kardeşlerim; annemler is her and hers."""
_NEEDS_OWNER = "+"
VOWELS = "aeıioöuü"
HIGH = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
"""The narrow vowel behind each, by harmony."""
CIRCUMFLEX = str.maketrans("âîû", "aiu")


@lru_cache(maxsize=1 << 13)
def kin(word: str, language: str) -> str:
    """Whom of a family a word names, in lower case without diacritics; "" for none."""
    if language != "tr":
        return _named(language).get(word, "")
    found = _read(word)
    return _named("tr")[found["name"]] if found else ""


def kin_of(word: str, language: str) -> str:
    """Whom of a family a word names as it is written; "" for none."""
    return kin(fold(lower(word, language)), language)


def is_kin_subject(word: str) -> bool:
    """Whether a Turkish word, as written, is one of the speaker's or somebody's kin, in no case: annem, annesi."""
    found = _read(fold(lower(word, "tr")))
    return found is not None and _is_one(found) and not found["case"]


@lru_cache(maxsize=1 << 13)
def theirs(word: str) -> str:
    """What a Turkish noun of the speaker, in lower case, is as somebody's; "" for any other word.

    Of data/owned.tr: evim as evi; and of kin: yengem as yengesi, kardeşlerim as kardeşleri.
    """
    if known := lists.table("owned.tr").get(word):
        return known[0]
    found = _read(fold(word))
    if found is None or found["dear"] or found["house"] or found["case"] or not _MINE.fullmatch(found["owner"] or ""):
        return ""
    return possessive(word[: found.start("owner")])


def possessive(noun: str) -> str:
    """A noun, in lower case, as that of somebody: anne as annesi, kardeş as kardeşi."""
    letters = noun.translate(CIRCUMFLEX)
    vowel = next((sign for sign in reversed(letters) if sign in VOWELS), "e")
    return f"{noun}{'s' if letters[-1] in VOWELS else ''}{HIGH[vowel]}"


@cache
def people(language: str) -> frozenset[str]:
    """All persons of the list."""
    return frozenset(lists.table(f"kin.{language}"))


def _is_one(found: re.Match[str]) -> bool:
    """Whether a Turkish word is for one of the speaker's or of somebody's."""
    return _OWNED.fullmatch(found["owner"] or "") is not None and not found["several"] and not found["house"]


@cache
def _named(language: str) -> Mapping[str, str]:
    table = lists.table(f"kin.{language}")
    return {name.removesuffix(_NEEDS_OWNER): person for person, names in table.items() for name in names}


@lru_cache(maxsize=1 << 13)
def _read(word: str) -> re.Match[str] | None:
    """A Turkish word for kin, in lower case without diacritics, by its parts; None for any other word."""
    return next((found for shape in _shapes() if (found := shape.fullmatch(word))), None)


@cache
def _shapes() -> tuple[re.Pattern[str], ...]:
    """What kin looks like; the root of what is another word by itself has its owner behind it: halam, not hâlâ."""
    names = [name for names in lists.table("kin.tr").values() for name in names]
    bound = "|".join(name.removesuffix(_NEEDS_OWNER) for name in names if name.endswith(_NEEDS_OWNER))
    free = "|".join(name for name in names if not name.endswith(_NEEDS_OWNER))
    return (
        re.compile(rf"(?P<name>{bound}){_BEFORE_OWNER}(?P<owner>{_FIRST}|{_THIRD}){_BEHIND_OWNER}"),
        re.compile(rf"(?P<name>{free}){_BEFORE_OWNER}(?P<owner>{_FIRST}|{_THIRD}|{_SECOND})?{_BEHIND_OWNER}"),
    )
