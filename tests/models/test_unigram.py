from __future__ import annotations

import itertools
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.models.unigram import CharsMap, Unigram

PIECES = ["<unk>", "a", "b", "ab", "aba", "ba"]
SCORES = [0.0, -3.0, -3.0, -4.0, -9.0, -5.5]


def tokens(word: str) -> list[int]:
    """The ids of one word under the small vocabulary."""
    return Unigram(PIECES, SCORES, unknown=0).encode([word], limit=100)


def test_the_most_probable_cut_wins() -> None:
    """``ab`` as one piece (−4) beats two letters (−6); ``aba`` is better as ab+a (−7) than whole (−9)."""
    assert tokens("ab") == [3]
    assert tokens("aba") == [3, 1]


def test_unknown_characters_are_one_token_each() -> None:
    """A character in no piece costs ten more than the rarest piece and never swallows its neighbours."""
    assert tokens("axxb") == [1, 0, 0, 2]


def test_the_limit_cuts_the_tokens() -> None:
    """No more than ``limit`` ids come out, even from the middle of a word."""
    assert Unigram(PIECES, SCORES, unknown=0).encode(["aa", "bb", "ab"], limit=3) == [1, 1, 2]


def test_an_empty_word_has_no_tokens() -> None:
    """Nothing in, nothing out."""
    assert tokens("") == []


def value(cut: list[str]) -> float:
    """The sum of log probabilities of a cut, unknown characters included."""
    return sum(SCORES[PIECES.index(piece)] if piece in PIECES else min(SCORES) - 10 for piece in cut)


@given(st.text("abx", min_size=1, max_size=8))
def test_no_other_cut_is_better(word: str) -> None:
    """Compared with every way to cut the word into known pieces and single characters."""
    cuts = []
    for count in range(len(word)):
        for bounds in itertools.combinations(range(1, len(word)), count):
            cut = [word[start:end] for start, end in itertools.pairwise([0, *bounds, len(word)])]
            if all(piece in PIECES[1:] or len(piece) == 1 for piece in cut):
                cuts.append(cut)
    found = [PIECES[number] if number else "x" for number in tokens(word)]
    assert "".join(found) == word
    assert abs(value(found) - max(map(value, cuts))) < 1e-9


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
