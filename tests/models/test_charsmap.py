from __future__ import annotations

import struct

import pytest

from reverie.models.unigram import CharsMap

BLOCK = 256


def packed(replacements: dict[str, str]) -> bytes:
    """A character map as SentencePiece packs it: a double array, then the replacements.

    Each node has a block of 256 units to itself.
    """
    texts = b"".join(value.encode() + b"\0" for value in replacements.values())
    starts, at = {}, 0
    for key, value in replacements.items():
        starts[key.encode()] = at
        at += len(value.encode()) + 1
    nodes = sorted({key[:length] for key in starts for length in range(len(key) + 1)})
    base = {node: BLOCK * (number + 1) for number, node in enumerate(nodes)}
    place = {node: base[node[:-1]] ^ node[-1] if node else 0 for node in nodes}
    units = [0xFF] * (BLOCK * (len(nodes) + 1))
    for node in nodes:
        label, leaf = (node[-1] if node else 0), node in starts
        units[place[node]] = (place[node] ^ base[node]) << 10 | leaf << 8 | label
        if leaf:
            units[base[node]] = 1 << 31 | starts[node]
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + texts


CHARS_MAP = CharsMap(
    packed({"ﬁ": "fi", "½": "1/2", "é": "é", "e\u0301": "é", "¨": " \u0308", "\u200b": "", "ああ": "B"})
)


def test_ascii_words_get_their_mark() -> None:
    """Runs of any white space part words; each begins with the mark."""
    assert CHARS_MAP.words("  two\twords \n here ") == ["▁two", "▁words", "▁here"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ﬁne", ["▁fine"]),
        ("2½", ["▁21/2"]),
        ("cafe\u0301", ["▁café"]),
        ("a\u200bb", ["▁ab"]),
        ("あああ", ["▁Bあ"]),
        ("日本 👋", ["▁日本", "▁👋"]),
    ],
)
def test_the_longest_key_is_replaced(text: str, words: list[str]) -> None:
    """Keys of one and of more characters are replaced, everything else stays."""
    assert CHARS_MAP.words(text) == words


def test_a_replacement_may_part_a_word() -> None:
    """A space that a replacement brings in begins a new word."""
    assert CHARS_MAP.words("a¨b") == ["▁a", "▁\u0308b"]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b"])
def test_nothing_is_no_word(text: str) -> None:
    """Empty text, white space, and what is replaced by nothing."""
    assert CHARS_MAP.words(text) == []
