"""The words of feeling and their forms."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.emotion import feeling_at, is_negated_verb
from tests.spoken import TURKISH, english, turkish

ENGLISH_WORDS = [
    ("happy", "joy"),
    ("thrilled", "joy"),
    ("hated", "anger"),
    ("scared", "fear"),
    ("crying", "sadness"),
    ("asap", "urgent"),
    ("awful", "none"),
    ("aws", None),
    ("table", None),
]
TURKISH_WORDS = [
    ("mutluyduk", "joy"),
    ("heyecanlanıyorum", "joy"),
    ("nefretim", "anger"),
    ("korkarım", "fear"),
    ("ağlıyordu", "sadness"),
    ("acilen", "urgent"),
    ("berbattı", "none"),
    ("utanmıştık", "sadness"),
    ("kazan", None),
    ("masa", None),
]


@pytest.mark.parametrize(
    ("word", "kind", "language"),
    [
        *english(*((*case, "en") for case in ENGLISH_WORDS)),
        *turkish(*((*case, "tr") for case in TURKISH_WORDS)),
    ],
)
def test_a_word_is_known_in_its_forms(word: str, kind: str | None, language: str) -> None:
    """By stem or by beginning and ending."""
    feeling, length, denied = feeling_at((word,), 0, language)
    assert (feeling.kind if feeling else None) == kind
    assert (length, denied) == (1, False)


@pytest.mark.parametrize(
    ("words", "length", "language"),
    [
        *english((("looking", "forward", "to"), 2, "en"), (("looking", "back"), 1, "en")),
        *turkish(
            (("hoşuma", "gidiyordu", "hep"), 2, "tr"),
            (("hoşuma", "masa"), 1, "tr"),
            (("dört", "gözle", "bekliyoruz", "seni"), 3, "tr"),
            (("canım", "sıkıldı"), 2, "tr"),
            (("canım", "annem"), 1, "tr"),
        ),
    ],
)
def test_the_longest_entry_counts(words: tuple[str, ...], length: int, language: str) -> None:
    """Words that only mean something together are taken together."""
    assert feeling_at(words, 0, language)[1] == length


@pytest.mark.parametrize("word", turkish("korkmuyorum", "korkmam", "korkmadım", "korkmayacağız", "korkmamış", "korkma"))
def test_a_turkish_verb_denies_by_its_form(word: str) -> None:
    """The negation is part of the word."""
    assert feeling_at((word,), 0, "tr")[2]


@pytest.mark.parametrize("word", turkish("korkmak", "korkmuş", "korkmuştum", "korkmalı", "korkmayı"))
def test_an_m_behind_the_root_is_not_always_a_negation(word: str) -> None:
    """The infinitive, what one had done and what one must begin with it too."""
    feeling, _, denied = feeling_at((word,), 0, "tr")
    assert feeling is not None
    assert not denied


@TURKISH
def test_without_turkish_letters_long_words_are_known() -> None:
    """But short ones are not: "oldu" is not "öldü"."""
    assert feeling_at(("uzgunum",), 0, "tr")[0] is not None
    assert feeling_at(("oldu",), 0, "tr")[0] is None


@TURKISH
def test_light_verbs_are_negated_by_their_form() -> None:
    """Roots come from the caller."""
    assert is_negated_verb("etmedi", ("et",))
    assert not is_negated_verb("etti", ("et",))
    assert not is_negated_verb("etmedi", ("ol",))
