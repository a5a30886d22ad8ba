"""What one likes better than what: "I prefer tea over coffee", "Çayı kahveye tercih ederim", and the reversal of it.

In: the sentences of a text that state something. Out: pairs of stems, above and below; a later text that says the very
reverse takes the earlier back. The frames are data/contradiction-ranked.*; a sentence must be all frame.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.analyzer import index_terms
from reverie.language.letters import plain

_ENDING = re.compile(r"\w*")
_HARD = {"g": "k", "b": "p", "d": "t"}
"""How a Turkish word ends that ends softly before a vowel: köpeği, köpek."""
_WORDS_MAX = 4
"""Words of what is liked: more are another statement."""


class Rank(NamedTuple):
    """What stands above what, as stems, and as it was written."""

    above: frozenset[str]
    below: frozenset[str]
    written: str


def ranks(sentences: Sequence[str], language: str) -> tuple[Rank, ...]:
    """What the sentences of a text, in their language, say of what their speaker likes better."""
    return tuple(rank for sentence in sentences if (rank := _rank(sentence, language)) is not None)


def reversed_rank(earlier: Sequence[Rank], later: Sequence[Rank]) -> tuple[Rank, Rank] | None:
    """An earlier rank and the later one that says the reverse."""
    pairs = ((old, new) for old in earlier for new in later)
    return next((pair for pair in pairs if pair[0].above == pair[1].below and pair[0].below == pair[1].above), None)


def _rank(sentence: str, language: str) -> Rank | None:
    folded = plain(sentence).strip()
    for pattern in _patterns(language):
        match = pattern.fullmatch(folded)
        if match is None:
            continue
        spans = [match.span(name) for name in ("above", "below")]
        said = [sentence.strip()[start:end] for start, end in spans]
        above, below = (_key(words, language) for words in said)
        if above and below and above != below and max(len(words.split()) for words in said) <= _WORDS_MAX:
            ends = (end + len(_ENDING.findall(folded, end)[0]) for _, end in spans)
            whole = (sentence.strip()[start:end] for (start, _), end in zip(spans, ends, strict=True))
            return Rank(above, below, " > ".join(whole))
    return None


def _key(words: str, language: str) -> frozenset[str]:
    """What is liked, whatever its ending: English stems; Turkish words, the last with its sound as it is by itself."""
    if language == "en":
        return frozenset(index_terms(words))
    bare = plain(words).rstrip("y")
    return frozenset((bare[:-1] + _HARD.get(bare[-1:], bare[-1:])).split())


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(entry) for entry in lists.entries(f"contradiction-ranked.{language}"))
