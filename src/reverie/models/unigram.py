"""SentencePiece tokenisation: normalise a text by a character map, and split its words into unigram pieces."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence

WORD_MARK = "\u2581"
"""Marks the beginning of a word in place of a space."""

_UNKNOWN_PENALTY = 10.0  # SentencePiece: an unknown character scores this much below the rarest piece


class Unigram:
    """Splits words into the pieces with the highest sum of log probabilities.

    Agrees with SentencePiece piece for piece if no piece has a word mark inside, which is how such models are trained:
    the best path then always passes through each word's beginning.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float], unknown: int) -> None:
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self._scores = scores
        self._unknown = unknown
        self._unknown_score = min(scores) - _UNKNOWN_PENALTY
        self._longest = max(map(len, pieces))
        self._kept: dict[str, tuple[int, ...]] = {}

    def encode(self, words: Iterable[str], limit: int) -> list[int]:
        """Return the ids of the first ``limit`` pieces of the words."""
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
        """Find the best split by Viterbi from left to right; the earlier start wins a tie, as in SentencePiece."""
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


_KEPT_WORDS = 50_000


class CharsMap:
    """Replaces the longest match from left to right (SentencePiece's nmt_nfkc map); the result is cached by word."""

    def __init__(self, packed: bytes) -> None:
        (size,) = struct.unpack_from("<I", packed)
        self._units = array("I", packed[4 : 4 + size])
        self._replacements = packed[4 + size :]
        self._kept: dict[str, str] = {}

    def words(self, text: str) -> list[str]:
        """Return the words of ``text``, each with a word mark; a replacement may add spaces and so words."""
        normal = " ".join([self._word(word) for word in text.split()])
        return [WORD_MARK + word for word in normal.split(" ") if word]

    def _word(self, word: str) -> str:
        if word.isascii() and word.isprintable():
            return word
        kept = self._kept.get(word)
        if kept is None:
            if len(self._kept) >= _KEPT_WORDS:
                self._kept.clear()
            kept = self._kept[word] = self._walk(word.encode())
        return kept

    def _walk(self, data: bytes) -> str:
        out, at = bytearray(), 0
        while at < len(data):
            length, value = self._longest(data, at)
            if length:
                out += self._replacements[value : self._replacements.index(0, value)]
            else:
                length = _character_length(data[at])
                out += data[at : at + length]
            at += length
        return out.decode()

    def _longest(self, data: bytes, start: int) -> tuple[int, int]:
        """Return the length of the longest key at ``start``, 0 for none, and the position of its replacement."""
        units, length, value = self._units, 0, 0
        node = _offset(units[0])
        for at in range(start, len(data)):
            node ^= data[at]
            unit = units[node]
            if unit & 0x8000_00FF != data[at]:
                break
            node ^= _offset(unit)
            if unit & 0x100:
                length, value = at + 1 - start, units[node] & 0x7FFF_FFFF
        return length, value


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def _character_length(first: int) -> int:
    if first < 0xC0:
        return 1
    if first < 0xE0:
        return 2
    return 3 if first < 0xF0 else 4
