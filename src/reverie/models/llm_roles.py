"""Who does what to whom: whether two texts of the same words give them exchanged roles.

In: the words of two texts. Out: whether two of them changed places. English tells a role by order and by the small word
before (over spaces, to Anna), Turkish by the ending and by the small word behind (köpeklere, MySQL yerine).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile

from reverie.language import lists
from reverie.language.letters import fold, lower
from reverie.language.stem import stem
from reverie.models.llm_words import WORDS, Token

_JOINS = frozenset({"and", "or", "ve", "veya", "&"})
_VOWELS = frozenset("aeiou")
_CORE_MIN = 3
_BREAKS = re.compile(r"[,;:.!?\n()]")
_STOPS = re.compile(r"[;:.!?\n()]")
_CASES = (
    ("from", re.compile(r"[dt][ae]n\Z")),
    ("at", re.compile(r"[dt][ae](?:ki)?\Z")),
    ("with", re.compile(r"l[ae]\Z")),
    ("of", re.compile(r"[iu]n\Z")),
    ("to", re.compile(r"[ae]\Z")),
    ("object", re.compile(r"[iu]\Z")),
)


@dataclass(frozen=True, slots=True)
class Roles:
    """The words of a text, each mark with its words, those that are told side by side, and English ones in order.

    ``order`` holds what stands once only, with the number of its part of the sentence: commas and "and" part it.
    """

    words: frozenset[str]
    marked: frozenset[tuple[str, str]]
    joined: tuple[frozenset[str], ...]
    order: tuple[tuple[str, int], ...]

    def marks(self, word: str) -> frozenset[str]:
        """How a word is marked."""
        return frozenset(mark for mark, marked in self.marked if marked == word)


@dataclass(frozen=True, slots=True)
class _Place:
    """A word at its place: in which part it stands, how it is marked, and whether it continues a list."""

    word: str
    part: int
    mark: str
    goes_on: bool


def roles(text: str, words: Sequence[Token], language: str) -> Roles:
    """The roles in a text whose words are given."""
    places = _turkish(text, words) if language == "tr" else _english(text, words)
    counts = Counter(place.word for place in places)
    return Roles(
        words=frozenset(counts),
        marked=frozenset((place.mark, place.word) for place in places if place.mark),
        joined=tuple(_lists(places)),
        order=() if language == "tr" else tuple((p.word, p.part) for p in places if counts[p.word] == 1),
    )


def exchanged(a: Roles, b: Roles) -> bool:
    """Whether two words that stand in both texts have changed places; it has no direction."""
    return _marks_exchanged(a, b) or _order_turned(a, b)


def _marks_exchanged(a: Roles, b: Roles) -> bool:
    """Whether a mark stands at one of two words here and at the other there: over spaces, over tabs."""
    here = [(mark, word) for mark, word in a.marked - b.marked if word in b.words]
    there = [(mark, word) for mark, word in b.marked - a.marked if word in a.words]
    return any(
        mark == other_mark and not any({word, other} <= together for together in (*a.joined, *b.joined))
        for mark, word in here
        for other_mark, other in there
    )


def _order_turned(a: Roles, b: Roles) -> bool:
    """Whether a word has before it what the other text has behind it, and the other way round: Can owes Anna.

    What is moved as a whole (in Oslo, yesterday) turns nothing round; nor does a passive with "by".
    """
    firm = {
        word
        for word, _ in a.order
        if "by" not in (marks := a.marks(word)) | b.marks(word) and (not marks or marks != b.marks(word))
    }
    sides = _sides(b, firm)
    return any(
        word in sides and before & sides[word][1] and behind & sides[word][0]
        for word, (before, behind) in _sides(a, firm).items()
    )


def _sides(one: Roles, firm: set[str]) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """Each word with those before and behind it in its part of the sentence."""
    parts: dict[int, list[str]] = {}
    for word, part in one.order:
        if word in firm:
            parts.setdefault(part, []).append(word)
    return {
        word: (frozenset(held[:place]), frozenset(held[place + 1 :]))
        for held in parts.values()
        for place, word in enumerate(held)
    }


def _lists(places: Sequence[_Place]) -> list[frozenset[str]]:
    """What is told side by side, with commas or "and" between."""
    found: list[set[str]] = []
    for before, place in pairwise(places):
        if place.goes_on:
            if not found or before.word not in found[-1]:
                found.append({before.word})
            found[-1].add(place.word)
    return [frozenset(one) for one in found]


def _english(text: str, words: Sequence[Token]) -> list[_Place]:
    """English words; a mark holds until another small word, a comma or a subject."""
    found: list[_Place] = []
    mark, part, goes_on, end = "", 0, False, 0
    for token in words:
        word = token.plain.partition("'")[0]
        if broken := _BREAKS.search(text[end : token.start]):
            mark, part, goes_on = "", part + 1, _STOPS.search(text[end : token.start]) is None
        end = token.end
        if word in _JOINS:
            part, goes_on = part + (not broken), True
        elif word in _marks("en"):
            mark, goes_on = _marks("en")[word], False
        elif word not in lists.words("role-passed.en", WORDS):
            mark = "" if word in _persons("en") and word == _persons("en")[word] else mark
            found.append(_Place(_core(token, "en"), part, mark, goes_on and bool(found)))
            goes_on = False
    return found


def _turkish(text: str, words: Sequence[Token]) -> list[_Place]:
    """Turkish words, each with its case; the small word behind it adds to that."""
    found: list[_Place] = []
    ahead, part, goes_on, end = "", 0, False, 0
    for token in words:
        if _BREAKS.search(text[end : token.start]):
            part, goes_on = part + 1, _STOPS.search(text[end : token.start]) is None
        end = token.end
        mark = _marks("tr").get(token.plain, "")
        if token.plain in _JOINS:
            goes_on = True
        elif mark.startswith("order ") and not (found and found[-1].mark == "from"):
            ahead, goes_on = mark, False
        elif mark and found:
            last = found.pop()
            found.append(_Place(last.word, last.part, f"{last.mark} {mark}", last.goes_on))
        else:
            found.append(_Place(_core(token, "tr"), part, ahead or _case(token), goes_on and bool(found)))
            ahead, goes_on = "", False
    return found


def _core(token: Token, language: str) -> str:
    """What is the same in all forms of a word; a Turkish stemmer leaves a vowel here and takes it there."""
    head = lower(token.raw.partition("'")[0].partition("’")[0], language)
    if language == "en" and head in _persons("en"):
        return _persons("en")[head]
    found = fold(stem(head, language))
    is_loose = language == "tr" and len(found) > _CORE_MIN and found[-1] in _VOWELS
    return found[:-1] if is_loose else found


def _case(token: Token) -> str:
    """The case of a Turkish word by its ending; "" without one. The last vowel of a name (Veli, Ayşe) is none."""
    head, apostrophe, ending = token.raw.replace("’", "'").partition("'")
    if not apostrophe:
        word, short = fold(lower(head, "tr")), fold(stem(lower(head, "tr"), "tr"))
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, short, strict=False)))
        ending = word[same:] if len(word) - same > 1 or not head[0].isupper() else ""
    ending = fold(lower(ending, "tr"))
    return next((name for name, shape in _CASES if shape.search(ending)), "")


@cache
def _marks(language: str) -> Mapping[str, str]:
    return {word: mark for mark, words in lists.table(f"role-marks.{language}", WORDS).items() for word in words}


@cache
def _persons(language: str) -> Mapping[str, str]:
    return {word: person for person, words in lists.table(f"role-persons.{language}", WORDS).items() for word in words}
