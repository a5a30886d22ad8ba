"""Words by which two texts alike in all else say different things: opposites (before, after), and kin (mother, father).

In: the words of two texts. Out: whether one has a word, the other its opposite, or they speak of other relatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_values import Token
from reverie.language.kin import kin
from reverie.language.letters import fold, lower
from reverie.language.stem import stem

_ROOT_MIN = 2
_WITHOUT = re.compile(rf"(\w{{{_ROOT_MIN},}}?)s[iu]z(?:l[ae]r)?\Z")
"""Turkish: sütsüz is without milk, sütlü with it."""
_UN = re.compile(r"(?:un|non-?|dis|mis|in|im|ir|il|anti-?)(\w{4,})\Z")
"""English: unsweetened is what is not sweetened; where the other text has no such word, nothing follows."""
_LESS = re.compile(r"(\w{3,})(?:less|-free)\Z")


@dataclass(frozen=True, slots=True)
class Telling:
    """The words of a text that have an opposite, by line and side of their list, who of a family, and what lacks."""

    sides: frozenset[tuple[str, int]]
    kin: frozenset[str]
    lacking: frozenset[str]
    words: frozenset[str]


def telling(words: Sequence[Token], language: str) -> Telling:
    """What of a text is compared."""
    plain = [fold(lower(word.raw.replace("’", "'").partition("'")[0], language)) for word in words]
    return Telling(
        sides=frozenset(side for word in plain for side in _sides(word, language)),
        kin=frozenset(person for word in plain if (person := kin(word, language))),
        lacking=frozenset(root for word in plain if (root := _lacked(word, language))),
        words=frozenset(plain if language == "tr" else (*plain, *(stem(word, language) for word in plain))),
    )


def opposed(a: Telling, b: Telling) -> bool:
    """Whether one text says the opposite of a word of the other, or speaks of others of a family."""
    only_a, only_b = a.sides - b.sides, b.sides - a.sides
    has_opposite = any((line, 1 - side) in only_b for line, side in only_a)
    return has_opposite or a.kin != b.kin or _lacks(a, b) or _lacks(b, a)


def _lacks(a: Telling, b: Telling) -> bool:
    """Whether one is without what the other has."""
    return any(word.startswith(root) for root in a.lacking - b.lacking for word in b.words - a.words)


def _lacked(word: str, language: str) -> str:
    """What a word says is not there, or not so; "" for none."""
    if language == "tr":
        return found[1] if (found := _WITHOUT.match(word)) else ""
    if found := _LESS.match(word):
        return found[1]
    return stem(found[1], language) if (found := _UN.match(word)) else ""


def _sides(word: str, language: str) -> Iterator[tuple[str, int]]:
    exact, beginnings = _opposites(language)
    yield from exact.get(word if language == "tr" else stem(word, language), ())
    for beginning, sides in beginnings.get(word[:2], ()):
        if word.startswith(beginning):
            yield from sides


_Sides = tuple[tuple[str, int], ...]


@cache
def _opposites(language: str) -> tuple[dict[str, _Sides], dict[str, tuple[tuple[str, _Sides], ...]]]:
    """Each word with the lines and sides it stands on; and each beginning of words, by its first two letters."""
    exact: dict[str, _Sides] = {}
    beginnings: dict[str, tuple[tuple[str, _Sides], ...]] = {}
    for line in lists.entries(f"opposites.{language}"):
        for side, named in enumerate(line.split(" | ")):
            for name in named.split(", "):
                word = fold(name.rstrip("*"))
                if name.endswith("*"):
                    beginnings[word[:2]] = (*beginnings.get(word[:2], ()), (word, ((line, side),)))
                    continue
                word = word if language == "tr" else stem(word, language)
                exact[word] = (*exact.get(word, ()), (line, side))
    return exact, beginnings
