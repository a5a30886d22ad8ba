"""The two sides of the joints of a statement."""

from __future__ import annotations

import pytest

from reverie.encode.items import content, items
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("statement", "first", "second"),
    [
        *english(
            ("I'm allergic to cats and dogs.", "cats", "dogs"),
            ("I like tea and hate coffee.", "tea", "coffee"),
            ("I play bass in a band and we rehearse on Mondays.", "bass band", "rehearse Mondays"),
        ),
        *turkish(
            ("Kediye ve köpeğe alerjim var.", "kediye", "köpeğe"),
            ("Yeşil çay ve siyah çay içiyorum.", "yeşil çay", "siyah çay"),
            ("Kocam Bosch'ta çalışıyor, ben evdeyim.", "kocam Bosch'ta", "evdeyim"),
        ),
    ],
)
def test_a_joint_has_two_items_or_two_clauses(statement: str, first: str, second: str) -> None:
    """Of clauses all their words, of items their own."""
    (found,) = items(statement)
    languages = ("tr",) if "ç" in statement or "ş" in statement or "ğ" in statement else ("en",)
    assert [found] == [(content(first, language), content(second, language)) for language in languages]


@pytest.mark.parametrize(
    "statement",
    [
        *english("I live in Berlin, Germany.", "I'm vegan, by the way.", "I live in Rome and I love it."),
        *turkish("Berlin'de, Almanya'da yaşıyorum.", "Veganım, bu arada.", "Roma'da yaşıyorum ve orayı seviyorum."),
    ],
)
def test_what_adds_to_a_statement_is_no_side(statement: str) -> None:
    """Behind a comma only a clause is one, and none that leans on the first."""
    assert not list(items(statement))


@pytest.mark.parametrize(
    "statement",
    [
        *english("I like tea and \u00a0.", "Tabs or\t", "I'm allergic to cats and" + "\u00a0" * 380 + "dogs."),
        *turkish("Çay ve \u00a0.", "Sekme veya\t", "Kediye ve" + "\u00a0" * 380 + "köpeğe alerjim var."),
    ],
)
def test_a_joint_with_nothing_behind_it_joins_nothing(statement: str) -> None:
    """Whatever blanks stand there."""
    assert all(left and right for left, right in items(statement))
