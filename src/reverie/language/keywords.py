"""The words that carry a message's content, for the memory's record: how people read them, not as stems."""

from __future__ import annotations

from reverie.language.chunks import reading
from reverie.language.detect import detect_language

KEYWORDS_MAX = 12
_TEXT_MAX = 20_000
"""Characters that are looked at: what a message is about shows in its beginning."""


def keywords(text: str) -> tuple[str, ...]:
    """At most 12 content words in the order of the text: the most frequent, of equals the earlier.

    Forms of one word count together and are given by the first of them, lower-cased for the language.
    """
    counts: dict[str, int] = {}
    surface: dict[str, str] = {}
    for _, content, _ in reading(text[:_TEXT_MAX], detect_language(text)).chunks:
        for term, word in content:
            if term in counts:
                counts[term] += 1
            else:
                counts[term], surface[term] = 1, word
    if len(counts) <= KEYWORDS_MAX:
        return tuple(surface.values())
    kept = set(sorted(counts, key=counts.__getitem__, reverse=True)[:KEYWORDS_MAX])
    return tuple([word for term, word in surface.items() if term in kept])
