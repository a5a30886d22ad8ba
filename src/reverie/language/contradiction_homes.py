"""Places of a home that no list holds: whether a name may be one, and whether a clause tells of a move there.

In: a name with what stands beside it; a clause in plain letters. Out: what a home is compared by.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_values import calendar_words
from reverie.language.contradiction_words import grammar, matches
from reverie.language.gazetteer import is_given_name, listed_at, words_in
from reverie.language.letters import plain

TOWN = "name town"
"""The kind of a home in a place that no list holds: it may be a part of a city on the list."""
CITY = "name city"
_WORDS_MAX = 2
_BEHIND = re.compile(r"\s*(?:\Z|[,.;!)]|(\w+))")
_PART_OF = re.compile(r"(?:'s)?, ((?:[A-ZÇĞİÖŞÜ][\w-]*)(?: [A-ZÇĞİÖŞÜ][\w-]*)?)")
_NAME = r"([A-ZÇĞİÖŞÜ][\w-]*(?: [A-ZÇĞİÖŞÜ][\w-]*)?)"
_NOT_EN = re.compile(rf"\b[Nn]ot (?:in |at )?{_NAME}(?=\Z|[.,;!)]| any ?more\b| but\b)")
_NOT_TR = re.compile(rf"{_NAME}['’][dt][ae] değil\b")


@cache
def places() -> Mapping[str, tuple[str, str]]:
    """Countries, states and large cities: each name in plain letters with its level and the name it is known by."""
    table = lists.table("contradiction-places")
    return {name: tuple(key.split(" ", 1)) for key, names in table.items() for name in names}  # type: ignore[misc]  # both parts are there


def may_be_town(written: str, behind: str, language: str, *, moved: bool) -> bool:
    """Whether an unlisted name may be the place of a home: no company, no month, no *Victorian* house, no Ayşe'de."""
    words = plain(written).split()
    if not 0 < len(words) <= _WORDS_MAX or not _may_stand(behind, language) or _is_within_town(words):
        return False
    found = listed_at(words_in(written), 0)
    if found is not None:
        return found[0].kind == "place"
    if written.endswith(("'s", "’s")) or not _calendar().isdisjoint(words):
        return False
    if language == "tr" and any(map(is_given_name, written.split())):
        return False  # Ayşe'de oturuyor sits at Ayşe's
    return not (moved and any(word in _ordinary(language) for word in words))


def _is_within_town(words: Sequence[str]) -> bool:
    """Whether a name is that of a street or a house: Baker Street, Building B."""
    return len(words[-1]) == 1 or words[-1] in grammar("street")


def _may_stand(behind: str, language: str) -> bool:
    """Whether what follows lets a name be a place: nothing or a small word in English, an ending in Turkish."""
    if language == "tr":
        return behind[:1] in ("'", "’")
    match = _BEHIND.match(behind)
    return match is not None and (match[1] is None or match[1].lower() in grammar("behind home"))


@cache
def _calendar() -> frozenset[str]:
    """Months and weekdays."""
    return frozenset(word for language in ("en", "tr") for table in calendar_words(language) for word in table)


@cache
def _ordinary(language: str) -> frozenset[str]:
    """Ordinary words, which are no places of a move even with a capital: she moved to Marketing."""
    return frozenset(map(plain, lists.words(f"common-words.{language}"))) | grammar("no town")


def city_around(behind: str) -> str:
    """The listed city that a town is said to lie in: Camden, *London*; "" if none."""
    match = _PART_OF.match(behind)
    level, known = places().get(plain(match[1]), ("", "")) if match else ("", "")
    return known if level == "city" else ""


def tells_of_move(folded: str, language: str) -> bool:
    """Whether a clause says that a home is another than before: now, artık."""
    return matches("homes", language, folded)


def denied_places(sentence: str, language: str) -> frozenset[str]:
    """The places a sentence names as those where somebody does not live: York, not *Leeds*."""
    pattern = _NOT_TR if language == "tr" else _NOT_EN
    found = (plain(name).split() for name in pattern.findall(sentence))
    names = (" ".join(words[place:]) for words in found for place in range(len(words)))  # Selin *İzmir*'de değil
    return frozenset(places().get(name, ("", name))[1] for name in names)
