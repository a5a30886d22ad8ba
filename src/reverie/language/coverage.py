"""Coverage: what one text leaves out of another's names, numbers, dates and denials, so that none may sleep for less.

In: the text that is to stand for another, and that other. Out: what it leaves out, in words; nothing where it holds
all. The reading is the same for every script and looks at words as they are written: a capital, a digit, a letter
without case. What cannot be told counts as left out: a memory that stays costs its place, a lost one costs a fact.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.agreement import Facts, facts
from reverie.language.analyzer import index_terms
from reverie.language.contradiction_values import calendar_words
from reverie.language.contradiction_words import grammar, language_of
from reverie.language.denied_verbs import denies
from reverie.language.gazetteer import is_given_name
from reverie.language.letters import APOSTROPHES, compose, fold, lower, plain
from reverie.language.opposites import opposed
from reverie.language.roles import exchanged
from reverie.language.sentences import sentences
from reverie.language.stem import stem
from reverie.language.substitution import substituted

HALF = 0.5
"""Share of a sentence's content words that must stand where its names and numbers do: else it is of something else."""
ALL = 1.0
TEXT_MAX = 2_000
"""Most characters of a text that are compared; a longer one is held only by the same words."""
SENTENCES_MAX = 40
_WORD = re.compile(r"[^\W_]+(?:['.,:/-][^\W_]+)*")
_DIGITS = re.compile(r"\d+")
_OTHER_NUMBERS = frozenset({"half", "dozen", "both", "yarim", "duzine", "bucuk"})
_ENDED = ("no longer", "not any", "stopped", "quit", "artik", "birakti")


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence: its words as compared, which of them must not be lost (by place), and how often it denies.

    ``relative`` are words that mean another day when they are said on another day: yesterday, dün.
    """

    keys: tuple[str, ...]
    needed: tuple[tuple[int, str], ...]
    denials: int
    relative: tuple[str, ...]
    terms: frozenset[str]
    facts: Facts


def lacks(whole: str, part: str, *, share: float = HALF, same_day: bool = True) -> tuple[str, ...]:
    """What ``whole`` leaves out of ``part``, in words; empty where each sentence of it stands in one of ``whole``.

    A sentence stands in another that has its names, numbers, dates and denials in the same order, with ``share`` of its
    content words, and neither its opposite nor another thing in the same place. ``same_day``: both texts were said on
    one day, so that "yesterday" is the same in both.
    """
    if not part.strip():
        return ("the lack of words",)
    if _same(whole) == _same(part):
        return () if same_day else _relative_in(part)
    if len(part) > TEXT_MAX:
        return ("what is too long to compare",)
    told = [_read(one) for one in sentences(compose(whole[:TEXT_MAX]))[:SENTENCES_MAX]]
    left: list[str] = []
    for sentence in sentences(compose(part)):
        wanted = _read(sentence)
        if not same_day and wanted.relative:
            left += wanted.relative
            continue
        fewest: tuple[str, ...] = min((_left_out(one, wanted, share) for one in told), key=len, default=(sentence,))
        left += fewest
    return tuple(dict.fromkeys(left))


def holds(whole: str, part: str, *, same_day: bool = True) -> bool:
    """Whether all that ``part`` says stands in ``whole``, by all its words."""
    return not lacks(whole, part, share=ALL, same_day=same_day)


def _same(text: str) -> str:
    return " ".join(compose(text).split())


def _relative_in(text: str) -> tuple[str, ...]:
    return tuple(word for one in sentences(compose(text[:TEXT_MAX])) for word in _read(one).relative)


def _left_out(one: Reading, wanted: Reading, share: float) -> tuple[str, ...]:
    """What a sentence leaves out of another; empty where it holds all."""
    lost = [*_not_in_order(one, wanted)]
    if one.denials != wanted.denials or Counter(wanted.facts.denied) - Counter(one.facts.denied):
        lost.append("what is denied")
    if Counter(wanted.facts.numbers) - Counter(one.facts.numbers):
        lost.append("an amount")
    if not wanted.facts.times <= one.facts.times or wanted.facts.is_past != one.facts.is_past:
        lost.append("a time")
    common = len(wanted.terms & one.terms)
    if not wanted.terms or common < share * len(wanted.terms):
        lost.append("what it is of")
    if not lost and _says_otherwise(one.facts, wanted.facts):
        lost.append("what stands in its place")
    return tuple(lost)


def _says_otherwise(one: Facts, other: Facts) -> bool:
    return (
        one.moods != other.moods
        or opposed(one.telling, other.telling)
        or exchanged(one.roles, other.roles)
        or substituted(one.frame, other.frame)
    )


def _not_in_order(one: Reading, wanted: Reading) -> Iterator[str]:
    """The needed words that do not stand in the sentence, in the same order; a number with the word it counts."""
    place = 0
    for at, word in wanted.needed:
        found = next((n for n in range(place, len(one.keys)) if _stands(one, n, wanted, at)), None)
        if found is None:
            yield word
        else:
            place = found + 1


def _stands(one: Reading, place: int, wanted: Reading, at: int) -> bool:
    if one.keys[place] != wanted.keys[at]:
        return False
    if not wanted.keys[at][:1].isdecimal():
        return True
    counted, here = wanted.keys[at + 1 : at + 2], one.keys[place + 1 : place + 2]
    return not counted or counted == here


@lru_cache(maxsize=1 << 12)
def _read(sentence: str) -> Reading:
    language = language_of(sentence)
    words = [match.group().translate(APOSTROPHES) for match in _WORD.finditer(sentence.translate(APOSTROPHES))]
    needed = [(place, word) for place, word in enumerate(words) if _is_needed(word, place == 0, language)]
    return Reading(
        keys=tuple(_key(word, language) for word in words),
        needed=tuple(needed),
        denials=_denials(words, sentence),
        relative=tuple(word for word in words if plain(word) in _relative()),
        terms=frozenset(index_terms(sentence, language)),
        facts=facts(sentence),
    )


def _key(word: str, language: str) -> str:
    """A word as it is compared: without what an apostrophe adds, without its ending, a number without its zeros."""
    if any(sign.isdecimal() for sign in word):
        return _DIGITS.sub(lambda run: str(int(run[0])), word.casefold())
    return fold(stem(lower(word.partition("'")[0], language), language))


def _is_needed(word: str, opens: bool, language: str) -> bool:
    """Whether a word is a name, a number, of the calendar, or in letters that know no capitals."""
    own = plain(word.partition("'")[0])
    if any(sign.isdecimal() for sign in word) or any(_has_no_case(sign) for sign in word):
        return True
    if word[:1].isupper() or any(sign.isupper() for sign in word[1:]):
        return not (own in _small_words() and (opens or own == "i"))
    months, weekdays = calendar_words(language)
    return (
        own in months
        or own in weekdays
        or own in _relative()
        or own in _number_words()
        or is_given_name(lower(word, language))
    )


def _has_no_case(sign: str) -> bool:
    return unicodedata.category(sign) in ("Lo", "Lm")


def _denials(words: Sequence[str], sentence: str) -> int:
    """How many words of a sentence deny, in English and Turkish."""
    lowered = [plain(word) for word in words]
    text = plain(sentence)
    return sum(map(_denies, lowered)) + sum(text.count(one) for one in _ENDED)


def _denies(word: str) -> bool:
    return (
        word in _denying()
        or word.endswith("n't")
        or word.startswith(tuple(grammar("denying turkish")))
        or denies(word.partition("'")[0])
    )


@cache
def _denying() -> frozenset[str]:
    return grammar("denying") | frozenset(map(plain, lists.entries("negations.en")))


@cache
def _relative() -> frozenset[str]:
    """Words that place a text in time by the day they are said on, in both languages."""
    return frozenset(_time_words("en")) | frozenset(_time_words("tr"))


def _time_words(language: str) -> Iterable[str]:
    table = lists.table(f"time-words.{language}")
    phrases = [name for key, names in table.items() if key.startswith(("which", "day")) for name in names]
    return (plain(name) for name in phrases if " " not in name)


@cache
def _number_words() -> frozenset[str]:
    listed = (lists.table(f"contradiction-numbers.{language}") for language in ("en", "tr"))
    return frozenset(plain(word) for table in listed for words in table.values() for word in words) | _OTHER_NUMBERS


@cache
def _small_words() -> frozenset[str]:
    names = ("function-words.en", "function-words.tr", "stop-index.en", "stop-index.tr")
    return frozenset(plain(word) for name in names for word in lists.entries(name))
