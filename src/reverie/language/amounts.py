"""Amounts of a text with the words around them, and what amount a question asks for: so two tellings are compared.

In: a message or a question, English or Turkish. Out: values; whether two of them are of one thing, the caller judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from reverie.language import lists, patterns
from reverie.language.analyzer import index_terms
from reverie.language.contradiction_values import calendar_words, currencies, number_words
from reverie.language.detect import detect_language
from reverie.language.expressions import expression
from reverie.language.letters import compose, plain
from reverie.language.sentences import masked

TEXT_MAX = 3_000
"""Characters of a message that are read."""
AROUND = 16
"""Words to each side, within the sentence, that an amount is understood by: they name what it is of."""
AFTER = 4
"""Words behind an amount that may name what it counts."""
_TOKEN = expression(r"[$€£₺]?\d[\d.,:/]*(?:st|nd|rd|th|%|[a-z]+)?|[^\W\d_]+(?:['’][^\W\d_]+)?", re.IGNORECASE)
_BREAK = expression(r"[.!?…]\s|\n")
_DIGIT = expression(r"\d")
_SUFFIX = expression(r"[\d.,]+([a-z]+)\Z")
_NAMED = expression(r"\d+[a-z]+\d\w*\Z")
_YEAR = expression(r"(?:19|20)\d\d\Z")
_DAY = expression(r"\d{1,2}(?:st|nd|rd|th)\Z")
_ONE = frozenset({"a", "an", "one", "bir"})
_MORE = frozenset({"once", "twice", "half", "single", "dozen", "tek", "yarim", "duzine"})


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount as it is written, its kind, its unit where that is written into it, and the words around and behind.

    ``kind`` is "number", "span" (of time), "money", "clock", "date" or "percent".
    """

    value: str
    kind: str
    unit: str
    words: str
    words_behind: str
    language: str

    @property
    def around(self) -> frozenset[str]:
        """The stems around it."""
        return _stems_of(self.words, self.language)

    @property
    def after(self) -> frozenset[str]:
        """The stems behind it, which may name what it counts."""
        return _stems_of(self.words_behind, self.language)

    @property
    def changed(self) -> bool:
        """Whether the words around say that it was different before."""
        return _changes(self.language).search(plain(self.words)) is not None


@dataclass(frozen=True, slots=True)
class Asked:
    """The kinds of amounts that answer a question, and the stems of what it counts (empty: it does not say).

    ``asking`` are the stems of the words that say how it asks ("how long", "currently"), which no answer repeats.
    """

    kinds: frozenset[str]
    counted: frozenset[str]
    asking: frozenset[str] = frozenset()


@lru_cache(maxsize=64)
def asked_amount(text: str) -> Asked | None:
    """What amount a question asks for; None for a question that asks for none, or for two to be compared."""
    label = patterns.label("asked-amounts", text)
    if label is None or label == "none":
        return None
    counted = next(_groups("asked-units", text), frozenset())
    return Asked(frozenset(label.split("+")), counted, frozenset().union(*_groups("asking-words", text)))


def _groups(name: str, text: str) -> Iterator[frozenset[str]]:
    """The stems of what each pattern of a list that is in a question has for its group, pattern by pattern."""
    words, languages = patterns.read(text)
    for language in languages:
        for pattern in _grouped(f"{name}.{language}"):
            yield from (frozenset(index_terms(match[1], languages[0])) for match in pattern.finditer(words))


@lru_cache(maxsize=1 << 12)
def amounts(text: str, kinds: frozenset[str] | None = None) -> tuple[Amount, ...]:
    """The amounts of a text in their order, of these kinds or of any; code and quotations are not read."""
    text = text[:TEXT_MAX]
    language = detect_language(text)
    if _DIGIT.search(text) is None and _worded(language).isdisjoint(plain(text).split()):
        return ()
    text = masked(compose(text))
    matches = list(_TOKEN.finditer(text))
    folded = plain(text)
    words = [folded[match.start() : match.end()].rstrip(".,:/") for match in matches]
    read = _Read(text, matches, words, language)
    places = [(place, read.kind(place)) for place in range(len(words)) if read.is_amount(place)]
    return tuple(read.amount(place, kind) for place, kind in places if kinds is None or kind in kinds)


