"""What one likes better than what, and its reversal."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_ranked import ranks, reversed_rank
from tests.spoken import english, turkish

REVERSED = [
    *english(
        ("I prefer tea over coffee.", "I prefer coffee over tea."),
        ("I prefer tabs to spaces.", "Actually, I now prefer spaces to tabs."),
        ("I like cats more than dogs.", "I like dogs more than cats now."),
        ("I'd rather use Vim than Emacs.", "Now I'd rather use Emacs than Vim."),
    ),
    *turkish(
        ("Çayı kahveye tercih ederim.", "Kahveyi çaya tercih ederim."),
        ("Çayı kahveye tercih ederim.", "Artık çay yerine kahve tercih ediyorum."),
        ("Çayı kahveden daha çok severim.", "Kahveyi çaydan daha çok severim."),
        ("Kediden çok köpeği severim.", "Köpekten çok kediyi severim."),
        ("Kitabı filme tercih ederim.", "Aslında filmi kitaba tercih ederim."),
    ),
]
BOTH_HOLD = [
    *english(
        ("I prefer tea over coffee.", "I prefer tea over juice."),
        ("I prefer tea over coffee in the morning.", "I prefer coffee over tea in the evening."),
        ("I prefer tea over coffee.", "My brother prefers coffee over tea."),
        ("I prefer tea over coffee.", "Do I prefer coffee over tea?"),
        ("I prefer tea over coffee.", "I used to prefer coffee over tea."),
        ("I prefer tea over coffee.", "I dreamed: I prefer coffee over tea."),
    ),
    *turkish(
        ("Çayı kahveye tercih ederim.", "Çayı suya tercih ederim."),
        ("Sabahları çayı kahveye tercih ederim.", "Akşamları kahveyi çaya tercih ederim."),
        ("Çayı kahveye tercih ederim.", "Kardeşim kahveyi çaya tercih eder."),
        ("Çayı kahveye tercih ederim.", "Kahveyi çaya tercih eder miyim?"),
        ("Çayı kahveye tercih ederim.", "Eskiden kahveyi çaya tercih ederdim."),
        ("Yeşil çayı kahveye tercih ederim.", "Kahveyi siyah çaya tercih ederim."),
    ),
]


@pytest.mark.req("D4", "D17")
@pytest.mark.parametrize(("earlier", "later"), REVERSED)
def test_the_very_reverse_takes_back(earlier: str, later: str) -> None:
    """In whatever frame of the two languages it is said."""
    found = contradicts(earlier, later)
    assert found is not None
    assert found.reason == "reversal"
    assert contradicts(later, later) is None


@pytest.mark.req("D17")
@pytest.mark.parametrize(("earlier", "later"), BOTH_HOLD)
def test_what_is_not_the_reverse_stands_beside_it(earlier: str, later: str) -> None:
    """Another pair, another time of day, another person, a question, what was once so."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("sentence", "language", "pair"),
    [
        *english(("I prefer green tea over coffee.", "en", "green tea > coffee"), ("I prefer tea.", "en", "")),
        *turkish(("Yeşil çayı kahveye tercih ederim.", "tr", "Yeşil çayı > kahveye"), ("Çayı severim.", "tr", "")),
    ],
)
def test_a_rank_is_a_pair(sentence: str, language: str, pair: str) -> None:
    """None where nothing is compared; it is not its own reverse."""
    found = ranks([sentence], language)
    assert " ".join(rank.written for rank in found) == pair
    assert reversed_rank(found, found) is None
