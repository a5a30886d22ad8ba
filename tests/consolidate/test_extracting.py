from __future__ import annotations

import pytest

from reverie.consolidate.themes import WHOLE_MAX, Extractive, central
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


APPENDED_EN = "My sister Meera lives in Leeds.\nActually, my sister Meera lives in York now, not Leeds."
APPENDED_TR = (
    "Kız kardeşim Selin İzmir'de oturuyor.\nAslında kız kardeşim Selin artık Bursa'da oturuyor, İzmir'de değil."
)


@pytest.mark.parametrize(
    ("texts", "older", "newer"),
    [
        *english(([APPENDED_EN, "Meera lives in a house.", "My sister Meera bakes."], "Leeds.", "York now")),
        *english(([APPENDED_EN.replace("\n", "\n\n"), "Meera lives alone."], "Leeds.", "York now")),
        *turkish(
            ([APPENDED_TR, "Selin bir evde oturuyor.", "Kız kardeşim Selin yemek yapar."], "İzmir'de", "Bursa'da")
        ),
        *turkish(([APPENDED_TR.replace("\n", "\n\n"), "Selin yalnız oturuyor."], "İzmir'de", "Bursa'da")),
    ],
)
def test_what_was_corrected_never_stands_without_its_correction(texts: list[str], older: str, newer: str) -> None:
    """Lines that were added to one another are told together, or the last alone, whether the clash is seen or not."""
    assert newer in " ".join(central(texts, 5))
    for limit in (1, 2, 3, 5):
        assert all(newer in sentence for sentence in central(texts, limit) if older in sentence)


def test_of_many_lines_the_last_are_told() -> None:
    """As many as fit into one piece; one endless line is told by its first sentences."""
    lines = [f"Line {n} of a long list of things." for n in range(50)]
    (told,) = central(["\n".join(lines)], 3)
    assert len(told) <= WHOLE_MAX
    assert told.splitlines() == lines[-len(told.splitlines()) :]
    assert central(["One.\n" + "Two is long. " * 40], 3) == ["Two is long."]
