"""What a text states, denies and replaces."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_reading import CLAUSES_MAX, TEXT_MAX, reading


@pytest.mark.parametrize(
    "text",
    [
        "Do you eat meat?",
        "Et yiyor musun?",
        "If I were rich I would travel.",
        "Zengin olsaydım gezerdim.",
        "Maybe I will move.",
        "Belki taşınırım.",
        "I want to learn the violin.",
        "Keman öğrenmek istiyorum.",
        "My sister says that it rains.",
        "Ablam yağmur yağdığını söyledi.",
    ],
)
def test_what_states_nothing_is_left_out(text: str) -> None:
    """Questions, conditions, doubts, wishes, what others say."""
    assert reading(text).clauses == ()


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("I don't eat meat.", "not"),
        ("Et yemiyorum.", "not"),
        ("I have never eaten meat.", "never"),
        ("Hiç et yemedim.", "never"),
        ("I no longer eat meat.", "ended"),
        ("Artık et yemiyorum.", "ended"),
        ("I quit smoking.", "ended"),
        ("Sigarayı bıraktım.", "ended"),
        ("I didn't eat meat.", "past"),
        ("Et yemedim.", "past"),
    ],
)
def test_what_is_denied_and_how(text: str, how: str) -> None:
    """Now, for all time, no longer, or on one occasion."""
    (clause,) = reading(text).clauses
    assert clause.denial is not None
    assert clause.denial.how == how


@pytest.mark.parametrize("text", ["It's not only meat.", "No way, John!", "Oh no, meat.", "I eat meat.", "Et yiyorum."])
def test_what_denies_nothing(text: str) -> None:
    """Not only, no way, oh no."""
    assert all(clause.denial is None for clause in reading(text).clauses)


@pytest.mark.parametrize("text", ["I ran 5 km yesterday.", "Dün 5 km koştum.", "I won in 2019.", "2019'da kazandım."])
def test_what_holds_at_its_own_time_only(text: str) -> None:
    """Yesterday, in 2019."""
    assert all(clause.bounded for clause in reading(text).clauses)


@pytest.mark.parametrize("text", ["We switched from Slack to Teams.", "Slack'ten Teams'e geçtik."])
def test_what_is_replaced(text: str) -> None:
    """The old and the new."""
    (switch,) = reading(text).switches
    assert (switch.was, switch.now) == ({"slack"}, {"team" if "We" in text else "teams"})


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    """However long it is."""
    assert len(reading("I have two cats. " * 10_000).clauses) == CLAUSES_MAX
    assert reading("x" * TEXT_MAX + " I have two cats.") == reading("x" * TEXT_MAX)
