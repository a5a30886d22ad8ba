"""Irregular forms: which stems belong to one word though no rule relates them — went and go, şehir and şehre.

In: a stem of a question. Out: the stems under which the word's other forms are indexed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from reverie.language import lists
from reverie.language.stem import stem
from reverie.language.words import words_of


def other_forms(of: str, language: str) -> tuple[str, ...]:
    """The other stems of the word that a stem is of; () for a word that is regular."""
    return _related(language).get(of, ())


@cache
def _related(language: str) -> Mapping[str, tuple[str, ...]]:
    related: dict[str, tuple[str, ...]] = {}
    for line in lists.entries(f"irregular.{language}"):
        forms = dict.fromkeys(stem(word, language) for word in words_of(line, language))
        for form in forms:
            related[form] = (*related.get(form, ()), *(other for other in forms if other != form))
    return related
