"""Content words of a message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text.analyzer import KEYWORDS_MAX, keywords
from tests.spoken import ENGLISH, NEITHER, TURKISH, english, neither, turkish

FOODS_TR = "armut biber ceviz dereotu elma fındık greyfurt havuç incir kabak limon marul nane portakal roka sumak"


@ENGLISH
def test_english_content_words_in_the_order_of_the_text() -> None:
    """Function words are left out."""
    assert keywords("I think my sister Ayşe will move to Berlin because of her new job at Siemens.") == (
        "sister",
        "ayşe",
        "move",
        "berlin",
        "job",
        "siemens",
    )  # fmt: skip -- one line reads better than six


@TURKISH
def test_turkish_content_words_keep_their_letters() -> None:
    """As they read, in Turkish lower case."""
    assert keywords("Kedim Sarman ISPARTA'da çok hasta oldu") == ("kedim", "sarman", "ısparta", "hasta")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *english(("running dogs run; a dog runs", ("running", "dogs"))),
        *turkish(("köpekler bahçede, köpek ise bahçemizde", ("köpekler", "bahçede"))),
    ],
)
def test_forms_of_one_word_are_one_keyword(text: str, found: tuple[str, ...]) -> None:
    """Given by the first of them."""
    assert keywords(text) == found


@pytest.mark.parametrize(
    ("rare", "often"),
    [
        *english((" ".join(f"word{chr(97 + place)}" for place in range(20)), "zebra tiger")),
        *turkish((FOODS_TR, "zebra kaplan")),
    ],
)
def test_the_most_frequent_are_kept(rare: str, often: str) -> None:
    """Of many words those that recur, still in the order of the text."""
    found = keywords(" ".join([rare, *often.split(), *reversed(often.split())]))
    assert len(found) == KEYWORDS_MAX
    assert found[-2:] == tuple(often.split())
    assert found[:3] == tuple(rare.split()[:3])


@pytest.mark.parametrize(
    "text", [*english("the and of"), *turkish("ve ile ama"), *neither("", "12 345", "!?", "\ud800\x00")]
)
def test_a_text_without_content_has_none(text: str) -> None:
    """Numbers and function words are no keywords."""
    assert keywords(text) == ()


@NEITHER
@given(st.text())
def test_never_more_than_twelve_and_none_twice(text: str) -> None:
    """Whatever the text."""
    found = keywords(text)
    assert len(found) <= KEYWORDS_MAX
    assert len(set(found)) == len(found)
