"""Apostrophes that were left out in typing: im allergic → i'm allergic, doesnt → doesn't.

In: a text. Out: the same with them, for patterns to read; what is kept of the text keeps its own words. Words that are
words without one as well ("id", "were") get it only where the next word decides: data/apostrophes.en.
"""

from __future__ import annotations

import re
from functools import cache

from reverie.language import lists
from reverie.language.detect import turkish_evidence


def spelled(text: str) -> str:
    """The text with the apostrophes of English contractions; a Turkish one as it is."""
    pattern, places = _contractions()
    if pattern.search(text) is None or turkish_evidence(text) > 0:
        return text
    return pattern.sub(lambda match: _with(match.group(), places[match.group().lower()]), text)


def _with(word: str, place: int) -> str:
    return f"{word[:place]}'{word[place:]}"


@cache
def _contractions() -> tuple[re.Pattern[str], dict[str, int]]:
    """What is to be looked for, and where in each word its apostrophe belongs."""
    words: list[str] = []
    places: dict[str, int] = {}
    for entry in lists.entries("apostrophes.en"):
        whole, _, following = entry.partition(" ")
        word = whole.replace("'", "")
        places[word] = whole.index("'")
        words.append(rf"{word}(?= (?:{following})\b)" if following else word)
    return re.compile(rf"(?<![\w'’./@-])(?:{'|'.join(words)})(?![\w'’@-]|\.\w)", re.IGNORECASE | re.ASCII), places
