"""What a question is about: what the assistant said, the asker, or one of the people who spoke."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from reverie.language import lists
from reverie.language.detect import turkish_evidence
from reverie.language.letters import fold, lower

_TEXT_MAX = 10_000
"""Characters of a question that are looked at."""
_NAME = re.compile(r"[^\s\d\x00-\x26\x28-\x2c./:-@\[-`{-\xbf\u2000-\u206f\u2190-\u2bff\u3000-\u303f\U0001f000-\U0001faff]+")
"""A word: letters, marks, apostrophes and hyphens, told by what it does not hold."""
_PLURAL_MIN = 5
"""A word of so many letters may be a name with a plain s behind it ("Melanies")."""
_ENDING_MAX = 5
_UNSPACED = "\u0e00"
"""From here on lie the scripts that set no blanks: a name in one of them may stand anywhere."""


def asks_assistant(text: str) -> bool:
    """Whether a question asks what the assistant said, or speaks of an earlier conversation with it."""
    plain, languages = _plain(text)
    return any(_asking(language).search(plain) is not None for language in languages)


def is_first_person(text: str) -> bool:
    """Whether a question speaks of the asker: I, my, we; benim, bana, annem, or a Turkish verb in the first person."""
    plain, languages = _plain(text)
    if any(_first_person(language).search(plain) is not None for language in languages):
        return True
    if languages != ("tr",):
        return False
    known = lists.words("first-person-not.tr")
    return any(match.group() not in known for match in _first_person_verb().finditer(plain))


def named_speakers(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Which of the names a text names, in the order given: by first name or in full, in any case, with any ending.

    Names that are roles ("user", "assistant") are never named. Of people with the same first name only those named in
    full, if one is.
    """
    people = _people(tuple(names))
    if not people:
        return ()
    text = unicodedata.normalize("NFC", text[:_TEXT_MAX])
    said = _said(text, frozenset(people))
    plain = " " + " ".join(fold(lower(word, "en")) for word in _NAME.findall(text.replace("’", "'"))) + " "
    named = [name for first in people.keys() & said for name in _meant(people[first], plain)]
    return tuple(name for name in names if name in named)


def _plain(text: str) -> tuple[str, tuple[str, ...]]:
    """The text in lower case without diacritics, and the languages it may be in."""
    text = text[:_TEXT_MAX]
    evidence = turkish_evidence(text)
    if not text.isupper():
        text = text.replace("US", "U.S.")  # the country, not us
    languages = ("tr",) if evidence > 0 else ("en",) if evidence < 0 else ("en", "tr")
    return fold(lower(text, languages[0])).replace("’", "'"), languages


@lru_cache(maxsize=None)
def _asking(language: str) -> re.Pattern[str]:
    return re.compile("|".join(lists.entries(f"asks-assistant.{language}")))


@lru_cache(maxsize=None)
def _first_person(language: str) -> re.Pattern[str]:
    words = (re.escape(word).replace(r"\*", r"\w*") for word in lists.entries(f"first-person.{language}"))
    return re.compile(rf"\b(?:{'|'.join(words)})\b")


@lru_cache(maxsize=None)
def _first_person_verb() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(lists.entries('first-person-verbs.tr'))})\b")


@lru_cache(maxsize=64)
def _people(names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """First name → the names that begin with it; roles left out, titles passed over."""
    people: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys(names):
        words = [fold(lower(word, "en")) for word in _NAME.findall(unicodedata.normalize("NFC", name))]
        first = next((word for word in words if word not in lists.words("titles")), "")
        if first and not (len(words) == 1 and first in _roles()):
            people[first] = (*people.get(first, ()), name)
    return people


@lru_cache(maxsize=None)
def _roles() -> frozenset[str]:
    return frozenset(fold(lower(word, "tr")) for word in lists.entries("role-words"))


def _said(text: str, firsts: frozenset[str]) -> set[str]:
    """The first names that stand in the text as whole words, endings aside."""
    said = {first for first in firsts if first[0] >= _UNSPACED and first in text}
    for match in _NAME.finditer(text.replace("’", "'")):
        word = match.group()
        is_name = word[0].isupper() and match.start() > 0
        for form in _forms(fold(lower(word, "en"))):
            if form in firsts and (is_name or not _is_common(form)):
                said.add(form)
    return said


def _is_common(form: str) -> bool:
    """Whether a name is also a common word: "Will" and "Can" are names only with a capital inside the sentence."""
    return any(form in lists.words(f"{kind}.{language}") for kind in _COMMON for language in ("en", "tr"))


_COMMON = ("stop-question", "stop-index", "function-words")


def _forms(word: str) -> Iterator[str]:
    """What a word may be a form of: itself, without 's or a Turkish case ending, with or without the apostrophe."""
    yield word
    head, apostrophe, _ = word.rpartition("'")
    if apostrophe:
        yield head
        return
    if word.endswith("s") and len(word) >= _PLURAL_MIN:
        yield word[:-1]
    for length in range(1, min(_ENDING_MAX, len(word) - 3) + 1):
        if word[-length:] in _endings():
            yield word[:-length]


@lru_cache(maxsize=None)
def _endings() -> frozenset[str]:
    """The case endings that can follow a name directly; single vowels only after an apostrophe (Maria is no Mari)."""
    return frozenset(fold(ending) for ending in lists.entries("case-endings.tr") if len(ending) > 1)


def _meant(names: tuple[str, ...], plain: str) -> list[str]:
    """Of several people with one first name those whose full name stands in the text, or else all."""
    if len(names) == 1:
        return list(names)
    full = [name for name in names if f" {fold(lower(' '.join(_NAME.findall(name)), 'en'))}" in plain]
    return full or list(names)
