"""Classify questions: about the assistant's words, a time, the asker, or one of the speakers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from reverie.language.text import lists
from reverie.language.text.letters import compose, languages_of, plain
from reverie.language.text.patterns import any_of

_TEXT_MAX = 10_000
"""Number of characters of a question examined."""
_NAME = re.compile(
    r"[^\s\d\x00-\x26\x28-\x2c./:-@\[-`{-\xbf\u2000-\u206f\u2190-\u2bff\u3000-\u303f\U0001f000-\U0001faff]+"
)
"""A word: letters, marks, apostrophes and hyphens, written as the complement of all else."""
_WORD = re.compile(r"\w+")
_PLURAL_MIN = 5
"""Fewest letters of a word that may be a name with a plain s ("Melanies")."""
_ENDING_MAX = 5
_UNSPACED = "\u0e00"
"""First letter of scripts without blanks, in which a name may occur anywhere."""
_COMMON = ("stop-question", "stop-index", "function-words")


def asks_assistant(text: str) -> bool:
    """Whether a question asks what the assistant said, or mentions an earlier conversation with it."""
    return _asks("question/asks-assistant", text)


def asks_time(text: str) -> bool:
    """Whether a question asks when something was or will be."""
    return _asks("question/asks-time", text)


def is_first_person(text: str) -> bool:
    """Whether a question is about the asker: I, my, we; benim, bana, annem, or a Turkish verb in the first person."""
    words, languages = _read(text[:_TEXT_MAX])
    said = _WORD.findall(words)
    for language in languages:
        whole, beginnings = _first_person(language)
        if not whole.isdisjoint(said) or (beginnings and any(word.startswith(beginnings) for word in said)):
            return True
    return languages == ("tr",) and any(
        _first_person_verb().search(word) is not None and word not in lists.words("first-person-not.tr")
        for word in said
    )


def named_speakers(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a text mentions, in the given order: by first name or in full, in any case and form.

    Names that are roles ("user", "assistant") never count. Of people with the same first name, those named in
    full, if any; otherwise all.
    """
    people = _people(tuple(names))
    if not people:
        return ()
    text = compose(text[:_TEXT_MAX]).replace("’", "'")
    words = plain(text)
    named = {name for first in _said(text, words, people) for name in _meant(people[first], words)}
    return tuple(name for name in dict.fromkeys(names) if name in named)


def without_speakers(text: str, names: Sequence[str]) -> str:
    """Return a text without the words that name these speakers, in any form; unchanged if nothing would be left."""
    return _without(text, tuple(names)) if names else text


@lru_cache(maxsize=16)  # several stages of a recall use the same cue
def _without(text: str, names: tuple[str, ...]) -> str:
    parts = frozenset(word for name in names for word in _NAME.findall(_plain_name(name)))
    chunks = text.split()
    kept = [chunk for place, chunk in enumerate(chunks) if not _is_part(chunk, parts, place > 0)]
    return " ".join(kept) if kept and len(kept) < len(chunks) else text


def _is_part(chunk: str, parts: frozenset[str], inside: bool) -> bool:
    """Whether a word belongs to a name; one that is also a common word only if capitalised inside the text."""
    words = _NAME.findall(plain(compose(chunk)).replace("’", "'"))
    is_name = chunk[:1].isupper() and (inside or any(map(_is_inflected, words)))
    return any(form in parts and (is_name or not _is_common(form)) for word in words for form in _forms(word))


@lru_cache(maxsize=16)  # asks_assistant and is_first_person read the same text
def _read(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the folded text, and the languages it may be in."""
    languages = languages_of(text)
    if "US" in text and not text.isupper():
        text = re.sub(r"\bUS\b", "U.S.", text)  # the country, not us
    return plain(compose(text)), languages


def _asks(name: str, text: str) -> bool:
    """Whether any pattern of a list matches the text."""
    words, languages = _read(text[:_TEXT_MAX])
    return any(any_of(f"{name}.{language}").search(words) is not None for language in languages)


@cache
def _first_person(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words of the first person, and the beginnings that match with any ending."""
    words = lists.entries(f"first-person.{language}")
    return frozenset(words), tuple(word.rstrip("*") for word in words if word.endswith("*"))


@cache
def _first_person_verb() -> re.Pattern[str]:
    return re.compile(rf"(?<=\w\w)(?:{'|'.join(lists.entries('first-person-verbs.tr'))})\Z")


@lru_cache(maxsize=64)
def _people(names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Map first names to the names that begin with them, without roles and titles."""
    people: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys(names):
        words = _NAME.findall(_plain_name(name))
        first = next((word for word in words if word not in lists.words("titles")), "")
        if first and not (len(words) == 1 and first in _roles()):
            people[first] = (*people.get(first, ()), name)
    return people


def _plain_name(name: str) -> str:
    return plain(compose(name[:_TEXT_MAX])).replace("’", "'")


@cache
def _roles() -> frozenset[str]:
    return frozenset(map(plain, lists.entries("role-words")))


@cache
def _is_common(form: str) -> bool:
    """Whether a name is also a common word: "Will" and "Can" are names only if capitalised inside the sentence.

    At its beginning, they are names only with the apostrophe before a Turkish case ending ("Can'a").
    """
    return any(form in lists.words(f"{kind}.{language}") for kind in _COMMON for language in ("en", "tr"))


def _forms(word: str) -> Iterator[str]:
    """Yield what a word may be a form of: itself, or without 's or a Turkish case ending."""
    yield word
    head, apostrophe, _ = word.rpartition("'")
    if apostrophe:
        yield head
        return
    if word.endswith("s") and len(word) >= _PLURAL_MIN:
        yield word[:-1]
    for length in range(2, min(_ENDING_MAX, len(word) - 3) + 1):
        if word[-length:] in _endings():
            yield word[:-length]


def _is_inflected(word: str) -> bool:
    """Whether a word has a Turkish case ending after an apostrophe."""
    _, apostrophe, ending = word.rpartition("'")
    return bool(apostrophe) and ending in _case_endings()


@cache
def _case_endings() -> frozenset[str]:
    return frozenset(map(plain, lists.entries("case-endings.tr")))


@cache
def _endings() -> frozenset[str]:
    """Return the case endings that may follow a name directly; single vowels need an apostrophe (Maria, Mari)."""
    return frozenset(ending for ending in _case_endings() if len(ending) > 1)


def _said(text: str, words: str, people: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return the first names that occur as names in a text, also given folded."""
    said = {first for first in people if first[0] >= _UNSPACED and first in words}
    beginnings = tuple(people)
    for match in _NAME.finditer(words):
        if match.group().startswith(beginnings):
            is_name = text[match.start()].isupper() and (match.start() > 0 or _is_inflected(match.group()))
            said.update(form for form in _forms(match.group()) if form in people and (is_name or not _is_common(form)))
    return said


def _meant(names: tuple[str, ...], words: str) -> list[str]:
    """Return those of several people with one first name whose full name is in the text, or else all."""
    full = [name for name in names if re.search(rf"\b{re.escape(_plain_name(name))}", words)] if len(names) > 1 else []
    return full or list(names)
