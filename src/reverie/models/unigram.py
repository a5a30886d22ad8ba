"""Cut words into the pieces a SentencePiece unigram model was trained on.

In: words as the model's normaliser leaves them, each with its leading word mark. Out: piece ids, the most probable
segmentation. Words repeat, so each is cut once and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

WORD_MARK = "\u2581"
"""Stands for the space before a word."""

_KEPT_WORDS = 50_000
_UNKNOWN_PENALTY = 10.0  # SentencePiece: an unknown character scores this much below the rarest piece


class Unigram:
    """Best segmentation by the sum of the pieces' log probabilities.

    Agrees with SentencePiece piece for piece where no piece holds a word mark inside, which is how such models are
    trained: the best path then always passes through each word's beginning.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float], unknown: int) -> None:
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self._scores = scores
        self._unknown = unknown
        self._unknown_score = min(scores) - _UNKNOWN_PENALTY
        self._longest = max(map(len, pieces))
        self._kept: dict[str, tuple[int, ...]] = {}

    def encode(self, words: Iterable[str], limit: int) -> list[int]:
        """The ids of the first ``limit`` pieces."""
        ids: list[int] = []
        for word in words:
            ids.extend(self._word(word))
            if len(ids) >= limit:
                break
        return ids[:limit]

    def _word(self, word: str) -> tuple[int, ...]:
        kept = self._kept.get(word)
        if kept is None:
            if len(self._kept) >= _KEPT_WORDS:
                self._kept.clear()
            kept = self._kept[word] = self._cut(word)
        return kept

    def _cut(self, word: str) -> tuple[int, ...]:
        """Viterbi from left to right; the earlier start wins a tie, as in the original."""
        end = len(word)
        best = [0.0] + [float("-inf")] * end
        steps: list[tuple[int, int]] = [(0, self._unknown)] * (end + 1)
        for start in range(end):
            for stop, piece, score in self._pieces_from(word, start):
                if best[start] + score > best[stop]:
                    best[stop] = best[start] + score
                    steps[stop] = (start, piece)
        return self._trace(steps, end)

    def _pieces_from(self, word: str, start: int) -> list[tuple[int, int, float]]:
        found = []
        for stop in range(start + 1, min(start + self._longest, len(word)) + 1):
            piece = self._ids.get(word[start:stop])
            if piece is not None:
                found.append((stop, piece, self._scores[piece]))
        if not found or found[0][0] != start + 1:
            found.append((start + 1, self._unknown, self._unknown_score))
        return found

    @staticmethod
    def _trace(steps: list[tuple[int, int]], end: int) -> tuple[int, ...]:
        pieces = []
        while end > 0:
            end, piece = steps[end]
            pieces.append(piece)
        return tuple(reversed(pieces))
