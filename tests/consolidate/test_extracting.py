from __future__ import annotations

import pytest

from reverie.consolidate.extracting import Extractive, central
from tests.spoken import english, turkish

ENGLISH = [
    "Ada waters the garden every morning. The mailbox is green.",
    "In summer Ada waters the garden twice.",
    "The garden needs water, says Ada. A ship came in.",
    "Mert bought a bicycle.",
]
TURKISH = [
    "Ada bahçeyi her sabah suluyor. Posta kutusu yeşil.",
    "Yazın Ada bahçeyi iki kez suluyor.",
    "Bahçenin suya ihtiyacı var, diyor Ada. Bir gemi geldi.",
    "Mert bir bisiklet aldı.",
]


@pytest.mark.req("D33")
@pytest.mark.parametrize(("texts", "what"), [(ENGLISH, "garden"), (TURKISH, "bahçe")], ids=["en", "tr"])
def test_the_most_central_sentence_is_of_what_the_texts_are_about(texts: list[str], what: str) -> None:
    """A pattern is one of the memories' own sentences, the one the others come nearest to."""
    pattern = Extractive().pattern(texts)
    assert what in pattern.lower()
    assert any(pattern in text for text in texts)


@pytest.mark.parametrize("texts", [ENGLISH, TURKISH], ids=["en", "tr"])
def test_a_theme_says_nothing_twice_and_keeps_the_order(texts: list[str]) -> None:
    """Repetitions are told once; three sentences in the order they were said."""
    said = central([*texts, *texts], 3)
    assert len(set(said)) == len(said) == 3
    places = [" ".join(texts).index(sentence) for sentence in said]
    assert places == sorted(places)
    assert Extractive().summary("fact", texts) == " ".join(central(texts, 5))
    assert Extractive().theme(texts) == " ".join(central(texts, 3))


@pytest.mark.parametrize("texts", [[], [""], ["\x00", "\ud83d"], ["the the the"], ["x" * 100_000]])
def test_odd_texts_give_some_words_or_none(texts: list[str]) -> None:
    """Nothing fails on content."""
    assert all(sentence in "".join(texts) for sentence in central(texts, 3))


@pytest.mark.parametrize(
    "texts",
    [
        *english((["Elif lives in Ankara.", "Elif works in Ankara.", "Elif has two cats in Ankara."],)),
        *turkish((["Elif Ankara'da yaşıyor.", "Elif Ankara'da çalışıyor.", "Elif'in Ankara'da iki kedisi var."],)),
    ],
)
def test_what_says_little_new_takes_the_room_that_is_left(texts: list[str]) -> None:
    """Short sentences share most of their stems and yet say each its own; one that says nothing new is left out."""
    assert central(texts, 3) == texts
    assert central([*texts, texts[0]], 4) == texts
