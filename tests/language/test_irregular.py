"""Irregular forms: a question with one finds the others."""

from __future__ import annotations

import pytest

from reverie.language.text import lists
from reverie.language.text.analyzer import index_terms, other_forms
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("form", "language", "others"),
    [
        *english(
            ("went", "en", {"go", "gone"}),
            ("go", "en", {"went", "gone"}),
            ("child", "en", {"children"}),
            ("paint", "en", set()),
        ),
        *turkish(
            ("sehir", "tr", {"sehri", "sehr", "sehre"}),
            ("agzi", "tr", {"agiz", "agz", "agza"}),
            ("gider", "tr", {"git", "gidiy", "gidec", "giden", "gidip"}),
            ("masa", "tr", set()),
        ),
    ],
)
def test_the_forms_of_a_word_know_each_other(form: str, language: str, others: set[str]) -> None:
    """Each way, and a regular word has none."""
    assert set(other_forms(form, language)) == others


@pytest.mark.parametrize("language", [*english("en"), *turkish("tr")])
def test_every_line_relates_what_is_indexed_apart(language: str) -> None:
    """A line holds several stems, none of them a word that is never indexed; no stem stands in two lines."""
    seen: set[str] = set()
    for line in lists.entries(f"irregular.{language}"):
        found = [index_terms(word, language) for word in line.split()]
        assert all(len(terms) == 1 for terms in found), line
        here = {terms[0] for terms in found}
        assert len(here) > 1, line
        assert seen.isdisjoint(here), line
        seen |= here
