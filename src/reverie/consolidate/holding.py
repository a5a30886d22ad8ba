"""Whether a text holds what another says: what it leaves out must not sleep for it.

In: two texts. Out: yes or no; yes only where each sentence of the one stands in a sentence of the other, by all of its
words, and both deny the same, at the same time, of the same.
"""

from __future__ import annotations

from reverie.language.agreement import agrees
from reverie.language.analyzer import index_terms
from reverie.language.sentences import sentences


def holds(whole: str, part: str) -> bool:
    """Whether all that ``part`` says stands in ``whole``; a text without a word stands nowhere."""
    told = sentences(whole)
    said = sentences(part)
    return bool(said) and all(any(_says(one, sentence) for one in told) for sentence in said)


def _says(one: str, sentence: str) -> bool:
    words = set(index_terms(sentence))
    if not words or not words.issubset(index_terms(one)):
        return False
    found = agrees(one, sentence)
    return found.negation and found.time and found.roles
