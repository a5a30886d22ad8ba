"""The words of feeling in a sequence of words: data/emotion.* and data/stirring.*, with the forms words take.

In: words in lower case and a place among them. Out: the feeling whose words stand there, how many they are, and whether
the form itself denies it (korkmuyorum). English words meet by their stems, Turkish ones by their beginning and an
ending that its grammar knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from reverie.language import lists
from reverie.language.letters import fold
from reverie.language.stem import stem
from reverie.recipes.v9.wordlists import WORDS

_FOLDED_MIN = 5
"""A word of so many letters is also known without its Turkish letters; of fewer, "oldu" would be "öldü"."""
_ROOT_MIN = 2
_STEM_MIN = 3
"""A shorter English stem says nothing: "awful" and "AWS" have the same."""
_TAIL_MAX = 14
_NEGATED = re.compile(
    r"(?:y?[ae])?m(?:[ıiuü]yor|[ae](?:d[ıiuü]|y[ae]c[ae]|z|m[ae]|m[ıiuü]ş|y[ae]n|y[ıi]n|y[ıi]z|y[ae]r|s[ıi]n|s[ae]|m?\Z))"
)


class Feeling(NamedTuple):
    """A kind (an emotion, "none", "urgent", "alarm" or "curse"), valence −1 … 1 and arousal 0 … 1."""

    kind: str
    valence: float
    arousal: float


class _Entry(NamedTuple):
    feeling: Feeling
    is_verb: bool


_Found: TypeAlias = tuple[Feeling | None, bool]
_NOTHING: tuple[None, int, bool] = (None, 1, False)


@lru_cache(maxsize=1 << 14)
def may_feel(word: str, language: str) -> bool:
    """Whether an entry may begin with a word: most words are settled by this alone."""
    return _term(word, language) in _beginnings(language) or _last((), word, language)[0] is not None


def feeling_at(words: Sequence[str], place: int, language: str) -> tuple[Feeling | None, int, bool]:
    """The feeling that begins at a place (the longest), of how many words, and whether its form denies it."""
    first = _term(words[place], language)
    lengths = _beginnings(language).get(first, ())
    for length in lengths:
        if place + length <= len(words):
            before = (first, *(_term(word, language) for word in words[place + 1 : place + length - 1]))
            found, denied = _last(before, words[place + length - 1], language)
            if found is not None:
                return found, length, denied
    found, denied = _last((), words[place], language)
    return (found, 1, denied) if found is not None else _NOTHING


def is_negated_verb(word: str, roots: Sequence[str]) -> bool:
    """Whether a Turkish word is a negated form of one of the roots: etmedi, olamıyorum."""
    return any(word.startswith(root) and _NEGATED.match(word, len(root)) is not None for root in roots)


@lru_cache(maxsize=1 << 15)
def _term(word: str, language: str) -> str:
    return stem(word, language) if word and language == "en" else word


@lru_cache(maxsize=1 << 15)
def _last(before: tuple[str, ...], word: str, language: str) -> _Found:
    """The feeling of words that end with this one, and whether its form denies it."""
    entries = _entries(language)
    if language == "en":
        entry = entries.get((*before, _term(word, "en"))) or entries.get((*before, "=" + word))
        return (entry.feeling, False) if entry else (None, False)
    return _turkish_last(entries, before, word)


def _turkish_last(entries: Mapping[tuple[str, ...], _Entry], before: tuple[str, ...], word: str) -> _Found:
    exact = entries.get((*before, "=" + word))
    if exact is not None:
        return exact.feeling, False
    for length in range(len(word), _ROOT_MIN - 1, -1):
        for spelling in dict.fromkeys((word[:length], fold(word[:length]) + "~")):
            entry = entries.get((*before, spelling))
            if entry is not None and _is_ending(word[length:], entry.is_verb):
                return entry.feeling, False
            verb = entries.get((*before, spelling + "-"))
            if verb is not None and (denied := _verb_ending(word, length)) is not None:
                return verb.feeling, denied
    return None, False


def _is_ending(tail: str, is_verb: bool) -> bool:
    return not is_verb and len(tail) <= _TAIL_MAX and _endings("noun-endings.tr").fullmatch(tail) is not None


def _verb_ending(word: str, length: int) -> bool | None:
    """Whether a verb's ending denies it; None if it is no ending of a verb."""
    if _NEGATED.match(word, length) is not None:
        return True
    tail = word[length:]
    is_ending = 0 < len(tail) <= _TAIL_MAX and _endings("verb-tails.tr").fullmatch(tail) is not None
    return False if is_ending else None


@cache
def _endings(name: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(lists.entries(name, WORDS))})*")


@cache
def _beginnings(language: str) -> dict[str, tuple[int, ...]]:
    """First word of an entry of several → how many words such entries have, the most first."""
    found: dict[str, set[int]] = {}
    for key in _entries(language):
        if len(key) > 1:
            found.setdefault(key[0], set()).add(len(key))
    return {first: tuple(sorted(lengths, reverse=True)) for first, lengths in found.items()}


@cache
def _entries(language: str) -> dict[tuple[str, ...], _Entry]:
    """All entries: by stems in English, by beginnings in Turkish (verbs with a final -)."""
    entries: dict[tuple[str, ...], _Entry] = {}
    for words, feeling, is_exact in _listed(language):
        entry = _Entry(feeling, words[-1].endswith("-"))
        for key in _spelled(words, language, is_exact):
            entries.setdefault(key, entry)
    return entries


def _listed(language: str) -> Iterator[tuple[list[str], Feeling, bool]]:
    """Words, feeling, and whether they are compared as they stand."""
    for key, phrases in lists.table(f"emotion.{language}", WORDS).items():
        kind, valence, arousal = key.split()
        for phrase in phrases:
            yield phrase.split(), Feeling(kind, float(valence), float(arousal)), False
    for key, phrases in lists.table(f"stirring.{language}", WORDS).items():
        kind, arousal, valence = key.split()
        for phrase in phrases:
            yield phrase.split(), Feeling(kind, float(valence), float(arousal)), True


def _spelled(words: list[str], language: str, is_exact: bool) -> Iterator[tuple[str, ...]]:
    if language == "en":
        *before, last = words
        is_exact = is_exact or last.startswith("=")
        last = last.removeprefix("=")
        is_exact = is_exact or len(stem(last, "en")) < _STEM_MIN
        yield (*(stem(word, "en") for word in before), "=" + last if is_exact else stem(last, "en"))
        return
    yield from _turkish(words)
    if sum(len(word) for word in words) >= _FOLDED_MIN:
        folded = [fold(word) for word in words]
        last = folded[-1]
        if folded != words:
            yield (*folded[:-1], last[:-1] + "~-" if last.endswith("-") else last + "~")


def _turkish(words: list[str]) -> Iterator[tuple[str, ...]]:
    yield tuple(words)
    last = words[-1]
    if last.endswith(("a-", "e-")):  # ağla-: ağlıyor
        yield (*words[:-1], last[:-2] + "-")
