from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from reverie.models.unigram import Unigram

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
