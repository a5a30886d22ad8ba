"""Query expansion without a model: the query itself, its keywords, and its keywords under the domain they belong to.

The published formula is English; for Turkish the same with a list of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from reverie.language import lists
from reverie.language.detect import detect_language
from reverie.language.letters import lower
from reverie.recall.quest import Quest

WORDS = Path(__file__).with_name("words")

_WORD = re.compile(r"\b\w+\b")
_TEXT_MAX = 20_000
"""Characters that are looked at for keywords."""


@dataclass(frozen=True, slots=True)
class Expanding:
    """How a query is expanded: ``max_keywords`` words of more than ``short`` letters, and which variants are made."""

    max_keywords: int = 12
    short: int = 2
    by_keywords: bool = True
    by_domain: bool = True


_PUBLISHED = Expanding()


def query_keywords(text: str, how: Expanding = _PUBLISHED) -> str:
    """The first words of a text, in lower case, that are long enough and not on the stop list, with blanks between."""
    text = text[:_TEXT_MAX]
    language = detect_language(text)
    stop = lists.words(f"stop-expansion.{language}", WORDS)
    found = (word for word in _WORD.findall(lower(text, language)) if word not in stop and len(word) > how.short)
    return " ".join(islice(found, how.max_keywords))


def expansion(text: str, domain: str = "", how: Expanding = _PUBLISHED) -> tuple[str, ...]:
    """The variants of a query: as it is, its keywords, and "domain: keywords"; two if no domain is known.

    A query without any keyword is searched for as it is alone. With keywords switched off the domain stands before the
    whole query.
    """
    keywords = query_keywords(text, how) if how.by_keywords else text
    if not keywords.strip():
        return (text,)
    domain = domain.strip()
    made = [text]
    if how.by_keywords:
        made.append(keywords)
    if how.by_domain and domain:
        made.append(f"{domain}: {keywords}")
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Keywords:
    """Adds the cue's keywords, and these with its domain where one is known (A1, A2)."""

    how: Expanding
    name: str = "expand"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its variants."""
        made = expansion(quest.queries[0], quest.request.domain, self.how)
        return replace(quest, queries=made).noted(f"{len(made)} variants")
