"""Embed texts by hashing words and letter groups: no weights, no download, the same on every machine.

Texts are similar when they share words or parts of words; synonyms are not recognised. Meant for tests, and for places
where no package with weights may be installed.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from reverie.errors import InvalidSetting
from reverie.models.port_values import clean, unit_rows
from reverie.types import FloatArray, IntArray, ModelInfo

_WORD = re.compile(r"\w+")
_DOT_ABOVE = "\u0307"  # what lower-casing leaves of the Turkish İ
_WORD_MAX = 40  # characters; longer runs are no words
_GRAMS = (3, 4, 5)
_GRAM_SHARE = 1.0  # length of a word's letter groups together, against 1 for the word itself
_MIN_DIMS, _MAX_DIMS = 8, 65_536


class HashEmbedder:
    """Embeds texts by signed feature hashing of words and of their letter groups of three to five.

    Raises:
        InvalidSetting: ``dims`` lies outside 8 … 65,536.
    """

    def __init__(self, dims: int = 256) -> None:
        if not _MIN_DIMS <= dims <= _MAX_DIMS:
            raise InvalidSetting(
                f"The hashing model was asked for {dims} dimensions.", f"Use {_MIN_DIMS} to {_MAX_DIMS}."
            )
        self._info = ModelInfo(name="hash", revision="1", dims=dims)

    @property
    def info(self) -> ModelInfo:
        """The model's name, revision and dimensions."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed messages, (n, dims) unit rows; a text without a word gives a zero row."""
        rows = np.zeros((len(texts), self._info.dims), dtype=np.float64)
        for row, text in zip(rows, texts, strict=True):
            for word, count in sorted(Counter(_words(text)).items()):
                slots, weights = _features(word, self._info.dims)
                np.add.at(row, slots, weights * (1.0 + math.log(count)))
        return unit_rows(rows) if len(texts) else rows.astype(np.float32)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a cue, (dims,) of length 1, or zero for a text without a word."""
        row: FloatArray = self.embed_passages([text])[0]
        return row


def _words(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", clean(text)).casefold().replace(_DOT_ABOVE, "")
    return (match.group()[:_WORD_MAX] for match in _WORD.finditer(folded))


@lru_cache(maxsize=20_000)
def _features(word: str, dims: int) -> tuple[IntArray, FloatArray]:
    marked = f"<{word}>"
    grams = [marked[at : at + size] for size in _GRAMS for at in range(len(marked) - size + 1)]
    share = _GRAM_SHARE / math.sqrt(len(grams)) if grams else 0.0
    slots, signs = zip(*(_slot(feature, dims) for feature in [f"word:{word}", *grams]), strict=True)
    weights = np.array([1.0] + [share] * len(grams), dtype=np.float32) * np.array(signs, dtype=np.float32)
    return np.array(slots, dtype=np.int64), weights


def _slot(feature: str, dims: int) -> tuple[int, float]:
    number = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "little")
    return (number >> 1) % dims, 1.0 if number & 1 else -1.0
