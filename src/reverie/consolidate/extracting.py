"""Themes, patterns and summaries without a language model: the most central of the memories' own sentences.

Central is what shares most with all the others (a sentence's cosine to the sum of all, by weighted stems). The same
texts give the same words, and every word is somebody's own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from reverie.language.analyzer import index_terms
from reverie.language.sentences import sentences

THEME_SENTENCES = 3
SUMMARY_SENTENCES = 5
TEXTS_MAX = 200
SENTENCES_MAX = 4
"""Most texts looked at, and most sentences of each: beyond, the middle no longer moves."""
WHOLE_MAX = 200
"""Most characters of a memory of several lines that are told in one piece: the last lines, as many as fit."""

ALIKE = 0.6
"""Share of stems in common from which a sentence says little new: it waits until all others were looked at."""
NOTHING_NEW = 1.0


class Extractive:
    """A voice that has only the memories' own words (``snapshot.Voice``)."""

    def theme(self, texts: Sequence[str]) -> str:
        """Three sentences."""
        return " ".join(central(texts, THEME_SENTENCES))

    def pattern(self, texts: Sequence[str]) -> str:
        """The one sentence the others come nearest to."""
        return " ".join(central(texts, 1))

    def summary(self, category: str, texts: Sequence[str]) -> str:
        """Five sentences."""
        del category
        return " ".join(central(texts, SUMMARY_SENTENCES))


def central(texts: Sequence[str], limit: int) -> list[str]:
    """The ``limit`` most central sentences that do not repeat each other, in their order in the texts.

    Those that say much new come first; those that say little take what room is left.
    """
    found = [piece for text in texts[:TEXTS_MAX] for piece in _pieces(text)]
    stems = [Counter(index_terms(sentence)) for sentence in found]
    scores = _centrality(stems)
    ranked = sorted(range(len(found)), key=lambda place: (-scores[place], place))
    chosen: list[int] = []
    for share in (ALIKE, NOTHING_NEW):
        for place in ranked:
            if len(chosen) < limit and not any(_alike(stems[place], stems[other], share) for other in chosen):
                chosen.append(place)
    return [found[place] for place in sorted(chosen)]


def _pieces(text: str) -> Sequence[str]:
    """The sentences of one line; several lines, which were added to one another, in one piece.

    A later line may correct an earlier one without our seeing it: so no earlier line stands alone.
    """
    lines = _last([line for line in text.split("\n") if line.strip()])
    return ["\n".join(lines).strip()] if len(lines) > 1 else sentences("".join(lines))[:SENTENCES_MAX]


def _last(lines: Sequence[str]) -> Sequence[str]:
    """The last lines that fit into one piece, and the very last in any case."""
    first, room = len(lines) - 1, WHOLE_MAX - len(lines[-1]) if lines else 0
    while first > 0 and len(lines[first - 1]) < room:
        first -= 1
        room -= len(lines[first]) + 1
    return lines[max(0, first) :]


def _centrality(stems: Sequence[Counter[str]]) -> list[float]:
    """Cosine of each sentence to the sum of all; rare stems weigh more, but what stands once weighs nothing."""
    held = Counter(stem for own in stems for stem in own)
    weights = {stem: math.log(1.0 + len(stems) / count) if count > 1 else 0.0 for stem, count in held.items()}
    total: Counter[str] = Counter()
    vectors = []
    for own in stems:
        length = math.sqrt(math.fsum(count * count for count in own.values())) or 1.0
        vector = {stem: weights[stem] * count / length for stem, count in own.items()}
        vectors.append(vector)
        for stem, weight in vector.items():
            total[stem] += weight  # type: ignore[assignment]  # a Counter sums floats as well
    return [math.fsum(weight * total[stem] for stem, weight in vector.items()) for vector in vectors]


def _alike(one: Counter[str], other: Counter[str], share: float) -> bool:
    """Whether the shorter has more than this share of its stems in common with the other, or all of them."""
    least = min(len(one), len(other))
    common = len(one.keys() & other.keys())
    return one.keys() == other.keys() if least == 0 else common == least or common / least > share
