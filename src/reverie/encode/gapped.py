"""Gapped: half of a sentence that leaves out the verb of the other half: "Murat to milk", "Murat'ın da süte".

In: a half and the other one. Out: whether it says of somebody or something else what the other says. English shows it
by the small word both have, Turkish by that or by the case both end in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reverie.language import clauses, lists
from reverie.language.contradiction_values import calendar_words
from reverie.language.gazetteer import is_given_name
from reverie.language.kin import is_kin_subject
from reverie.language.letters import plain
from reverie.language.relations import is_person_noun

_WHO_MAX = 3
_MARKS = " .,;!…"
_THERE = re.compile(r"(?:var|yok)\w*\Z")
_TOO = frozenset({"da", "de", "ise"})
_GENITIVE = re.compile(r"n?[iu]n\Z")
_OWNED = re.compile(r"(?:m|m[iu]z|s[iu])\Z")
_CASES = (
    ("from", re.compile(r"[dt][ae]n\Z")),
    ("at", re.compile(r"[dt][ae]\Z")),
    ("with", re.compile(r"l[ae]\Z")),
    ("to", re.compile(r"[ae]\Z")),
    ("object", re.compile(r"[iu]\Z")),
)


def is_gapped(half: str, other: str, language: str) -> bool:
    """Whether a half without a verb of its own tells of another what the other half tells."""
    words, others = half.rstrip(_MARKS).split(), other.rstrip(_MARKS).split()
    if len(words) <= 1:
        return False
    return _turkish(words, others) if language == "tr" else _english(words, others)


def _english(words: Sequence[str], others: Sequence[str]) -> bool:
    """My wife at Siemens; IntelliJ for Java; my wife a Golf."""
    links = lists.words("gapped.en") & {plain(word) for word in others}
    for place, word in enumerate(words[1 : _WHO_MAX + 1], 1):
        is_person = is_person_noun(plain(words[place - 1]), "en")
        if plain(word) in ("in", "at") and not (is_person or is_given_name(words[0])):
            continue  # Leeds, Yorkshire in England
        if plain(word) in links or (is_person and plain(word) in ("a", "an", "the")):
            return place + 1 < len(words) and _is_named(words[:place])
    return False


def _is_named(words: Sequence[str]) -> bool:
    """Whether English words are a name or a noun for somebody, and no time."""
    *before, last = words
    owned = all(word[0].isupper() or plain(word) in lists.words("owners.en") for word in before)
    is_time = any(plain(last) in names for names in calendar_words("en"))
    is_known = last[0].isupper() or (bool(before) and is_person_noun(plain(last), "en"))
    return owned and last[-1].isalnum() and is_known and not is_time


def _turkish(words: Sequence[str], others: Sequence[str]) -> bool:
    """Murat'ın da süte; ablam İzmir'de; tasarım için Figma; Java'yı IntelliJ'de."""
    said = [plain(word) for word in words]
    if clauses.ends_finite(" ".join(words)) or _THERE.match(said[-1]):
        return False
    links = lists.words("gapped.tr") & {plain(word) for word in others}
    if not links.isdisjoint(said[1:-1]):
        return said[-1] not in _TOO
    known = [_cases(word) for word in others]
    told = [word for word in words[1:] if plain(word) not in _TOO]
    if told and _is_somebody(words[0]):
        return any(_cases(told[-1]) & cases for cases in known)
    cases = [_cases(word) for word in words if "'" in word or "’" in word]
    return len(cases) == len(words) and len({*cases}) == len(cases) and all(case and case in known for case in cases)


def _is_somebody(word: str) -> bool:
    """Whether a Turkish word is somebody of whom something is told: Murat, Murat'ın, ablam, kızımın, patronum."""
    name, _, ending = word.replace("’", "'").partition("'")
    if is_given_name(name):
        return not ending or _GENITIVE.fullmatch(plain(ending)) is not None
    noun = _GENITIVE.sub("", plain(word))
    return is_kin_subject(noun) or (is_person_noun(noun, "tr") and _OWNED.search(noun) is not None)


def _cases(word: str) -> frozenset[str]:
    """The cases a Turkish word may end in: sütte and süte end alike."""
    said = plain(word.rstrip(_MARKS))
    return frozenset(name for name, ending in _CASES if ending.search(said))
