"""Denials: what a text says is not so; and whether a question asks if something is so.

In: a message or a question, English or Turkish. Out: the stems of each clause that denies something.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language import patterns
from reverie.language.analyzer import index_terms
from reverie.language.detect import detect_language
from reverie.language.expressions import expression
from reverie.language.letters import compose, plain
from reverie.language.sentences import masked, sentences

TEXT_MAX = 2_000
"""Characters of a message that are read."""
_CLAUSE = expression(r"[,;:]\s+|\s+(?=(?:but|so|and (?:i|we|i['’]\w+)|because|ama|fakat|ancak|çünkü)\b)", re.IGNORECASE)


@lru_cache(maxsize=1 << 10)
def denials(text: str) -> tuple[frozenset[str], ...]:
    """The stems of each clause of a text that denies something, in order."""
    text = masked(compose(text[:TEXT_MAX]))
    denying = [patterns.any_of(f"statement/denials.{language}") for language in patterns.read(text).languages]
    clauses = (clause for sentence in sentences(text) for clause in _CLAUSE.split(sentence))
    language = detect_language(text)
    return tuple(
        frozenset(index_terms(clause, language))
        for clause in clauses
        if any(pattern.search(plain(clause)) for pattern in denying)
    )


@lru_cache(maxsize=64)
def asks_whether(text: str) -> bool:
    """Whether a question asks if something is so, which a yes or a no would answer."""
    return patterns.found("question/asks-whether", text)
