"""Whether a statement can be understood by itself, when the talk around it is long gone."""

from __future__ import annotations

import re

from reverie.language import lists
from reverie.language.entities import entities
from reverie.language.keywords import keywords
from reverie.language.letters import compose, plain
from reverie.language.patterns import read

_WORD = re.compile(r"[^\W\d_]+")
_OPENERS = frozenset({"there", "one", "ones", "orada", "oraya", "oradan", "burada"})
"""Pronouns of the lists that open a statement of their own: there are three servers."""
_LANGUAGES = ("en", "tr")


def stands_alone(statement: str) -> bool:
    """Whether it says something, neither begins with a pronoun for what was named before, nor merely names."""
    content = [plain(word) for word in keywords(statement)]
    if _says_nothing(content):
        return False
    first = _WORD.search(plain(compose(statement)))
    if first is not None and first.group() not in _OPENERS and _is_pronoun(first.group(), statement):
        return False
    names = {word for name in entities(statement) for word in plain(name).split()}
    return any(word not in names for word in content)


def _is_pronoun(word: str, statement: str) -> bool:
    return any(word in lists.words(f"pronouns.{language}") for language in read(statement).languages)


def _says_nothing(content: list[str]) -> bool:
    """No word of content, or a liking alone: "I love to" says no more than "yes"."""
    return not content or (
        len(content) == 1 and any(content[0] in lists.words(f"liking.{language}") for language in _LANGUAGES)
    )
