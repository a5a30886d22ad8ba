"""Words that have an opposite: before and after, left and right, sabah and akşam.

In: the words of a text. Out: those that have one, each as a side of its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_values import Token
from reverie.language.letters import fold, lower
from reverie.language.stem import stem


@dataclass(frozen=True, slots=True)
class Telling:
    """The words of a text that have an opposite, by line and side of their list."""

    sides: frozenset[tuple[str, int]]


def telling(words: Sequence[Token], language: str) -> Telling:
    """What of a text is compared."""
    plain = [fold(lower(word.raw.replace("’", "'").partition("'")[0], language)) for word in words]
    return Telling(frozenset(side for word in plain for side in _sides(word, language)))


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
