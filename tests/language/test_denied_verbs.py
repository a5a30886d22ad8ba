"""Turkish words that carry a denial inside."""

from __future__ import annotations

import pytest

from reverie.language.denied_verbs import denies, forbids, is_ones_own
from tests.spoken import TURKISH


@TURKISH
@pytest.mark.parametrize(
    "word",
    [
        "yemem",
        "yemiyor",
        "gitmedi",
        "birakmamaya",
        "yememeyi",
        "calismamak",
        "vermeyen",
        "gelmeyince",
        "almayin",
        "almayip",
        "yazmamaliyiz",
        "gelmesin",
        "anlamadan",
        "katilmayalim",
        "gitmesek",
    ],
)
def test_a_denied_verb_in_any_form_denies(word: str) -> None:
    """Finite forms, nouns, participles, adverbs, orders, duties and conditions."""
    assert denies(word)


@TURKISH
@pytest.mark.parametrize(
    "word",
    [
        "yerim",
        "gitti",
        "birakmaya",
        "yemeyi",
        "calismak",
        "veren",
        "gelince",
        "hamama",
        "tamamen",
        "imam",
        "sinemadan",
        "firmadan",
        "masa",
        "elmasa",
        "kelimeme",
        "maden",
        "memeli",
        "program",
    ],
)
def test_other_words_deny_nothing(word: str) -> None:
    """The same verbs without a denial, and nouns that look like one."""
    assert not denies(word)


@TURKISH
@pytest.mark.parametrize(
    ("word", "is_order", "is_own"),
    [("gonderme", True, False), ("gonder", False, False), ("elma", False, False), ("almam", False, True)],
)
def test_what_denies_only_where_a_clause_ends(word: str, is_order: bool, is_own: bool) -> None:
    """An order is else a noun, and "almam" else what one does."""
    assert (forbids(word), is_ones_own(word)) == (is_order, is_own)
