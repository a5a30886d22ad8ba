"""Apply a SentencePiece character map (nmt_nfkc and its kin) to text.

In: the precompiled map, a darts-clone double array over UTF-8 bytes followed by NUL-ended replacements; then text.
Out: the normalised text, cut into words that each bear the word mark.
"""

from __future__ import annotations

import struct
from array import array

from reverie.models.unigram import WORD_MARK

_KEPT_WORDS = 50_000


class CharsMap:
    """Longest match from left to right; bytes without a match stay. Words repeat, so each is walked once and kept."""

    def __init__(self, packed: bytes) -> None:
        (size,) = struct.unpack_from("<I", packed)
        self._units = array("I", packed[4 : 4 + size])
        self._replacements = packed[4 + size :]
        self._kept: dict[str, str] = {}

    def words(self, text: str) -> list[str]:
        """The words of ``text``, each with its leading word mark; a replacement may bring in further spaces."""
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
        """Length of the longest key at ``start`` and where its replacement stands; length 0 for no key."""
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