class _Read:
    """A text cut into words, with the places where its sentences end."""

    def __init__(self, text: str, matches: Sequence[re.Match[str]], words: list[str], language: str) -> None:
        self._text = text
        self._matches = matches
        self._words = words
        self._language = language

    def is_amount(self, place: int) -> bool:
        """Whether a word begins an amount: digits, a number word, or "a" before a unit of time."""
        word = self._words[place]
        if word[:1].isdecimal() or (word[:1] in "$€£₺" and len(word) > 1):
            return word.count(".") <= 1 and _NAMED.match(word) is None
        if word in _ONE:
            return self._beside(place, 1) in lists.words("span-units")
        return word in _numbers(self._language)

    def amount(self, place: int, kind: str) -> Amount:
        """The amount at a place, of a kind."""
        word = self._words[place]
        first, last = self._reach(place, -AROUND), self._reach(place, AROUND)
        suffix = _SUFFIX.match(word) if kind == "number" else None
        return Amount(
            value="1" if word in _ONE else word,
            kind=kind,
            unit=suffix[1] if suffix else "",
            words=self._slice(first, last),
            words_behind=self._slice(place + 1, self._reach(place, AFTER)),
            language=self._language,
        )

    def kind(self, place: int) -> str:
        """What the amount at a place is an amount of."""
        word, before, after = self._words[place], self._beside(place, -1), self._beside(place, 1)
        if word in _ONE:
            return "span"
        if word[0] in "$€£₺" or after in currencies():
            return "money"
        if ":" in word or after in ("am", "pm") or word.endswith(("am", "pm")) or before == "saat":
            return "clock"
        if self._is_date(word, before, after):
            return "date"
        if word.endswith("%") or after == "percent" or before == "yuzde":
            return "percent"
        return "span" if after in lists.words("span-units") else "number"

    def _is_date(self, word: str, before: str, after: str) -> bool:
        months, days = calendar_words(self._language)
        is_beside = any(near in table for near in (before, after) if near for table in (months, days))
        return is_beside or "/" in word or _DAY.match(word) is not None or _YEAR.match(word) is not None

    def _beside(self, place: int, step: int) -> str:
        other = place + step
        if not 0 <= other < len(self._words) or self._is_cut(min(place, other)):
            return ""
        return self._words[other].partition("'")[0]

    def _reach(self, place: int, most: int) -> int:
        """How far the sentence goes from a place, at most so many words."""
        step = 1 if most > 0 else -1
        for _ in range(abs(most)):
            if not 0 <= place + step < len(self._words) or self._is_cut(min(place, place + step)):
                break
            place += step
        return place

    def _is_cut(self, place: int) -> bool:
        """Whether a sentence ends between a word and the next."""
        end = self._matches[place].end()
        between = self._text[end : self._matches[place + 1].start()]
        return self._text[end - 1] == "." or (between != " " and _BREAK.search(between) is not None)

    def _slice(self, first: int, last: int) -> str:
        return self._text[self._matches[first].start() : self._matches[last].end()] if first <= last else ""


@lru_cache(maxsize=1 << 10)
def _stems_of(words: str, language: str) -> frozenset[str]:
    return frozenset(index_terms(words, language))


@cache
def _grouped(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, lists.entries(name)))


@cache
def _numbers(language: str) -> frozenset[str]:
    return frozenset(number_words(language)[0]) | _MORE


@cache
def _worded(language: str) -> frozenset[str]:
    """Words without one of which a text without digits tells no amount."""
    return _numbers(language) | lists.words("span-units")


@cache
def _changes(language: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(lists.entries(f'changed.{language}'))})\b")


def best_told(told: Sequence[Amount], asked: Asked, weights: Sequence[tuple[frozenset[str], float]]) -> Iterator[Told]:
    """Of each kind and unit the amount that is told amid most of a question's terms (each a set of stems, weighed)."""
    found: dict[tuple[str, str], Told] = {}
    bonus = 0.5 * max((weight for _, weight in weights), default=0.0)
    for amount in told:
        if amount.kind not in asked.kinds:
            continue
        covered = sum(weight for stems, weight in weights if stems & amount.around)
        one = Told(amount, covered, bool(asked.counted) and not asked.counted.isdisjoint(amount.after))
        before = found.get((amount.kind, amount.unit))
        if before is None or one.rank(bonus) > before.rank(bonus):
            found[amount.kind, amount.unit] = one
    yield from found.values()


@dataclass(frozen=True, slots=True)
class Told:
    """An amount, how much of a question its words cover (by weight), and whether it counts what the question counts."""

    amount: Amount
    covered: float
    counts: bool

    def rank(self, bonus: float) -> float:
        """How likely it is the one asked for."""
        return self.covered + (bonus if self.counts else 0.0)
