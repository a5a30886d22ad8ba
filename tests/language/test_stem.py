"""Stems: forms of one word meet, different words do not."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from threading import Thread

import pytest

from reverie.language.text.words import stem
from tests.spoken import ENGLISH, TURKISH, english, neither, turkish

FAMILIES = [
    line.split() for line in (Path(__file__).parent / "data" / "forms.tr.txt").read_text("utf-8").splitlines() if line
]


@pytest.mark.parametrize(
    ("word", "language", "term"),
    [
        *english(("running", "en", "run"), ("caroline", "en", "carolin"), ("cafés", "en", "cafe")),
        *turkish(
            ("güzelliği", "tr", "guzel"),
            ("arkadaşımla", "tr", "arkad"),
            ("evde", "tr", "ev"),
            ("ayşe", "tr", "ayse"),
        ),
        *neither(
            ("2023", "tr", "2023"), ("20231105", "tr", "20231105"), ("日本", "en", "日本"), ("ёлка", "tr", "ёлка")
        ),
    ],
)
def test_a_word_gives_its_term(word: str, language: str, term: str) -> None:
    """Worked examples; numbers and other scripts stay."""
    assert stem(word, language) == term


@pytest.mark.parametrize("word", turkish("istanbul", "ıstanbul", "istanbulda", "istanbuldan", "istanbula"))
def test_turkish_forms_of_a_city_meet(word: str) -> None:
    """Written with either i, with or without a case ending, it is one term."""
    assert stem(word, "tr") == stem("istanbul", "tr")


@TURKISH
def test_no_two_turkish_words_fall_together() -> None:
    """Of 42 families of everyday words, no form of one has the term of another."""
    terms = [{stem(form, "tr") for form in family} for family in FAMILIES]
    assert [
        (FAMILIES[a][0], FAMILIES[b][0]) for a, b in combinations(range(len(terms)), 2) if terms[a] & terms[b]
    ] == []


@TURKISH
def test_most_forms_of_a_turkish_word_fall_together() -> None:
    """Two forms of a word share a term in at least two of three pairs; the stemmer alone does it in four of ten."""
    pairs = [pair for family in FAMILIES for pair in combinations(family, 2)]
    met = sum(stem(one, "tr") == stem(other, "tr") for one, other in pairs)
    assert met / len(pairs) >= 2 / 3


@ENGLISH
def test_threads_do_not_mix_up_words() -> None:
    """Two threads stem at once, and each gets its own words' stems."""
    wrong: list[str] = []

    def work(word: str, term: str) -> None:
        wrong.extend(found for _ in range(2000) if (found := stem(word, "en")) != term)

    threads = [Thread(target=work, args=pair) for pair in [("running", "run"), ("houses", "hous")]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
